/**
 * Counts the steps of a query. Equal symbols in long sequences take a step for each pair, and then again in each part,
 * so the work of a query has no useful bound in advance. A query that has used up its steps ends early; its answer is
 * then meaningless, and the host discards it.
 */

let left: i64 = 0;

/** Begins a query with a limit of steps. */
export function beginSteps(most: f64): void {
  left = <i64>most;
}

/** Counts steps taken. */
export function countSteps(count: u64): void {
  left -= <i64>count;
}

/** Whether the query has exceeded its steps. */
export function isOutOfSteps(): bool {
  return left < 0;
}

/** Number of steps that the query has left; negative if it has exceeded them. */
export function stepsLeft(): f64 {
  return <f64>left;
}
