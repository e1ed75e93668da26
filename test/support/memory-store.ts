/** A Store in memory. It copies what it takes and gives, as a database would, and counts its reads. */

import type {
  Change,
  EventRow,
  GeneSetting,
  ModelRow,
  Staging,
  State,
  Store,
  SymbolRow,
  VectorRow,
} from "../../src/processor/store";

/** All rows, by their keys. */
interface Rows {
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
}

function emptyRows(): Rows {
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
  };
}

function putSymbols(table: Map<number, SymbolRow>, rows: readonly SymbolRow[]): void {
  for (const row of rows) table.set(row.id, row);
}

function existing<T>(row: T | undefined, id: number): T {
  if (row === undefined) throw new Error(`no model has the id ${id}`);
  return row;
}

/** For names made of ASCII, code units are bytes. */
function pageByName<T extends { name: string }>(rows: Iterable<T>, after: string, limit: number): T[] {
  return Array.from(rows)
    .filter(({ name }) => name > after)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

type Appliers = { [Kind in Change["kind"]]: (rows: Rows, change: Extract<Change, { kind: Kind }>) => void };

const NOTHING_STAGED = { staging: undefined, stagedModels: [], stagedVectors: [] };

const APPLY: Appliers = {
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

/** What lasts, for tests. */
export class MemoryStore implements Store {
  #rows = emptyRows();
  /** How often anything was read. */
  reads = 0;
  /** The kinds of all that was recorded. */
  readonly recorded: Change["kind"][] = [];

  record(change: Change): void {
    this.recorded.push(change.kind);
    const apply = APPLY[change.kind] as (rows: Rows, change: Change) => void;
    apply(this.#rows, structuredClone(change));
  }

  /** Runs `work` and takes back all that it recorded when it throws. */
  transaction<T>(work: () => T): T {
    const before = structuredClone(this.#rows);
    try {
      return work();
    } catch (error) {
      this.#rows = before;
      throw error;
    }
  }

  state(): State | undefined {
    return this.#read((rows) => rows.state);
  }

  genes(): Record<string, GeneSetting> {
    return this.#read((rows) => rows.genes);
  }

  events(): EventRow[] {
    return this.#read((rows) => Array.from(rows.events.values()).sort((a, b) => a.position - b.position));
  }

  waitingVectors(): VectorRow[] {
    return this.#read((rows) => rows.waiting);
  }

  vectors(): VectorRow[] {
    return this.#read((rows) => rows.vectors);
  }

  vectorByName(name: string): VectorRow | undefined {
    return this.#read((rows) => rows.vectors.find((vector) => vector.name === name));
  }

  vectorsAfter(after: string, limit: number): VectorRow[] {
    return this.#read((rows) => pageByName(rows.vectors, after, limit));
  }

  symbols(): SymbolRow[] {
    return this.#read((rows) => Array.from(rows.symbols.values()));
  }

  corpus(): ModelRow[] {
    return this.#read((rows) => Array.from(rows.models.values()).sort((a, b) => a.id - b.id));
  }

  modelByName(name: string): ModelRow | undefined {
    return this.#read((rows) => Array.from(rows.models.values()).find((model) => model.name === name));
  }

  modelsById(ids: readonly number[]): ModelRow[] {
    return this.#read((rows) => ids.map((id) => existing(rows.models.get(id), id)));
  }

  modelNames(ids: readonly number[]): string[] {
    return this.#read((rows) => ids.map((id) => existing(rows.models.get(id), id).name));
  }

  modelsAfter(after: string, limit: number): ModelRow[] {
    return this.#read((rows) => pageByName(rows.models.values(), after, limit));
  }

  countModels(): number {
    return this.#read((rows) => rows.models.size);
  }

  countVectors(): number {
    return this.#read((rows) => rows.vectors.length);
  }

  blacklist(): string[] {
    return this.#read((rows) => rows.blacklist);
  }

  staging(): Staging | undefined {
    return this.#read((rows) => rows.staging);
  }

  stagedSymbols(): SymbolRow[] {
    return this.#read((rows) => Array.from(rows.stagedSymbols.values()));
  }

  stagedModelNames(names: readonly string[]): string[] {
    return this.#read((rows) => rows.stagedModels.map(({ name }) => name).filter((name) => names.includes(name)));
  }

  stagedVectorNames(names: readonly string[]): string[] {
    return this.#read((rows) => rows.stagedVectors.map(({ name }) => name).filter((name) => names.includes(name)));
  }

  #read<T>(select: (rows: Rows) => T): T {
    this.reads++;
    return structuredClone(select(this.#rows));
  }
}
