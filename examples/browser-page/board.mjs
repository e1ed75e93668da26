/**
 * A page that learns its user's days. Each tap is observed in a session of this page; three buttons show what earlier days like this one went
 * on with.
 */

import { connect, processor, session, stream } from "noema/client";
import { generateDays, THINGS } from "./days.mjs";

const GENERATED_DAYS = 60;
const SEED = 3;
const SUGGESTIONS = 3;

const find = (id) => document.getElementById(id);

const say = (trouble) => {
  find("trouble").textContent = trouble;
};

/** Today's taps, and how often each thing was tapped ever. */
let today = [];
const used = new Map();
let suggested = [];
/** How many taps there were, and how many of them were among the suggestions or the three things used most. */
const score = { taps: 0, suggested: 0, mostUsed: 0 };

/** A working memory only for this page. Its name cannot be guessed, and the key does not allow listing names. */
const memory = session(
  processor(connect(await (await fetch("connection.json")).json()), "day-board"),
  `page-${crypto.randomUUID()}`,
);

/** One connection for all taps. It opens again when it is lost; the source lets a tap that was sent twice count once. */
const link = stream(memory, {
  source: "taps",
  onOpen: () => say(""),
  onLost: ({ message }) => say(`Taps wait until the connection is back: ${message}`),
});

const mostUsed = () => [...used].sort(([, a], [, b]) => b - a).map(([thing]) => thing);

/** What came next in the days that resemble today, best first, filled up with what is used most. */
function suggestionsFrom(predictions) {
  const votes = new Map();
  for (const { frequency, future, snr } of predictions) {
    const thing = future[0]?.[0];
    // snr is the share of today that the day explains; the power lets days win that explain nearly all of it.
    if (thing !== undefined) votes.set(thing, (votes.get(thing) ?? 0) + frequency * snr ** 4);
  }
  const voted = [...votes].sort(([, a], [, b]) => b - a).map(([thing]) => thing);
  return [...new Set([...voted, ...mostUsed(), ...THINGS])].slice(0, SUGGESTIONS);
}

/** Notes one thing, and guesses the next. */
async function note(thing) {
  const asked = { predictions: { fields: ["frequency", "future", "snr"] }, brief: true };
  // Absent when the answer was lost with the connection: then the suggestions are what is used most.
  const { predictions = [] } = await link.observe({ strings: [thing] }, asked);
  score.taps++;
  if (suggested.includes(thing)) score.suggested++;
  if (mostUsed().slice(0, SUGGESTIONS).includes(thing)) score.mostUsed++;
  used.set(thing, (used.get(thing) ?? 0) + 1);
  today.push(thing);
  suggested = suggestionsFrom(predictions);
}

async function endDay() {
  await link.observe([], { learn: true });
  today = [];
  suggested = suggestionsFrom([]);
}

async function play() {
  for (const day of generateDays(GENERATED_DAYS, SEED)) {
    for (const thing of day) {
      await note(thing);
      render();
    }
    await endDay();
  }
}

const percent = (count) => `${count} (${Math.round((100 * count) / score.taps)} %)`;

function render() {
  // Suggestions stand apart, so that no other button moves under the finger.
  find("next").replaceChildren(...suggested.map(buttonOf));
  find("today").textContent = today.join(" → ") || "nothing yet";
  if (score.taps === 0) return;
  find("score").textContent =
    `${score.taps} taps: ${percent(score.suggested)} were among the three suggestions, ${percent(score.mostUsed)} among the three things used most.`;
}

function buttonOf(thing) {
  const button = document.createElement("button");
  button.textContent = thing;
  button.onclick = () => afterwards(() => note(thing));
  return button;
}

/** Runs steps one after another, even if the user taps faster than the server answers. */
let last = Promise.resolve();
function afterwards(step) {
  last = last
    .then(() => {
      say("");
      return step();
    })
    .catch(({ message }) => say(`That was not noted: ${message}`))
    .then(render);
}

find("all").replaceChildren(...THINGS.map(buttonOf));
find("over").onclick = () => afterwards(endDay);
find("play").onclick = () => afterwards(play);
// Before, a tap on them would have done nothing.
for (const id of ["over", "play"]) find(id).disabled = false;
suggested = suggestionsFrom([]);
render();
