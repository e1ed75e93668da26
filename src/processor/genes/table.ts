/**
 * Declares every gene once: its name, its name in genomes, its default, the values that it accepts, and
 * the words that print it.
 */

import { METRICS } from "../ports/matcher";

/** The members that every kind of gene has. */
interface Declared {
  /**
   * What it does, in a sentence or two, with the unit of its value. Absent if nothing in the processor reads the gene,
   * which is then kept for other programs.
   */
  readonly says?: string;
  /** Its name in genomes, if different. */
  readonly genomeName?: string;
  /** The reference API has no such gene: lists of all genes show it only when it differs from its default. */
  readonly ours?: true;
}

/** A switch. If it has `on` and `off`, these words print it. */
interface FlagGene extends Declared {
  readonly kind: "flag";
  readonly default: boolean;
  readonly on?: string;
  readonly off?: string;
}

/** A number from `least` to `most`, both inclusive. */
interface NumberGene extends Declared {
  /** Floats print with six decimals. */
  readonly kind: "integer" | "float";
  readonly default: number;
  readonly least: number;
  readonly most: number;
}

/** One of several choices. */
interface ChoiceGene extends Declared {
  readonly kind: "choice";
  readonly default: string;
  readonly choices: readonly string[];
}

/** Any text. */
interface TextGene extends Declared {
  readonly kind: "text";
  readonly default: string;
}

/** The declaration of one gene. */
export type GeneDeclaration = FlagGene | NumberGene | ChoiceGene | TextGene;

const ANY = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY } as const;
const FROM_0 = { least: 0, most: Number.MAX_SAFE_INTEGER } as const;
const FROM_1 = { least: 1, most: Number.MAX_SAFE_INTEGER } as const;

