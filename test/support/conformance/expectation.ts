/** The comparison rules of the conformance examples: what may differ, and by how much. */

/** How numbers of a case are compared. */
export type Precision = "exact" | "ulp" | "float32" | "round12" | "exact-or-round12";

/** Members that differ from run to run. */
const IGNORED = new Set(["unique_id", "time_stamp", "timestamp"]);
const MAX_ULP = 4e-15;

function round12(value: number): number {
  return Number(value.toFixed(12));
}

const SAME_NUMBER: Record<Precision, (expected: number, actual: number) => boolean> = {
  exact: (expected, actual) => expected === actual,
  ulp: (expected, actual) => Math.abs(expected - actual) <= MAX_ULP * Math.max(1, Math.abs(expected)),
  float32: (expected, actual) => Math.fround(expected) === Math.fround(actual),
  round12: (expected, actual) => round12(expected) === round12(actual),
  "exact-or-round12": (expected, actual) => expected === actual || round12(expected) === round12(actual),
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function arrayDifference(
  expected: readonly unknown[],
  actual: readonly unknown[],
  precision: Precision,
  at: string,
): string {
  if (expected.length !== actual.length) return `${at}: ${expected.length} entries expected, got ${actual.length}`;
  for (const [index, each] of expected.entries()) {
    const found = difference(each, actual[index], precision, `${at}[${index}]`);
    if (found !== "") return found;
  }
  return "";
}

function objectDifference(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
  precision: Precision,
  at: string,
): string {
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)].filter((name) => !IGNORED.has(name)));
  for (const name of names) {
    if (!(name in expected) || !(name in actual)) return `${at}.${name}: only on one side`;
    const found = difference(expected[name], actual[name], precision, `${at}.${name}`);
    if (found !== "") return found;
  }
  return "";
}

/** Where two values differ first, empty when they don't. */
export function difference(expected: unknown, actual: unknown, precision: Precision, at = "message"): string {
  if (typeof expected === "number" && typeof actual === "number") {
    return SAME_NUMBER[precision](expected, actual) ? "" : `${at}: ${expected} expected, got ${actual}`;
  }
  if (Array.isArray(expected) && Array.isArray(actual)) return arrayDifference(expected, actual, precision, at);
  if (isObject(expected) && isObject(actual)) return objectDifference(expected, actual, precision, at);
  return expected === actual ? "" : `${at}: ${JSON.stringify(expected)} expected, got ${JSON.stringify(actual)}`;
}

/** The same for predictions whose order is not determined: each by its name. */
export function unorderedDifference(expected: unknown, actual: unknown, precision: Precision): string {
  const sorted = (list: unknown) =>
    Array.isArray(list) ? [...list].sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)) : list;
  return difference(sorted(expected), sorted(actual), precision);
}

/** The same for a message of which only some members are told. */
export function subsetDifference(expected: Record<string, unknown>, actual: unknown, precision: Precision): string {
  if (!isObject(actual)) return `message: an object expected, got ${JSON.stringify(actual)}`;
  const told = Object.fromEntries(Object.entries(actual).filter(([name]) => name in expected));
  return difference(expected, told, precision);
}
