/** Opens a processor over a store in memory and the oracles, for tests. */

import type { Snapshots } from "../../src/processor/knowledge/snapshots";
import type { ForecastRules } from "../../src/processor/ports/forecaster";
import type { Matcher } from "../../src/processor/ports/matcher";
import { PoolingForecaster } from "../../src/processor/prediction/estimator/pooling-forecaster";
import { Processor } from "../../src/processor/processor";
import { OracleNeighbours } from "../oracle/neighbours";
import { Oracle } from "../oracle/oracle";
import { MemoryStore } from "./memory-store";

/** Opens a processor from a store. With a store that holds something, it is like opening after an eviction. */
export function openProcessor(
  store = new MemoryStore(),
  matcher: Matcher & { readonly forecastRules: ForecastRules } = new Oracle(),
  snapshots?: Snapshots,
  gradesLaterFrom = Number.POSITIVE_INFINITY,
): Processor {
  const own = {
    store,
    matcher,
    neighbours: new OracleNeighbours(),
    forecaster: new PoolingForecaster(matcher.forecastRules),
    gradesLaterFrom,
  };
  return Processor.open({ id: "p46b6b076c", name: "P1", ...own, ...(snapshots === undefined ? {} : { snapshots }) });
}
