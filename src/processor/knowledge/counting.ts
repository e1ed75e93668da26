/**
 * Counts models: the share of each model in the counters, the range of the counters, and the errors when stored rows do
 * not add up to them. Also measures models in bytes, roughly as their line in a backup. The size limit of a model is
 * below that of everything that carries one, so that any model that can be learned can also be listed, exported,
 * loaded, backed up and restored.
 */

import { jsonBytes, MAX_UNIT_BYTES } from "../../text/json-bytes";
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
 * Counts the symbols of a model that is learned `frequency` more times; a negative frequency subtracts.
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

/** The refusal to open a knowledge base that contradicts itself. @param how describes the contradiction */
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
 * Maximum bytes of a model with its symbols, metadata and emotives, 14 MiB: more than a memory can hold, and less than
 * one value of a loaded file. A model stored by an earlier version may be larger.
 */
export const MAX_MODEL_BYTES = 14_680_064;

/** Bytes of an emotive in a backup, without its name and values. */
const EMOTIVE_BYTES = 24;

/** Maximum bytes of a value of an emotive. */
const VALUE_BYTES = 25;

/** Bytes of an event, without its symbols and metadata. */
const EVENT_BYTES = 36;

/** Bytes of a symbol, without its text. */
const SYMBOL_BYTES = 3;

/** The parts of a model that have a size. */
export interface ModelParts {
  readonly events: readonly (readonly string[])[];
  readonly emotives: readonly EmotiveValues[];
  readonly metadata: readonly string[];
}

/** The bytes of an event: its symbols and its metadata as JSON texts. */
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

/** An upper bound of {@link modelBytes} that does not read the texts. */
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
  return flat + units * MAX_UNIT_BYTES;
}

/**
 * Refuses a model that is too large.
 *
 * @param model what messages call the model
 * @param before the model before the change: a model that is already too large may still shrink
 * @throws Fault `too-large`
 */
export function assertModelFits(model: string, parts: ModelParts, before?: ModelParts): void {
  // Nearly all models are so small that the cheap bound settles it.
  if (mostBytes(parts) <= MAX_MODEL_BYTES) return;
  const bytes = modelBytes(parts);
  if (bytes <= MAX_MODEL_BYTES || (before !== undefined && bytes <= modelBytes(before))) return;
  throw new Fault(
    "too-large",
    `${model} would take ${bytes} bytes with its symbols, metadata and emotives, and a model may take ` +
      `${MAX_MODEL_BYTES}: give it fewer events, shorter symbols or less metadata; clear working memory if that is ` +
      "what was to be learned",
  );
}
