/** The rows of a Store in memory, and the effect of each Change on them. */

import type {
  Change,
  EventRow,
  ForwardedEvent,
  GeneSetting,
  ModelRow,
  Staging,
  State,
  SymbolRow,
  VectorRow,
} from "../../src/processor/ports/store";

/** All rows, by their keys. */
export interface Rows {
  state: State | undefined;
  genes: Record<string, GeneSetting>;
  events: Map<number, EventRow>;
  waiting: VectorRow[];
  vectors: VectorRow[];
  symbols: Map<number, SymbolRow>;
  models: Map<number, ModelRow>;
  blacklist: string[];
  staging: Staging | undefined;
  stagedSymbols: Map<number, SymbolRow>;
  stagedModels: ModelRow[];
  stagedVectors: VectorRow[];
  forwarded: ForwardedEvent[];
  taken: Map<string, number>;
}

/** No rows. */
export function emptyRows(): Rows {
  return {
    state: undefined,
    genes: {},
    events: new Map(),
    waiting: [],
    vectors: [],
    symbols: new Map(),
    models: new Map(),
    blacklist: [],
    staging: undefined,
    stagedSymbols: new Map(),
    stagedModels: [],
    stagedVectors: [],
    forwarded: [],
    taken: new Map(),
  };
}

function putSymbols(table: Map<number, SymbolRow>, rows: readonly SymbolRow[]): void {
  for (const row of rows) table.set(row.id, row);
}

/** The row of a model that must exist. */
export function existing<T>(row: T | undefined, id: number): T {
  if (row === undefined) throw new Error(`no model has the id ${id}`);
  return row;
}

/** A page of rows by name. The names are ASCII, so code units are bytes. */
export function pageByName<T extends { name: string }>(rows: Iterable<T>, after: string, limit: number): T[] {
  return Array.from(rows)
    .filter(({ name }) => name > after)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

type Appliers = { [Kind in Change["kind"]]: (rows: Rows, change: Extract<Change, { kind: Kind }>) => void };

const NOTHING_STAGED = { staging: undefined, stagedModels: [], stagedVectors: [] };

/** The effect of each kind of Change. */
export const APPLY: Appliers = {
  state: (rows, { state }) => {
    rows.state = state;
  },
  genes: (rows, { genes }) => {
    rows.genes = genes;
  },
  "event-appended": (rows, { event }) => {
    rows.events.set(event.position, event);
  },
  "events-dropped": (rows, { before }) => {
    for (const position of rows.events.keys()) if (position < before) rows.events.delete(position);
  },
  "vector-waiting": (rows, { vector }) => {
    rows.waiting.push(vector);
  },
  "waiting-dropped": (rows) => {
    rows.waiting = [];
  },
  "vector-learned": (rows, { vector }) => {
    rows.vectors.push(vector);
  },
  "symbols-put": (rows, { symbols }) => putSymbols(rows.symbols, symbols),
  "symbols-removed": (rows, { ids }) => {
    for (const id of ids) rows.symbols.delete(id);
  },
  "model-put": (rows, { model }) => {
    rows.models.set(model.id, model);
  },
  "model-renewed": (rows, { id, frequency, emotives }) => {
    rows.models.set(id, { ...existing(rows.models.get(id), id), frequency, emotives });
  },
  "model-removed": (rows, { id }) => {
    if (!rows.models.delete(id)) existing(undefined, id);
  },
  "event-forwarded": (rows, { event }) => {
    rows.forwarded.push(event);
  },
  "delivery-taken": (rows, { source, number }) => {
    rows.taken.set(source, number);
  },
  "blacklist-added": (rows, { symbols }) => {
    rows.blacklist.push(...symbols);
  },
  "blacklist-removed": (rows, { symbols }) => {
    rows.blacklist = rows.blacklist.filter((symbol) => !symbols.includes(symbol));
  },
  "knowledge-cleared": (rows) => {
    Object.assign(rows, { models: new Map(), symbols: new Map(), vectors: [] });
  },
  "staging-begun": (rows, { staging }) => {
    Object.assign(rows, { ...NOTHING_STAGED, stagedSymbols: new Map(), staging });
  },
  "staging-grown": (rows, { staging, symbols, models, vectors }) => {
    rows.staging = staging;
    putSymbols(rows.stagedSymbols, symbols);
    rows.stagedModels = [...rows.stagedModels, ...models];
    rows.stagedVectors = [...rows.stagedVectors, ...vectors];
  },
  "staging-dropped": (rows) => {
    Object.assign(rows, { ...NOTHING_STAGED, stagedSymbols: new Map() });
  },
  "staging-committed": (rows) => {
    rows.models = new Map(rows.stagedModels.map((model) => [model.id, model]));
    rows.symbols = rows.stagedSymbols;
    rows.vectors = rows.stagedVectors;
    Object.assign(rows, { ...NOTHING_STAGED, stagedSymbols: new Map() });
  },
};
