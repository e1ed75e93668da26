/**
 * The models and every counter that depends on them: symbols, totals, ages. Each change is recorded, mirrored in the matcher and
 * forgotten by recall; counters of symbols are settled once per verb.
 */

import { eventsBehind } from "../memory/event";
import { Fault } from "../ports/fault";
import type { Matcher, Sequence, Totals } from "../ports/matcher";
import type { EmotiveValues, ModelRow, State, Store } from "../ports/store";
import { appendValues } from "./emotives";
import type { Recall } from "./model-summaries";
import { modelName } from "./names";
import { SymbolTable } from "./symbol-table";

/** A model that may become known; its name and numbers follow from it. */
export interface ModelDraft {
  /** At least one event, none empty. */
  events: string[][];
  /** 1 or more. */
  frequency: number;
  emotives: EmotiveValues[];
  /** One JSON object as compact text per event. */
  metadata: string[];
}

/** What of the state the knowledge keeps. */
export type KnowledgeCounters = Pick<State, "totals" | "nextModelId" | "revision">;

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

/** All models, as counters and through the matcher. */
export class Knowledge {
  readonly symbols: SymbolTable;
  readonly #store: Store;
  readonly #matcher: Matcher;
  readonly #recall: Recall;
  #totals: Totals;
  #nextModelId: number;
  #revision: number;
  #models = 0;
  /** Numbers of the symbols whose counters are not recorded yet. */
  readonly #unsettled = new Set<number>();

  /** Fills the matcher from the store. */
  constructor(store: Store, matcher: Matcher, recall: Recall, counters: KnowledgeCounters) {
    this.#store = store;
    this.#matcher = matcher;
    this.#recall = recall;
    this.#totals = { ...counters.totals };
    this.#nextModelId = counters.nextModelId;
    this.#revision = counters.revision;
    this.symbols = new SymbolTable();
    this.#fill();
  }

