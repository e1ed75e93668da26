/** Schemas of models, symbols, vectors and whole knowledge bases. */

import {
  ForgetModelsRequestSchema,
  ForgetModelsResponseSchema,
} from "../../../../src/gen/noema/v1/knowledge_service_pb";
import { answered, asked } from "../../from-contract";
import {
  byName,
  choice,
  closed,
  double,
  either,
  list,
  loose,
  open,
  ref,
  type Schemas,
  text,
  whole,
  word,
} from "./schema";

const EMOTIVE_VALUES = byName(
  "The values of each emotive by name, oldest first. The gene persistence says how many are kept.",
  either(
    "The values; a number alone is a list of one.",
    list("Values.", double("Any finite double.")),
    double("Any finite double."),
  ),
);

const EVENT_METADATA = list("The metadata of each event, one object per event.", ref("Metadata"));

const DERIVED = {
  description: "Follows from the rest and has no effect, so that a model can be sent back as it was read.",
};

/** When a record was learned, in an answer. */
const ORDER = {
  "order?": whole("When it was learned: smaller is older. Only with `order=true` in the query.", 1),
};

/** The same in a file. */
const ORDER_TO_LOAD = {
  "order?": {
    ...whole("When it was learned: smaller is older. Every record of a kind has another one, or none has any.", 1),
    maximum: 4503599627370496,
  },
};

const MODEL = {
  emotives: byName("The values of each emotive by name, oldest first.", list("Values.", double("Any finite double."))),
  frequency: whole("How often the model was learned.", 1),
  length: whole("How many symbols the sequence has.", 1),
  metadata: EVENT_METADATA,
  name: ref("ModelHash"),
  sequence: ref("Sequence"),
};

const NODE = { node: text("The identifier of the processor.") };

const TOTALS = {
  total_model_frequencies: whole("The sum of all models' frequencies."),
  total_symbol_frequencies: whole("The sum of the symbols' frequencies."),
  total_symbols_in_models_frequencies: whole("The sum of the symbols' model_member_frequency."),
};

/** What past forecasts tell, beside the totals. */
const FORECAST_RECORD = {
  "forecast_record?": list(
    "What past forecasts tell, which docs/forecast.md explains: a list for the next event, for the horizons 2 and 3, 4 to 6, and 7 to 10; no list at all where the knowledge is still to be graded. Only with `order=true` in the query.",
    list("Weights, of either sign, and counts; none where nothing was graded.", double("A number.")),
    { maxItems: 10 },
  ),
};

const SYMBOL = {
  features: open("The counters of a symbol.", {
    frequency: whole("How often the symbol occurs in learned models; a model learned again counts again."),
    model_member_frequency: whole("The same, but a model counts once however often it holds the symbol."),
  }),
  name: ref("Symbol"),
};

const VECTOR = {
  hash: text("The SHA-1 of the components as 40 hex digits.", { pattern: "^[0-9a-f]{40}$" }),
  length: double("The Euclidean norm.", { minimum: 0 }),
  name: ref("VectorLabel"),
  vector: ref("Vector"),
};

/** What a file must say of a model. */
const MODEL_TO_LOAD = {
  "emotives?": EMOTIVE_VALUES,
  "frequency?": whole("How often the model was learned. 1 if absent.", 1),
  "metadata?": EVENT_METADATA,
  "name?": text("The name, as the key says it."),
  ...ORDER_TO_LOAD,
  sequence: list(
    "The events, oldest first; one or more.",
    list("One or more symbols.", ref("Symbol"), { minItems: 1 }),
    {
      minItems: 1,
    },
  ),
};

/** What a file must say of a vector. */
const VECTOR_TO_LOAD = {
  "hash?": text("The hash, as the key says it."),
  "name?": text("The name, as the key says it."),
  ...ORDER_TO_LOAD,
  vector: list("The components, one or more.", double("Any finite double."), { minItems: 1 }),
};

