/** Rows of a knowledge base, and their conversion to records of the port. */

import type { ModelRenewal, ModelRow, SymbolRow, VectorRow } from "../../processor/ports/store";
import {
  type ColumnValue,
  elementsToColumn,
  emotiveValuesFromColumn,
  emotiveValuesToColumn,
  hashNameFromColumn,
  hashNameToColumn,
  metadataFromColumn,
  metadataToColumn,
} from "./columns";

/** The value of each column, from a record. */
type Fill<Row> = { readonly [column: string]: (row: Row) => ColumnValue };

/** The columns of `models` that change when a model is learned again. */
const RENEWED: Fill<ModelRenewal> = {
  frequency: ({ frequency }) => frequency,
  emotives: ({ emotives }) => emotiveValuesToColumn(emotives),
  learned_at: ({ learnedAt }) => learnedAt ?? null,
  times: ({ times }) => (times === undefined ? null : elementsToColumn(times)),
};

/** The columns of `models`, in the order of every statement that reads or writes whole rows. */
const MODEL: Fill<ModelRow> = {
  id: ({ id }) => id,
  name: ({ name }) => hashNameToColumn(name),
  symbols: ({ symbols }) => elementsToColumn(symbols),
  lengths: ({ lengths }) => elementsToColumn(lengths),
  metadata: ({ metadata, lengths }) => metadataToColumn(metadata, lengths.length),
  ...RENEWED,
};

/** The names of the columns of `models`. */
export const MODEL_COLUMNS: readonly string[] = Object.keys(MODEL);

/** The names of those that change when a model is learned again. */
export const RENEWED_COLUMNS: readonly string[] = Object.keys(RENEWED);

const FILL_MODEL = Object.values(MODEL);
const FILL_RENEWED = Object.values(RENEWED);

/** A row of `models`, in the order of {@link MODEL_COLUMNS}. */
export type ModelColumns = [
  id: number,
  name: ArrayBuffer,
  symbols: ArrayBuffer,
  lengths: ArrayBuffer,
  metadata: string | null,
  frequency: number,
  emotives: string | null,
  learnedAt: number | null,
  times: ArrayBuffer | null,
];

/** A model as a row of `models`. */
export function modelToColumns(model: ModelRow): ColumnValue[] {
  return FILL_MODEL.map((fill) => fill(model));
}

/** What changes of a model that is learned again, in the order of {@link RENEWED_COLUMNS}. */
export function renewalToColumns(renewal: ModelRenewal): ColumnValue[] {
  return FILL_RENEWED.map((fill) => fill(renewal));
}

/** The columns read from a row of `symbols`. */
type SymbolColumns = [id: number, name: string];

/** A row of `vectors`. */
export type VectorColumns = [id: number, name: ArrayBuffer, components: ArrayBuffer];

/** The reverse of {@link modelToColumns}. */
export function modelOf([
  id,
  name,
  symbols,
  lengths,
  metadata,
  frequency,
  emotives,
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
