/** Notices in words, for people who read them in a chat or on a phone. */

import type { Notice, SilentMemory, Told } from "../../processor/ports/alert";
import { MODEL_PREFIX } from "../../text/names";

/** Maximum number of characters of a symbol, an alert or a session in a sentence. */
const MAX_CHARACTERS = 100;

/** One line naming the alert and the memory. */
export function titleOf({ alert, session }: Pick<Notice, "alert" | "session">): string {
  return session === "" ? brief(alert) : `${brief(alert)}: ${brief(session)}`;
}

/** One sentence: what happened, and why it is reported. @param processor its identifier */
export function wordsOf({ told, interval }: Pick<Notice, "interval" | "told">, processor: string): string {
  return `${sentenceOf(told)} (processor ${brief(processor)}, interval ${interval})`;
}

function sentenceOf(told: Told): string {
  switch (told.kind) {
    case "surprise": {
      const { bits, expected, unexpected } = told.surprise;
      return (
        `An event had a surprise of ${bits.toFixed(1)} ` +
        `bits${causeOf(unexpected[0])}${insteadOf(expected[0]?.symbol)}.`
      );
    }
    case "incident": {
      const { bits, causes, expected, id } = told.incident;
      const instead = insteadOf(expected[0]?.symbol);
      return `Incident ${id} began with an event of ${bits.toFixed(1)} bits${causeOf(causes[0]?.symbol)}${instead}.`;
    }
    case "forecast": {
      const { horizon, probability, symbol } = told.forecast;
      const events = horizon === 1 ? "the next event" : `the next ${horizon} events`;
      return `${brief(symbol)} has a probability of ${probability.toFixed(2)} in ${events}.`;
    }
    case "silent": {
      const { more = 0, others = [] } = told;
      const { after, last_observed } = told.silence;
      const time = durationOf(after);
      const at = new Date(1_000 * last_observed).toISOString().slice(0, 19).replace("T", " ");
      return `Nothing has been observed for ${time}; the last event was at ${at} UTC${besides(others, more)}.`;
    }
    case "learned":
      return `${MODEL_PREFIX}${told.model} was learned.`;
    case "test":
      return "This is a test: nothing has happened.";
  }
}

/** Maximum number of other silent memories that a sentence names. */
export const MAX_NAMED = 5;

/** The part of a sentence about other silent memories. */
function besides(others: readonly SilentMemory[], more: number): string {
  if (others.length === 0) return "";
  const count = others.length + more;
  const names = others.slice(0, MAX_NAMED).map(({ session }) => (session === null ? "its own memory" : brief(session)));
  const introduction = count > names.length ? ", such as " : ": ";
  return `; the same is true of ${count === 1 ? "1 other" : `${count} others`}${introduction}${names.join(", ")}`;
}

/** A duration in the greatest unit that fits at least twice, rounded: 90 s, 25 min or 3.5 h. */
function durationOf(seconds: number): string {
  const units: [name: string, seconds: number][] = [
    ["days", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ];
  const [name, size] = units.find(([, each]) => seconds >= 2 * each) ?? ["s", 1];
  return `${Math.round((10 * seconds) / size) / 10} ${name}`;
}

function causeOf(symbol: string | undefined): string {
  return symbol === undefined ? "" : `: ${brief(symbol)}`;
}

function insteadOf(symbol: string | undefined): string {
  return symbol === undefined ? "" : `, where ${brief(symbol)} was expected`;
}

/** A text on one line, cut if it is long. */
function brief(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const characters = [...line];
  return characters.length <= MAX_CHARACTERS ? line : `${characters.slice(0, MAX_CHARACTERS).join("")}…`;
}