/** By name. */
export const knowledgeSchemas: Schemas = {
  Model: open("A learned model.", {
    ...MODEL,
    predecessor_model: list("Always empty: models are not linked here.", ref("ModelHash"), { maxItems: 0 }),
  }),
  ModelRecord: open("A model in a knowledge base.", { ...MODEL, ...ORDER }),
  ModelToAdd: closed("A model to add.", {
    sequence: list(
      "The events, oldest first; one or more.",
      list("The symbols of an event; one or more.", ref("Symbol"), { minItems: 1 }),
      { minItems: 1 },
    ),
    "vector?": either("A vector to store as a learned one; null or an empty list for none.", ref("Vector"), {
      type: "null",
    }),
    "frequency?": either("How often the model counts as learned. 1 if absent.", whole("1 or more.", 1), {
      type: "null",
    }),
    "emotives?": either("The values of each emotive by name.", EMOTIVE_VALUES, { type: "null" }),
    "metadata?": either("The metadata of each event.", EVENT_METADATA, { type: "null" }),
  }),
  ModelChange: closed("What to replace in a model. Members that are absent stay as they are.", {
    "sequence?": list(
      "The new events, oldest first; one or more. They give the model a new name.",
      list("The symbols of an event; one or more.", ref("Symbol"), { minItems: 1 }),
      { minItems: 1 },
    ),
    "frequency?": whole("How often the model counts as learned.", 1),
    "emotives?": EMOTIVE_VALUES,
    "metadata?": EVENT_METADATA,
    "length?": DERIVED,
    "name?": DERIVED,
    "predecessor_model?": DERIVED,
  }),
  Added: open("The model that was added.", { name: ref("ModelHash") }),
  Forgetting: asked(ForgetModelsRequestSchema, { says: "What to forget; nothing when both numbers are absent." }),
  Forgotten: answered(ForgetModelsResponseSchema, { says: "What was forgotten." }),
  FoundModels: open("The models that were found.", {
    model_list: list("Their names.", ref("ModelHash")),
  }),
  ChangedModels: open("The models that the removal of symbols has changed; without the member if there are none.", {
    "models?": byName(
      "The new name of each model by its old name.",
      text("A hash, or `deleted` if no symbol was left.", { pattern: "^([0-9a-f]{40}|deleted)$" }),
    ),
  }),
  SymbolRecord: open("A symbol and its counters.", SYMBOL),
  VectorLabel: text("The name of a vector: `VECTOR|` and the hash.", { pattern: "^VECTOR\\|[0-9a-f]{40}$" }),
  VectorRecord: open("A learned vector.", { ...VECTOR, ...ORDER }),
  Totals: open("The totals of the counters.", { ...TOTALS, ...FORECAST_RECORD }),
  AskKnowledgeBase: closed("The form of the answer.", {
    "lines?": { type: "boolean", description: "Whether to answer with a list of records. false if absent." },
  }),
  KnowledgeBase: open("All that a processor has learned.", {
    metadata: ref("Totals"),
    models_kb: byName("The models by name, sorted.", ref("ModelRecord")),
    symbols_kb: byName("The symbols by name, sorted.", ref("SymbolRecord")),
    vectors_kb: byName("The vectors by hash, sorted.", ref("VectorRecord")),
  }),
  KnowledgeLine: either(
    "A record of a knowledge base as a line.",
    open("The totals.", { ...TOTALS, ...FORECAST_RECORD, kind: word("metadata", "The kind of the record."), ...NODE }),
    open("A model.", { ...MODEL, ...ORDER, kind: word("model", "The kind of the record."), ...NODE }),
    open("A symbol.", { ...SYMBOL, kind: word("symbol", "The kind of the record."), ...NODE }),
    open("A vector.", { ...VECTOR, ...ORDER, kind: word("vector", "The kind of the record."), ...NODE }),
  ),
  KnowledgeBaseToLoad: loose(
    "A knowledge base as get_kb returns it. Counters may be missing: they are computed from the models.",
    {
      "metadata?": loose("Totals, which are computed again, and what past forecasts tell.", FORECAST_RECORD),
      models_kb: byName(
        "The models by name. Where they have no order, that of the file is their age, oldest first.",
        ref("ModelToLoad"),
      ),
      "symbols_kb?": byName("The symbols by name. Their counters are computed again.", { type: "object" }),
      "vectors_kb?": byName("The vectors by hash. Where they have no order, oldest first.", ref("VectorToLoad")),
    },
  ),
  LineToLoad: either(
    "A record as a line.",
    loose("A model.", { kind: word("model", "The kind of the record."), ...MODEL_TO_LOAD, name: ref("ModelHash") }),
    loose("A vector.", { kind: word("vector", "The kind of the record."), ...VECTOR_TO_LOAD, hash: VECTOR.hash }),
    loose("A symbol or the totals, which are computed again; beside the totals, what past forecasts tell.", {
      kind: choice(["symbol", "metadata"], "The kind of the record."),
      ...FORECAST_RECORD,
    }),
  ),
  ModelToLoad: loose("A model in a file. Its key must be the name of its sequence.", MODEL_TO_LOAD),
  VectorToLoad: loose("A vector in a file. Its key must be the hash of its components.", VECTOR_TO_LOAD),
};
