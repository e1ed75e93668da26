/** What the reference says of the rows in src/gateway/operations/core.ts: observing, learning, predicting and working memory. */

import { ListSessionsRequestSchema } from "../../../src/gen/noema/v1/memory_service_pb";
import { schemaOf } from "../from-contract";
import type { Reference } from "./entry";
import { PREDICTION } from "./example-predictions";
import { choice, closed, either, envelope, inData, list, ref, text, word } from "./schemas/schema";

/** The query of observations. */
const explainQuery = {
  explain: choice(
    ["true", "false"],
    "Whether each message says how unexpected its event was. Needs the role read, too.",
  ),
};

/** By row. */
export const coreReference: Reference = {
  "POST /:id/observe": {
    operationId: ["observe"],
    takes:
      '`{"data": GDF}`, or the GDF alone. A `unique_id` may stand in the GDF or beside `data`, and a `delivery: {source, number}` beside `data`: then the record is [taken once](guides/unreliable-links.md#a-number-for-each-record). With `?explain=true`, the message says [how unexpected](surprise.md) the event was.',
    returns:
      '`{auto_learned_model, prediction_made, status, unique_id}`: the model that autolearning just learned (`"MODEL|<hash>"` or `""`), whether anything is predicted (exact within a [budget of steps](limits-of-a-request.md#observations-beyond-the-budget), else `false`), `"observed"` or `"asleep"`, and the record\'s id. The envelope repeats `unique_id`; the processor makes one if the request has none. If the delivery came before, nothing has changed, and the message has `redelivered: true`. With `explain`, it has `surprise: {bits, expected, probability, unexpected}` or `surprise: null`.',
    query: explainQuery,
    request: either(
      "A record inside `data`, or by itself.",
      closed("A record inside `data`.", {
        data: ref("Gdf"),
        "unique_id?": text("The identifier of the record, unless the record has its own."),
        "delivery?": ref("Delivery"),
      }),
      { allOf: [ref("Gdf")], minProperties: 1 },
    ),
    answer: envelope(ref("Observed"), { unique_id: text("The identifier of the record.") }),
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/observe",
        body: { data: { strings: ["bus"], emotives: { joy: 1 }, unique_id: "bus-1" } },
      },
      response: {
        id: "p46b6b076c",
        interval: 4,
        message: { auto_learned_model: "", prediction_made: true, status: "observed", unique_id: "bus-1" },
        status: "okay",
        time_stamp: 1795250628,
        unique_id: "bus-1",
      },
    },
  },
  "POST /:id/predictions": {
    operationId: ["getPredictions"],
    takes:
      'None, or `{"data": {"unique_id"?: string, "sequence"?: [[symbol, ...], ...], "top"?: 1 to 10000, "fields"?: [member, ...]}}`. With `unique_id`, the answer is empty unless the last observation has this id. With `sequence`, it is [what that sequence would predict](predictions.md#asking-without-observing) if it were working memory; nothing is observed. `top` is the most predictions to return; `fields` names the members to return of each.',
    returns: "A list of predictions, best first. [predictions.md](predictions.md) explains every member.",
    request: inData(ref("AskPredictions")),
    isRequestOptional: true,
    answer: envelope(
      either(
        "The predictions, with all members unless the request names some.",
        ref("Predictions"),
        list("The predictions with the members that `fields` names.", ref("PartialPrediction")),
      ),
    ),
    example: {
      request: { method: "POST", path: "/p46b6b076c/predictions" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: [PREDICTION],
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/forecast": {
    operationId: ["getForecast"],
    doc: [
      "What comes next after working memory, and how likely it is; or what would come after `sequence` if it were working memory.",
      "@param query `horizon`: number of events ahead, 1 to 10; `top`: maximum number of symbols for each, 1 to 1000",
      "@throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps",
    ],
    takes:
      'None, or `{"data": {"horizon"?: 1 to 10, "top"?: 1 to 1000, "sequence"?: [[symbol, ...], ...]}}`: how many events ahead (1 if absent), how many symbols of each (10 if absent), and a sequence to forecast from in place of working memory; nothing is observed.',
    returns:
      "`{context, models, steps, within}`: how many events were taken into account and how many models spoke; the probabilities of symbols in each of the next events, and in any of them. [forecast.md](forecast.md) explains every member.",
    request: inData(ref("AskForecast")),
    isRequestOptional: true,
    answer: envelope(ref("Forecast")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/forecast" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          context: 1,
          models: 1,
          steps: [
            {
              none: 0.11367158853249626,
              symbols: [
                {
                  models: ["dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e"],
                  probability: 0.5130350481981004,
                  support: 1,
                  symbol: "bus",
                },
                {
                  models: [],
                  probability: 0.18664668163470166,
                  support: 0,
                  symbol: "coffee",
                },
                {
                  models: [],
                  probability: 0.18664668163470166,
                  support: 0,
                  symbol: "morning",
                },
              ],
              when: { p10: 12, p50: 12, p90: 12 },
            },
          ],
          within: [
            {
              models: ["dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e"],
              probability: 0.5130350481981004,
              support: 1,
              symbol: "bus",
            },
            {
              models: [],
              probability: 0.18664668163470166,
              support: 0,
              symbol: "coffee",
            },
            {
              models: [],
              probability: 0.18664668163470166,
              support: 0,
              symbol: "morning",
            },
          ],
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/matching-models": {
    operationId: ["countMatchingModels"],
    doc: [
      "How many models working memory would match with each recall threshold, or `sequence` if it were working memory.",
      "@param query `recall_thresholds`: 1 to 1000 numbers from 0 to 1; 0 to 1 in steps of a hundredth if absent",
      "@throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps",
    ],
    takes:
      'None, or `{"data": {"recall_thresholds"?: [0 to 1, ...], "sequence"?: [[symbol, ...], ...]}}`: 1 to 1000 thresholds (0, 0.01, 0.02 and so on up to 1 if absent), and a sequence to match in place of working memory; nothing is observed or changed.',
    returns:
      "`{matching, models}`: for each threshold, in the order of the request, how many models would [match](predictions.md#how-a-model-is-matched) if the gene recall_threshold had this value; and how many models there are. A target class counts. The genes max_predictions and prediction_threshold, which then leave out predictions, do not.",
    request: inData(ref("AskMatchingModels")),
    isRequestOptional: true,
    answer: envelope(ref("MatchingModels")),
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/matching-models",
        body: { data: { recall_thresholds: [0, 0.5, 0.9] } },
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          matching: [
            { models: 1, recall_threshold: 0 },
            { models: 1, recall_threshold: 0.5 },
            { models: 0, recall_threshold: 0.9 },
          ],
          models: 1,
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/learn": {
    operationId: ["learn"],
    doc: [
      "Stores working memory as a model, then clears it.",
      "@returns `MODEL|<hash>`, or `null` if working memory held fewer than two symbols",
      "@throws NoemaError 503 if the memory for models is used up",
    ],
    returns: '`"MODEL|<hash>"`, or `null` if working memory holds fewer than two symbols.',
    answer: envelope(
      either("The model, or null if working memory held fewer than two symbols.", ref("ModelLabel"), { type: "null" }),
    ),
    example: {
      after: [{ method: "POST", path: "/p46b6b076c/observe", body: { data: { strings: ["bus"] } } }],
      request: { method: "POST", path: "/p46b6b076c/learn" },
      response: {
        id: "p46b6b076c",
        interval: 4,
        message: "MODEL|dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/sequence-observe": {
    operationId: ["observeSequence"],
    takes:
      '`{"data": {"sequence": [GDF, ...], "learn"?: bool, "clear"?: bool}}`, or that object alone. `clear` empties working memory first; `learn` learns at the end. A `delivery` may stand beside `data` as for observe. `?explain=true` as for observe.',
    query: explainQuery,
    returns:
      "A list with the message of observe for each record. If `learn` stored a model, the envelope names it in `learned_model`.",
    request: either(
      "The records inside `data`, or by themselves.",
      closed("The records inside `data`.", { data: ref("ObservedSequence"), "delivery?": ref("Delivery") }),
      ref("ObservedSequence"),
    ),
    answer: envelope(list("What each observation did, in order.", ref("Observed")), {
      "learned_model?": { description: "The model that was learned at the end.", allOf: [ref("ModelLabel")] },
    }),
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/sequence-observe",
        body: { data: { sequence: [{ strings: ["tea"] }, { strings: ["train"] }], clear: true, learn: true } },
      },
      response: {
        id: "p46b6b076c",
        interval: 5,
        learned_model: "MODEL|d6139421d8d06e214d15781108601f8e69e5ae49",
        message: [
          {
            auto_learned_model: "",
            prediction_made: false,
            status: "observed",
            unique_id: "65c8fb7b-2931-4531-ab5c-ccb30cb807dd",
          },
          {
            auto_learned_model: "",
            prediction_made: false,
            status: "observed",
            unique_id: "65c8fb7b-2931-4531-ab5c-ccb30cb807dd",
          },
        ],
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/record-symbols": {
    operationId: ["recordSymbols"],
    doc: [
      "The symbols of the events that records would make, one after the other from an empty memory: none for a record that makes no event. Nothing is observed.",
      "@throws NoemaError 400 if a record is not accepted, 413 if there are too many",
    ],
    takes:
      '`{"data": {"records": [GDF, ...]}}`, or that object alone: records as observe takes them, one after the other from an empty memory. Nothing is observed.',
    returns:
      "A list of events, one for each record: the symbols that it would make of its strings, vectors, numbers and time by what is learned and by the encoders. A record that makes no event has an empty list. An encoder that has not found its bins makes no symbol.",
    request: either(
      "The records inside `data`, or by themselves.",
      closed("The records inside `data`.", { data: ref("AskedRecords") }),
      ref("AskedRecords"),
    ),
    answer: envelope(list("The symbols of each record.", list("Its symbols.", ref("Symbol")))),
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/record-symbols",
        body: { data: { records: [{ strings: ["tea", "bread"] }] } },
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: [["bread", "tea"]],
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/working-memory/clear": {
    operationId: ["clearWorkingMemory"],
    doc: ["Empties working memory without learning it."],
    returns: '`"wm-cleared"`',
    answer: envelope(word("wm-cleared", "Working memory is empty.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/working-memory/clear" },
      response: { id: "p46b6b076c", interval: 3, message: "wm-cleared", status: "okay", time_stamp: 1795250628 },
    },
  },
  "GET /:id/working-memory": {
    operationId: ["getWorkingMemory"],
    doc: ["Working memory: events, oldest first, each a list of symbols."],
    returns: "A list of events, each a list of symbols.",
    answer: envelope(ref("Sequence")),
    example: {
      request: { method: "GET", path: "/p46b6b076c/working-memory" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: [["coffee", "morning"]],
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/clear-all-memory": {
    operationId: ["clearAllMemory"],
    doc: [
      "Deletes everything learned and observed; keeps genes, flags and the target class.",
      "@param what whether to empty the blacklist as well: `clear_blacklist`, true if absent",
    ],
    takes: 'None, or `{"data": {"clear_blacklist": bool}}`; the blacklist is cleared unless this is false.',
    returns: '`"all-cleared"`',
    request: inData(ref("ClearAllMemory")),
    isRequestOptional: true,
    answer: envelope(word("all-cleared", "Everything learned and observed is deleted.")),
    example: {
      request: { method: "POST", path: "/p46b6b076c/clear-all-memory" },
      response: { id: "p46b6b076c", interval: 0, message: "all-cleared", status: "okay", time_stamp: 1795250628 },
    },
  },
  "GET /:id/percept-data": {
    operationId: ["getPercept"],
    doc: ["The last observation as it was sent; an empty object if there was none since the last clear."],
    returns:
      "`{emotives, metadata, path, strings, unique_id, vectors}`; `{}` if nothing was observed since the last clear. `path` names the processors and manipulatives that the record came through.",
    answer: envelope(either("The last observation, if there was one.", ref("Percept"), ref("Nothing"))),
    example: {
      request: { method: "GET", path: "/p46b6b076c/percept-data" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          emotives: {},
          metadata: {},
          path: ["P1-p46b6b076c-process"],
          strings: ["coffee", "morning"],
          unique_id: "65c8fb7b-2931-4531-ab5c-ccb30cb807dd",
          vectors: [],
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/cognition-data": {
    operationId: ["getCognition"],
    doc: ["The last observation as the processor interpreted it, with working memory and predictions."],
    returns:
      "`{command, emotives, metadata, path, predictions, strings, symbols, unique_id, vectors, working_memory}`. `symbols` are those of the event, sorted, those of vectors first; `predictions` is what POST predictions returns. All members are empty if nothing was observed since the last clear.",
    answer: envelope(ref("Cognition")),
    example: {
      request: { method: "GET", path: "/p46b6b076c/cognition-data" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          command: "",
          emotives: {},
          metadata: {},
          path: ["P1-p46b6b076c-process"],
          predictions: [PREDICTION],
          strings: ["coffee", "morning"],
          symbols: ["coffee", "morning"],
          unique_id: "65c8fb7b-2931-4531-ab5c-ccb30cb807dd",
          vectors: [],
          working_memory: [["coffee", "morning"]],
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/sessions": {
    operationId: ["listSessions"],
    doc: [
      "Sessions by name, in the order of UTF-8 bytes. If the number returned equals the limit, there may be more: call again with the last name as `after`.",
      "@throws NoemaError 400 if `after` or `limit` is not accepted",
    ],
    takes:
      "None. `after` in the query is a name: only sessions whose names come after it are listed. `limit` is the most to list, 1 to 1000, 100 if absent.",
    returns:
      "A list of `{events, last_observed, name, symbols, time}` by name, in the order of UTF-8 bytes: events and symbols in the session's working memory, when it last observed (seconds since 1970, or null), and its time. [sessions.md](sessions.md) explains sessions.",
    query: {
      after: schemaOf(ListSessionsRequestSchema.field.after),
      limit: schemaOf(ListSessionsRequestSchema.field.limit),
    },
    answer: envelope(list("Sessions by name. As many as the limit: there may be more.", ref("Session"))),
    example: {
      after: [
        { method: "POST", path: "/p46b6b076c/sessions/robot-1/observe", body: { data: { strings: ["tea"] } } },
        { method: "POST", path: "/p46b6b076c/sessions/robot-2/set-target-class", body: { data: "bus" } },
      ],
      request: { method: "GET", path: "/p46b6b076c/sessions?limit=10" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: [
          { events: 1, last_observed: 1795250628, name: "robot-1", symbols: 1, time: 1 },
          { events: 0, last_observed: null, name: "robot-2", symbols: 0, time: 0 },
        ],
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "DELETE /:id/sessions/:session": {
    operationId: ["endSession"],
    doc: [
      "Ends a session: deletes its memory; the models it has learned stay. Does nothing if there is no such session.",
    ],
    returns: '`"session-ended"`, also when there is no such session.',
    answer: envelope(word("session-ended", "The session is gone.")),
    example: {
      after: [{ method: "POST", path: "/p46b6b076c/sessions/robot-1/observe", body: { data: { strings: ["tea"] } } }],
      request: { method: "DELETE", path: "/p46b6b076c/sessions/robot-1" },
      response: { id: "p46b6b076c", interval: 3, message: "session-ended", status: "okay", time_stamp: 1795250628 },
    },
  },
};
