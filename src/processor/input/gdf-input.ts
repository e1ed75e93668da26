/** A record from outside, checked and copied before anything of it is believed. */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { Emotive, Gdf, Vector } from "../ports/gdf";
import { assertWellFormed } from "../text/well-formed";
import { takeMetadata } from "./metadata";

/**
 * Checks emotives.
 * @throws Fault `invalid` when a value is not finite, or a name is malformed or given twice
 */
function takeEmotives(emotives: readonly Emotive[]): Emotive[] {
  const names = new Set<string>();
  return emotives.map(({ name, value }) => {
    assertWellFormed(name, "the name of an emotive");
    if (names.has(name)) throw new Fault("invalid", `each emotive may be given once, got ${excerpt(name)} twice`);
    if (!Number.isFinite(value)) {
      throw new Fault("invalid", `emotive ${excerpt(name)} must be a finite number, got ${excerpt(value)}`);
    }
    names.add(name);
    return { name, value };
  });
}

/**
 * Checks the components of a vector.
 * @param what what vector it is, for the message
 * @throws Fault `invalid` when there are none or one is not finite
 */
export function takeComponents(components: readonly number[], what: string): number[] {
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

function takeVectors(vectors: readonly Vector[]): Vector[] {
  const taken = vectors.map(({ components }) => ({ components: takeComponents(components, "a vector") }));
  const length = taken[0]?.components.length;
  const other = taken.find(({ components }) => components.length !== length);
  if (other !== undefined) {
    throw new Fault(
      "invalid",
      `the vectors of one record must have the same number of components, got ${length} and ${other.components.length}`,
    );
  }
  return taken;
}

/**
 * Checks symbols.
 * @param what what one of them is, for the message
 * @throws Fault `invalid` when one holds a lone surrogate
 */
export function takeSymbols(symbols: readonly string[], what: string): string[] {
  for (const symbol of symbols) assertWellFormed(symbol, what);
  return [...symbols];
}

/**
 * Checks a record whole.
 * @throws Fault `invalid` that names the value that is wrong and what is accepted
 */
export function takeGdf(gdf: Gdf): Gdf {
  assertWellFormed(gdf.uniqueId, "unique_id");
  assertWellFormed(gdf.command, "command");
  return {
    strings: takeSymbols(gdf.strings, "a string"),
    vectors: takeVectors(gdf.vectors),
    emotives: takeEmotives(gdf.emotives),
    metadataJson: takeMetadata(gdf.metadataJson, "metadata"),
    uniqueId: gdf.uniqueId,
    command: gdf.command,
  };
}

/** Whether a record says anything that becomes an event. */
export function isEventful(gdf: Gdf): boolean {
  return gdf.strings.length > 0 || gdf.vectors.length > 0;
}
