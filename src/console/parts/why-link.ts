/** Links to evidence in the view *Why*. */

import { linkTo } from "../place";
import { currentProcessor } from "../server";
import { keeping, MAX_BEFORE, meaning } from "../why/moment";

/** Events, oldest first. */
type Events = readonly (readonly string[])[];

/**
 * Why a model is predicted.
 *
 * @param model its hash
 * @param memory what it was predicted from; `undefined` for working memory at the time of opening the link
 */
export function linkToPrediction(model: string, memory: Events | undefined): string {
  const query = memory === undefined ? {} : meaning(memory);
  return linkTo({ view: "why", processor: currentProcessor.value?.id, path: ["prediction", model], query });
}

/**
 * Why a symbol is expected in the next event.
 *
 * @param memory what it was forecast from; `undefined` for working memory at the time of opening the link
 */
export function linkToForecast(symbol: string, memory: Events | undefined): string {
  const query = memory === undefined ? {} : meaning(memory.slice(-MAX_BEFORE));
  return linkTo({ view: "why", processor: currentProcessor.value?.id, path: ["forecast", symbol], query });
}

/**
 * Why an observation was a surprise. The link holds all that it needs, because memory changes.
 *
 * @param events the events before the observation, and the observation last
 * @returns `undefined` if nothing came before it, or the link would be too long
 */
export function linkToSurprise(events: Events): string | undefined {
  const kept = keeping(events.slice(0, -1));
  if (events.length < 2 || kept.after === undefined) return undefined;
  const query = { ...kept, event: JSON.stringify(events.at(-1)) };
  return linkTo({ view: "why", processor: currentProcessor.value?.id, path: ["surprise"], query });
}
