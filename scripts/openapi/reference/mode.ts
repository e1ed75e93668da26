/** What the reference says of the rows in src/gateway/operations/mode.ts: flags, the target class and genes. */

import type { Reference } from "./entry";
import { closed, either, envelope, inData, ref, text, word } from "./schemas/schema";

/** By row. */
export const modeReference: Reference = {
  "POST /:id/predicting/start": {
    operationId: ["startPredicting"],
    doc: ["Turns predictions on."],
    returns: '`"activated-predictions"`',
    answer: envelope(word("activated-predictions", "The processor predicts.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/predicting/start" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "activated-predictions",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/predicting/stop": {
    operationId: ["stopPredicting"],
    doc: ["Turns predictions off: observations take less time."],
    returns: '`"deactivated-predictions"`',
    answer: envelope(word("deactivated-predictions", "The processor does not predict.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/predicting/stop" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "deactivated-predictions",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/autolearning/start": {
    operationId: ["startAutolearning"],
    doc: [
      "Turns autolearning on: the genes auto_learn_metric and max_sequence_length decide when the processor learns.",
    ],
    returns: '`"activated-autolearn"`',
    answer: envelope(word("activated-autolearn", "The processor learns by itself.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/autolearning/start" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "activated-autolearn",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/autolearning/stop": {
    operationId: ["stopAutolearning"],
    doc: ["Turns autolearning off: the processor learns only on request."],
    returns: '`"deactivated-autolearn"`',
    answer: envelope(word("deactivated-autolearn", "The processor learns only when told.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/autolearning/stop" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "deactivated-autolearn",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/sleeping/start": {
    operationId: ["startSleeping"],
    doc: ["Clears the processor's own working memory, and ignores observations from now on."],
    returns: '`"asleep"`',
    answer: envelope(word("asleep", "The processor ignores observations.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/sleeping/start" },
      response: { id: "p46b6b076c", interval: 3, message: "asleep", status: "okay", time_stamp: 1795250628 },
    },
  },
  "POST /:id/sleeping/stop": {
    operationId: ["stopSleeping"],
    doc: ["Accepts observations again."],
    returns: '`"awake"`',
    answer: envelope(word("awake", "The processor takes observations.")),
    example: {
      after: [{ method: "POST", path: "/p46b6b076c/sleeping/start" }],
      request: { method: "POST", path: "/p46b6b076c/sleeping/stop" },
      response: { id: "p46b6b076c", interval: 3, message: "awake", status: "okay", time_stamp: 1795250628 },
    },
  },
  "POST /:id/set-target-class": {
    operationId: ["setTargetClass"],
    doc: ["Limits predictions to models whose last event holds the symbol."],
    takes: '`{"data": symbol}`, or the string alone.',
    returns: '`"set-target-class"`',
    request: inData(ref("Symbol")),
    answer: envelope(word("set-target-class", "The target class is set.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/set-target-class", body: { data: "bus" } },
      response: { id: "p46b6b076c", interval: 3, message: "set-target-class", status: "okay", time_stamp: 1795250628 },
    },
  },
  "POST /:id/clear-target-class": {
    operationId: ["clearTargetClass"],
    doc: ["Removes the target class, so that every model can be predicted."],
    returns: '`"cleared-target-class"`',
    answer: envelope(word("cleared-target-class", "There is no target class.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/clear-target-class" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "cleared-target-class",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/gene/increment-recall-threshold": {
    operationId: ["incrementRecallThreshold"],
    doc: [
      "Adds a number to the gene recall_threshold, which must stay between 0 and 1.",
      "@returns the new threshold, with six decimals",
      "@throws NoemaError if the sum is out of range",
    ],
    takes: '`{"increment": number}`, also inside `data`.',
    returns: "The new value as a decimal string.",
    request: inData(ref("Increment")),
    answer: envelope(text("The new value, with six decimals.", { pattern: "^[01]\\.[0-9]{6}$" })),
    example: {
      request: { method: "POST", path: "/p46b6b076c/gene/increment-recall-threshold", body: { increment: 0.2 } },
      response: { id: "p46b6b076c", interval: 3, message: "0.300000", status: "okay", time_stamp: 1795250628 },
    },
  },
  "GET /:id/gene/:gene": {
    operationId: ["getGene"],
    returns:
      '[genes.md](genes.md) lists the genes. An unknown name is answered with `"faulty-genes-provided"` and a `detail`.',
    answer: envelope(
      either(
        "The gene, or that there is none of this name.",
        ref("FaultyGenes"),
        text("The value: numbers with a fraction with six decimals, such as `0.100000`."),
      ),
    ),
    example: {
      request: { method: "GET", path: "/p46b6b076c/gene/recall_threshold" },
      response: { id: "p46b6b076c", interval: 3, message: "0.100000", status: "okay", time_stamp: 1795250628 },
    },
  },
  "GET /:id/all-genes": {
    operationId: ["getAllGenes"],
    doc: ["All genes by name, SORT first."],
    returns: "`{genes: {name: value}}`.",
    answer: envelope(ref("AllGenes")),
    example: {
      request: { method: "GET", path: "/p46b6b076c/all-genes" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          genes: {
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
          },
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/genes/change": {
    operationId: ["changeGenes"],
    takes: '`{"data": {name: value, ...}}`, or that object alone.',
    returns:
      '`"updated-genes"`. If a name or a value is not accepted, nothing changes: the answer is okay, its message `"faulty-genes-provided"`, and `detail` says why.',
    request: either(
      "The changes inside `data`, or by themselves.",
      closed("The changes inside `data`.", { data: ref("GeneChanges") }),
      { allOf: [ref("GeneChanges")], minProperties: 1 },
    ),
    answer: envelope(
      either("Whether the genes were changed.", word("updated-genes", "All of them were."), ref("FaultyGenes")),
    ),
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/genes/change",
        body: { data: { recall_threshold: 0.3, max_predictions: 10 } },
      },
      response: { id: "p46b6b076c", interval: 3, message: "updated-genes", status: "okay", time_stamp: 1795250628 },
    },
  },
};
