/** The probable roles of a table's columns, and the user's choices. No I/O. */

import { byBytes, type Columns } from "../../cli/table/columns";
import { DEFAULT_RULE, decimal, hasDecimalComma } from "../../cli/table/number-rule";
import type { Row } from "../../cli/table/row";

/** The role of a column. */
export const ROLES = ["symbol", "number", "time", "group", "ignore"] as const;

export type Role = (typeof ROLES)[number];

/** The roles in plain words. */
export const ROLE_WORDS: { readonly [role in Role]: string } = {
  symbol: "word",
  number: "number",
  time: "time",
  group: "group",
  ignore: "leave out",
};

/** The choices about a table. */
export interface Mapping {
  readonly roles: ReadonlyMap<string, Role>;
  /** Whether numbers are written with a decimal comma, as in 20,5. */
  readonly isDecimalComma: boolean;
  /**
   * Maximum number of consecutive rows that are learned as one sequence; within a group, if a column groups the rows.
   */
  readonly every: number;
}

/**
 * Default length of a sequence: without groups, enough rows for an order to show; with groups, the size of most groups.
 */
const DEFAULT_LENGTH = 20;
const DEFAULT_GROUP_LENGTH = 100;

/** Maximum number of rows in a sequence: as many as a stream's frame holds. */
export const MAX_ROWS = 1000;

/** The fraction of cells that must be of a kind. */
const MIN_FRACTION = 0.95;

/**
 * A text column with a larger fraction of distinct cells has a different text in almost every row, so it is ignored.
 */
const MAX_DISTINCT_FRACTION = 0.5;

/** Minimum number of cells for that check. */
const MIN_CELLS = 20;

const TIME_NAME = /^(?:time|timestamp|datetime|date|ts|when|zeit|datum|zeitstempel|t)(?:[ _(-].*)?$/i;
const GROUP_NAME =
  /^(?:group|session|machine|device|batch|run|case|trace|visit|order|part|gruppe|maschine|charge)(?:[ _-]?(?:id|no|nr|name|number))?$/i;
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Guesses the roles from the columns' names and the first rows. */
export function guessed(names: readonly string[], rows: readonly Row["cells"][]): Mapping {
  const texts = (name: string) => rows.map((cells) => String(cells[name] ?? "").trim()).filter((text) => text !== "");
  const isDecimalComma = names.some((name) => mostly(texts(name), hasDecimalComma));
  const roles = new Map<string, Role>();
  for (const name of names) roles.set(name, roleOf(name, texts(name), isDecimalComma));
  // Only one column can be the time of a row.
  const times = names.filter((name) => roles.get(name) === "time");
  for (const name of times.slice(1)) roles.set(name, "ignore");
  const isGrouped = [...roles.values()].includes("group");
  return { roles, isDecimalComma, every: isGrouped ? DEFAULT_GROUP_LENGTH : DEFAULT_LENGTH };
}

function mostly(texts: readonly string[], is: (text: string) => boolean): boolean {
  return texts.length > 0 && texts.filter(is).length >= MIN_FRACTION * texts.length;
}

/** Whether a column's name can name an encoder: a path of the interface ends with it. */
function canBeNumber(name: string): boolean {
  return !["", ".", ".."].includes(name);
}

function roleOf(name: string, texts: readonly string[], isDecimalComma: boolean): Role {
  if (texts.length === 0 || !canBeNumber(name)) return "ignore";
  const isNumber = (text: string) => !Number.isNaN(decimal(text)) || (isDecimalComma && hasDecimalComma(text));
  const isTime = mostly(texts, (text) => ISO.test(text));
  if (isTime || (TIME_NAME.test(name) && mostly(texts, isNumber))) return "time";
  const different = new Set(texts).size;
  if (GROUP_NAME.test(name) && different < texts.length) return "group";
  if (mostly(texts, isNumber)) return "number";
  return texts.length < MIN_CELLS || different <= MAX_DISTINCT_FRACTION * texts.length ? "symbol" : "ignore";
}

/** The columns with a role, in table order. */
function withRole({ roles }: Mapping, role: Role): string[] {
  return [...roles].filter(([, each]) => each === role).map(([name]) => name);
}

/** What is missing in the mapping, as a sentence; empty if it is complete. */
export function lacking(mapping: Mapping): string {
  const times = withRole(mapping, "time");
  if (withRole(mapping, "symbol").length + withRole(mapping, "number").length === 0) {
    return "Say of a column that it is a word or a number: nothing else makes symbols.";
  }
  const nameless = withRole(mapping, "number").find((name) => !canBeNumber(name));
  if (nameless !== undefined) {
    return `A column with the name "${nameless}" cannot be a number: rename it in the file, or ignore it.`;
  }
  if (times.length > 1) return `Only one column says when it happened; now ${times.join(" and ")} do.`;
  if (!(Number.isInteger(mapping.every) && mapping.every >= 2 && mapping.every <= MAX_ROWS)) {
    return `A sequence has 2 to ${MAX_ROWS} rows.`;
  }
  return "";
}

/**
 * The columns as tables are read by them.
 *
 * @param isSeries whether rows without groups are one series, as for scoring
 */
export function columnsOf(mapping: Mapping, isSeries: boolean): Columns {
  const groupBy = withRole(mapping, "group");
  return {
    groupBy,
    every: groupBy.length > 0 || isSeries ? undefined : mapping.every,
    symbols: withRole(mapping, "symbol").map((column) => ({ column, isNamed: true })),
    numbers: withRole(mapping, "number")
      .sort(byBytes)
      .map((column) => ({ column, rule: DEFAULT_RULE })),
    vectors: [],
    emotives: [],
    label: undefined,
    time: withRole(mapping, "time")[0],
    isDecimalComma: mapping.isDecimalComma,
  };
}
