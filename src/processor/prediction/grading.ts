/** Which models are compared with what would have been forecast, when they are learned: so few that learning stays fast. Depends on the model and on the number of models alone. */

import { MOST_HORIZON } from "../ports/forecaster";

/** While there are fewer models, every one is compared. */
const FEW_MODELS = 1024;
/** Below so many models, one in {@link SOME} is; from there on, one in as many as keeps the work of a learn the same on average. */
const MANY_MODELS = 8192;
const SOME = 4;

/** Whether a model is compared. @param seed a whole number below 2^32 that depends on the model alone @param models how many there are */
export function isGraded(seed: number, models: number): boolean {
  if (models < FEW_MODELS) return true;
  const part = models < MANY_MODELS ? SOME : 2 ** Math.ceil(Math.log2(models / FEW_MODELS));
  return seed % part === 0;
}

/** How far ahead the forecasts look with which a model is compared: the next event, and one horizon more. */
export function gradedHorizons(seed: number, models: number): number[] {
  const longer = MOST_HORIZON - 1;
  const other = 2 + (Math.floor(seed / 4096) % longer);
  if (models >= FEW_MODELS / 4) return [1, other];
  return [1, ...new Set([other, 2 + (Math.floor(seed / 65_536) % longer)])];
}
