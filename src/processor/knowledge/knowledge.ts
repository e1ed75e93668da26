/**
 * The models and every counter that depends on them: symbols, totals, ids. Records each change, repeats it in the
 * matcher and drops the cached summary of the model; records new and forgotten symbols once per verb. The counters are
 * not stored but counted at the start.
 */

import { EMPTY_RECORD, type ForecastRecord } from "../ports/forecaster";
import type { Matcher, Sequence, Totals } from "../ports/matcher";
import type { EmotiveValues, ModelRow, State, Store } from "../ports/store";
import { assertCountable, assertModelFits, contradicting, countModel, heldByNone, isSame } from "./counting";
import { appendValues, lastValues, mergeValues } from "./emotives";
import { isUngraded, withoutFormer } from "./forecast-record";
import { ForgettingOrder } from "./forgetting-order";
import type { ModelSummaries } from "./model-summaries";
import { mergedTimes } from "./model-times";
import { modelName } from "./names";
import type { Snapshots } from "./snapshots";
import { SymbolCounter } from "./symbol-counter";
import { eventsOf, SymbolTable } from "./symbol-table";

/** A model to learn. Its name and its symbol numbers follow from it. */
interface ModelDraft {
  /** What {@link modelName} says of its events, where the caller knows it. */
  name?: string;
  /** At least one event, none empty. */
  events: string[][];
  /** 1 or more. */
  frequency: number;
  emotives: EmotiveValues[];
  /** One JSON object as compact text per event. */
  metadata: string[];
  /** When it was learned last, whole epoch seconds; `undefined` when it was not recorded. */
  learnedAt: number | undefined;
  /** When its events happened, as model-times.ts has it; none if absent. */
  times?: Float64Array | undefined;
}

/** What the knowledge works with. */
interface KnowledgeParts {
  store: Store;
  matcher: Matcher;
  summaries: ModelSummaries;
  /** Told of every change before it happens. */
  snapshots: Snapshots;
}

/** The most models that are forgotten at once to keep a limit. */
const MOST_FORGOTTEN = 100;

/** The part of the state that the knowledge keeps. */
type KnowledgeCounters = Pick<State, "totals" | "nextModelId" | "revision" | "forecastRecord">;

/** How many models are looked at for times when a forecast is asked for: some milliseconds. */
const LOOKED_AT_ONCE = 8_192;

/** UTF-16 units, events and numbers of a model up to which it is far below the bytes that a model may take. */
const SMALL_UNITS = 100_000;

/**
 * A model with more is read from the store when it is learned again at once: what a processor
 * keeps of it is not counted.
 */
const LATEST_UNITS = 2_048;

/** About how much a model keeps beside its symbols: UTF-16 units and numbers. */
function keptUnits({ emotives, metadata, times }: Pick<ModelRow, "emotives" | "metadata" | "times">): number {
  let units = times?.length ?? 0;
  for (const text of metadata) units += text.length;
  for (const { name, values } of emotives) units += name.length + values.length;
  return units;
}

/** The later of two moments that may be unknown. */
function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

/** What was counted at the beginning of a verb that may be taken back. */
interface KeptCounts {
  readonly revision: number;
  readonly models: number;
  readonly symbolCount: number;
}

/** All models: their counters here, their sequences in the matcher. */
export class Knowledge {
  readonly symbols: SymbolTable;
  #store: Store;
  readonly #matcher: Matcher;
  #summaries: ModelSummaries;
  readonly #snapshots: Snapshots;
  #order: ForgettingOrder;
  #totals: Totals;
  #nextModelId: number;
  #revision: number;
  #forecastRecord: ForecastRecord;
  #models = 0;
  #symbolCount = 0;
  #kept: KeptCounts | undefined;
  /** Whether a model is known that keeps times, or did when it was learned. */
  #isTimed = false;
  /** Where that is not so: stored models with this id and greater ones keep none. */
  #untimedFrom = 0;
  /** The numbers of the symbols whose counters have changed since {@link recordSymbols}. */
  readonly #changed = new Set<number>();
  /** Those among them that are not stored yet. */
  readonly #fresh = new Set<number>();
  /** The numbers of the symbols whose frequency the matcher does not know yet. */
  readonly #untold = new Set<number>();
  /**
   * The model that was learned last, as it is stored: a steady stream learns it again and again.
   * Missing when it is large.
   */
  #latest: ModelRow | undefined;

