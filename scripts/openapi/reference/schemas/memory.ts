/** Schemas of records, observing, learning and working memory. */

import { DeliverySchema, SessionSchema } from "../../../../src/gen/noema/v1/memory_service_pb";
import { MAX_TIME } from "../../../../src/text/event-time";
import { answered, asked } from "../../from-contract";
import { byName, choice, closed, double, either, flag, list, open, ref, type Schemas, text, whole } from "./schema";

/** By name. */
export const memorySchemas: Schemas = {
  Symbol: text(
    "A symbol: the smallest thing that a processor tells apart. Well-formed Unicode, compared to the letter.",
  ),
  Event: list("An event: the symbols of one moment. Symbols of vectors come first.", ref("Symbol")),
  Sequence: list("Events, oldest first.", ref("Event")),
  Vector: list(
    "A vector: one or more finite doubles. All vectors of a processor have the same number of components.",
    double("A component. Any finite double."),
  ),
  Emotives: byName("How a moment felt: finite doubles by name.", double("Any finite double; its unit is yours.")),
  Numbers: byName(
    "Readings: finite doubles by name. The encoder of the name turns each into a symbol; a record is refused when one has no encoder.",
    double("Any finite double, in the unit of its encoder."),
  ),
  Time: either(
    "When an event happened.",
    double("Epoch seconds, with a fraction or without.", { minimum: 0, maximum: MAX_TIME }),
    text("RFC 3339 with an offset, from 1970 to 9999, such as `2026-11-23T05:30:00+01:00`.", { format: "date-time" }),
  ),
  Seconds: double("When the event happened, as its sender said it: epoch seconds.", { minimum: 0, maximum: MAX_TIME }),
  Metadata: {
    type: "object",
    description: "Any JSON object. It is kept with the order of its members and is never interpreted.",
  },
  Gdf: closed(
    "One record of data, a GDF. Every member may be absent. Without strings, vectors and symbols of numbers it adds no event to working memory.",
    {
      "strings?": list("The symbols of the event. The gene SORT sorts them.", ref("Symbol")),
      "vectors?": list(
        "Vectors, which are added up. The event gets the symbol of the sum and those of learned vectors near it.",
        ref("Vector"),
      ),
      "numbers?": ref("Numbers"),
      "emotives?": ref("Emotives"),
      "metadata?": ref("Metadata"),
      "time?": ref("Time"),
      "unique_id?": text("The identifier of the record. The processor makes a UUID if it is absent or empty."),
      "command?": text("Kept and shown again; it has no effect."),
    },
  ),
  Delivery: asked(DeliverySchema, {
    says: "By which source and number something is sent, so that it is taken once.",
    without: ["most_deliveries"],
  }),
  Observed: open("What an observation did.", {
    auto_learned_model: text("The model that autolearning has just learned, as `MODEL|<hash>`; empty for none.", {
      pattern: "^(MODEL\\|[0-9a-f]{40})?$",
    }),
    prediction_made: flag(
      "Whether the processor predicts anything now; false also when that takes too many steps to find out.",
    ),
    "redelivered?": flag("Set to true if the delivery had come before: nothing has changed."),
    status: choice(["observed", "asleep"], "`asleep`: the processor sleeps and has ignored the record."),
    "surprise?": ref("SurpriseOrNull"),
    unique_id: text("The identifier of the record."),
  }),
  ObservedSequence: closed("Records to observe in order, all or none.", {
    sequence: list("The records, oldest first. 50,000 at most, unless the server was set up otherwise.", ref("Gdf")),
    "learn?": flag("Whether to learn working memory at the end. false if absent."),
    "clear?": flag("Whether to empty working memory first. false if absent."),
  }),
  AskedRecords: closed("Records of which the symbols are asked.", {
    records: list("The records, oldest first. 50,000 at most, unless the server was set up otherwise.", ref("Gdf")),
  }),
  Percept: open("The last observation, as it was sent.", {
    emotives: ref("Emotives"),
    metadata: ref("Metadata"),
    "numbers?": ref("Numbers"),
    path: list(
      "The processors and manipulatives that the record came through, the first one first.",
      text("One of them."),
    ),
    strings: list("The strings, in the order in which they came.", ref("Symbol")),
    "time?": ref("Seconds"),
    unique_id: text("The identifier of the record."),
    vectors: list("The vectors, as they came.", ref("Vector")),
  }),
  Cognition: open(
    "The last observation as the processor understood it. All members are empty if nothing was observed since the last clear.",
    {
      command: text("The command of the record."),
      emotives: ref("Emotives"),
      metadata: ref("Metadata"),
      "numbers?": ref("Numbers"),
      path: list("The processors and manipulatives that the record came through.", text("One of them.")),
      predictions: ref("Predictions"),
      strings: list("The strings, in the order in which they came.", ref("Symbol")),
      symbols: ref("Event"),
      "time?": ref("Seconds"),
      unique_id: text("The identifier of the record."),
      vectors: list("The vectors, as they came.", ref("Vector")),
      working_memory: ref("Sequence"),
    },
  ),
  ClearAllMemory: closed("What to clear.", {
    "clear_blacklist?": flag("Whether to empty the blacklist too. true if absent."),
  }),
  Session: answered(SessionSchema),
  Status: open("The processor's flags, counters and sizes.", {
    AUTOLEARN: flag("Whether the processor learns by itself."),
    HYPOTHESIZED: flag("Always false."),
    PREDICT: flag("Whether the processor predicts."),
    SLEEPING: flag("Whether the processor ignores observations."),
    SNAPSHOT: flag("Always false."),
    emotives: ref("Emotives"),
    last_learned_model_name: text("The hash of the model that was learned last; empty for none.", {
      pattern: "^([0-9a-f]{40})?$",
    }),
    models_kb: text("How many models there are, as `{KB| objects: <number>}`.", {
      pattern: "^\\{KB\\| objects: [0-9]+\\}$",
    }),
    name: text("The processor's friendly name."),
    "near_limits?": list(
      "The limits of which nine tenths or more are used, by name; absent if there is none.",
      open("A limit that is nearly reached.", {
        limit: text(
          "What is limited: knowledge_bytes, sessions, storage_bytes, working_memory_bytes or working_memory_symbols.",
        ),
        most: whole("How much there may be."),
        used: whole("How much there is."),
      }),
      { minItems: 1 },
    ),
    num_observe_call: whole("How many observations there were since the last learn, clear or sleep."),
    size_WM: whole("How many symbols working memory holds."),
    target: text("The target class; empty for none."),
    time: whole("How many observations the processor has taken."),
    vector_dimensionality: whole("How many components a vector has; -1 until one is learned.", -1),
    vectors_kb: text("How many vectors there are, as `{KB| objects: <number>}`.", {
      pattern: "^\\{KB\\| objects: [0-9]+\\}$",
    }),
  }),
  Info: open("Version, build and memory use.", {
    build_date: text("When the server's program was built, as ISO 8601."),
    build_number: text("The build."),
    classifier: text("The gene classifier: how vectors become symbols."),
    id: text("The processor's identifier."),
    memory_bytes: whole("How much memory the processor's models, symbols and vectors hold, in bytes."),
    memory_limit_bytes: whole("How much memory they may hold, in bytes."),
    name: text("The processor's friendly name."),
    "parts?": list(
      "The parts over which the models are spread; absent where they are not split.",
      open("A part of the models.", {
        memory_bytes: whole("Bytes of memory that it uses; 0 while it is not in memory."),
        models: whole("How many models it has."),
      }),
      { minItems: 2 },
    ),
    time: whole("How many observations the processor has taken."),
    version: text("The version of Noema."),
  }),
};
