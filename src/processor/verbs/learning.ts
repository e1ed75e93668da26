/** How working memory becomes a model: when asked, or by itself when it is full or the ensemble too undecided. */

import { sumsAsValues } from "../knowledge/emotives";
import type { Mind } from "../mind";
import { ensembleEntropy } from "../prediction/ensemble";

/** Fewer symbols than this are not worth a model. */
const LEAST_SYMBOLS = 2;

function learnModel(mind: Mind): string {
  if (mind.memory.size < LEAST_SYMBOLS) return "";
  const events = mind.memory.events();
  const name = mind.knowledge.learn(
    {
      events: events.map(({ symbols }) => symbols),
      frequency: 1,
      emotives: sumsAsValues(mind.mood.pendingEmotives),
      metadata: events.map(({ metadata }) => metadata),
    },
    mind.genes.persistence,
  );
  mind.feel({ lastLearned: name });
  return name;
}

function learnVectors(mind: Mind): void {
  if (!mind.vectors.learnWaiting()) return;
  mind.knowledge.touch();
  mind.feel({ vectorDimensionality: mind.vectors.dimensionality });
}

/**
 * Learns working memory, the vectors that wait and the emotives since the last time. The memory stays as it is: what becomes of it
 * is the caller's to say.
 * @returns the model's name, empty when fewer than two symbols are in memory
 * @throws Fault `exhausted` when memory is used up
 */
export function learnMemory(mind: Mind): string {
  const name = learnModel(mind);
  learnVectors(mind);
  mind.feel({ observeCalls: 0, pendingEmotives: [] });
  return name;
}

/** Learns and clears working memory. @returns as {@link learnMemory} */
export function learn(mind: Mind): string {
  const name = learnMemory(mind);
  mind.memory.clear();
  mind.memory.dropEnsemble();
  return name;
}

/** Whether memory is at its limit, counted as wm_resolution says. @param reaching `true`: has reached it; `false`: is beyond it */
function isAtLimit(mind: Mind, reaching: boolean): boolean {
  const { max_sequence_length: limit, wm_resolution: resolution } = mind.genes;
  const length = resolution === "event" ? mind.memory.length : mind.memory.size;
  return limit > 0 && (reaching ? length >= limit : length > limit);
}

function learnsBySize(mind: Mind): boolean {
  return mind.mood.autolearn && mind.genes.auto_learn_metric === "wm_size";
}

/** Lets go of the oldest events while memory is longer than its limit, unless it is to be learned instead. */
export function keepWithinLimit(mind: Mind): void {
  if (learnsBySize(mind)) return;
  while (mind.memory.length > 1 && isAtLimit(mind, false)) mind.memory.dropOldest();
}

function isDueBySize(mind: Mind): boolean {
  return isAtLimit(mind, true);
}

function isDueByEntropy(mind: Mind): boolean {
  if (!mind.mood.predict || mind.memory.size < LEAST_SYMBOLS) return false;
  return ensembleEntropy(mind) > mind.genes.smoothness;
}

/**
 * Learns by itself if it is time to.
 * @returns the model's name, empty when none was learned
 * @throws Fault `exhausted` when memory is used up
 */
export function learnByItself(mind: Mind): string {
  const isDue = mind.genes.auto_learn_metric === "wm_size" ? isDueBySize : isDueByEntropy;
  if (!mind.mood.autolearn || !isDue(mind)) return "";
  // Recorded before learning, which may be refused: what is recorded is taken back.
  mind.commit();
  const name = learnMemory(mind);
  const keepsLast = mind.memory.length > 1 || !learnsBySize(mind);
  if (keepsLast) mind.memory.keepLast();
  else mind.memory.clear();
  return name;
}