  /** Fills the matcher from the store. */
  constructor(parts: KnowledgeParts, counters: KnowledgeCounters) {
    this.#store = parts.store;
    this.#matcher = parts.matcher;
    this.#summaries = parts.summaries;
    this.#snapshots = parts.snapshots;
    this.#totals = { ...counters.totals };
    this.#nextModelId = counters.nextModelId;
    this.#revision = counters.revision;
    this.symbols = new SymbolTable();
    this.#order = new ForgettingOrder(parts.store);
    const counted = this.#fill();
    this.#forecastRecord = this.#recordOf(counters);
    if (!isSame(counted, this.#totals)) throw contradicting(counted, this.#totals);
    for (const { id, frequency } of this.symbols.rows()) if (frequency === 0) throw heldByNone(id);
  }

  #recordOf({ forecastRecord }: Pick<KnowledgeCounters, "forecastRecord">): ForecastRecord {
    const record = withoutFormer(forecastRecord);
    // Where there is nothing to grade, nothing is still to be graded.
    return this.#models === 0 && isUngraded(record) ? EMPTY_RECORD : record;
  }

  /** From now on, keeps what {@link takeBack} needs. Call it between verbs. */
  keepChanges(): void {
    this.symbols.keepChanges();
    this.#kept = { revision: this.#revision, models: this.#models, symbolCount: this.#symbolCount };
  }

  /**
   * Goes back to what is stored, after the changes since {@link keepChanges} were rolled back there. The matcher is the
   * caller's.
   *
   * @param counters as they are stored
   * @returns false when it must be made anew: then it can be used no more
   */
  takeBack({ store, summaries }: Pick<KnowledgeParts, "store" | "summaries">, counters: KnowledgeCounters): boolean {
    const kept = this.#kept;
    if (kept === undefined || kept.revision !== counters.revision) return false;
    const isChanged = !this.symbols.isAsKept || this.#revision !== kept.revision;
    if (!this.symbols.takeBack()) return false;
    this.#store = store;
    this.#summaries = summaries;
    this.#totals = { ...counters.totals };
    this.#nextModelId = counters.nextModelId;
    this.#revision = counters.revision;
    this.#models = kept.models;
    this.#symbolCount = kept.symbolCount;
    this.#forecastRecord = this.#recordOf(counters);
    this.#latest = undefined;
    this.#changed.clear();
    this.#fresh.clear();
    this.#untold.clear();
    // What was taken from the order cannot be put back: it is made anew when it is needed.
    if (isChanged) this.#order = new ForgettingOrder(store);
    else this.#order.goOnWith(store);
    return true;
  }

  /** The counters as the state stores them. */
  get counters(): KnowledgeCounters {
    return {
      totals: { ...this.#totals },
      nextModelId: this.#nextModelId,
      revision: this.#revision,
      forecastRecord: this.#forecastRecord,
    };
  }

  /** The current totals; they change with every learn. */
  get totals(): Readonly<Totals> {
    return this.#totals;
  }

  /** Grows with every change of models, symbols or vectors. */
  get revision(): number {
    return this.#revision;
  }

  /** What forecasts would have said of the models when they were learned; none while that is still to be found out. */
  get forecastRecord(): ForecastRecord {
    return this.#forecastRecord;
  }

  /** Replaces the record of forecasts. It is stored with the change of models that it goes with. */
  noteForecasts(record: ForecastRecord): void {
    this.#forecastRecord = record;
  }

  /** How many models there are. */
  get models(): number {
    return this.#models;
  }

  /** Number of symbols of all models together, each model's counted once. */
  get symbolCount(): number {
    return this.#symbolCount;
  }

  /**
   * Whether a model may keep times; false only where none does. What is stored is not read at once to find out, but
   * some more of it each time this is asked.
   */
  mayHaveTimes(): boolean {
    if (!this.#isTimed && this.#untimedFrom > 0) {
      const { found, next } = this.#store.timesBelow(this.#untimedFrom, LOOKED_AT_ONCE);
      this.#isTimed = found;
      this.#untimedFrom = next;
    }
    return this.#isTimed || this.#untimedFrom > 0;
  }

  /** About how many bytes of heap it holds besides the cached summaries. */
  get heapBytes(): number {
    return this.symbols.heapBytes + this.#order.heapBytes;
  }

  /** Counts a change of the knowledge base that was made elsewhere. */
  touch(): void {
    this.#revision++;
  }

  /** The events of a model as symbols. */
  eventsOf(model: Sequence): string[][] {
    return eventsOf(model, (id) => this.symbols.nameOf(id)).map(({ symbols }) => symbols);
  }

  /**
   * Learns a model. A known one grows: its frequency adds up, and its emotives are appended up to `persistence` values.
   * @returns its name
   * @throws Fault `exhausted` when memory is used up; `too-large` when the model is; `invalid` when the counters would
   *   leave the exact whole numbers
   */
  learn(draft: ModelDraft, persistence: number): string {
    const { name = modelName(draft.events) } = draft;
    const known = this.#latest?.name === name ? this.#latest : this.#store.modelByName(name);
    if (known === undefined) {
      assertModelFits(`the model ${name}`, draft);
      this.#insert(name, draft);
    } else this.#renew(known, draft, appendValues(known.emotives, draft.emotives, persistence));
    return name;
  }

  /**
   * Stores a model under a new sequence, with what it kept under its old one. Keeps the last `persistence` values
   * of every emotive, even if the gene was higher before; `learn` cuts only the emotives that it appends to. If
   * another model has the sequence already, the two become one. A new model is as small as the one that it was,
   * or as one that was staged.
   * @returns its name
   * @throws Fault as {@link learn}
   */
  merge(draft: ModelDraft, persistence: number): string {
    const name = modelName(draft.events);
    const known = this.#store.modelByName(name);
    const emotives = lastValues(draft.emotives, persistence);
    if (known === undefined) this.#insert(name, { ...draft, emotives });
    else {
      const learnedAt = later(known.learnedAt, draft.learnedAt);
      this.#renew(known, { ...draft, learnedAt }, mergeValues(known.emotives, emotives, persistence));
    }
    return name;
  }

  /**
   * Replaces members of a known model; its sequence stays.
   * @throws Fault `too-large` when it would be larger than a model may be, and than it is; `invalid` when the counters
   *   would leave the exact whole numbers
   */
  rewrite(model: ModelRow, change: Pick<ModelRow, "frequency" | "emotives" | "metadata" | "times">): void {
    const by = change.frequency - model.frequency;
    this.#assertCountable(by * model.symbols.length);
    this.#assertFits(model, change);
    this.#keepAsItIs(model);
    this.#latest = undefined;
    this.#isTimed ||= change.times !== undefined;
    this.#store.record({ kind: "model-put", model: { ...model, ...change } });
    this.#matcher.setFrequency(model.id, change.frequency);
    if (by < 0) this.#order.noted(model.id, change.frequency);
    this.#count(model.symbols, by);
    this.#summaries.forget(model.id);
  }

  /**
   * Forgets the least frequent models, of equals the oldest, until `most` are left, but at most {@link MOST_FORGOTTEN}.
   * @param most how many models stay; 0 for all
   * @param spared the name of the model that stays in any case
   */
  keepAtMost(most: number, spared: string): void {
    if (most === 0) {
      this.#order.drop();
      return;
    }
    const excess = Math.min(this.#models - most, MOST_FORGOTTEN);
    if (excess <= 0) return;
    let stays: ModelRow | undefined;
    for (let forgotten = 0; forgotten < excess; ) {
      const model = this.#order.take();
      if (model === undefined) break;
      if (model.name === spared) stays = model;
      else {
        this.remove(model);
        forgotten++;
      }
    }
    if (stays !== undefined) this.#order.noted(stays.id, stays.frequency);
    // Now, because what follows in the same verb must not count symbols that are forgotten.
    this.recordSymbols();
  }

  /** Forgets a known model. */
  remove(model: ModelRow): void {
    this.#keepAsItIs(model);
    if (this.#latest?.id === model.id) this.#latest = undefined;
    this.#store.record({ kind: "model-removed", id: model.id });
    this.#matcher.remove(model.id);
    this.#count(model.symbols, -model.frequency);
    this.#summaries.forget(model.id);
    this.#models--;
    this.#symbolCount -= model.symbols.length;
  }

  /** Forgets all models and symbols. The recorded change covers the learned vectors too; the caller clears them. */
  clear(): void {
    this.keepAllAsItIs();
    this.#store.record({ kind: "knowledge-cleared" });
    this.#matcher.clear();
    this.#dropAll();
    this.#totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
    this.#models = 0;
    this.#symbolCount = 0;
    this.#forecastRecord = EMPTY_RECORD;
    this.#isTimed = false;
    this.#untimedFrom = 0;
    this.touch();
  }

  /** Drops what is held of symbols and models, but not what the matcher holds. */
  #dropAll(): void {
    this.#latest = undefined;
    this.#summaries.clear();
    this.#order.drop();
    this.symbols.clear();
    this.#changed.clear();
    this.#fresh.clear();
    this.#untold.clear();
  }

  /**
   * Tells the matcher the frequencies that changed. Callers do this before they ask it: a sequence
   * learns and asks in one verb.
   */
  tellMatcher(): void {
    if (this.#untold.size === 0) return;
    for (const id of this.#untold) this.#matcher.setSymbolFrequency(id, this.symbols.row(id).frequency);
    this.#untold.clear();
  }

  /** Records new symbols, and forgets those that no model holds any more. */
  recordSymbols(): void {
    if (this.#changed.size === 0) return;
    const rows = Array.from(this.#changed, (id) => this.symbols.row(id));
    const gone = rows.filter(({ frequency }) => frequency === 0).map(({ id }) => id);
    const stored = gone.filter((id) => !this.#fresh.has(id));
    const added = rows.filter(({ id, frequency }) => frequency > 0 && this.#fresh.has(id));
    if (stored.length > 0) this.#store.record({ kind: "symbols-removed", ids: stored });
    if (added.length > 0) {
      this.#store.record({ kind: "symbols-added", symbols: added.map(({ id, name }) => ({ id, name })) });
    }
    this.tellMatcher();
    for (const id of gone) this.symbols.forget(id);
    this.#changed.clear();
    this.#fresh.clear();
  }

  /** Has the open snapshots keep everything. Call it before models, symbols and vectors are replaced. */
  keepAllAsItIs(): void {
    if (this.#snapshots.isEmpty) return;
    this.#snapshots.allChanging(
      this.#store,
      () => this.symbols.rows(),
      (model) => this.eventsOf(model),
    );
  }

  /**
   * Reads everything anew from the store, after a load has replaced it.
   * @throws Fault `exhausted` when the matcher cannot hold it
   */
  reload(totals: Totals, nextModelId: number): void {
    this.#dropAll();
    this.#totals = { ...totals };
    this.#nextModelId = nextModelId;
    this.#fill();
    this.#forecastRecord = this.#models === 0 ? EMPTY_RECORD : [];
    this.touch();
  }

  /** Reads symbols and models, and counts them. @returns the totals of what was read */
  #fill(): Totals {
    this.#matcher.clear();
    this.symbols.restore(this.#store.symbols());
    // First, as when the symbols were learned: a column that grows after the models are in leaves its old place unused.
    for (const { id } of this.symbols.rows()) this.#matcher.setSymbolFrequency(id, 0);
    const counter = new SymbolCounter(this.symbols);
    this.#symbolCount = 0;
    for (const batch of this.#store.corpusBatches()) {
      this.#matcher.addBatch(batch);
      counter.count(batch);
      this.#symbolCount += batch.symbols.length;
    }
    this.#models = counter.models;
    this.#isTimed = false;
    this.#untimedFrom = this.#models === 0 ? 0 : this.#nextModelId;
    for (const { id, frequency } of this.symbols.rows()) this.#matcher.setSymbolFrequency(id, frequency);
    return counter.totals;
  }

  #insert(name: string, draft: ModelDraft): void {
    const { frequency, emotives, metadata, learnedAt, times } = draft;
    const all = draft.events.flat();
    this.#assertCountable(frequency * all.length);
    const fresh = new Set(all.filter((symbol) => this.symbols.idOf(symbol) === undefined));
    this.symbols.assertRoomFor(fresh);
    const symbols = Uint32Array.from(all, (symbol) => this.symbols.intern(symbol));
    const lengths = Uint32Array.from(draft.events, (event) => event.length);
    const id = this.#nextModelId;
    try {
      this.#matcher.add({ id, frequency, symbols, lengths });
    } catch (fault) {
      // The matcher has not changed, so the table must not change either.
      for (const symbol of fresh) this.symbols.forget(this.symbols.intern(symbol));
      throw fault;
    }
    const model = { id, name, frequency, symbols, lengths, emotives, metadata, learnedAt, times };
    this.#store.record({ kind: "model-put", model });
    for (const symbol of fresh) this.#fresh.add(this.symbols.intern(symbol));
    this.#nextModelId++;
    this.#models++;
    this.#symbolCount += symbols.length;
    this.#order.noted(id, frequency);
    this.#count(symbols, frequency);
    this.#learned(model);
  }

  #renew(
    model: ModelRow,
    { frequency: by, learnedAt, times: added }: Pick<ModelDraft, "frequency" | "learnedAt" | "times">,
    emotives: EmotiveValues[],
  ): void {
    this.#assertCountable(by * model.symbols.length);
    this.#assertFits(model, { emotives, metadata: model.metadata });
    const frequency = model.frequency + by;
    const times = mergedTimes(model.times, added, model.lengths.length);
    this.#keepAsItIs(model);
    this.#store.record({ kind: "model-renewed", id: model.id, frequency, emotives, learnedAt, times });
    this.#matcher.setFrequency(model.id, frequency);
    this.#count(model.symbols, by);
    this.#summaries.forget(model.id);
    this.#learned({ ...model, frequency, emotives, learnedAt, times });
  }

  #learned(model: ModelRow): void {
    const { symbols, times } = model;
    this.#isTimed ||= times !== undefined;
    const units = symbols.length * this.symbols.longest + keptUnits(model);
    this.#latest = units <= LATEST_UNITS ? model : undefined;
  }

  #assertCountable(occurrences: number): void {
    assertCountable(this.#totals.symbolFrequencies + occurrences);
  }

  /** @throws Fault `too-large` when a known model would be larger than a model may be, and than it is */
  #assertFits(model: ModelRow, after: Pick<ModelRow, "emotives" | "metadata">): void {
    // Its symbols are looked at only where they, or what it keeps beside them, may be long.
    if (model.symbols.length * this.symbols.longest + keptUnits(after) <= SMALL_UNITS) return;
    const events = this.eventsOf(model);
    assertModelFits(`the model ${model.name}`, { ...after, events }, { ...model, events });
  }

  #keepAsItIs(model: ModelRow): void {
    if (!this.#snapshots.isEmpty) this.#snapshots.modelChanging({ row: model, events: this.eventsOf(model) });
  }

  #count(symbols: Uint32Array, frequency: number): void {
    if (!this.#snapshots.isEmpty) {
      for (const id of new Set(symbols)) this.#snapshots.symbolChanging(this.symbols.row(id));
      this.#snapshots.changesTold();
    }
    for (const id of countModel(this.symbols, this.#totals, symbols, frequency)) {
      this.#changed.add(id);
      this.#untold.add(id);
    }
    this.touch();
  }
}
