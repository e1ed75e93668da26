/** Solves the linear equations of a step of Newton's method, always with the same rounding. */

/** A symmetric matrix: the numbers of each row from its diagonal on. */
type Rows = number[][];

/** Row by row, with the prior added to the diagonal. */
function rowsOf(curvature: readonly number[], part: number, prior: number, size: number): Rows {
  let next = 0;
  return Array.from({ length: size }, (_, row) => {
    const from = next;
    next += size - row;
    const [diagonal = 0, ...others] = curvature.slice(from, next).map((number) => part * number);
    return [diagonal + prior, ...others];
  });
}

/**
 * Subtracts a row from those below it, scaled so that their first number becomes 0. @param right the right-hand side;
 * changed in place
 */
function eliminate(rows: Rows, right: number[], row: number): void {
  const [pivot = 1, ...others] = rows[row] ?? [];
  for (const [distance, number] of others.entries()) {
    const factor = number / pivot;
    const below = row + 1 + distance;
    rows[below] = (rows[below] ?? []).map((own, at) => own - factor * (others[distance + at] ?? 0));
    right[below] = (right[below] ?? 0) - factor * (right[row] ?? 0);
  }
}

/**
 * Solves (part · curvature + prior) · step = gradient, by elimination. No pivot is below the prior, except through
 * rounding or in an invented record: then the prior replaces it, so that a step is always finite.
 *
 * @param curvature a symmetric matrix: each row from its diagonal on
 * @param prior added to the diagonal; above 0
 */
export function newtonStep(
  curvature: readonly number[],
  part: number,
  prior: number,
  gradient: readonly number[],
): number[] {
  const rows = rowsOf(curvature, part, prior, gradient.length);
  const step = [...gradient];
  for (const [row, numbers] of rows.entries()) {
    numbers[0] = Math.max(prior, numbers[0] ?? 0);
    eliminate(rows, step, row);
  }
  for (let row = rows.length - 1; row >= 0; row--) {
    const [pivot = 1, ...others] = rows[row] ?? [];
    const left = others.reduce((rest, number, at) => rest - number * (step[row + 1 + at] ?? 0), step[row] ?? 0);
    step[row] = left / pivot;
  }
  return step;
}