  get counters(): KnowledgeCounters {
    return { totals: { ...this.#totals }, nextModelId: this.#nextModelId, revision: this.#revision };
  }

  get totals(): Readonly<Totals> {
    return this.#totals;
  }

  /** Grows with every change of models, symbols or vectors. */
  get revision(): number {
    return this.#revision;
  }

  /** How many models there are. */
  get models(): number {
    return this.#models;
  }

  /** Says that something of the knowledge base has changed. */
  touch(): void {
    this.#revision++;
  }

  /** The events of a model as symbols. */
  eventsOf(model: Sequence): string[][] {
    return eventsBehind(model, (id) => this.symbols.nameOf(id)).map(({ symbols }) => symbols);
  }

  /**
   * Learns a model: a new one, or a known one again, which adds frequencies and appends emotives within `persistence`.
   * @returns its name
   * @throws Fault `exhausted` when memory is used up; `invalid` when the counters would leave the exact whole numbers
   */
  learn(draft: ModelDraft, persistence: number): string {
    const name = modelName(draft.events);
    const known = this.#store.modelByName(name);
    if (known === undefined) this.#insert(name, draft);
    else this.#renew(known, draft.frequency, appendValues(known.emotives, draft.emotives, persistence));
    return name;
  }

  /**
   * Sets what may change of a known model while its sequence stays.
   * @throws Fault `invalid` when the counters would leave the exact whole numbers
   */
  rewrite(model: ModelRow, change: Pick<ModelRow, "frequency" | "emotives" | "metadata">): void {
    const by = change.frequency - model.frequency;
    this.#assertCountable(by * model.symbols.length);
    this.#store.record({ kind: "model-put", model: { ...model, ...change } });
    this.#matcher.setFrequency(model.id, change.frequency);
    this.#count(model.symbols, by);
    this.#recall.forget(model.id);
  }

  /** Forgets a known model. */
  remove(model: ModelRow): void {
    this.#store.record({ kind: "model-removed", id: model.id });
    this.#matcher.remove(model.id);
    this.#count(model.symbols, -model.frequency);
    this.#recall.forget(model.id);
    this.#models--;
  }

  /** Forgets all models and symbols. Vectors are not its to forget, but the record covers them. */
  clear(): void {
    this.#store.record({ kind: "knowledge-cleared" });
    this.#matcher.clear();
    this.#recall.clear();
    this.symbols.clear();
    this.#unsettled.clear();
    this.#totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
    this.#models = 0;
    this.touch();
  }

  /** Records the counters of all symbols that changed, and forgets those that nothing holds any more. */
  settle(): void {
    if (this.#unsettled.size === 0) return;
    const rows = Array.from(this.#unsettled, (id) => this.symbols.row(id));
    const held = rows.filter(({ frequency }) => frequency > 0);
    const gone = rows.filter(({ frequency }) => frequency === 0).map(({ id }) => id);
    if (held.length > 0) this.#store.record({ kind: "symbols-put", symbols: held });
    if (gone.length > 0) this.#store.record({ kind: "symbols-removed", ids: gone });
    for (const id of gone) this.symbols.forget(id);
    for (const { id, frequency } of rows) this.#matcher.setSymbolFrequency(id, frequency);
    this.#unsettled.clear();
  }

  /**
   * Takes over from the store what a load has put in place of all that was known.
   * @throws Fault `exhausted` when the matcher cannot hold it
   */
  reload(totals: Totals, nextModelId: number): void {
    this.#recall.clear();
    this.symbols.clear();
    this.#unsettled.clear();
    this.#totals = { ...totals };
    this.#nextModelId = nextModelId;
    this.#models = 0;
    this.#fill();
    this.touch();
  }

  #fill(): void {
    this.#matcher.clear();
    this.symbols.restore(this.#store.symbols());
    for (const { id, frequency } of this.symbols.rows()) this.#matcher.setSymbolFrequency(id, frequency);
    for (const batch of this.#store.corpusBatches()) {
      this.#matcher.addBatch(batch);
      this.#models += batch.ids.length;
    }
  }

  #insert(name: string, draft: ModelDraft): void {
    const { frequency, emotives, metadata } = draft;
    this.#assertCountable(frequency * draft.events.flat().length);
    const fresh = new Set(draft.events.flat().filter((symbol) => this.symbols.idOf(symbol) === undefined));
    const symbols = Uint32Array.from(draft.events.flat(), (symbol) => this.symbols.claim(symbol));
    const lengths = Uint32Array.from(draft.events, (event) => event.length);
    const id = this.#nextModelId;
    try {
      this.#matcher.add({ id, frequency, symbols, lengths });
    } catch (fault) {
      // The matcher has not changed, so neither must the table.
      for (const symbol of fresh) this.symbols.forget(this.symbols.claim(symbol));
      throw fault;
    }
    this.#store.record({ kind: "model-put", model: { id, name, frequency, symbols, lengths, emotives, metadata } });
    this.#nextModelId++;
    this.#models++;
    this.#count(symbols, frequency);
  }

  #renew(model: ModelRow, by: number, emotives: EmotiveValues[]): void {
    this.#assertCountable(by * model.symbols.length);
    const frequency = model.frequency + by;
    this.#store.record({ kind: "model-renewed", id: model.id, frequency, emotives });
    this.#matcher.setFrequency(model.id, frequency);
    this.#count(model.symbols, by);
    this.#recall.forget(model.id);
  }

  #assertCountable(occurrences: number): void {
    assertCountable(this.#totals.symbolFrequencies + occurrences);
  }

  /** Counts the symbols of a model that was learned `by` times more; negative takes away. */
  #count(symbols: Uint32Array, by: number): void {
    const members = new Set(symbols);
    for (const id of symbols) this.symbols.count(id, by, 0);
    for (const id of members) {
      this.symbols.count(id, 0, by);
      this.#unsettled.add(id);
    }
    this.#totals.modelFrequencies += by;
    this.#totals.symbolFrequencies += by * symbols.length;
    this.#totals.memberFrequencies += by * members.size;
    this.touch();
  }
}
