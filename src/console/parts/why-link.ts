/** Where the evidence is: addresses of the view *Why*. */

import { linkTo } from "../place";
import { currentProcessor } from "../server";
import { keeping, MOST_BEFORE, meaning } from "../why/moment";

/** Events, oldest first. */
type Events = readonly (readonly string[])[];

/**
 * Why a model is predicted. @param model its hash @param memory what it was predicted from; `undefined` for what is in
 * mind when somebody looks
 */
export function linkToPrediction(model: string, memory: Events | undefined): string {
  const query = memory === undefined ? {} : meaning(memory);
  return linkTo({ view: "why", processor: currentProcessor.value?.id, path: ["prediction", model], query });
}

/**
 * Why a symbol is expected in the next event. @param memory what it was forecast from; `undefined` for what is in
 * mind when somebody looks
 */
export function linkToForecast(symbol: string, memory: Events | undefined): string {
  const query = memory === undefined ? {} : meaning(memory.slice(-MOST_BEFORE));
  return linkTo({ view: "why", processor: currentProcessor.value?.id, path: ["forecast", symbol], query });
}

/**
 * Why an observation was a surprise. The address holds what it needs, because memory goes on.
 *
 * @param events the observation, behind the events that it came after
 * @returns `undefined` where nothing came before it, or where that is too long for an address
 */
export function linkToSurprise(events: Events): string | undefined {
  const kept = keeping(events.slice(0, -1));
  if (events.length < 2 || kept.after === undefined) return undefined;
  const query = { ...kept, event: JSON.stringify(events.at(-1)) };
  return linkTo({ view: "why", processor: currentProcessor.value?.id, path: ["surprise"], query });
}
