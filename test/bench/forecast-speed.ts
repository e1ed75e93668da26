/** Times the kernel's forecasts beside its predictions for the same questions, in turns. */

import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { PoolingForecaster } from "../../src/processor/prediction/estimator/pooling-forecaster";
import { teach } from "./kernel-questions";

/** How many symbols an event has, of the ten of a question. */
export const EVENT_SIZES = [1, 5] as const;

/** Medians in milliseconds. */
export interface Speed {
  predictions: number;
  /** One for each of {@link EVENT_SIZES}: ten events of one symbol, two of five. */
  forecasts: number[];
}

/** Room for a million models of the largest workload. */
const LIMIT_BYTES = 400_000_000;

/** A question is asked again until this many milliseconds have passed, and its fastest answer counts. */
const QUESTION_MS = 20;
const MAX_ROUNDS = 7;
const WARM_UP_MS = 1000;

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** The least time that some works take, in turns. */
function leastOf(works: readonly (() => unknown)[]): number[] {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  const end = performance.now() + QUESTION_MS * works.length;
  for (let round = 0; round < MAX_ROUNDS && (round === 0 || performance.now() < end); round++) {
    works.forEach((work, at) => {
      const begin = performance.now();
      work();
      least[at] = Math.min(least[at] ?? 0, performance.now() - begin);
    });
  }
  return least;
}

/**
 * Does some works until the engine has compiled what is hot in them, so that the first ones are timed like the others.
 */
function warmUp(works: readonly (() => unknown)[]): void {
  const end = performance.now() + WARM_UP_MS;
  for (let at = 0; at < works.length || performance.now() < end; at++) works[at % works.length]?.();
}

/**
 * Asks a store of a workload for 100 predictions and for forecasts of ten symbols, top 10.
 *
 * @param questions how many
 */
export function speedOf(module: WebAssembly.Module, workload: string, models: number, questions: number): Speed {
  const kernel = Kernel.create(new KernelMemory(module, LIMIT_BYTES));
  const queries = teach(kernel, { workload, models, count: questions, seed: 1 });
  const forecaster = new PoolingForecaster(kernel.forecastRules);
  const compare = (one: number, other: number) => one - other;
  const works = queries.map((query) => {
    const asked = { ...query, record: [], horizon: 1, top: 10, compare };
    const forecasts = EVENT_SIZES.map((size) => {
      const lengths = new Uint32Array(query.symbols.length / size).fill(size);
      return () => forecaster.forecast({ ...asked, lengths });
    });
    return [() => kernel.predict(query), ...forecasts];
  });
  warmUp(works.flat());
  const times = works.map(leastOf);
  kernel.release();
  const [predictions = 0, ...forecasts] = [0, ...EVENT_SIZES].map((_, at) =>
    median(times.map((each) => each[at] ?? 0)),
  );
  return { predictions, forecasts };
}
