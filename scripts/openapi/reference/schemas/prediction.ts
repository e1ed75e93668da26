/** Schemas of predictions. */

import {
  CountMatchingModelsRequestSchema,
  GetPredictionsRequestSchema,
} from "../../../../src/gen/noema/v1/memory_service_pb";
import { schemaOf } from "../../from-contract";
import { choice, closed, double, list, open, ref, type Schemas, text, whole, word } from "./schema";

const SHARE = { exclusiveMinimum: 0, maximum: 1 };

/** A schema that has a name, with what it means here. */
const described = (description: string, name: string) => ({ description, allOf: [ref(name)] });

/** The members of a prediction. */
const MEMBERS = {
  confidence: double("The matched share of the symbols of `present`. More than 0, at most 1.", SHARE),
  confluence: double(
    "How much more often the model was learned than chance would have it: its share of all learning, times 1 less the chance of `present`.",
  ),
  emotives: {
    type: "object",
    description: "The mean of the model's values of each emotive, in the unit that was observed.",
    additionalProperties: { type: "number", format: "double" },
  },
  entropy: double("The information in `present`, in bits."),
  evidence: double("The matched share of the model's symbols. More than 0, at most 1.", SHARE),
  extras: described("The symbols of memory that did not match, in memory's order.", "Event"),
  fragmentation: whole("In how many more blocks than one the match is broken."),
  frequency: whole("How often the model was learned.", 1),
  future: described("The events of the model after `present`: what comes next.", "Sequence"),
  grand_hamiltonian: double(
    "The information in the distinct symbols of `present`, as a share of the most that they could have.",
  ),
  hamiltonian: double("How evenly the symbols of `present` are spread, as a share of the most that they could be."),
  itfdf_similarity: double(
    "How similar memory and `present` are, with rare symbols counting less and the model's frequency more.",
  ),
  matches: described("The symbols that matched.", "Event"),
  missing: described("The symbols of `present` that were expected and not seen.", "Event"),
  name: ref("ModelHash"),
  past: described("The events of the model before `present`.", "Sequence"),
  potential: double(
    "The usual measure of the whole: (evidence + confidence) * snr + itfdf_similarity + 1 / (fragmentation + 1).",
  ),
  present: described("The events of the model from the first that matched to the last that did.", "Sequence"),
  similarity: double(
    "Twice the matched symbols over those of model and memory together. More than 0, at most 1.",
    SHARE,
  ),
  snr: double("The matched symbols as a share of matched and extra ones. More than 0, at most 1.", SHARE),
  type: word("prototypical", "The only type there is."),
};

/** By name. */
export const predictionSchemas: Schemas = {
  Predictions: list(
    "The ensemble: all predictions, sorted by the gene prediction_sort_metric, the highest first; of equals, the newest model first.",
    ref("Prediction"),
  ),
  Prediction: open("One model that matches working memory. All doubles are exact, without rounding.", MEMBERS),
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
