import { expect, test } from "vitest";
import { GENE_NAMES, genomeSettingOf } from "../../../src/processor/genes/table";
import { Processor } from "../../../src/processor/processor";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { geneChangesOf } from "../../support/processor/calls";
import { genesForm } from "../../support/processor/message-form";

const DEFAULTS = {
  SORT: "sorting",
  always_update_frequencies: false,
  auto_learn_algorithm: "basic",
  auto_learn_metric: "wm_size",
  classifier: "CVC",
  clustering_cluster_threshold: 0.1,
  clustering_fuzziness: 1.25,
  clustering_intercluster_threshold: 0.2,
  clustering_pair_similarity_maximum: 0.3,
  enable_genome_snapshots: "genome snapshots enabled",
  enable_hyper_clustering: "hyper_clustering disabled",
  enable_predictions_kb: "prediction_kb disabled",
  enable_snapshots: "WM snapshots disabled",
  max_predictions: 100,
  max_sequence_length: 0,
  near_vector_count: 3,
  persistence: 5,
  predict_on_nth_event: 1,
  prediction_sort_metric: "potential",
  prediction_threshold: 0,
  prediction_threshold_direction: "greater than",
  prediction_threshold_metric: "potential",
  quiescence: 3,
  recall_threshold: 0.1,
  search_depth: 10,
  smoothness: 3,
  snapshot_gen_predictions: "prediction generation on snapshot load disabled",
  snapshot_sync_keys: "[]",
  wm_resolution: "symbol",
};

function changed(data: Record<string, boolean | number | string>) {
  const processor = openProcessor();
  const { refusal } = processor.genes.change(geneChangesOf(data));
  return { processor, refusal };
}

function texts(processor: Processor, name: string): string | undefined {
  return processor.genes.get(name).genes[0]?.text;
}

test("all genes, in byte order, with their defaults", () => {
  const { genes } = openProcessor().genes.get("");
  expect(genesForm(genes)).toEqual({ genes: DEFAULTS });
  expect(genes.map(({ name }) => name)).toEqual(Object.keys(DEFAULTS));
});

test.each([
  ["recall_threshold", "0.100000"],
  ["prediction_threshold", "0.000000"],
  ["clustering_fuzziness", "1.250000"],
  ["max_predictions", "100"],
  ["SORT", "sorting"],
  ["always_update_frequencies", "false"],
  ["prediction_threshold_direction", "greater than"],
  ["classifier", "CVC"],
  ["snapshot_sync_keys", "[]"],
])("%s is read as %s", (name, text) => {
  expect(texts(openProcessor(), name)).toBe(text);
});

test.each([
  ["SORT", "not sorting", "not sorting"],
  ["SORT", false, "not sorting"],
  ["prediction_threshold_direction", "less than", "less than"],
  ["always_update_frequencies", true, "true"],
  ["always_update_frequencies", "true", "true"],
  ["recall_threshold", 1, "1.000000"],
  ["prediction_threshold", -0, "0.000000"],
  ["prediction_threshold", -2.5, "-2.500000"],
  ["max_predictions", 10000, "10000"],
  ["near_vector_count", 0, "0"],
  ["prediction_sort_metric", "number_of_blocks", "number_of_blocks"],
])("%s can be set to %j", (name, value, text) => {
  const { processor, refusal } = changed({ [name]: value });
  expect(refusal).toBe("");
  expect(texts(processor, name)).toBe(text);
});

test.each([
  [{ recall_threshold: 7 }, "recall_threshold must be a number from 0 to 1, got 7"],
  [{ recall_threshold: Number.NaN }, "recall_threshold must be a number from 0 to 1, got NaN"],
  [{ prediction_threshold: Number.POSITIVE_INFINITY }, "prediction_threshold must be a finite number, got Infinity"],
  [{ max_predictions: 0 }, "max_predictions must be a whole number from 1 to 10000, got 0"],
  [{ max_predictions: 1.5 }, "max_predictions must be a whole number from 1 to 10000, got 1.5"],
  [{ persistence: "5" }, 'persistence must be a whole number of 1 or more, got "5"'],
  [{ SORT: "yes" }, 'SORT must be true, false, "sorting" or "not sorting", got "yes"'],
  [{ classifier: "cvc" }, 'classifier must be one of "CVC", "DVC", got "cvc"'],
  [{ wm_resolution: true }, 'wm_resolution must be one of "symbol", "event", got true'],
  [{ snapshot_sync_keys: 1 }, "snapshot_sync_keys must be a string, got 1"],
])("%j is refused", (data, sentence) => {
  const { processor, refusal } = changed({ max_sequence_length: 9, ...data } as never);
  expect(refusal).toBe(sentence);
  expect(genesForm(processor.genes.get("").genes)).toEqual({ genes: DEFAULTS });
});

test("a list leaves out genes of ours that have their defaults, unless all are wanted", () => {
  const { genes: verbs } = openProcessor();
  const names = (complete: boolean) => verbs.get("", complete).genes.map(({ name }) => name);
  expect(names(true)).toEqual(GENE_NAMES);
  expect(names(false)).toEqual(
    GENE_NAMES.filter((name) => !["history", "max_models", "session_ttl", "wm_mode"].includes(name)),
  );
});

test.each(["recal_threshold", "__proto__", "sort"])("there is no gene %s", (name) => {
  const sentence = `there is no gene "${name}"; the genes are ${GENE_NAMES.join(", ")}`;
  const change = { name, value: { value: { case: "number" as const, value: 1 } } };
  expect(openProcessor().genes.change([change]).refusal).toBe(sentence);
  expect(openProcessor().genes.get(name)).toEqual({ genes: [], refusal: sentence });
});

test("a change without a value is refused", () => {
  expect(openProcessor().genes.change([{ name: "SORT" }]).refusal).toBe(
    'SORT must be true, false, "sorting" or "not sorting", got nothing',
  );
});

test("the recall threshold is incremented, and refused beyond 0 to 1", () => {
  const processor = openProcessor();
  expect(processor.genes.incrementRecallThreshold(0.25)).toEqual({ recallThreshold: 0.35, text: "0.350000" });
  expect(() => processor.genes.incrementRecallThreshold(0.7)).toThrow(
    "recall_threshold must be a number from 0 to 1, got 1.0",
  );
  expect(() => processor.genes.incrementRecallThreshold(Number.NaN)).toThrow("got NaN after an increment of NaN");
  expect(texts(processor, "recall_threshold")).toBe("0.350000");
});

test("genes survive an eviction", () => {
  const store = new MemoryStore();
  openProcessor(store).genes.change(geneChangesOf({ SORT: false, persistence: 2 }));
  expect(genesForm(openProcessor(store).genes.get("").genes)).toEqual({
    genes: { ...DEFAULTS, SORT: "not sorting", persistence: 2 },
  });
});

test("a new processor gets its first genes, an existing one keeps its own", () => {
  const store = new MemoryStore();
  Processor.provision(store, geneChangesOf({ persistence: 2 }));
  Processor.provision(store, geneChangesOf({ persistence: 9 }));
  expect(texts(openProcessor(store), "persistence")).toBe("2");
  const untouched = new MemoryStore();
  expect(() => Processor.provision(untouched, geneChangesOf({ persistence: 0 }))).toThrow("persistence must be");
  expect(untouched.recorded).toEqual([]);
});

test("every gene has a name of its own in genomes", () => {
  expect(genomeSettingOf("SORT")).toBe("sort");
  expect(genomeSettingOf("persistence")).toBe("persistence");
  expect(new Set(GENE_NAMES.map(genomeSettingOf)).size).toBe(GENE_NAMES.length);
});
