/** What the reference says of the rows in src/gateway/operations/core.ts that explain: why something is predicted. */

import type { Reference } from "./entry";
import { WHOLE_PREDICTION } from "./example-predictions";
import { either, envelope, inData, ref } from "./schemas/schema";

/** By row. */
export const explanationReference: Reference = {
  "POST /:id/predictions/explain": {
    operationId: ["explainPrediction"],
    doc: [
      "The inputs of a prediction's numbers; `null` if the model does not match, or the target class does not admit it.",
      "@param query `model`: its hash; `sequence`: what it is predicted from instead of working memory",
      "@throws NoemaError 404 if there is no such model, 400 if a value is not accepted, 413 if it takes too many steps",
    ],
    takes:
      '`{data:  {model:  hash, "sequence"?: [[symbol, ...], ...]}}`: the model, with or without `MODEL|`, and a sequence to predict from in place of working memory; nothing is observed.',
    returns:
      "The prediction with every value that its numbers are computed from, so that they can be computed again [to the last bit](predictions.md#why-a-prediction); also where a gene cuts it off. `null` if the model does not match, or the target class does not admit it.",
    request: inData(ref("AskPredictionExplanation")),
    answer: envelope(
      either("The terms, or null if the model does not match.", ref("PredictionExplanation"), { type: "null" }),
    ),
    failures: [404],
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/predictions/explain",
        body: {
          data: {
            model: "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
            sequence: [["coffee", "morning"], ["bus"]],
          },
        },
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          blocks: [{ length: 3, memory: 0, model: 0 }],
          emotives: { joy: [0.5] },
          known_symbols: 3,
          ln_known_symbols: 1.0986122886681096,
          matching_frequencies: 1,
          memory: [["coffee", "morning"], ["bus"]],
          prediction: WHOLE_PREDICTION,
          symbols: [
            {
              frequency: 1,
              ln_probability: -1.0986122886681098,
              ln_share: -1.0986122886681098,
              log2_probability: -1.5849625007211563,
              symbol: "coffee",
              weighs: true,
            },
            {
              frequency: 1,
              ln_probability: -1.0986122886681098,
              ln_share: -1.0986122886681098,
              log2_probability: -1.5849625007211563,
              symbol: "morning",
              weighs: true,
            },
            {
              frequency: 1,
              ln_probability: -1.0986122886681098,
              ln_share: -1.0986122886681098,
              log2_probability: -1.5849625007211563,
              symbol: "bus",
              weighs: true,
            },
          ],
          total_model_frequencies: 1,
          total_symbols_in_models_frequencies: 3,
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/forecast/explain": {
    operationId: ["explainForecast"],
    doc: [
      "Why a symbol has its probability in a forecast; `null` if no model contributes.",
      "@param query `symbol`; `horizon`: number of events ahead, 1 to 10; `within`: whether any event up to that one counts",
      "@throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps",
    ],
    takes:
      '`{data:  {symbol:  string, "horizon"?: 1 to 10, "within"?: bool, "sequence"?: [[symbol, ...], ...]}}`: a symbol, how many events ahead (1 if absent), whether in one or more of the events up to there (false if absent), and a sequence to forecast from in place of working memory; nothing is observed.',
    returns:
      "What gives the symbol its probability: the rules with their weights, what the pool makes of them, and the correction. [forecast.md](forecast.md#why-a-symbol) explains every member. `null` if no model speaks.",
    request: inData(ref("AskForecastExplanation")),
    answer: envelope(either("The terms, or null if no model speaks.", ref("ForecastExplanation"), { type: "null" })),
    example: {
      request: { method: "POST", path: "/p46b6b076c/forecast/explain", body: { data: { symbol: "bus" } } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          context: [["coffee", "morning"]],
          correction: {
            exclusive: true,
            factor: 1,
            first: "bus",
            forecasts: null,
            from: null,
            mixed: 0.5130350481981004,
            prior: null,
            proved: 0.5130350481981004,
            right: null,
            sum_before: null,
            terms: [
              { name: "odds", says: "the logarithm of its odds by the rules", value: 0.0521520099710957, weight: 0 },
              { name: "probability", says: "its probability by the rules", value: 0.5130350481981004, weight: 0 },
              {
                name: "behind",
                says: "how many events are left behind, at most 12, in fours",
                value: 0.25,
                weight: 0,
              },
            ],
            to: null,
            within: null,
          },
          followed: null,
          likeliest_step: null,
          mixed: 0.5130350481981004,
          models: 1,
          normalizer: -0.166778258505334,
          probability: 0.5130350481981004,
          rules: [
            {
              evidence: 0.06472343609171727,
              given: 0.39925,
              name: "order",
              probability: 0.36193749999999997,
              says: "What came where the same events stood in the same order: the longer they agree, the more it counts.",
              takes_part: true,
              weight: 0.25,
            },
            {
              evidence: 0.36776173453179367,
              given: 1,
              name: "behind",
              probability: 0.8723875000000001,
              says: "What came anywhere later in sequences that share something with working memory.",
              takes_part: true,
              weight: 0.25,
            },
            {
              evidence: 0.04867867228050193,
              given: 0.32462499999999994,
              name: "alike",
              probability: 0.3320875,
              says: "What came where the latest events were alike, though not the same: the more alike, the more it counts.",
              takes_part: true,
              weight: 0.25,
            },
            {
              evidence: 0.06758962788533379,
              given: 0.3333333333333333,
              name: "near",
              probability: 0.33905416666666666,
              says: "What stands anywhere in sequences that share much with working memory, above all its newest events.",
              takes_part: true,
              weight: 0.25,
            },
          ],
          share: 0.5130350481981004,
          situation: {
            behind: 1,
            bucket: 0,
            longest_order: 1,
            says: "almost no event is left; at most one event matches",
          },
          strongest: ["dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e"],
          sum_of_steps: null,
          support: 1,
          symbol: "bus",
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/surprise/explain": {
    operationId: ["explainSurprise"],
    doc: [
      "The surprise that an event would be, and why; `null` without a memory before it, or without knowledge. Nothing is observed.",
      "@param query `event`: its symbols; `sequence`: the events before it, instead of working memory",
      "@throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps",
    ],
    takes:
      '`{"data": {"event": [symbol, ...], "sequence"?: [[symbol, ...], ...]}}`: the symbols of an event, and a sequence that it comes after in place of working memory; nothing is observed.',
    returns:
      "How unexpected the event would be, as `observe` with `explain` says it, and what each of its symbols counts with. [surprise.md](surprise.md#why-a-surprise) explains every member. `null` without a memory before it, or without knowledge.",
    request: inData(ref("AskSurpriseExplanation")),
    answer: envelope(
      either("The terms, or null where there is nothing to expect the event by.", ref("SurpriseExplanation"), {
        type: "null",
      }),
    ),
    example: {
      request: { method: "POST", path: "/p46b6b076c/surprise/explain", body: { data: { event: ["bus", "rain"] } } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          context: [["coffee", "morning"]],
          factors: [
            {
              factor: 0.00710447428328102,
              levels: [
                {
                  holding: 0,
                  level: 4,
                  places: 1,
                },
              ],
              prior: 0.01420894856656204,
              symbol: "rain",
            },
            {
              factor: 0.5130350481981004,
              levels: [],
              prior: 0.5130350481981004,
              symbol: "bus",
            },
          ],
          known_symbols: 3,
          models: 1,
          occurrences: 4,
          rest: 0.11367158853249631,
          surprise: {
            bits: 8.099927095147176,
            expected: [
              {
                probability: 0.5130350481981004,
                symbol: "bus",
              },
              {
                probability: 0.18664668163470166,
                symbol: "coffee",
              },
              {
                probability: 0.18664668163470166,
                symbol: "morning",
              },
            ],
            probability: 0.003644844306345243,
            unexpected: ["rain"],
          },
          symbols: [
            {
              given: 0.5130350481981004,
              probability: 0.5130350481981004,
              symbol: "bus",
            },
            {
              given: 0,
              probability: 0.01420894856656204,
              symbol: "rain",
            },
          ],
          unexpected_probability: 0.01420894856656204,
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/surprise/sequence": {
    operationId: ["sequenceSurprise"],
    doc: [
      "How unusual a whole sequence would be, from an empty memory, and why; `null` without knowledge. Nothing is observed.",
      "@param query `sequence`: 1 to 1,000 events; `complete`: whether it has ended, true if absent",
      "@throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps",
    ],
    takes:
      '`{"data": {"sequence": [[symbol, ...], ...], "complete"?: bool}}`: 1 to 1,000 events, and whether nothing more comes, which is so if it does not say; nothing is observed.',
    returns:
      "How unusual the sequence would be as one of its own, from an empty memory, and why: what holds how often and in which order, each event by those before it, the end, what is missing and what comes too often. [sequences.md](sequences.md) explains every member. `null` without knowledge.",
    request: inData(ref("AskSequenceSurprise")),
    answer: envelope(
      either("How unusual it would be, or null where there is nothing to compare it with.", ref("SequenceSurprise"), {
        type: "null",
      }),
    ),
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/surprise/sequence",
        body: { data: { sequence: [["coffee", "morning"], ["rain"]] } },
      },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          bits: 5.6551872445947735,
          end: { bits: 2.321928094887362 },
          events: [
            {
              bits: 0.8949179539424423,
              expected: [
                { probability: 0.7333333333333334, symbol: "coffee" },
                { probability: 0.7333333333333334, symbol: "morning" },
              ],
              unexpected: [],
            },
            {
              bits: 6.137056387757654,
              expected: [
                { probability: 0.5130350481981004, symbol: "bus" },
                { probability: 0.18664668163470166, symbol: "coffee" },
                { probability: 0.18664668163470166, symbol: "morning" },
              ],
              unexpected: ["rain"],
            },
          ],
          excess: [{ count: 1, expected: 0, symbol: "rain" }],
          missing: [{ probability: 1, symbol: "bus" }],
          rank: null,
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
};
