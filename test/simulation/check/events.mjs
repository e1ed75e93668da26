/**
 * Judges the events that a processor of parts hears from another. Its twin hears each when it has heard it; what was to
 * be told says another processor of the twin, which the same sender tells everything.
 */

import { purposeOf } from "./purpose.mjs";

const plain = (_, value) => (typeof value === "bigint" ? String(value) : value);

/** The events that a processor of a world has taken, in the order of their numbers, which count from 1. */
function takenBy(id, { runs }, { messageFromCarried, ObserveRequestSchema }, wrong) {
  const taken = [];
  for (const run of runs) {
    if (run.fate !== "durable" || !run.node.name.endsWith(`/${id}`) || purposeOf(run)?.kind !== "delivery") continue;
    const { delivery, gdf, path } = messageFromCarried(ObserveRequestSchema, run.call.body);
    const number = Number(delivery.number);
    if (number > taken.length + 1) wrong.push(`${id} got event ${number} before event ${taken.length + 1}`);
    if (number > taken.length) taken.push(JSON.stringify({ session: run.session, path, gdf }, plain));
  }
  return taken;
}

/**
 * Compares what was heard with what was to be told.
 *
 * @param {{ world: object, twin: object, hears: string, hearsInTwin: string }} happened twin: the world of the twin;
 *   hears, hearsInTwin: the ids of the processors that are told events
 * @param exports what the sources export to read messages with
 * @returns {string[]} what is wrong, in sentences
 */
export function judgeEvents({ world, twin, hears, hearsInTwin }, exports) {
  const wrong = [];
  const heard = takenBy(hears, world, exports, wrong);
  const told = takenBy(hearsInTwin, twin, exports, wrong);
  for (const [at, event] of told.entries()) {
    if (heard[at] !== event) wrong.push(`event ${at + 1} for ${hears}:\n    got    ${heard[at]}\n    wanted ${event}`);
  }
  if (heard.length > told.length) wrong.push(`${hears} got ${heard.length} events, and there were ${told.length}`);
  return wrong;
}
