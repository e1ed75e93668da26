/** Judges what clients are told while parts of a processor are away, and nothing else is wrong. */

import { isPassing } from "../clients.mjs";
import { FAULTS_OF_PARTS } from "../plan/faults.mjs";

/** The refusal of what needs a part that is away. */
const AWAY = /part \d+ of the \d+ parts of this processor cannot be reached; nothing has changed: try again/;

/** What goes on while parts are away. To explain a record needs them all. */
const GOING_ON = /^POST observe$|^GET |^POST working-memory\/clear/;

/** What is wrong with the answers, in sentences. */
export function judgeAway(steps) {
  const names = steps.flatMap(({ faults }) => faults.map(({ fault }) => fault));
  if (!names.every((name) => FAULTS_OF_PARTS.includes(name))) return [];
  // Where observing learns, it may need them, too.
  const mayLearn = steps.some(({ call }) => call === "POST autolearning/start");
  const goesOn = (call) => GOING_ON.test(call) && !(mayLearn && call === "POST observe");
  return steps.flatMap(({ id, call, outcome }) => {
    if (call === undefined || outcome === undefined || !isPassing(outcome)) return [];
    const text = outcome.lost ?? `${outcome.status} ${outcome.text}`;
    if (goesOn(call)) return [`step ${id}, ${call}, goes on while parts are away, and was answered ${text}`];
    return AWAY.test(text) ? [] : [`step ${id}, ${call}, needs a part that is away, and was answered ${text}`];
  });
}
