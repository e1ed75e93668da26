/** The bounds that the contract states are those of the processor, which does not read the contract. */

import { getOption } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ForecastConditionSchema } from "../../src/gen/noema/v1/alert_pb";
import { bounds } from "../../src/gen/noema/v1/bounds_pb";
import { GetForecastRequestSchema } from "../../src/gen/noema/v1/memory_service_pb";
import { MOST_HORIZON, MOST_TOP } from "../../src/processor/ports/forecaster";

test.each([
  [GetForecastRequestSchema.field.horizon, MOST_HORIZON],
  [ForecastConditionSchema.field.horizon, MOST_HORIZON],
  [GetForecastRequestSchema.field.top, MOST_TOP],
])("%s", (field, most) => {
  expect(getOption(field, bounds)).toMatchObject({ least: 1, most });
});
