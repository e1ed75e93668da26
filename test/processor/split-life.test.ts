/** A processor whose models are spread over parts answers everything as one that has them in a single kernel does. */

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Fault } from "../../src/processor/ports/fault";
import type { ForecastRules } from "../../src/processor/ports/forecaster";
import type { Matcher } from "../../src/processor/ports/matcher";
import { PoolingForecaster } from "../../src/processor/prediction/estimator/pooling-forecaster";
import { ESTIMATOR } from "../../src/processor/prediction/estimator/settings";
import { Processor } from "../../src/processor/processor";
import { OracleNeighbours } from "../oracle/neighbours";
import { LocalParts, LocalSplit } from "../support/kernel/local-parts";
import { soleKernel } from "../support/kernel/sole-kernel";
import { MemoryStore } from "../support/memory-store";
import { RandomLife } from "../support/processor/random-life";
import { readingsOf } from "../support/processor/readings";
import { Random } from "../support/random";

const SEED = 11;
const STEPS = 120;

// Models keep when they were learned.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });
});
afterAll(() => {
  vi.useRealTimers();
});

/** What was answered, or why not. */
function answerOf(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { refused: error.message };
  }
}

type SomeMatcher = Matcher & { readonly forecastRules: ForecastRules };

/** Gradings end early: which of them are made must not depend on where the models are. */
const estimator = { ...ESTIMATOR, gradedOneIn: 1, mostSteps: 250, mostLoadedSteps: 3_000 };

/** A processor that lives, and its store. */
class Life {
  readonly #store = new MemoryStore();
  readonly #matcher: SomeMatcher;
  readonly #life = new RandomLife(new Random(SEED));
  #processor: Processor;

  constructor(matcher: SomeMatcher) {
    this.#matcher = matcher;
    this.#processor = this.#open();
  }

  #open(): Processor {
    const [store, matcher, neighbours] = [this.#store, this.#matcher, new OracleNeighbours()];
    const forecaster = new PoolingForecaster(matcher.forecastRules, estimator);
    return Processor.open({ id: "p46b6b076c", name: "P1", store, matcher, neighbours, forecaster, estimator });
  }

  /** Makes a random call; returns all that is answered afterwards. */
  step(): string {
    const before = this.#store.recorded.length;
    const answer = answerOf(() => this.#store.transaction(() => this.#life.live(this.#processor)));
    // As the owner does that rolls a verb back.
    if (this.#store.recorded.length !== before && isRefusal(answer)) {
      this.#processor = this.#open();
    }
    const all = [answer, readingsOf(this.#processor), ...this.#questions().map(answerOf)];
    // The records of all lives are numbered together.
    return JSON.stringify(all, (name, value) => (name === "uniqueId" ? undefined : value), 1);
  }

  #questions(): (() => unknown)[] {
    const { memory } = this.#processor;
    const events = [["a", "b"], ["c"], ["a", "unheard of"]].map((symbols) => ({ symbols }));
    const [model] = memory.getPredictions("").predictions;
    return [
      () => memory.getForecast({ horizon: 3, top: 5 }),
      () => memory.explainForecast({ symbol: "a", horizon: 2, within: true }),
      () => memory.explainSurprise({ event: { symbols: ["a", "b"] } }),
      () => memory.getSequenceSurprise(events, true),
      () => memory.countMatchingModels({}),
      () => model !== undefined && memory.explainPrediction(model.name),
    ];
  }
}

function isRefusal(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "refused" in answer;
}

test("a life on 1, 2, 7 and 16 parts is as in one kernel", () => {
  const whole = new Life(soleKernel());
  const parts = [1, 2, 7, 16].map((count) => new LocalParts(count));
  const splits = parts.map((one) => new Life(new LocalSplit(one)));
  for (let at = 0; at < STEPS; at++) {
    const expected = whole.step();
    for (const split of splits) expect(split.step(), `step ${at}`).toBe(expected);
  }
  for (const { asked } of parts) {
    const kinds = ["sums", "predict", "explain", "count", "any", "neighbours", "bodies", "compare", "weigh", "gather"];
    expect(new Set(asked)).toEqual(new Set(kinds));
  }
});
