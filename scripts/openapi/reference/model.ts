/** What the documents say of the models' rows in src/gateway/operations/knowledge.ts. */

import type { Reference } from "./entry";
import { WHOLE_PREDICTION } from "./example-predictions";
import { choice, closed, either, envelope, inData, list, ref, text, word } from "./schemas/schema";

/** By row. */
export const modelReference: Reference = {
  "GET /:id/model/:model": {
    operationId: ["getModel"],
    doc: ["A model, or an empty object if there is none with this name."],
    returns:
      "`{emotives, frequency, length, metadata, name, predecessor_model, sequence}`, or `{}`. `<model>` is the hash, with or without `MODEL|`.",
    answer: envelope(either("The model, if there is one of this name.", ref("Model"), ref("Nothing"))),
    example: {
      request: { method: "GET", path: "/p46b6b076c/model/dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          emotives: { joy: [0.5] },
          frequency: 1,
          length: 3,
          metadata: [{}, {}],
          name: "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
          predecessor_model: [],
          sequence: [["coffee", "morning"], ["bus"]],
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "DELETE /:id/model/:model": {
    operationId: ["deleteModel"],
    doc: ['Deletes a model. Answers `"model-not-found"` if there is none with this name.'],
    returns: '`"deleted"`, or `"model-not-found"`.',
    answer: envelope(choice(["deleted", "model-not-found"], "Whether there was a model of this name.")),
    example: {
      request: { method: "DELETE", path: "/p46b6b076c/model/dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e" },
      response: { id: "p46b6b076c", interval: 3, message: "deleted", status: "okay", time_stamp: 1795250628 },
    },
  },
  "PUT /:id/model/:model": {
    operationId: ["updateModel"],
    doc: [
      "Replaces members of a model. A new sequence gives it a new name.",
      '@returns its new hash, or `"failed-to-update-model"` if there is none with this name',
      "@throws NoemaError 400 if a value is not accepted, 413 if the sequence has more than 250,000 symbols and events",
    ],
    takes:
      '`{"model": {emotives?, frequency?, metadata?, sequence?}}`, also inside `data`, or the model alone. Members that are missing stay as they are.',
    returns: 'The model\'s hash as it is now, or `"failed-to-update-model"` if there is no such model.',
    request: inData(
      either("The change inside `model`, or by itself.", closed("The change.", { model: ref("ModelChange") }), {
        allOf: [ref("ModelChange")],
        anyOf: ["sequence", "frequency", "emotives", "metadata"].map((name) => ({
          properties: { [name]: {} },
          required: [name],
        })),
      }),
    ),
    answer: envelope(
      either(
        "The model's name as it is now, if there is such a model.",
        ref("ModelHash"),
        word("failed-to-update-model", "There is no model of this name."),
      ),
    ),
    example: {
      request: {
        method: "PUT",
        path: "/p46b6b076c/model/dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
        body: { model: { sequence: [["coffee"], ["bus"]] } },
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "78765ea549690e38eedc68c7377194ac9b8297d2",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "PUT /:id/add-model": {
    operationId: ["addModel"],
    takes:
      '`{"sequence": [[symbol, ...], ...], vector?, frequency?, emotives?, metadata?}`, also inside `data`. `vector` is stored as a learned vector.',
    returns: "`{name: hash}`.",
    request: inData(ref("ModelToAdd")),
    answer: envelope(ref("Added")),
    example: {
      request: {
        method: "PUT",
        path: "/p46b6b076c/add-model",
        body: { sequence: [["tea"], ["train"]], frequency: 2, emotives: { joy: [0.25, 0.75] } },
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { name: "d6139421d8d06e214d15781108601f8e69e5ae49" },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/forget": {
    operationId: ["forgetModels"],
    doc: [
      "Forgets rarely learned models: first those learned fewer than `frequency_below` times, then the least frequent of the others, oldest first among equals, until `keep_at_most` are left.",
      "@returns the number forgotten, or with `dry_run` the number that would be",
      "@throws NoemaError 400 if a value is not accepted",
    ],
    takes:
      '`{"data": {frequency_below?, keep_at_most?, dry_run?}}`. First it forgets the models that were learned fewer times than `frequency_below`; ' +
      "then the least frequent of the others, of equals the oldest, until `keep_at_most` are left. With `dry_run` it only counts them. " +
      "Many models are forgotten in parts, and other calls get a turn between them: [endless-streams.md](endless-streams.md#forget).",
    returns: "`{models: how many}`.",
    request: inData(ref("Forgetting")),
    answer: envelope(ref("Forgotten")),
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/forget",
        body: { data: { frequency_below: 2, keep_at_most: 1000, dry_run: true } },
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { models: 1 },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/get-models-with-symbols": {
    operationId: ["findModelsWithSymbols"],
    doc: ["The hashes of the models that hold all of the symbols, at most 250,000."],
    takes: '`{"data": [symbol, ...]}`, or the list alone.',
    returns: "`{model_list: [hash, ...]}`.",
    request: inData(list("Symbols.", ref("Symbol"))),
    answer: envelope(ref("FoundModels")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/get-models-with-symbols", body: { data: ["coffee", "bus"] } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { model_list: ["dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e"] },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/get-models-with-patterns": {
    operationId: ["findModelsWithPatterns"],
    doc: [
      "The hashes of the models in which every pattern matches a whole symbol, at most 250,000.",
      "@param patterns regular expressions as for Python's `re`, 1 to 256",
    ],
    takes: '`{"data": [pattern, ...]}`, or the list alone. Patterns are regular expressions as Python writes them.',
    returns: "`{model_list: [hash, ...]}`.",
    request: inData(
      list(
        "Patterns: regular expressions as Python's `re` has them. Each must match a whole symbol.",
        text("A pattern."),
      ),
    ),
    answer: envelope(ref("FoundModels")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/get-models-with-patterns", body: { data: ["b.s", "cof+ee"] } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: { model_list: ["dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e"] },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/prediction-ensemble-for-model/:model": {
    operationId: ["getPredictionsForModel"],
    doc: ["What would be predicted if the model's sequence were in working memory, best first."],
    returns: "A list of predictions, as POST predictions returns it; empty if there is no such model.",
    answer: envelope(ref("Predictions")),
    example: {
      request: {
        method: "GET",
        path: "/p46b6b076c/prediction-ensemble-for-model/dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: [WHOLE_PREDICTION],
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
};
