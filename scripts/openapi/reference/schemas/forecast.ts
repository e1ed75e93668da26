/** Schemas of what comes next, and of how unexpected events were. */

import {
  EventSurpriseSchema,
  ExcessSymbolSchema,
  ExpectedSymbolSchema,
  MissingSymbolSchema,
  SequenceEndSchema,
  SequenceSurpriseSchema,
} from "../../../../src/gen/noema/v1/forecast_pb";
import { GetForecastRequestSchema } from "../../../../src/gen/noema/v1/memory_service_pb";
import { MOST_JUDGED_EVENTS } from "../../../../src/text/request-limits";
import { answered, schemaOf } from "../../from-contract";
import { closed, double, flag, list, open, ref, type Schemas, whole } from "./schema";

const { horizon, top } = GetForecastRequestSchema.field;

const PROBABILITY = { minimum: 0, maximum: 1 };

/** By name. */
export const forecastSchemas: Schemas = {
  AskForecast: closed("What to forecast.", {
    "horizon?": schemaOf(horizon),
    "top?": schemaOf(top),
    "sequence?": list(
      "What to forecast from in place of working memory. Nothing is observed.",
      list("The symbols of an event; one or more.", ref("Symbol"), { minItems: 1 }),
    ),
  }),
  Forecast: open("What comes next, and how likely it is.", {
    context: whole("How many events of the memory were taken into account, the newest ones."),
    models: whole(
      "How many models spoke: those that share a symbol with these events, and that the target class admits.",
    ),
    steps: list("The next event, the one after it, and so on: as many as `horizon`.", ref("ForecastStep")),
    within: list(
      "The symbols by the probability that at least one of these events holds them, most probable first.",
      ref("ForecastSymbol"),
    ),
  }),
  ForecastStep: open("One of the next events.", {
    none: double("The probability of an end, or of nothing that is known. 1 when no model speaks.", PROBABILITY),
    symbols: list("What the event may hold, most probable first; ties by code point.", ref("ForecastSymbol")),
    when: {
      description: "In how many seconds it comes, counted from the newest event; null where nothing is known of it.",
      anyOf: [
        open("Quantiles, in seconds.", {
          p10: double("In one of ten cases it comes sooner.", { minimum: 0 }),
          p50: double("In half of the cases.", { minimum: 0 }),
          p90: double("In nine of ten.", { minimum: 0 }),
        }),
        { type: "null" },
      ],
    },
  }),
  ForecastSymbol: open("A symbol that may come.", {
    models: list("At most 5 of the models that say so, strongest first.", ref("ModelHash")),
    probability: double("The probability that it is there.", PROBABILITY),
    support: whole("How many models say so."),
    symbol: ref("Symbol"),
  }),
  Surprise: open("How unexpected an event was, by the forecast just before it.", {
    bits: double("-log2 of `probability`.", { minimum: 0 }),
    expected: list(
      "At most 5 symbols that were the most probable, most probable first.",
      open("A symbol that was expected.", {
        probability: double("The probability that it had.", PROBABILITY),
        symbol: ref("Symbol"),
      }),
    ),
    probability: double("The event's: the product of its symbols', each given those before it. Never 0.", PROBABILITY),
    unexpected: list("The symbols of the event that the forecast gave no probability.", ref("Symbol")),
  }),
  AskSequenceSurprise: closed("Which sequence to judge.", {
    sequence: list(
      "The events, oldest first.",
      list("The symbols of an event; one or more.", ref("Symbol"), { minItems: 1 }),
      { maxItems: MOST_JUDGED_EVENTS },
    ),
    "complete?": flag("Whether nothing more comes: then its end counts, and what is missing. True if absent."),
  }),
  SequenceSurprise: answered(SequenceSurpriseSchema, {
    further: {
      end: {
        description: "How unexpected it was to end here; null where more may come.",
        anyOf: [ref("SequenceEnd"), { type: "null" }],
      },
    },
  }),
  SequenceEnd: answered(SequenceEndSchema),
  EventSurprise: answered(EventSurpriseSchema),
  ExpectedSymbol: answered(ExpectedSymbolSchema),
  MissingSymbol: answered(MissingSymbolSchema),
  ExcessSymbol: answered(ExcessSymbolSchema),
  SurpriseOrNull: {
    description: "How unexpected the event was; null without an event, a memory before it, or knowledge.",
    anyOf: [ref("Surprise"), { type: "null" }],
  },
};
