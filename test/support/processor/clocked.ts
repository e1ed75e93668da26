/** Opens processors over a store in memory with a clock that tests set, and budgets of their own. */

import { PoolingForecaster } from "../../../src/processor/prediction/estimator/pooling-forecaster";
import { Processor } from "../../../src/processor/processor";
import { type Budgets, DEFAULT_BUDGETS } from "../../../src/text/budgets";
import { OracleNeighbours } from "../../oracle/neighbours";
import { Oracle } from "../../oracle/oracle";
import { MemoryStore } from "../memory-store";

/** A processor, its store and its clock. */
export class Clocked {
  readonly store = new MemoryStore();
  /** The time, epoch milliseconds. */
  now = 1_000_000_000_000;
  readonly #budgets: Partial<Budgets>;
  #processor: Processor;

  constructor(budgets: Partial<Budgets> = {}) {
    this.#budgets = budgets;
    this.#processor = this.#open();
  }

  get processor(): Processor {
    return this.#processor;
  }

  /** The processor in a session. */
  in(session: string): Processor {
    return this.#processor.in(session);
  }

  /** Opens the processor anew from its store, as after an eviction. */
  reopen(): void {
    this.#processor = this.#open();
  }

  /** Lets time pass. */
  pass(seconds: number): void {
    this.now += seconds * 1_000;
  }

  #open(): Processor {
    const matcher = new Oracle();
    return Processor.open({
      id: "p46b6b076c",
      name: "P1",
      store: this.store,
      matcher,
      neighbours: new OracleNeighbours(),
      forecaster: new PoolingForecaster(matcher.forecastRules),
      budgets: { ...DEFAULT_BUDGETS, ...this.#budgets },
      now: () => this.now,
    });
  }
}
