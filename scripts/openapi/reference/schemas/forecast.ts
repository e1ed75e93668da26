/** Schemas of what comes next, and of how unexpected events were. */

import {
  EventSurpriseSchema,
  ExcessSymbolSchema,
  ExpectedSymbolSchema,
  ForecastSchema,
  ForecastStepSchema,
  ForecastSymbolSchema,
  ForecastWhenSchema,
  MissingSymbolSchema,
  SequenceEndSchema,
  SequenceSurpriseSchema,
  SurpriseSchema,
} from "../../../../src/gen/noema/v1/forecast_pb";
import {
  GetForecastRequestSchema,
  GetSequenceSurpriseRequestSchema,
} from "../../../../src/gen/noema/v1/memory_service_pb";
import { MAX_JUDGED_EVENTS } from "../../../../src/text/request-limits";
import { answeredByName, asked, schemaOf } from "../../from-contract";
import { either, ref, type Schemas } from "./schema";

/** By name. */
export const forecastSchemas: Schemas = {
  AskForecast: asked(GetForecastRequestSchema, { says: "What to forecast." }),
  AskSequenceSurprise: asked(GetSequenceSurpriseRequestSchema, {
    says: "Which sequence to judge.",
    further: {
      sequence: { ...schemaOf(GetSequenceSurpriseRequestSchema.field.sequence), maxItems: MAX_JUDGED_EVENTS },
    },
  }),
  SurpriseOrNull: either(
    "How unexpected the event was; null without an event, a memory before it, or knowledge.",
    ref("Surprise"),
    { type: "null" },
  ),
  ...answeredByName(
    EventSurpriseSchema,
    ExcessSymbolSchema,
    ExpectedSymbolSchema,
    ForecastSchema,
    ForecastStepSchema,
    ForecastSymbolSchema,
    ForecastWhenSchema,
    MissingSymbolSchema,
    SequenceEndSchema,
    SequenceSurpriseSchema,
    SurpriseSchema,
  ),
};
