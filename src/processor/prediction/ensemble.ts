/**
 * The ensemble: what a memory predicts under the knowledge, genes and target class as they are. Computed when it is asked for and
 * kept while nothing that it depends on changes.
 */

import type { EnsembleMemo, Mind } from "../mind";
import type { Match, Query } from "../ports/matcher";
import { type PackedEnsemble, packedFrom } from "./packed-ensemble";
import { type Prediction, predictionFrom } from "./prediction";

/** The question for a memory; `undefined` when no model could answer. */
function queryFor(mind: Mind, memory: Uint32Array): Query | undefined {
  const { genes, knowledge, mood } = mind;
  const target = mood.target === "" ? undefined : knowledge.symbols.idOf(mood.target);
  const unknownTarget = mood.target !== "" && target === undefined;
  if (unknownTarget || memory.length === 0 || knowledge.models === 0) return undefined;
  return {
    memory,
    target,
    recallThreshold: genes.recall_threshold,
    maxPredictions: genes.max_predictions,
    sortMetric: genes.prediction_sort_metric,
    thresholdMetric: genes.prediction_threshold_metric,
    threshold: genes.prediction_threshold,
    thresholdAtLeast: genes.prediction_threshold_direction,
    totals: knowledge.totals,
    knownSymbols: knowledge.symbols.size,
  };
}

function memoOf(mind: Mind): EnsembleMemo {
  const { ensembleStart, ensembleEnd } = mind.memory.positions;
  const key = `${mind.knowledge.revision},${mind.geneVersion},${ensembleStart},${ensembleEnd},${mind.mood.target}`;
  if (mind.ensemble.key !== key) mind.ensemble = { key };
  return mind.ensemble;
}

function matchesOf(mind: Mind, memo: EnsembleMemo): Match[] {
  if (memo.matches !== undefined) return memo.matches;
  if (memo.any === false || !mind.memory.hasEnsemble) return [];
  const query = queryFor(mind, mind.memory.ensembleNumbers());
  memo.matches = query === undefined ? [] : mind.matcher.predict(query);
  return memo.matches;
}

/** Whether the ensemble has any member. */
export function hasPredictions(mind: Mind): boolean {
  if (!mind.memory.hasEnsemble) return false;
  const memo = memoOf(mind);
  if (memo.any === undefined) {
    const query = queryFor(mind, mind.memory.ensembleNumbers());
    memo.any = query !== undefined && mind.matcher.matchesAny(query);
  }
  return memo.any;
}

function worded(mind: Mind, matches: readonly Match[], nameOf: (id: number) => string): Prediction[] {
  const recollections = mind.recall.of(matches.map(({ id }) => id));
  return recollections.flatMap((recollection, at) => {
    const match = matches[at];
    return match === undefined ? [] : [predictionFrom(match, recollection, nameOf)];
  });
}

/** Both forms of the ensemble are made of the matches, at whatever time they are asked for; then nobody needs the matches any more. */
function forgetMatches(memo: EnsembleMemo): void {
  if (memo.predictions !== undefined && memo.packed !== undefined) delete memo.matches;
}

/** The ensemble, best first. The same list is given out while nothing changes: it is only to be read. */
export function predictionsOf(mind: Mind): Prediction[] {
  const memo = memoOf(mind);
  if (memo.predictions === undefined) {
    memo.predictions = worded(mind, matchesOf(mind, memo), (id) => mind.memory.nameOf(id));
    forgetMatches(memo);
  }
  return memo.predictions;
}

function packed(mind: Mind, matches: readonly Match[], nameOf: (id: number) => string): PackedEnsemble {
  return packedFrom(matches, mind.recall.of(matches.map(({ id }) => id)), nameOf);
}

/** The ensemble as columns, best first; kept and given out as {@link predictionsOf} does. */
export function packedPredictionsOf(mind: Mind): PackedEnsemble {
  const memo = memoOf(mind);
  if (memo.packed === undefined) {
    memo.packed = packed(mind, matchesOf(mind, memo), (id) => mind.memory.nameOf(id));
    forgetMatches(memo);
  }
  return memo.packed;
}

/** The Shannon entropy in bits of the ensemble's potentials, normalised to sum 1; 0 when the ensemble is empty. */
export function ensembleEntropy(mind: Mind): number {
  const potentials = matchesOf(mind, memoOf(mind)).map(({ metrics }) => metrics.potential);
  const sum = potentials.reduce((total, potential) => total + potential, 0);
  return potentials.reduce((entropy, potential) => {
    const share = potential / sum;
    return share > 0 ? entropy - share * Math.log2(share) : entropy;
  }, 0);
}

function matchesForModel(mind: Mind, name: string): Match[] {
  const row = mind.store.modelByName(name);
  const query = row && queryFor(mind, row.symbols);
  return query === undefined ? [] : mind.matcher.predict(query);
}

/** What is predicted as if the sequence of a model were in working memory; empty when there is no such model. */
export function predictionsForModel(mind: Mind, name: string): Prediction[] {
  return worded(mind, matchesForModel(mind, name), (id) => mind.knowledge.symbols.nameOf(id));
}

/** The same as {@link predictionsForModel}, as columns. */
export function packedPredictionsForModel(mind: Mind, name: string): PackedEnsemble {
  return packed(mind, matchesForModel(mind, name), (id) => mind.knowledge.symbols.nameOf(id));
}
