/**
 * Predicts the next page of visitors of a web shop. Learns 1000 generated visits, then follows 200 others page by page and compares the
 * guesses with those of Markov chains.
 */

import { endSession, getPredictions, observe, observeSequence, session } from "noema/client";
import { forEachAtOnce } from "../at-once.mjs";
import { ownProcessor } from "../own-processor.mjs";
import { markovChain } from "./markov-chain.mjs";
import { generateVisits } from "./visits.mjs";

const SEED = 7;
const LEARNED = 1000;
const HELD_OUT = 200;
/** How many visitors are under way at once. */
const AT_ONCE = 8;

/** A page is an event of one symbol. */
const eventOf = (page) => ({ strings: [page] });

/** Learns a visit that is over. The whole visit is one call, so visits that are learned at once do not mix. */
function learnVisit(shop, { pages }) {
  return observeSequence(shop, { sequence: pages.map(eventOf), clear: true, learn: true });
}

/**
 * The pages that come right after those seen in the visits that resemble this one, best first. Each such visit votes as often as it was
 * learned, and with its signal-to-noise ratio: the share of the pages seen that it explains. The power lets those win that explain nearly all.
 */
function guessesOf(predictions) {
  const votes = new Map();
  for (const { future, frequency, snr } of predictions) {
    const page = future[0]?.[0];
    if (page !== undefined) votes.set(page, (votes.get(page) ?? 0) + frequency * snr ** 4);
  }
  return [...votes].sort(([, a], [, b]) => b - a).map(([page]) => page);
}

/** Follows one visitor, and calls `onGuess` with all pages up to the next, and the guesses for it. */
async function follow(shop, { visitor, pages }, onGuess) {
  // A working memory of their own: visitors who are under way at the same time do not mix.
  const visit = session(shop, visitor);
  for (const [index, page] of pages.slice(0, -1).entries()) {
    await observe(visit, eventOf(page));
    const predictions = await getPredictions(visit, { fields: ["frequency", "future", "snr"] });
    onGuess(pages.slice(0, index + 2), guessesOf(predictions));
  }
  // A shop would call learn(visit) first. Here the held-out visits stay unknown.
  await endSession(shop, visitor);
}

/** Counts how often the next page was the first guess, or one of the first three. */
class Score {
  asked = 0;
  first = 0;
  firstThree = 0;

  count(guesses, page) {
    this.asked++;
    if (guesses[0] === page) this.first++;
    if (guesses.slice(0, 3).includes(page)) this.firstThree++;
  }

  row(name) {
    const percent = (count) => `${((100 * count) / this.asked).toFixed(1)} %`.padStart(16);
    return name.padEnd(34) + percent(this.first) + percent(this.firstThree);
  }
}

const visits = generateVisits(LEARNED + HELD_OUT, SEED);
const past = visits.slice(0, LEARNED);
const shop = await ownProcessor("web-shop");

let started = performance.now();
const perSecond = (count) => Math.round((1000 * count) / (performance.now() - started));
await forEachAtOnce(past, AT_ONCE, (visit) => learnVisit(shop, visit));
console.log(`Learned ${past.length} generated visits, ${perSecond(past.length)} a second.`);

const noema = new Score();
const baselines = [
  { name: "Markov chain of order 1", guess: markovChain(past, 1), score: new Score() },
  { name: "Markov chain of order 3, back-off", guess: markovChain(past, 3), score: new Score() },
  { name: "most popular page", guess: markovChain(past, 0), score: new Score() },
];
started = performance.now();
await forEachAtOnce(visits.slice(LEARNED), AT_ONCE, (visit) =>
  follow(shop, visit, (pages, guesses) => {
    const page = pages.at(-1);
    noema.count(guesses, page);
    for (const { guess, score } of baselines) score.count(guess(pages.slice(0, -1)), page);
  }),
);
console.log(`Followed ${HELD_OUT} other visitors over ${noema.asked} pages, ${perSecond(noema.asked)} a second.\n`);

console.log(`${"the next page is".padEnd(34)}${"the first guess".padStart(16)}${"among three".padStart(16)}`);
console.log(noema.row("Noema"));
for (const { name, score } of baselines) console.log(score.row(name));
