/**
 * How models are counted: what one adds to the counters, how far they may go, and what is wrong when stored rows do not
 * add up to them; and how many bytes one takes: about those of its line in a backup. What a model may take is less than
 * all that carries one, so that what can be learned can also be listed, exported, loaded, backed up and restored.
 */

import { jsonBytes, MOST_UNIT_BYTES } from "../../text/json-bytes";
import { Fault } from "../ports/fault";
import type { Totals } from "../ports/matcher";
import type { EmotiveValues } from "../ports/store";
import type { SymbolTable } from "./symbol-table";

/**
 * Refuses counters beyond the whole numbers that a double holds exactly.
 * @param symbolFrequencies the greatest of all counters
 * @throws Fault `invalid`
 */
export function assertCountable(symbolFrequencies: number): void {
  if (symbolFrequencies > Number.MAX_SAFE_INTEGER) {
    throw new Fault(
      "invalid",
      `the frequencies of all symbols must sum to at most ${Number.MAX_SAFE_INTEGER}, got ${symbolFrequencies}`,
    );
  }
}

/**
 * Counts the symbols of a model that is learned `frequency` times more; a negative frequency subtracts.
 * @returns the numbers of its distinct symbols
 */
export function countModel(
  table: SymbolTable,
  totals: Totals,
  symbols: Uint32Array,
  frequency: number,
): ReadonlySet<number> {
  const members = new Set(symbols);
  for (const id of symbols) table.count(id, frequency, 0);
  for (const id of members) table.count(id, 0, frequency);
  totals.modelFrequencies += frequency;
  totals.symbolFrequencies += frequency * symbols.length;
  totals.memberFrequencies += frequency * members.size;
  return members;
}

/** Whether two counts are the same. */
export function isSame(one: Totals, other: Totals): boolean {
  return (
    one.modelFrequencies === other.modelFrequencies &&
    one.memberFrequencies === other.memberFrequencies &&
    one.symbolFrequencies === other.symbolFrequencies
  );
}

/** The refusal to open a knowledge base that contradicts itself. @param how the contradiction */
function damage(how: string): Fault {
  return new Fault("damaged", `this processor's storage is damaged: ${how}; docs/damage.md says how to restore it`);
}

/** The refusal to open a knowledge base whose rows do not add up to its counters. */
export function contradicting(rows: Totals, counters: Totals): Fault {
  const say = ({ modelFrequencies, symbolFrequencies, memberFrequencies }: Totals) =>
    `${modelFrequencies} models, ${symbolFrequencies} symbols and ${memberFrequencies} members`;
  return damage(`its rows count ${say(rows)}, its state ${say(counters)}`);
}

/** The refusal to open a knowledge base with a symbol that no model holds. */
export function heldByNone(id: number): Fault {
  return damage(`no model holds the symbol with the number ${id}`);
}

/**
 * The most bytes of a model with its symbols, metadata and emotives, 14 MiB: more than a memory may hold of them, and
 * less than one value of a file that is loaded. A model that an earlier version stored may be larger.
 */
export const MOST_MODEL_BYTES = 14_680_064;

/** What a backup writes for an emotive besides its name and its values, in bytes. */
const EMOTIVE_BYTES = 24;

/** The most that it writes for a value of an emotive. */
const VALUE_BYTES = 25;

/** What it writes for an event besides its symbols and its metadata. */
const EVENT_BYTES = 36;

/** What it writes for a symbol besides its text. */
const SYMBOL_BYTES = 3;

/** The parts of a model that take bytes. */
export interface ModelParts {
  readonly events: readonly (readonly string[])[];
  readonly emotives: readonly EmotiveValues[];
  readonly metadata: readonly string[];
}

/** The bytes of an event: of its symbols and its metadata as JSON texts. */
export function eventBytes({
  symbols,
  metadata,
}: {
  readonly symbols: readonly string[];
  readonly metadata: string;
}): number {
  let bytes = EVENT_BYTES + jsonBytes(metadata);
  for (const symbol of symbols) bytes += SYMBOL_BYTES + jsonBytes(symbol);
  return bytes;
}

/** The bytes of a model. */
export function modelBytes({ events, emotives, metadata }: ModelParts): number {
  let bytes = 0;
  for (const [at, symbols] of events.entries()) bytes += eventBytes({ symbols, metadata: metadata[at] ?? "" });
  for (const { name, values } of emotives) bytes += EMOTIVE_BYTES + jsonBytes(name) + VALUE_BYTES * values.length;
  return bytes;
}

/** At least as many as {@link modelBytes}, without a look at any character. */
function mostBytes({ events, emotives, metadata }: ModelParts): number {
  let units = 0;
  let flat = events.length * EVENT_BYTES;
  for (const symbols of events) {
    flat += symbols.length * SYMBOL_BYTES;
    for (const { length } of symbols) units += length;
  }
  for (const { length } of metadata) units += length;
  for (const { name, values } of emotives) {
    units += name.length;
    flat += EMOTIVE_BYTES + VALUE_BYTES * values.length;
  }
  return flat + units * MOST_UNIT_BYTES;
}

/**
 * Refuses a model that is too large.
 *
 * @param model the model, as the message calls it
 * @param before the same model as it is, which may be larger: then it may become smaller
 * @throws Fault `too-large`
 */
export function assertModelFits(model: string, parts: ModelParts, before?: ModelParts): void {
  // Nearly all are so small that no character need be looked at.
  if (mostBytes(parts) <= MOST_MODEL_BYTES) return;
  const bytes = modelBytes(parts);
  if (bytes <= MOST_MODEL_BYTES || (before !== undefined && bytes <= modelBytes(before))) return;
  throw new Fault(
    "too-large",
    `${model} would take ${bytes} bytes with its symbols, metadata and emotives, and a model may take ${MOST_MODEL_BYTES}: ` +
      "give it fewer events, shorter symbols or less metadata; clear working memory if that is what was to be learned",
  );
}
