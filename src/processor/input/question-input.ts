/** Checks queries for predictions and forecasts. */

import { CountMatchingModelsRequest, GetForecastRequest, GetPredictionsRequest } from "../../gen/limits";
import type { Event } from "../../gen/plain";
import { excerpt } from "../../text/excerpt";
import { MAX_JUDGED_EVENTS, tooMany } from "../../text/request-limits";
import { Fault } from "../ports/fault";
import { checkSymbols } from "./gdf-input";

/** A query for predictions. */
export interface Question {
  /** The sequence to predict from instead of working memory; no event is empty. */
  readonly sequence?: { readonly events: readonly Event[] } | undefined;
  /** Maximum number of predictions, 1 to 10000; the gene max_predictions if absent. */
  readonly top?: number | undefined;
}

/** A query for a forecast. */
export interface ForecastQuestion extends Pick<Question, "sequence"> {
  /** How many events ahead, 1 to 10; 1 if absent. */
  readonly horizon?: number | undefined;
  /** Maximum number of symbols in each list, 1 to 1000; 10 if absent. */
  readonly top?: number | undefined;
}

/** A query for the probability of one symbol. */
export interface ForecastDoubt extends Pick<ForecastQuestion, "horizon" | "sequence"> {
  /** Not empty. */
  readonly symbol: string;
  /** If set, the symbol may come in any event up to the horizon; else only in the event at the horizon. */
  readonly within: boolean;
}

/** Default number of symbols in a forecast. */
const DEFAULT_TOP = 10;

/**
 * Checks a query for a forecast.
 *
 * @param mostSymbols maximum number of symbols in its sequence
 * @throws Fault `invalid` when it is wrong; `too-large` when its sequence has more symbols
 */
export function checkForecastQuestion(
  { horizon = 1, top = DEFAULT_TOP, sequence }: ForecastQuestion,
  mostSymbols: number,
): { horizon: number; top: number } {
  assertWhole("horizon", horizon, GetForecastRequest.horizon.most);
  assertWhole("top", top, GetForecastRequest.top.most);
  if (sequence !== undefined) checkSequence(sequence.events, mostSymbols);
  return { horizon, top };
}

/**
 * Checks a query for one symbol of a forecast.
 *
 * @throws Fault as {@link checkForecastQuestion}
 */
export function checkForecastDoubt(
  { symbol, horizon, sequence }: ForecastDoubt,
  mostSymbols: number,
): { horizon: number } {
  checkSymbols([symbol], "symbol");
  return checkForecastQuestion({ horizon, sequence }, mostSymbols);
}

/** Maximum number of recall thresholds in one query. */
const { mostElements: MAX_THRESHOLDS } = CountMatchingModelsRequest.recallThresholds;

/** Default thresholds: 0 to 1 in steps of a hundredth. */
const DEFAULT_THRESHOLDS = Array.from({ length: 101 }, (_, at) => at / 100);

/** A query for the number of matching models by recall threshold. */
export interface MatchingQuestion extends Pick<Question, "sequence"> {
  /** Numbers from 0 to 1, at most 1000; steps of a hundredth if empty. */
  readonly recallThresholds?: readonly number[] | undefined;
}

/**
 * Checks a query for matching models by recall threshold.
 *
 * @param mostSymbols maximum number of symbols in its sequence
 * @returns the thresholds, in the caller's order
 * @throws Fault `invalid` when it is wrong; `too-large` when its sequence has more symbols
 */
export function checkMatchingQuestion(
  { recallThresholds = [], sequence }: MatchingQuestion,
  mostSymbols: number,
): readonly number[] {
  const { length } = recallThresholds;
  if (length > MAX_THRESHOLDS)
    throw new Fault("invalid", `recall_thresholds must hold at most ${MAX_THRESHOLDS} numbers, got ${length}`);
  for (const [at, threshold] of recallThresholds.entries()) {
    if (!(threshold >= 0 && threshold <= 1))
      throw new Fault("invalid", `recall_thresholds[${at}] must be a number from 0 to 1, got ${excerpt(threshold)}`);
  }
  if (sequence !== undefined) checkSequence(sequence.events, mostSymbols);
  return length === 0 ? DEFAULT_THRESHOLDS : recallThresholds;
}

/** A query for the surprise of an event. */
export interface SurpriseDoubt extends Pick<Question, "sequence"> {
  readonly event?: Event | undefined;
}

/**
 * Checks a query for the surprise of an event.
 *
 * @returns its symbols
 * @throws Fault `invalid` when the event holds no symbol; else as {@link checkQuestion}
 */
export function checkSurpriseDoubt({ event, sequence }: SurpriseDoubt, mostSymbols: number): readonly string[] {
  const symbols = event?.symbols ?? [];
  if (symbols.length === 0) throw new Fault("invalid", "event must hold at least one symbol, got []");
  checkSymbols(symbols, "a symbol of event");
  checkQuestion({ sequence }, "", mostSymbols);
  return symbols;
}

/**
 * Checks a sequence that is to be judged as a whole.
 *
 * @throws Fault `invalid` when it has no event, or one is wrong; `too-large` when it has too many events or symbols
 */
export function checkJudged(events: readonly Event[], mostSymbols: number): void {
  if (events.length === 0) throw new Fault("invalid", "sequence must hold at least one event, got []");
  if (events.length > MAX_JUDGED_EVENTS) {
    throw new Fault("too-large", tooMany.judged(MAX_JUDGED_EVENTS, events.length));
  }
  checkSequence(events, mostSymbols);
}

/** @throws Fault `invalid` when it is not a whole number from 1 to `most` */
function assertWhole(member: string, value: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return;
  throw new Fault("invalid", `${member} must be a whole number from 1 to ${most}, got ${excerpt(value)}`);
}

/**
 * Checks a query for predictions.
 *
 * @param uniqueId the identifier that the last observation must have; empty for any
 * @param mostSymbols maximum number of symbols in its sequence
 * @throws Fault `invalid` when it is wrong; `too-large` when its sequence has more symbols
 */
export function checkQuestion({ sequence, top }: Question, uniqueId: string, mostSymbols: number): void {
  if (top !== undefined) assertWhole("top", top, GetPredictionsRequest.top.most);
  if (sequence === undefined) return;
  if (uniqueId !== "") {
    throw new Fault(
      "invalid",
      "unique_id asks about the last observation and sequence about another memory: give one of them",
    );
  }
  checkSequence(sequence.events, mostSymbols);
}

function checkSequence(events: readonly Event[], mostSymbols: number): void {
  const empty = events.findIndex(({ symbols }) => symbols.length === 0);
  if (empty >= 0) throw new Fault("invalid", `sequence[${empty}] must hold at least one symbol, got []`);
  const count = events.reduce((sum, { symbols }) => sum + symbols.length, 0);
  if (count > mostSymbols) throw new Fault("too-large", tooMany.asked(mostSymbols, count));
  for (const [at, { symbols }] of events.entries()) checkSymbols(symbols, `a symbol of sequence[${at}]`);
}
