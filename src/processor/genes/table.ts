/** Every gene, declared once: its name, its name in genomes, default, what it accepts, and the words it is printed with. */

import { METRICS } from "../ports/matcher";

/** What all genes have. */
interface Declared {
  /** Its name in genomes where it differs. */
  readonly genomeName?: string;
}

/** A switch; printed as its words where it has them. */
interface FlagGene extends Declared {
  readonly kind: "flag";
  readonly default: boolean;
  readonly on?: string;
  readonly off?: string;
}

/** A number with its bounds, both inclusive. */
interface NumberGene extends Declared {
  /** Floats are read one by one with six decimals. */
  readonly kind: "integer" | "float";
  readonly default: number;
  readonly least: number;
  readonly most: number;
}

/** A word of a closed set. */
interface WordGene extends Declared {
  readonly kind: "word";
  readonly default: string;
  readonly words: readonly string[];
}

/** Any text. */
interface TextGene extends Declared {
  readonly kind: "text";
  readonly default: string;
}

/** What one gene is and accepts. */
export type GeneDeclaration = FlagGene | NumberGene | WordGene | TextGene;

const ANY = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY } as const;
const FROM_0 = { least: 0, most: Number.MAX_SAFE_INTEGER } as const;
const FROM_1 = { least: 1, most: Number.MAX_SAFE_INTEGER } as const;

/** The genes by name. */
export const GENES = {
  SORT: { kind: "flag", default: true, on: "sorting", off: "not sorting", genomeName: "sort" },
  always_update_frequencies: { kind: "flag", default: false },
  auto_learn_algorithm: { kind: "word", default: "basic", words: ["basic"] },
  auto_learn_metric: { kind: "word", default: "wm_size", words: ["wm_size", "entropy"] },
  classifier: { kind: "word", default: "CVC", words: ["CVC", "DVC"] },
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
  max_predictions: { kind: "integer", default: 100, least: 1, most: 10_000 },
  max_sequence_length: { kind: "integer", default: 0, ...FROM_0 },
  near_vector_count: { kind: "integer", default: 3, ...FROM_0 },
  persistence: { kind: "integer", default: 5, ...FROM_1 },
  predict_on_nth_event: { kind: "integer", default: 1, ...FROM_1 },
  prediction_sort_metric: { kind: "word", default: "potential", words: METRICS },
  prediction_threshold: { kind: "float", default: 0, ...ANY },
  prediction_threshold_direction: { kind: "flag", default: true, on: "greater than", off: "less than" },
  prediction_threshold_metric: { kind: "word", default: "potential", words: METRICS },
  quiescence: { kind: "integer", default: 3, ...FROM_0 },
  recall_threshold: { kind: "float", default: 0.1, least: 0, most: 1 },
  search_depth: { kind: "integer", default: 10, ...FROM_1 },
  smoothness: { kind: "integer", default: 3, ...FROM_0 },
  snapshot_gen_predictions: {
    kind: "flag",
    default: false,
    on: "prediction generation on snapshot load enabled",
    off: "prediction generation on snapshot load disabled",
  },
  snapshot_sync_keys: { kind: "text", default: "[]" },
  wm_resolution: { kind: "word", default: "symbol", words: ["symbol", "event"] },
} as const satisfies Record<string, GeneDeclaration>;

/** The name of a gene. */
export type GeneName = keyof typeof GENES;

type SettingOf<G> = G extends { kind: "flag" }
  ? boolean
  : G extends { kind: "integer" | "float" }
    ? number
    : G extends { kind: "word"; words: readonly (infer Word)[] }
      ? Word
      : string;

/** The value of every gene. */
export type Genes = { readonly [Name in GeneName]: SettingOf<(typeof GENES)[Name]> };

/** All names in byte order. */
export const GENE_NAMES: readonly GeneName[] = (Object.keys(GENES) as GeneName[]).sort();

/** Whether there is a gene of this name. */
export function isGeneName(name: string): name is GeneName {
  return Object.hasOwn(GENES, name);
}

/** The gene that a setting of a genome's node stands for; `undefined` when it is no gene. */
export function geneOfGenomeSetting(setting: string): GeneName | undefined {
  return GENE_NAMES.find((name) => genomeSettingOf(name) === setting);
}

/** The name under which a gene stands in a genome's node. */
export function genomeSettingOf(name: GeneName): string {
  const declaration: GeneDeclaration = GENES[name];
  return declaration.genomeName ?? name;
}
