/**
 * The bins of a definition: intervals of numbers from one edge up to the next. Computes in decimal, not with doubles:
 * edges of size 0.1 are 0.1, 0.2, 0.3, not 0.30000000000000004.
 */

import Big from "big.js";
import type { NumberDefinition } from "./kinds";

/** The numbers from one edge up to the next. */
export interface Interval {
  /** The edge at which it begins, inclusive; -Infinity for the lowest bin. */
  readonly from: number;
  /** The edge at which it ends, exclusive; Infinity for the highest bin. */
  readonly below: number;
}

/** Finds the bin of a finite number. */
export type Bins = (value: number) => Interval;

/**
 * Decimals of this constructor divide to whole quotients, truncated toward zero. Big's settings are per constructor, so
 * it shares none.
 */
const Decimal = Big();
Decimal.DP = 0;
Decimal.RM = Decimal.roundDown;

const NO_NUMBER = Number.NEGATIVE_INFINITY;

const view = new DataView(new ArrayBuffer(Float64Array.BYTES_PER_ELEMENT));

/** The next double above a number. @param value finite, or -Infinity */
function nextUp(value: number): number {
  view.setFloat64(0, value + 0);
  view.setBigInt64(0, view.getBigInt64(0) + (value < 0 ? -1n : 1n));
  return view.getFloat64(0);
}

/**
 * Bins of one size: the edges are origin + k·size, each rounded to the nearest double. Edges may coincide, where the
 * size is finer than doubles can resolve.
 */
function stepBins(size: number, origin: number): Bins {
  const step = new Decimal(size);
  const start = new Decimal(origin);
  /** The greatest whole number of steps, counted from the origin, that does not exceed a number. */
  const stepsTo = (value: number): Big => {
    const distance = new Decimal(value).minus(start);
    const steps = distance.div(step);
    return steps.times(step).gt(distance) ? steps.minus(1) : steps;
  };
  // The addition turns -0 into 0, so that it prints the same everywhere.
  const edgeAt = (steps: Big): number => steps.times(step).plus(start).toNumber() + 0;
  /**
   * The greatest edge not above a number. Rounding can move the edge after {@link stepsTo} down to the number itself;
   * then that edge is the answer.
   */
  const edgeBefore = (value: number): number => {
    const steps = stepsTo(value);
    const next = edgeAt(steps.plus(1));
    return next <= value ? next : edgeAt(steps);
  };
  const edgeAfter = (edge: number): number => {
    const least = nextUp(edge);
    if (!Number.isFinite(least)) return least;
    const steps = stepsTo(least);
    const first = edgeAt(steps);
    return first > edge ? first : edgeAt(steps.plus(1));
  };
  return remembered(size, (value) => {
    const from = edgeBefore(value);
    return { from, below: edgeAfter(from) };
  });
}

/** Maximum number of remembered bins of an encoder. */
const MAX_REMEMBERED = 256;

/** The same bins, remembered: a stream stays among a few of them, and computing one in decimal takes long. */
function remembered(size: number, bins: Bins): Bins {
  const known = new Map<number, Interval>();
  return (value) => {
    const near = Math.floor(value / size);
    const before = known.get(near);
    if (before !== undefined && before.from <= value && value < before.below) return before;
    const interval = bins(value);
    if (known.size === MAX_REMEMBERED) known.clear();
    known.set(near, interval);
    return interval;
  };
}

/** Bins between edges. @param edges rising */
export function edgeBins(edges: readonly number[]): Bins {
  return (value) => {
    const at = edges.findLastIndex((edge) => edge <= value);
    return { from: edges[at] ?? NO_NUMBER, below: edges[at + 1] ?? Number.POSITIVE_INFINITY };
  };
}

/** The bins of a definition. A definition that has not found its edges yet has a single bin. */
export function binsOf(definition: NumberDefinition): Bins {
  return definition.kind === "step" ? stepBins(definition.size, definition.origin) : edgeBins(definition.edges ?? []);
}

/**
 * A bin widened by a margin on both sides, with its ends rounded to the nearest double.
 *
 * @param margin finite, 0 or more
 */
export function widened({ from, below }: Interval, margin: number): Interval {
  return {
    from: Number.isFinite(from) ? new Decimal(from).minus(margin).toNumber() : from,
    below: Number.isFinite(below) ? new Decimal(below).plus(margin).toNumber() : below,
  };
}
