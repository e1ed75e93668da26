/** Collects what an attack finds: figures, and failures grouped by signature. Judges nothing. */

/** How much of a detail is shown. */
const DETAIL_CHARACTERS = 4000;

/** What one attack found. */
export class Report {
  /** @type {Map<string, string | number>} */
  #figures = new Map();
  /** @type {Map<string, { count: number, first: string }>} */
  #failures = new Map();

  /** How many different failures there are. */
  get failures() {
    return this.#failures.size;
  }

  /** Notes a figure. */
  figure(name, value) {
    this.#figures.set(name, value);
  }

  /** Adds to a figure that counts. */
  count(name, by = 1) {
    this.#figures.set(name, Number(this.#figures.get(name) ?? 0) + by);
  }

  /**
   * Notes a failure.
   *
   * @param {string} signature the same for failures of one cause
   * @param {string} detail what happened, shown for the first of them
   */
  fail(signature, detail = "") {
    const known = this.#failures.get(signature);
    if (known === undefined) this.#failures.set(signature, { count: 1, first: detail });
    else known.count++;
  }

  /** Notes a failure unless something holds. Returns whether it holds. */
  expect(holds, signature, detail = "") {
    if (!holds) this.fail(signature, detail);
    return holds;
  }

  /** The lines that tell it. */
  lines() {
    const figures = [...this.#figures].map(([name, value]) => `  ${name}: ${shown(value)}`);
    const failures = [...this.#failures].flatMap(([signature, { count, first }]) => [
      `  FAILED ${count} x ${signature}`,
      ...(first === "" ? [] : [`    ${first.slice(0, DETAIL_CHARACTERS).replaceAll("\n", "\n    ")}`]),
    ]);
    return [...figures, ...failures];
  }
}

function shown(value) {
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/**
 * The value below which a share of the values lies.
 *
 * @param {number[]} values
 * @param {number} share 0 to 1
 * @returns {number} 0 when there are none
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