/** The genes by name. */
export const GENES = {
  SORT: {
    says: "Whether the symbols of an event are sorted by code point.",
    kind: "flag",
    default: true,
    on: "sorting",
    off: "not sorting",
    genomeName: "sort",
  },
  always_update_frequencies: { kind: "flag", default: false },
  auto_learn_algorithm: { kind: "choice", default: "basic", choices: ["basic"] },
  auto_learn_metric: {
    says: "What makes autolearning learn: the length of working memory, or the entropy of the predictions.",
    kind: "choice",
    default: "wm_size",
    choices: ["wm_size", "entropy"],
  },
  classifier: {
    says:
      "How a vector becomes symbols. CVC: the nearest learned vectors and the vector itself. DVC: the fewest " +
      "learned vectors that add up to it.",
    kind: "choice",
    default: "CVC",
    choices: ["CVC", "DVC"],
  },
  clustering_cluster_threshold: { kind: "float", default: 0.1, ...ANY },
  clustering_fuzziness: { kind: "float", default: 1.25, ...ANY },
  clustering_intercluster_threshold: { kind: "float", default: 0.2, ...ANY },
  clustering_pair_similarity_maximum: { kind: "float", default: 0.3, ...ANY },
  enable_genome_snapshots: {
    kind: "flag",
    default: true,
    on: "genome snapshots enabled",
    off: "genome snapshots disabled",
  },
  enable_hyper_clustering: {
    kind: "flag",
    default: false,
    on: "hyper_clustering enabled",
    off: "hyper_clustering disabled",
  },
  enable_predictions_kb: { kind: "flag", default: false, on: "prediction_kb enabled", off: "prediction_kb disabled" },
  enable_snapshots: { kind: "flag", default: false, on: "WM snapshots enabled", off: "WM snapshots disabled" },
  history: {
    says:
      "How many of its newest events a memory keeps as its history (GET history); 0 for none. Listed only where it " +
      "differs from its default.",
    kind: "integer",
    default: 0,
    least: 0,
    most: 1_000,
    ours: true,
  },
  max_models: {
    says:
      "Maximum number of models: learning beyond it forgets the least frequent others, the oldest of equals first, " +
      "at most 100 at a time; 0 for no limit. Listed only where it differs from its default.",
    kind: "integer",
    default: 0,
    ...FROM_0,
    ours: true,
  },
  max_predictions: {
    says: "Maximum number of predictions in an answer.",
    kind: "integer",
    default: 100,
    least: 1,
    most: 10_000,
  },
  max_sequence_length: {
    says: "How long working memory may be, in symbols or events as wm_resolution says; 0 for no limit.",
    kind: "integer",
    default: 0,
    ...FROM_0,
  },
  near_vector_count: {
    says: "How many of the nearest learned vectors CVC adds to an event.",
    kind: "integer",
    default: 3,
    ...FROM_0,
  },
  persistence: {
    says: "How many values a model keeps of each emotive.",
    kind: "integer",
    default: 5,
    ...FROM_1,
  },
  predict_on_nth_event: {
    says: "Predicts only on every n-th observation since the last learning or clear.",
    kind: "integer",
    default: 1,
    ...FROM_1,
  },
  prediction_sort_metric: {
    says: "The metric that sorts predictions, the highest first.",
    kind: "choice",
    default: "potential",
    choices: METRICS,
  },
  prediction_threshold: {
    says: "The limit for prediction_threshold_metric, in its unit.",
    kind: "float",
    default: 0,
    ...ANY,
  },
  prediction_threshold_direction: {
    says: "Whether predictions at or above the limit are kept, or those at or below it.",
    kind: "flag",
    default: true,
    on: "greater than",
    off: "less than",
  },
  prediction_threshold_metric: {
    says: "The metric that is compared with prediction_threshold.",
    kind: "choice",
    default: "potential",
    choices: METRICS,
  },
  quiescence: { kind: "integer", default: 3, ...FROM_0 },
  recall_threshold: {
    says: "The similarity that a model needs to become a prediction.",
    kind: "float",
    default: 0.1,
    least: 0,
    most: 1,
  },
  search_depth: {
    says: "Maximum number of learned vectors that DVC adds up.",
    kind: "integer",
    default: 10,
    ...FROM_1,
  },
  session_ttl: {
    says:
      "Seconds without a change after which a session ends; 0 for never. Listed only where it differs from " +
      "its default.",
    kind: "integer",
    default: 604_800,
    ...FROM_0,
    ours: true,
  },
  smoothness: {
    says: "The entropy in bits above which auto_learn_metric `entropy` learns.",
    kind: "integer",
    default: 3,
    ...FROM_0,
  },
  snapshot_gen_predictions: {
    kind: "flag",
    default: false,
    on: "prediction generation on snapshot load enabled",
    off: "prediction generation on snapshot load disabled",
  },
  snapshot_sync_keys: { kind: "text", default: "[]" },
  wm_mode: {
    says:
      "What working memory keeps when autolearning by wm_size has learned it. clear: the last event. rolling: as " +
      "many events as stay below max_sequence_length. Listed only where it differs from its default.",
    kind: "choice",
    default: "clear",
    choices: ["clear", "rolling"],
    ours: true,
  },
  wm_resolution: {
    says: "Whether max_sequence_length counts symbols or events.",
    kind: "choice",
    default: "symbol",
    choices: ["symbol", "event"],
  },
} as const satisfies Record<string, GeneDeclaration>;

/** The name of a gene. */
export type GeneName = keyof typeof GENES;

type SettingOf<G> = G extends { kind: "flag" }
  ? boolean
  : G extends { kind: "integer" | "float" }
    ? number
    : G extends { kind: "choice"; choices: readonly (infer Choice)[] }
      ? Choice
      : string;

/** The value of every gene. */
export type Genes = { readonly [Name in GeneName]: SettingOf<(typeof GENES)[Name]> };

/** All names in byte order. */
export const GENE_NAMES: readonly GeneName[] = (Object.keys(GENES) as GeneName[]).sort();

/** Whether there is a gene of this name. */
export function isGeneName(name: string): name is GeneName {
  return Object.hasOwn(GENES, name);
}

/** Whether anything in the processor reads a gene. */
export function hasEffect(name: GeneName): boolean {
  return (GENES[name] as GeneDeclaration).says !== undefined;
}

/** The name of a gene in a genome's node. */
export function genomeSettingOf(name: GeneName): string {
  const declaration: GeneDeclaration = GENES[name];
  return declaration.genomeName ?? name;
}
