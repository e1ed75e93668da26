/**
 * Counts the steps of a query. Equal symbols in long sequences take a step for each pair, and then again in each part,
 * so the work of a query has no useful bound in advance. A query that has used up its steps ends early; its answer is
 * then nonsense, and the host drops it.
 */

let left: i64 = 0;

/** Begins a query with a limit of steps. */
export function beginSteps(most: f64): void {
  left = <i64>most;
}

/** Counts steps that were taken. */
export function countSteps(count: u64): void {
  left -= <i64>count;
}

/** Whether the query has taken more steps than it may. */
export function isOutOfSteps(): bool {
  return left < 0;
}

/** How many steps the query may still take; less than 0 when it took too many. */
export function stepsLeft(): f64 {
  return <f64>left;
}
