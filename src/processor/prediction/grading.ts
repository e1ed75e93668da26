/**
 * Compares models with what would have been forecast, when they are learned or loaded: so few that learning stays fast. Which ones depends on the
 * model and on the number of models alone.
 */

import { compareCodePoints } from "../../text/code-points";
import type { Knowledge } from "../knowledge/knowledge";
import { askedSequence } from "../memory/asked-sequence";
import { type Forecaster, type ForecastRecord, MOST_HORIZON } from "../ports/forecaster";
import type { MatchableModel, Sequence } from "../ports/matcher";

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

/** What a grading works with. A mind is one. */
export interface GradingSource {
  readonly knowledge: Knowledge;
  readonly forecaster: Forecaster;
}

/** A sequence that came, with the names of its symbols. */
export interface CameSequence extends Sequence {
  nameOf(symbol: number): string;
}

/** A loaded knowledge of more models is not graded: to read them all again takes too long. */
const MOST_LOADED = 20_000;
/** About so many models are looked at when a loaded knowledge is graded. */
const LOADED_WORK = 1_500_000;

/**
 * Compares a sequence with what would have been forecast some events before its end.
 *
 * @param horizons how many events before the end
 * @param excluded the id of the model that it is already; 0 for none
 * @param steps a forecast that takes more is left out
 * @returns the knowledge's record with it
 */
function graded(
  { knowledge, forecaster }: GradingSource,
  came: CameSequence,
  horizons: readonly number[],
  { excluded, steps }: { excluded: number; steps: number },
): ForecastRecord {
  knowledge.tellMatcher();
  let record = knowledge.forecastRecord;
  const compare = (one: number, other: number) => compareCodePoints(came.nameOf(one), came.nameOf(other));
  for (const horizon of horizons) {
    const lengths = came.lengths.subarray(0, Math.max(0, came.lengths.length - horizon));
    if (lengths.length === 0) continue;
    const asked = lengths.reduce((sum, length) => sum + length, 0);
    const { totals } = knowledge;
    const context = { symbols: came.symbols.subarray(0, asked), lengths, target: undefined, totals, record, steps };
    const symbols = new Set(came.symbols.subarray(asked));
    const next = forecaster.grade({ ...context, horizon, came: symbols, excluded, compare });
    if (forecaster.steps <= steps) record = next;
  }
  return record;
}

/** Compares a sequence that is about to be learned, if its turn has come. @param name its model's @returns the record with it */
export function gradeLearned(
  source: GradingSource,
  name: string,
  events: readonly string[][],
  steps: number,
): ForecastRecord {
  const { symbols, models, forecastRecord } = source.knowledge;
  const seed = Number.parseInt(name.slice(0, 8), 16);
  if (models === 0 || !isGraded(seed, models)) return forecastRecord;
  const { numbers, lengths, nameOf } = askedSequence(events, symbols);
  const came = { symbols: numbers, lengths, nameOf };
  return graded(source, came, gradedHorizons(seed, models), { excluded: 0, steps });
}

/** Compares some models of a knowledge that was loaded, each with what the others say. */
export function gradeLoaded(source: GradingSource, corpus: Iterable<MatchableModel>, steps: number): void {
  const { models, symbols } = source.knowledge;
  if (models > MOST_LOADED) return;
  const stride = Math.max(1, Math.ceil((models * models) / LOADED_WORK));
  let at = 0;
  for (const model of corpus) {
    if (at++ % stride !== 0) continue;
    const came = { symbols: model.symbols, lengths: model.lengths, nameOf: (id: number) => symbols.nameOf(id) };
    const other = 2 + (Math.floor(at / stride) % (MOST_HORIZON - 1));
    source.knowledge.noteForecasts(graded(source, came, [1, other], { excluded: model.id, steps }));
  }
}
