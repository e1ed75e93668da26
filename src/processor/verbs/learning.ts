/** Turns working memory into a model: on request, or by itself (autolearn) when memory is full or the ensemble too undecided. */

import { sumsAsValues } from "../knowledge/emotives";
import { modelName } from "../knowledge/names";
import type { Mind } from "../mind";
import { gradeLearned } from "../prediction/grading";
import { forgetRisen, tellLearned } from "./alerts/alerting";

/** The fewest symbols that make a model. */
const MIN_SYMBOLS = 2;

function learnModel(mind: Mind): string {
  if (mind.memory.size < MIN_SYMBOLS) return "";
  const memory = mind.memory.events();
  const events = memory.map(({ symbols }) => symbols);
  const { store, shared } = mind;
  const modelOf = (id: number) => store.modelById(id);
  const record = gradeLearned(mind, modelName(events), events, modelOf, shared.budgets.matchingSteps);
  const name = mind.knowledge.learn(
    {
      events,
      frequency: 1,
      emotives: sumsAsValues(mind.state.pendingEmotives),
      metadata: memory.map(({ metadata }) => metadata),
      learnedAt: mind.shared.seconds,
    },
    mind.genes.persistence,
  );
  mind.knowledge.noteForecasts(record);
  mind.knowledge.keepAtMost(mind.genes.max_models, name);
  mind.update({ lastLearned: name });
  const { witness } = mind.shared;
  if (witness?.isWatching) {
    witness.saw({ kind: "learned", session: mind.session, interval: mind.state.time, model: name });
  }
  tellLearned(mind, name);
  return name;
}

/** Learns the waiting vectors. Drops those that no longer fit, because another memory has learned vectors of another length. */
function learnVectors(mind: Mind): void {
  const length = mind.vectorLength;
  const fitting = mind.waiting.drop().filter(({ components }) => components.length === length);
  if (fitting.length === 0) return;
  for (const { name, components } of fitting) mind.vectors.learn(name, components);
  mind.knowledge.touch();
  mind.shared.update({ vectorDimensionality: mind.vectors.dimensionality });
}

/**
 * Learns working memory, the waiting vectors and the emotives since the last learn. Leaves working memory and the count of observations as
 * they are; the caller changes them.
 * @returns the model's name, empty when fewer than two symbols are in memory
 * @throws Fault `exhausted` when memory is used up
 */
function learnMemory(mind: Mind): string {
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

/** How far memory is beyond its limit, counted as the gene wm_resolution says; negative below the limit, and without one. */
function excess(mind: Mind): number {
  const { max_sequence_length: limit, wm_resolution: resolution } = mind.genes;
  const length = resolution === "event" ? mind.memory.length : mind.memory.size;
  return limit > 0 ? length - limit : Number.NEGATIVE_INFINITY;
}

function learnsBySize(mind: Mind): boolean {
  return mind.shared.state.autolearn && mind.genes.auto_learn_metric === "wm_size";
}

/** Drops the oldest events while memory is longer than its limit, unless autolearn by size will shorten it. */
export function dropBeyondLimit(mind: Mind): void {
  if (learnsBySize(mind)) return;
  while (mind.memory.length > 1 && excess(mind) > 0) mind.memory.dropOldest();
}

function isDueBySize(mind: Mind): boolean {
  return excess(mind) >= 0;
}

function isDueByEntropy(mind: Mind): boolean {
  if (!mind.shared.state.predict || mind.memory.size < MIN_SYMBOLS) return false;
  return mind.ensemble.entropy() > mind.genes.smoothness;
}

/** Drops the oldest events until memory is below its limit. */
function roll(mind: Mind): void {
  while (isDueBySize(mind)) mind.memory.dropOldest();
}

/** Keeps the last event, or none when that event alone reached the limit, and counts observations anew. */
function shorten(mind: Mind): void {
  mind.update({ observeCalls: 0 });
  if (mind.memory.length > 1 || !learnsBySize(mind)) mind.memory.keepLast();
  else mind.memory.clear();
}

/**
 * Autolearn: learns working memory when it is on and due. By size and with the gene wm_mode `rolling`, memory then loses its oldest events
 * until it is below its limit, and observations count on. Else it keeps the last event, or none when that event alone reached the limit.
 * @returns the model's name, empty when nothing was learned
 * @throws Fault `exhausted` when memory is used up
 */
export function learnIfDue(mind: Mind): string {
  const { auto_learn_metric: metric, wm_mode: mode } = mind.genes;
  const isDue = metric === "wm_size" ? isDueBySize : isDueByEntropy;
  if (!mind.shared.state.autolearn || !isDue(mind)) return "";
  const name = learnMemory(mind);
  if (metric === "wm_size" && mode === "rolling") roll(mind);
  else shorten(mind);
  return name;
}
