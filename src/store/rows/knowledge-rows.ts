/** Rows of a knowledge base, and their conversion to records of the port. */

import type { ModelRow, SymbolRow, VectorRow } from "../../processor/ports/store";
import { emotiveValuesFromColumn, hashNameFromColumn, metadataFromColumn } from "./columns";

/** The columns of a row of `models`, in the order of every statement that reads or writes whole rows. */
export type ModelColumns = [
  id: number,
  name: ArrayBuffer,
  frequency: number,
  symbols: ArrayBuffer,
  lengths: ArrayBuffer,
  emotives: string | null,
  metadata: string | null,
  learnedAt: number | null,
  times: ArrayBuffer | null,
];

/** The columns read from a row of `symbols`. */
type SymbolColumns = [id: number, name: string];

/** A row of `vectors`. */
export type VectorColumns = [id: number, name: ArrayBuffer, components: ArrayBuffer];

/** A row of `models` as a record. */
export function modelOf([
  id,
  name,
  frequency,
  symbols,
  lengths,
  emotives,
  metadata,
  learnedAt,
  times,
]: ModelColumns): ModelRow {
  const eventLengths = new Uint32Array(lengths);
  return {
    id,
    name: hashNameFromColumn(name),
    frequency,
    symbols: new Uint32Array(symbols),
    lengths: eventLengths,
    emotives: emotiveValuesFromColumn(emotives),
    metadata: metadataFromColumn(metadata, eventLengths.length),
    learnedAt: learnedAt ?? undefined,
    ...(times === null ? {} : { times: new Float64Array(times) }),
  };
}

/** A row of `symbols` as a record. */
export function symbolOf([id, name]: SymbolColumns): SymbolRow {
  return { id, name };
}

/** A row of `vectors` as a record. */
export function vectorOf([id, name, components]: VectorColumns): VectorRow {
  return { id, name: hashNameFromColumn(name), components: new Float64Array(components) };
}
