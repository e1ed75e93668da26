/** Counts which answers were given for which right answers. */

/** How often one answer was given when another one was right. */
export interface Confusion {
  readonly actual: string;
  /** `null` for no answer. */
  readonly predicted: string | null;
  readonly count: number;
}

/** The counted answers. */
export class Tally {
  readonly #counts = new Map<string, Confusion & { count: number }>();
  /** The number of questions asked, of those answered, and of right answers. */
  asked = 0;
  answered = 0;
  right = 0;

  add(actual: string, answer: string | undefined): void {
    this.asked++;
    if (answer !== undefined) this.answered++;
    if (answer === actual) this.right++;
    const predicted = answer ?? null;
    const key = JSON.stringify([actual, predicted]);
    const counted = this.#counts.get(key);
    if (counted === undefined) this.#counts.set(key, { actual, predicted, count: 1 });
    else counted.count++;
  }

  /**
   * The share of right answers among all questions; 0 without questions. A question without an answer counts as wrong.
   */
  get accuracy(): number {
    return this.asked === 0 ? 0 : this.right / this.asked;
  }

  /** The confusions, sorted by the right answer and then by the given one; no answer comes last. */
  get confusions(): Confusion[] {
    const rank = ({ actual, predicted }: Confusion) => [actual, predicted ?? "\u{10ffff}"].join("\u0000");
    return [...this.#counts.values()].sort((a, b) => Buffer.compare(Buffer.from(rank(a)), Buffer.from(rank(b))));
  }
}

/**
 * The confusions as a table: a row for each right answer, a column for each answer given.
 *
 * @param most maximum number of answers to show; in a larger table, the least frequent ones are left out
 */
export function matrixOf(confusions: readonly Confusion[], most: number) {
  const totals = new Map<string, number>();
  for (const { actual, count } of confusions) totals.set(actual, (totals.get(actual) ?? 0) + count);
  for (const { predicted } of confusions) if (predicted !== null && !totals.has(predicted)) totals.set(predicted, 0);
  const all = [...totals].sort(([, a], [, b]) => b - a).map(([symbol]) => symbol);
  const shown = all.slice(0, most).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const columns: readonly (string | null)[] = confusions.some(({ predicted }) => predicted === null)
    ? [...shown, null]
    : shown;
  const at = (actual: string, predicted: string | null) =>
    confusions.find((one) => one.actual === actual && one.predicted === predicted)?.count ?? 0;
  const rows = shown.map((actual) => ({ actual, counts: columns.map((predicted) => at(actual, predicted)) }));
  return { columns, rows, left: all.length - shown.length };
}
