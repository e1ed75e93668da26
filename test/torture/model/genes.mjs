/** The genes as the wire contract lists them: defaults, and how they are printed. */

import { sixDecimals } from "./text.mjs";

/** The default values. */
export const DEFAULT_GENES = {
  SORT: true,
  always_update_frequencies: false,
  auto_learn_algorithm: "basic",
  auto_learn_metric: "wm_size",
  classifier: "CVC",
  clustering_cluster_threshold: 0.1,
  clustering_fuzziness: 1.25,
  clustering_intercluster_threshold: 0.2,
  clustering_pair_similarity_maximum: 0.3,
  enable_genome_snapshots: true,
  enable_hyper_clustering: false,
  enable_predictions_kb: false,
  enable_snapshots: false,
  max_models: 0,
  max_predictions: 100,
  max_sequence_length: 0,
  near_vector_count: 3,
  persistence: 5,
  predict_on_nth_event: 1,
  prediction_sort_metric: "potential",
  prediction_threshold: 0,
  prediction_threshold_direction: true,
  prediction_threshold_metric: "potential",
  quiescence: 3,
  recall_threshold: 0.1,
  search_depth: 10,
  smoothness: 3,
  snapshot_gen_predictions: false,
  snapshot_sync_keys: "[]",
  wm_mode: "clear",
  wm_resolution: "symbol",
};

/** The genes that the reference agent does not have: they are read together with the others only where they differ from their defaults. */
const OWN_GENES = ["max_models", "wm_mode"];

/** The words for true and false of the genes that have some. */
const WORDS = {
  SORT: ["sorting", "not sorting"],
  enable_genome_snapshots: ["genome snapshots enabled", "genome snapshots disabled"],
  enable_hyper_clustering: ["hyper_clustering enabled", "hyper_clustering disabled"],
  enable_predictions_kb: ["prediction_kb enabled", "prediction_kb disabled"],
  enable_snapshots: ["WM snapshots enabled", "WM snapshots disabled"],
  prediction_threshold_direction: ["greater than", "less than"],
  snapshot_gen_predictions: [
    "prediction generation on snapshot load enabled",
    "prediction generation on snapshot load disabled",
  ],
};

/** The genes that are read with six decimals, one by one. */
const FLOATS = [
  "clustering_cluster_threshold",
  "clustering_fuzziness",
  "clustering_intercluster_threshold",
  "clustering_pair_similarity_maximum",
  "prediction_threshold",
  "recall_threshold",
];

function printed(name, value) {
  const words = WORDS[name];
  return words === undefined ? value : words[value ? 0 : 1];
}

/** All genes as they are read together. */
export function allGenes(genes) {
  const shown = Object.entries(genes).filter(
    ([name, value]) => !OWN_GENES.includes(name) || value !== DEFAULT_GENES[name],
  );
  return Object.fromEntries(shown.map(([name, value]) => [name, printed(name, value)]));
}

/** One gene as it is read by itself. */
export function oneGene(genes, name) {
  return FLOATS.includes(name) ? sixDecimals(genes[name]) : String(printed(name, genes[name]));
}

/** A value as it is kept: words of switches mean true or false. */
export function settingOf(name, value) {
  return typeof value === "string" && WORDS[name] !== undefined ? WORDS[name].indexOf(value) === 0 : value;
}
