/** Schemas of genes, made from the table of genes, so that no gene is forgotten. */

import {
  GENE_NAMES,
  GENES,
  type GeneDeclaration,
  type GeneName,
  genomeSettingOf,
} from "../../src/processor/genes/table";
import type { Schema } from "./reference/entry";
import type { Schemas } from "./reference/schemas/schema";

/** The schema that a gene has as the original agent knows it: reported and settable, and nothing more. */
const NO_EFFECT = "Has no effect.";

/** What each gene does, in a sentence or two, with the unit of its value. */
const EFFECTS: { readonly [Name in GeneName]: string } = {
  SORT: "Whether the symbols of an event are sorted by code point.",
  always_update_frequencies: NO_EFFECT,
  auto_learn_algorithm: NO_EFFECT,
  auto_learn_metric: "What makes autolearning learn: the length of working memory, or the entropy of the predictions.",
  classifier:
    "How a vector becomes symbols. CVC: the nearest learned vectors and the vector itself. DVC: the fewest learned vectors that add up to it.",
  clustering_cluster_threshold: NO_EFFECT,
  clustering_fuzziness: NO_EFFECT,
  clustering_intercluster_threshold: NO_EFFECT,
  clustering_pair_similarity_maximum: NO_EFFECT,
  enable_genome_snapshots: NO_EFFECT,
  enable_hyper_clustering: NO_EFFECT,
  enable_predictions_kb: NO_EFFECT,
  enable_snapshots: NO_EFFECT,
  max_models:
    "The most models: learning past it forgets the least frequent others, of equals the oldest, at most 100 at a time; 0 for no limit. " +
    "Listed only where it differs from its default.",
  max_predictions: "The most predictions in an answer.",
  max_sequence_length: "How long working memory may be, in symbols or events as wm_resolution says; 0 for no limit.",
  near_vector_count: "How many of the nearest learned vectors CVC adds to an event.",
  persistence: "How many values a model keeps of each emotive.",
  predict_on_nth_event: "Predicts only on every n-th observation since the last learning or clear.",
  prediction_sort_metric: "The metric that sorts predictions, the highest first.",
  prediction_threshold: "The limit for prediction_threshold_metric, in its unit.",
  prediction_threshold_direction: "Whether predictions at or above the limit are kept, or those at or below it.",
  prediction_threshold_metric: "The metric that is compared with prediction_threshold.",
  quiescence: NO_EFFECT,
  recall_threshold: "The similarity that a model needs to become a prediction.",
  search_depth: "The most learned vectors that DVC adds up.",
  session_ttl:
    "After so many seconds without a change, a session is gone; 0 for never. Listed only where it differs from its default.",
  smoothness: "The entropy in bits above which auto_learn_metric `entropy` learns.",
  snapshot_gen_predictions: NO_EFFECT,
  snapshot_sync_keys: NO_EFFECT,
  wm_mode:
    "What working memory keeps when autolearning by wm_size has learned it. clear: the last event. rolling: as many events as stay below " +
    "max_sequence_length. Listed only where it differs from its default.",
  wm_resolution: "Whether max_sequence_length counts symbols or events.",
};

/** The schemas `Genes` and `GeneChanges`, and the settings of a node in a genome. */
export function geneSchemas(): Schemas {
  return {
    Genes: {
      type: "object",
      description: "The genes by name. The defaults are those of a new processor whose genome says nothing else.",
      properties: Object.fromEntries(GENE_NAMES.map((name) => [name, described(name, shown(GENES[name]))])),
      required: GENE_NAMES.filter((name) => !isOurs(name)),
    },
    GeneChanges: {
      type: "object",
      description: "New values of genes by name. All are changed, or none.",
      properties: Object.fromEntries(GENE_NAMES.map((name) => [name, described(name, accepted(GENES[name]))])),
      additionalProperties: false,
    },
  };
}

function isOurs(name: GeneName): boolean {
  const gene: GeneDeclaration = GENES[name];
  return gene.ours === true;
}

/** The genes as a node of a genome may set them, by their names in genomes. */
export function geneSettings(): Schemas {
  return Object.fromEntries(
    GENE_NAMES.map((name) => [genomeSettingOf(name), described(name, accepted(GENES[name]))] as const),
  );
}

function described(name: GeneName, schema: Schema): Schema {
  return { ...schema, description: EFFECTS[name], default: shownDefault(GENES[name]) };
}

function shownDefault(gene: GeneDeclaration): boolean | number | string {
  if (gene.kind !== "flag") return gene.default;
  return (gene.default ? gene.on : gene.off) ?? gene.default;
}

/** A gene as all-genes shows it. */
function shown(gene: GeneDeclaration): Schema {
  if (gene.kind === "flag" && gene.on !== undefined && gene.off !== undefined) return { enum: [gene.on, gene.off] };
  return accepted(gene);
}

/** A gene as a change accepts it. */
function accepted(gene: GeneDeclaration): Schema {
  switch (gene.kind) {
    case "flag":
      if (gene.on === undefined || gene.off === undefined) return { type: "boolean" };
      return { enum: [true, false, gene.on, gene.off] };
    case "integer":
      return { type: "integer", minimum: gene.least, maximum: gene.most };
    case "float":
      return { type: "number", format: "double", ...bounds(gene) };
    case "choice":
      return { enum: gene.choices };
    case "text":
      return { type: "string" };
  }
}

/** JSON has no infinity: a bound that is infinite is none. */
function bounds({ least, most }: { readonly least: number; readonly most: number }): Schema {
  return {
    ...(Number.isFinite(least) ? { minimum: least } : {}),
    ...(Number.isFinite(most) ? { maximum: most } : {}),
  };
}
