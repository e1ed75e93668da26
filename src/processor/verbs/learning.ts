/**
 * Turns working memory into a model: on request, or automatically (autolearn) when memory is full or the entropy of the
 * ensemble too high.
 */

import { assertModelFits } from "../knowledge/counting";
import { sumsAsValues } from "../knowledge/emotives";
import { runOf } from "../knowledge/model-times";
import { modelName } from "../knowledge/names";
import type { Mind } from "../mind";
import type { EmotiveValues } from "../ports/store";
import { gradeLearned } from "../prediction/estimator/gradings";
import { isScored, withScore } from "../prediction/sequence/learn-scores";
import { forgetRisen, tellLearned, unlessTooLarge } from "./alerts/alerting";

/** Minimum number of symbols in a model. */
const MIN_SYMBOLS = 2;

/** Scores a sequence before it is learned, if it is due and the verdict does not take too many steps. */
function noteScore({ knowledge, matcher, shared, steps, store }: Mind, events: readonly string[][]): void {
  if (!isScored(matcher.symbolCount, knowledge.totals.modelFrequencies)) return;
  if (shared.judge.verdictSteps > steps.whole) return;
  const { scores, full } = withScore(shared.state.learnScores, shared.judge.judge(events).bits);
  if (full !== undefined) store.record({ kind: "scores-kept", ...full });
  shared.update({ learnScores: scores });
}

/** The parts of a model to learn. */
interface LearnedParts {
  readonly events: string[][];
  readonly emotives: EmotiveValues[];
  readonly metadata: string[];
  /** The times of its events, as in model-times.ts, if known. */
  readonly times?: Float64Array | undefined;
  /** The name of the model that its memory learned last; empty for none. */
  readonly before: string;
}

function learnModel(mind: Mind): string {
  if (mind.memory.size < MIN_SYMBOLS) return "";
  const memory = mind.memory.events();
  const events = memory.map(({ symbols }) => symbols);
  const emotives = sumsAsValues(mind.state.pendingEmotives);
  const metadata = memory.map((event) => event.metadata);
  const { lastLearned: before } = mind.state;
  const parts = { events, emotives, metadata, times: runOf(memory), before };
  const name = learnSequence(mind, parts, "the model of working memory");
  mind.update({ lastLearned: name });
  return name;
}

/** Learns a sequence, and announces the model. @param what names its model in refusals @returns the model's name */
function learnSequence(mind: Mind, parts: LearnedParts, what: string): string {
  const { events, emotives, metadata, times, before } = parts;
  // Before the model is named and graded, which takes long for a large one.
  assertModelFits(what, { events, emotives, metadata });
  noteScore(mind, events);
  const name = modelName(events);
  const record = gradeLearned(mind.shared.gradingSource, name, events, before);
  const draft = {
    name,
    events,
    frequency: 1,
    emotives,
    metadata,
    learnedAt: mind.shared.seconds,
    times,
  };
  mind.knowledge.learn(draft, mind.genes.persistence);
  mind.knowledge.noteForecasts(record);
  mind.knowledge.keepAtMost(mind.genes.max_models, name);
  const { activityListener } = mind.shared;
  if (activityListener?.isListening) {
    activityListener.notify({ kind: "learned", session: mind.session, interval: mind.state.time, model: name });
  }
  tellLearned(mind, name);
  return name;
}

/**
 * Learns events that are not in working memory, like working memory.
 *
 * @param mind the memory that learns, whose listeners are notified
 * @returns as {@link learnMemory}
 * @throws Fault as {@link learnMemory}
 */
export function learnEvents(mind: Mind, events: string[][]): string {
  if (events.reduce((sum, { length }) => sum + length, 0) < MIN_SYMBOLS) return "";
  const parts = { events, emotives: [], metadata: events.map(() => "{}"), before: "" };
  return learnSequence(mind, parts, "the model of the events");
}

/**
 * Learns the waiting vectors. Drops those that no longer fit because another memory has learned vectors of another
 * length.
 */
function learnVectors(mind: Mind): void {
  const length = mind.vectorLength;
  const fitting = mind.waiting.drop().filter(({ components }) => components.length === length);
  if (fitting.length === 0) return;
  for (const { name, components } of fitting) mind.vectors.learn(name, components);
  mind.knowledge.touch();
  mind.shared.update({ vectorDimensionality: mind.vectors.dimensionality });
}

/**
 * Learns working memory, the waiting vectors and the emotives since the last learn. Leaves working memory and the count
 * of observations as they are; the caller changes them.
 * @returns the model's name, empty when fewer than two symbols are in memory
 * @throws Fault `exhausted` when memory is used up; `too-large` when working memory could not be read, or the model
 *   would be too large
 */
function learnMemory(mind: Mind): string {
  mind.assertRead();
  const name = learnModel(mind);
  learnVectors(mind);
  mind.update({ pendingEmotives: [] });
  return name;
}

