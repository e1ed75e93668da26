/** A processor in memory with budgets of its own, and short ways to call it. */

import { PoolingForecaster } from "../../../src/processor/prediction/estimator/pooling-forecaster";
import { Processor } from "../../../src/processor/processor";
import { type Budgets, DEFAULT_BUDGETS } from "../../../src/text/budgets";
import { OracleNeighbours } from "../../oracle/neighbours";
import { soleKernel } from "../kernel/sole-kernel";
import { MemoryStore } from "../memory-store";
import { gdfOf } from "./calls";

/** Opens a processor. @param budgets those that differ from the standard ones */
export function open(budgets: Partial<Budgets> = {}, store = new MemoryStore()): Processor {
  const matcher = soleKernel();
  const forecaster = new PoolingForecaster(matcher.forecastRules);
  const own = { store, matcher, neighbours: new OracleNeighbours(), forecaster };
  const parts = { id: "p46b6b076c", name: "P1", ...own };
  return Processor.open({ ...parts, budgets: { ...DEFAULT_BUDGETS, ...budgets } });
}

/** Observes one record of strings. */
export const observe = (processor: Processor, strings: string[]) =>
  processor.memory.observe(gdfOf({ strings }), []).observed;

/** Observes records of strings, by default in a cleared memory. */
export const sequence = (processor: Processor, records: string[][], clear = true) =>
  processor.memory.observeSequence({ sequence: records.map((strings) => gdfOf({ strings })), learn: false, clear });

/** Adds a model. */
export const add = (processor: Processor, ...events: string[][]) =>
  processor.knowledge.addModel({ sequence: { events: events.map((symbols) => ({ symbols })) } });
