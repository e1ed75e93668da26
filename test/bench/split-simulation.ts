/**
 * Predictions of a processor in more parts than any machine here has, simulated with a seed: messages go the way that the head sends them,
 * calls and passes take random times.
 */

import { deliveriesOf, type PartItem } from "../../src/object/parts/fan-out";
import { Random } from "../support/random";

/** What calls, passes and the platform take. Times in milliseconds. */
export const ASSUMED = {
  /** A call one way: the median, and how it spreads; one of this many takes longer by this. */
  callMs: 1,
  callSpread: 0.5,
  slowOneIn: 200,
  slowMs: 20,
  /** What a part of a million models of workload A takes for each of the two questions of a prediction; how it spreads. */
  passMs: [26, 7],
  passSpread: 0.15,
  /** Rows that a learn writes. */
  learnRows: 4,
  /** Dollars for a million calls, and for a million GB-s; how many GB an object that is awake counts. */
  callDollars: 0.15,
  wakeDollars: 12.5,
  objectGb: 0.128,
} as const;

const SEED = 1;
const MS_PER_SECOND = 1_000;

/** What predictions take with some number of parts. Times in milliseconds. */
export interface Simulated {
  parts: number;
  /** Calls of one prediction, and how many follow each other on the longest way. */
  calls: number;
  levels: number;
  /** From the question to the answer: all times, and what calls alone take. */
  times: number[];
  callTimes: number[];
  /** Of a million predictions: for calls, and for the time that parts are awake. */
  callDollars: number;
  wakeDollars: number;
}

type Delivery = ReturnType<typeof deliveriesOf>[number];

/** Draws times, and adds up for how long parts are awake. */
class Simulation {
  readonly #random = new Random(SEED);
  awakeMs = 0;

  /** A number around 1, by a normal distribution of its logarithm. */
  #spread(by: number): number {
    const normal =
      Math.sqrt(-2 * Math.log(1 - this.#random.fraction())) * Math.cos(2 * Math.PI * this.#random.fraction());
    return Math.exp(by * normal);
  }

  #callMs(): number {
    const { callMs, callSpread, slowMs, slowOneIn } = ASSUMED;
    return callMs * this.#spread(callSpread) + (this.#random.below(slowOneIn) === 0 ? slowMs : 0);
  }

  /** How long it takes until all have answered: each works while those behind it do. @param passMs 0 for no work */
  round(deliveries: readonly Delivery[], passMs: number): number {
    const times = deliveries.map(({ onwards }) => {
      const way = this.#callMs() + this.#callMs();
      const awake = Math.max(passMs * this.#spread(ASSUMED.passSpread), this.round(onwards, passMs));
      this.awakeMs += awake;
      return way + awake;
    });
    return Math.max(0, ...times);
  }
}

function levelsOf(deliveries: readonly Delivery[]): number {
  return deliveries.length === 0 ? 0 : 1 + Math.max(...deliveries.map(({ onwards }) => levelsOf(onwards)));
}

/** Simulates predictions. */
export function simulate(parts: number, predictions: number): Simulated {
  const items = Array.from({ length: parts }, (_, part): PartItem => ({ part, message: { kind: "look" } }));
  const deliveries = deliveriesOf(items);
  const simulation = new Simulation();
  const roundsOf = (work: number) =>
    ASSUMED.passMs.reduce((sum, passMs) => sum + simulation.round(deliveries, work * passMs), 0);
  const times = Array.from({ length: predictions }, () => roundsOf(1));
  const awakeMs = simulation.awakeMs / predictions;
  const calls = ASSUMED.passMs.length * parts;
  return {
    parts,
    calls,
    levels: levelsOf(deliveries),
    times,
    callTimes: times.map(() => roundsOf(0)),
    callDollars: calls * ASSUMED.callDollars,
    wakeDollars: (awakeMs / MS_PER_SECOND) * ASSUMED.objectGb * ASSUMED.wakeDollars,
  };
}
