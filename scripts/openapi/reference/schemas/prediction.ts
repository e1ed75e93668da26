/** Schemas of predictions. */

import {
  CountMatchingModelsRequestSchema,
  GetPredictionsRequestSchema,
} from "../../../../src/gen/noema/v1/memory_service_pb";
import { PredictionSchema } from "../../../../src/gen/noema/v1/prediction_pb";
import { commentOn, membersOf, schemaOf } from "../../from-contract";
import { byName, choice, closed, double, list, open, ref, type Schemas, text, whole, word } from "./schema";

/** The members of a prediction, by name. */
const MEMBERS = Object.fromEntries(
  Object.entries(
    membersOf(PredictionSchema, {
      further: {
        emotives: byName(commentOn("noema.v1.Prediction.emotives"), double("The mean.")),
        type: word("prototypical", "The only type there is."),
      },
    }),
  ).sort(([one], [other]) => (one < other ? -1 : 1)),
);

/** By name. */
export const predictionSchemas: Schemas = {
  Predictions: list(
    "The ensemble: all predictions, sorted by the gene prediction_sort_metric, the highest first; of equals, the newest model first.",
    ref("Prediction"),
  ),
  Prediction: open(
    "One model that matches working memory. All doubles are exact, without rounding. In the formulas, m is the number of matched symbols, f the model's frequency, and |...| a length in symbols.",
    MEMBERS,
  ),
  PartialPrediction: open(
    "A prediction without the members that the request did not ask for.",
    Object.fromEntries(Object.entries(MEMBERS).map(([name, schema]) => [`${name}?`, schema])),
  ),
  AskPredictions: closed("Which predictions to return.", {
    "unique_id?": text("If the last observation has another identifier, the answer is an empty list."),
    "sequence?": list(
      "What to predict from in place of working memory. Nothing is observed.",
      list("The symbols of an event; one or more.", ref("Symbol"), { minItems: 1 }),
    ),
    "top?": schemaOf(GetPredictionsRequestSchema.field.top),
    "fields?": list(
      "The members to return of each prediction; one or more. All if absent.",
      choice(Object.keys(MEMBERS), "A member of a prediction."),
      { minItems: 1 },
    ),
  }),
  AskMatchingModels: closed("Which recall thresholds to count for.", {
    "recall_thresholds?": schemaOf(CountMatchingModelsRequestSchema.field.recallThresholds),
    "sequence?": list(
      "What to match in place of working memory. Nothing is observed.",
      list("The symbols of an event; one or more.", ref("Symbol"), { minItems: 1 }),
    ),
  }),
  MatchingModels: open("How many models recall thresholds let match.", {
    matching: list("A count for each threshold, in the order of the request.", ref("MatchingCount")),
    models: whole("How many models the processor has."),
  }),
  MatchingCount: open("How many models match with a recall threshold.", {
    models: whole(
      "How many models have at least this similarity, 1 match or more, and the target class if there is one.",
    ),
    recall_threshold: { type: "number", description: "The threshold.", minimum: 0, maximum: 1 },
  }),
  ModelHash: text("The name of a model: the SHA-1 of its sequence as 40 hex digits.", { pattern: "^[0-9a-f]{40}$" }),
  ModelLabel: text("The name of a model behind `MODEL|`.", { pattern: "^MODEL\\|[0-9a-f]{40}$" }),
};
