/** Where the evidence is: addresses of the view *Why*. */

import { linkTo } from "../place";
import { currentProcessor } from "../server";

/** Why a model is predicted. @param model its hash */
export function linkToPrediction(model: string): string {
  return linkTo({ view: "why", processor: currentProcessor.value?.id, path: ["prediction", model], query: {} });
}

/** Why a symbol is expected in the next event. */
export function linkToForecast(symbol: string): string {
  return linkTo({ view: "why", processor: currentProcessor.value?.id, path: ["forecast", symbol], query: {} });
}
