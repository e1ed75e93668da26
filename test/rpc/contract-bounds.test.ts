/** The bounds that the contract states are those of the processor, which does not read the contract. */

import { getOption } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ForecastConditionSchema } from "../../src/gen/noema/v1/alert_pb";
import { bounds } from "../../src/gen/noema/v1/bounds_pb";
import { ListPageSchema } from "../../src/gen/noema/v1/knowledge_service_pb";
import {
  CountMatchingModelsRequestSchema,
  GetForecastRequestSchema,
  GetPredictionsRequestSchema,
} from "../../src/gen/noema/v1/memory_service_pb";
import { MOST_PREDICTIONS, MOST_THRESHOLDS } from "../../src/processor/input/question-input";
import { MOST_HORIZON, MOST_TOP } from "../../src/processor/ports/forecaster";
import { MOST_ROWS } from "../../src/processor/verbs/knowledge/list-page";

test.each([
  [GetForecastRequestSchema.field.horizon, MOST_HORIZON],
  [ForecastConditionSchema.field.horizon, MOST_HORIZON],
  [GetForecastRequestSchema.field.top, MOST_TOP],
  [GetPredictionsRequestSchema.field.top, MOST_PREDICTIONS],
  [ListPageSchema.field.limit, MOST_ROWS],
])("%s", (field, most) => {
  expect(getOption(field, bounds)).toMatchObject({ least: 1, most });
});

test("the number of recall thresholds", () => {
  const { recallThresholds } = CountMatchingModelsRequestSchema.field;
  expect(getOption(recallThresholds, bounds)).toMatchObject({ fewest: 1, mostElements: MOST_THRESHOLDS });
});