/** Learns and clears working memory. @returns as {@link learnMemory} */
export function learn(mind: Mind): string {
  const name = learnMemory(mind);
  mind.update({ observeCalls: 0 });
  mind.memory.clear();
  mind.memory.dropEnsemble();
  forgetRisen(mind);
  return name;
}

/** A hypothetical addition to memory. */
interface Longer {
  readonly events: number;
  readonly symbols: number;
}

const UNCHANGED: Longer = { events: 0, symbols: 0 };

/**
 * How far memory is beyond its limit, counted as the gene wm_resolution says; negative below the limit, and without
 * one.
 * @param longer counts memory as longer by this much
 */
function excess({ genes, memory }: Mind, { events, symbols } = UNCHANGED): number {
  const { max_sequence_length: limit, wm_resolution: resolution } = genes;
  const length = resolution === "event" ? memory.length + events : memory.size + symbols;
  return limit > 0 ? length - limit : Number.NEGATIVE_INFINITY;
}

/** Whether autolearn by entropy is on and can become due, which takes predictions. */
export function learnsByEntropy({ genes, shared }: Mind): boolean {
  const { autolearn, predict } = shared.state;
  return autolearn && predict && genes.auto_learn_metric === "entropy";
}

function learnsBySize(mind: Mind): boolean {
  return mind.shared.state.autolearn && mind.genes.auto_learn_metric === "wm_size";
}

/** Drops the oldest events while memory is longer than its limit, unless autolearn by size will shorten it. */
export function dropBeyondLimit(mind: Mind): void {
  if (learnsBySize(mind)) return;
  while (mind.memory.length > 1 && excess(mind) > 0) mind.memory.dropOldest();
}

/**
 * The bytes of events that memory would hold after observing one more, dropping what exceeds its limit, and learning if
 * autolearn by size becomes due.
 * @param symbols of the event, 1 or more
 * @param bytes of the event
 */
export function bytesAfter(mind: Mind, symbols: number, bytes: number): { events: number; learns: boolean } {
  const { genes, memory } = mind;
  let longer: Longer = { events: 1, symbols };
  let events = memory.bytes + bytes;
  const isBySize = learnsBySize(mind);
  if (isBySize && excess(mind, longer) < 0) return { events, learns: false };
  if (isBySize && genes.wm_mode !== "rolling") return { events: memory.length > 0 ? bytes : 0, learns: true };
  // Mirrors roll and dropBeyondLimit, except that the new event itself is counted separately.
  const most = isBySize ? -1 : 0;
  for (const oldest of memory.oldest()) {
    if (excess(mind, longer) <= most) break;
    events -= oldest.bytes;
    longer = { events: longer.events - 1, symbols: longer.symbols - oldest.symbols };
  }
  return { events, learns: isBySize };
}

/** Whether the gene max_sequence_length makes memory drop its oldest events automatically. */
export function isRolling(mind: Mind): boolean {
  return mind.genes.max_sequence_length > 0 && !learnsBySize(mind);
}

function isDueBySize(mind: Mind): boolean {
  return excess(mind) >= 0;
}

/** @returns `undefined` if that takes too many steps to find out */
function isDueByEntropy(mind: Mind): boolean | undefined {
  if (!mind.shared.state.predict || mind.memory.size < MIN_SYMBOLS) return false;
  const entropy = unlessTooLarge(() => mind.ensemble.entropy());
  return entropy === undefined ? undefined : entropy > mind.genes.smoothness;
}

/** Drops the oldest events until memory is below its limit. */
function roll(mind: Mind): void {
  while (isDueBySize(mind)) mind.memory.dropOldest();
}

/** Keeps the last event, or none if that event alone reaches the limit, and restarts the count of observations. */
function shorten(mind: Mind): void {
  mind.update({ observeCalls: 0 });
  if (mind.memory.length > 1 || !learnsBySize(mind)) mind.memory.keepLast();
  else mind.memory.clear();
}

/**
 * Autolearn: learns working memory when it is on and due. By size with the gene wm_mode `rolling`, memory then drops
 * its oldest events until it is below its limit, and the count of observations continues. Otherwise it keeps the last
 * event, or none if that event alone reaches the limit.
 * @returns the model's name, empty when nothing was learned; and whether it is unknown if autolearn by entropy is due,
 *   because that takes too many steps
 * @throws Fault `exhausted` when memory is used up; `too-large` when the model would be too large
 */
export function learnIfDue(mind: Mind): { model: string; isUnknown: boolean } {
  const { auto_learn_metric: metric, wm_mode: mode } = mind.genes;
  if (!mind.shared.state.autolearn) return { model: "", isUnknown: false };
  const isDue = metric === "wm_size" ? isDueBySize(mind) : isDueByEntropy(mind);
  if (!isDue) return { model: "", isUnknown: isDue === undefined };
  const model = learnMemory(mind);
  if (metric === "wm_size" && mode === "rolling") roll(mind);
  else shorten(mind);
  return { model, isUnknown: false };
}
