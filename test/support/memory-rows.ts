/** The rows of a Store in memory, and the effect of each Change on them. */

import type { Notice, StoredAlert } from "../../src/processor/ports/alert";
import { type IncidentRow, MAX_INCIDENTS } from "../../src/processor/ports/incident";
import type { StoredSilence } from "../../src/processor/ports/silence";
import {
  type Change,
  type EncoderRow,
  type ForwardedEvent,
  type GeneSetting,
  KEPT_SOURCES,
  type ModelRow,
  neededFrom,
  type ScoreBlock,
  type Sender,
  type Staging,
  type State,
  type StoredMemory,
  type SymbolRow,
  type VectorRow,
} from "../../src/processor/ports/store";

/** All rows, by their keys. */
export interface Rows {
  state: State | undefined;
  genes: Record<string, GeneSetting>;
  /** By session; the processor's own memory is "". */
  memories: Map<string, StoredMemory>;
  /** Numbers of sources by session, and then by {@link sourceKey}. */
  sources: Map<string, Map<string, number>>;
  vectors: VectorRow[];
  symbols: Map<number, SymbolRow>;
  models: Map<number, ModelRow>;
  blacklist: string[];
  encoders: EncoderRow[];
  /** How many encoders were ever put. */
  encodersPut: number;
  staging: Staging | undefined;
  stagedSymbols: Map<number, SymbolRow>;
  stagedModels: ModelRow[];
  stagedVectors: VectorRow[];
  forwarded: ForwardedEvent[];
  alerts: StoredAlert[];
  told: Notice[];
  scoreBlocks: ScoreBlock[];
  incidents: IncidentRow[];
  /** By session. */
  silences: Map<string, StoredSilence>;
}

/** No rows. */
export function emptyRows(): Rows {
  return {
    state: undefined,
    genes: {},
    memories: new Map(),
    sources: new Map(),
    vectors: [],
    symbols: new Map(),
    models: new Map(),
    blacklist: [],
    encoders: [],
    encodersPut: 0,
    staging: undefined,
    stagedSymbols: new Map(),
    stagedModels: [],
    stagedVectors: [],
    forwarded: [],
    alerts: [],
    told: [],
    scoreBlocks: [],
    incidents: [],
    silences: new Map(),
  };
}

/** The key of a source. */
export function sourceKey(sender: Sender, source: string): string {
  return `${sender} ${source}`;
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

/** Rows with the ids 1, 2, 3, … in the order of their present ones. */
function renumbered<T extends { id: number }>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => a.id - b.id).map((row, at) => ({ ...row, id: at + 1 }));
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
  memory: (rows, { session, state, events, waiting }) => {
    const before = rows.memories.get(session);
    const first = neededFrom(state);
    rows.memories.set(session, {
      state,
      events: [...(before?.events ?? []), ...events].filter(({ position }) => position >= first),
      waiting: [...(before?.waiting ?? []), ...waiting].filter(({ id }) => id >= state.waitingStart),
    });
  },
  // Nothing is left to be deleted here.
  "discarded-deleted": () => undefined,
  "session-ended": (rows, { session }) => {
    rows.memories.delete(session);
    rows.sources.delete(session);
    rows.silences.delete(session);
  },
  "sessions-ended": (rows) => {
    for (const table of [rows.memories, rows.sources, rows.silences]) {
      for (const session of table.keys()) if (session !== "") table.delete(session);
    }
  },
  "sessions-redated": (rows, { at }) => {
    for (const [session, memory] of rows.memories) {
      const { state } = memory;
      if (session !== "" && state.changedAt > at)
        rows.memories.set(session, { ...memory, state: { ...state, changedAt: at } });
    }
  },
  "source-kept": (rows, { session, sender, source, number }) => {
    const kept = rows.sources.get(session) ?? new Map<string, number>();
    rows.sources.set(session, kept);
    const key = sourceKey(sender, source);
    kept.delete(key);
    kept.set(key, number);
    for (const oldest of kept.keys()) if (kept.size > KEPT_SOURCES) kept.delete(oldest);
  },
  "scores-kept": (rows, { place, scores }) => {
    rows.scoreBlocks = [...rows.scoreBlocks.filter((block) => block.place !== place), { place, scores }];
  },
  "scores-cleared": (rows) => {
    rows.scoreBlocks = [];
  },
  "vector-learned": (rows, { vector }) => {
    rows.vectors.push(vector);
  },
  "symbols-added": (rows, { symbols }) => putSymbols(rows.symbols, symbols),
  "symbols-removed": (rows, { ids }) => {
    for (const id of ids) rows.symbols.delete(id);
  },
  "model-put": (rows, { model }) => {
    rows.models.set(model.id, model);
  },
  "model-renewed": (rows, { kind: _, ...renewal }) => {
    rows.models.set(renewal.id, { ...existing(rows.models.get(renewal.id), renewal.id), ...renewal });
  },
  "model-removed": (rows, { id }) => {
    if (!rows.models.delete(id)) existing(undefined, id);
  },
  "event-forwarded": (rows, { event }) => {
    rows.forwarded.push(event);
  },
  "alert-put": (rows, { alert }) => {
    const before = rows.alerts.find(({ name }) => name === alert.name);
    const isSame = JSON.stringify(before?.when) === JSON.stringify(alert.when);
    const number = before && isSame ? before.number : 1 + Math.max(0, ...rows.alerts.map((one) => one.number));
    const others = rows.alerts.filter(({ name }) => name !== alert.name);
    rows.alerts = [...others, { ...alert, number, last: undefined, waiting: 0, threshold: undefined }];
  },
  "alert-removed": (rows, { name: removed }) => {
    rows.alerts = rows.alerts.filter(({ name }) => name !== removed);
  },
  "threshold-kept": (rows, { threshold: { alert, numbers } }) => {
    for (const kept of rows.alerts) if (kept.number === alert) kept.threshold = numbers;
  },
  "alert-told": (rows, { notice }) => {
    rows.told.push(notice);
  },
  "incident-put": (rows, { incident }) => {
    const others = rows.incidents.filter(({ id }) => id % MAX_INCIDENTS !== incident.id % MAX_INCIDENTS);
    rows.incidents = [...others, incident];
  },
  "silences-told": (rows, { silences, notices }) => {
    for (const { session, silence } of silences) rows.silences.set(session, silence);
    rows.told.push(...notices);
  },
  "encoder-put": (rows, { name, definition }) => {
    rows.encodersPut += 1;
    rows.encoders = rows.encoders.filter((encoder) => encoder.name !== name);
    rows.encoders.push({ name, number: rows.encodersPut, definition });
  },
  "encoder-changed": (rows, { name, definition }) => {
    for (const encoder of rows.encoders) if (encoder.name === name) encoder.definition = definition;
  },
  "encoder-deleted": (rows, { name }) => {
    rows.encoders = rows.encoders.filter((encoder) => encoder.name !== name);
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
    rows.vectors = renumbered(rows.stagedVectors);
    Object.assign(rows, { ...NOTHING_STAGED, stagedSymbols: new Map() });
  },
};
