/** Checks a GDF from outside. Each check returns a copy, so that the caller cannot change it later. */

import type { Emotive, Gdf, NamedNumber, Vector } from "../../gen/plain";
import { ACCEPTED_TIME, isTime } from "../../text/event-time";
import { excerpt } from "../../text/excerpt";
import { MAX_COMPONENTS, MAX_LISTED, MAX_METADATA_BYTES, MAX_NAMED, tooMany } from "../../text/request-limits";
import { Fault } from "../ports/fault";
import { assertWellFormed } from "../text/well-formed";
import { checkMetadata } from "./metadata";

/** The words for named values in messages. */
interface Noun {
  readonly one: string;
  readonly article: string;
  readonly tooMany: (most: number, got: number) => string;
}

const EMOTIVE: Noun = { one: "emotive", article: "an", tooMany: tooMany.emotives };

const NUMBER: Noun = { one: "number", article: "a", tooMany: tooMany.numbers };

/**
 * Checks named values.
 * @throws Fault `too-large` when there are more than {@link MAX_NAMED}; `invalid` when a value is not finite, or a
 *   name is malformed or given twice
 */
function checkNamed(
  given: readonly (Emotive | NamedNumber)[],
  { one, article, tooMany: told }: Noun,
): { name: string; value: number }[] {
  if (given.length > MAX_NAMED) throw new Fault("too-large", told(MAX_NAMED, given.length));
  const names = new Set<string>();
  return given.map(({ name, value }) => {
    assertWellFormed(name, `the name of ${article} ${one}`);
    if (names.has(name)) throw new Fault("invalid", `each ${one} may be given once, got ${excerpt(name)} twice`);
    if (!Number.isFinite(value)) {
      throw new Fault("invalid", `${one} ${excerpt(name)} must be a finite number, got ${excerpt(value)}`);
    }
    names.add(name);
    return { name, value };
  });
}

/**
 * Checks the components of a vector.
 * @param what names the vector in the message
 * @throws Fault `invalid` when there is none, or one is not finite
 */
export function checkComponents(components: readonly number[], what: string): number[] {
  if (components.length === 0) throw new Fault("invalid", `${what} must have at least one component, got []`);
  const wrong = components.findIndex((component) => !Number.isFinite(component));
  if (wrong >= 0) {
    throw new Fault(
      "invalid",
      `component ${wrong} of ${what} must be a finite number, got ${excerpt(components[wrong])}`,
    );
  }
  return [...components];
}

function checkVectors(vectors: readonly Vector[]): Vector[] {
  const count = vectors.reduce((sum, { components }) => sum + components.length, 0);
  if (count > MAX_COMPONENTS) throw new Fault("too-large", tooMany.components(MAX_COMPONENTS, count));
  const checked = vectors.map(({ components }) => ({ components: checkComponents(components, "a vector") }));
  const length = checked[0]?.components.length;
  const other = checked.find(({ components }) => components.length !== length);
  if (other !== undefined) {
    throw new Fault(
      "invalid",
      `the vectors of one record must have the same number of components, got ${length} and ${other.components.length}`,
    );
  }
  return checked;
}

/**
 * Checks symbols.
 * @param what names one of them in the message
 * @throws Fault `invalid` when one holds a lone surrogate
 */
export function checkSymbols(symbols: readonly string[], what: string): string[] {
  for (const symbol of symbols) assertWellFormed(symbol, what);
  return [...symbols];
}

/** @throws Fault `too-large` when a request lists more than {@link MAX_LISTED} symbols */
export function assertListed({ length }: readonly string[]): void {
  if (length > MAX_LISTED) throw new Fault("too-large", tooMany.listed(MAX_LISTED, length, "symbols"));
}

/** Checks symbols that a request lists. @throws Fault as {@link assertListed} and {@link checkSymbols} */
export function checkListed(symbols: readonly string[], what: string): string[] {
  assertListed(symbols);
  return checkSymbols(symbols, what);
}

/** @throws Fault `invalid` when the time of a record is not a valid one */
function checkTime({ time }: Gdf): Pick<Gdf, "time"> {
  if (time === undefined) return {};
  if (!isTime(time)) throw new Fault("invalid", `time must be ${ACCEPTED_TIME}, got ${excerpt(time)}`);
  // The addition turns -0 into 0, so that it prints the same everywhere.
  return { time: time + 0 };
}

/**
 * Checks a whole record.
 * @param mostStrings maximum number of strings
 * @throws Fault `too-large` when it has more; `invalid` naming the wrong value and the accepted ones
 */
export function checkGdf(gdf: Gdf, mostStrings: number): Gdf {
  if (gdf.strings.length > mostStrings) {
    throw new Fault("too-large", tooMany.strings(mostStrings, gdf.strings.length));
  }
  // Counts characters. Metadata within this limit can still be larger in bytes; the row that is to hold it refuses it
  // then.
  if (gdf.metadataJson.length > MAX_METADATA_BYTES) {
    throw new Fault("too-large", tooMany.metadata(MAX_METADATA_BYTES, "metadata"));
  }
  assertWellFormed(gdf.uniqueId, "unique_id");
  assertWellFormed(gdf.command, "command");
  return {
    strings: checkSymbols(gdf.strings, "a string"),
    vectors: checkVectors(gdf.vectors),
    emotives: checkNamed(gdf.emotives, EMOTIVE),
    metadataJson: checkMetadata(gdf.metadataJson, "metadata"),
    uniqueId: gdf.uniqueId,
    command: gdf.command,
    numbers: gdf.numbers.length === 0 ? gdf.numbers : checkNamed(gdf.numbers, NUMBER),
    ...checkTime(gdf),
  };
}
