/**
 * The models and every counter that depends on them: symbols, totals, ids. Records each change, repeats it in the
 * matcher and drops the cached summary of the model; records new and forgotten symbols once per verb. The counters are
 * not stored but counted at the start.
 */

import { EMPTY_RECORD, type ForecastRecord } from "../ports/forecaster";
import type { Matcher, Sequence, Totals } from "../ports/matcher";
import type { EmotiveValues, ModelExperience, ModelRow, State, Store } from "../ports/store";
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
interface ModelDraft extends ModelExperience {
  /** The name of its events ({@link modelName}), if the caller knows it. */
  name?: string;
  /** At least one event, none empty. */
  events: string[][];
}

/** What the knowledge works with. */
interface KnowledgeParts {
  store: Store;
  matcher: Matcher;
  summaries: ModelSummaries;
  /** Told of every change before it happens. */
  snapshots: Snapshots;
}

/** Maximum number of models forgotten in one verb to keep a limit. */
const MAX_FORGOTTEN = 100;

/** The part of the state that the knowledge keeps. */
type KnowledgeCounters = Pick<State, "totals" | "nextModelId" | "revision" | "forecastRecord">;

/** Models searched for times per forecast: some milliseconds. */
const TIMED_AT_ONCE = 8_192;

/** A model with fewer UTF-16 units, events and numbers than this is far below the maximum size of a model. */
const SMALL_UNITS = 100_000;

/**
 * A model with more units is read from the store when it is learned again, so that a processor's copy stays small: only
 * its times are counted.
 */
const LATEST_UNITS = 2_048;

/** Approximate size of what a model keeps besides its symbols and times: UTF-16 units and numbers. */
function keptUnits({ emotives, metadata }: Pick<ModelRow, "emotives" | "metadata">): number {
  let units = 0;
  for (const text of metadata) units += text.length;
  for (const { name, values } of emotives) units += name.length + values.length;
  return units;
}

/** The later of two times; either may be unknown. */
function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

/** Counters at the beginning of a verb that may be taken back. */
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
  /** Whether a model that keeps times is known, or was when it was learned. */
  #isTimed = false;
  /** If not timed: stored models with this id or a greater one keep no times. */
  #untimedFrom = 0;
  /** The numbers of the symbols whose counters have changed since {@link recordSymbols}. */
  readonly #changed = new Set<number>();
  /** Those of the changed symbols that are not stored yet. */
  readonly #fresh = new Set<number>();
  /** The numbers of the symbols whose frequency the matcher does not know yet. */
  readonly #untold = new Set<number>();
  /** The model learned last, as stored: a steady stream learns it again and again. Missing if it is large. */
  #latest: ModelRow | undefined;
  /** The sequence of the model with the greatest id, if it is known and not large. */
  #newest: (Sequence & { readonly id: number }) | undefined;

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
    // Without models there is nothing to grade.
    return this.#models === 0 && isUngraded(record) ? EMPTY_RECORD : record;
  }

  /** Starts to keep what {@link takeBack} needs. Call it between verbs. */
  keepChanges(): void {
    this.symbols.keepChanges();
    this.#kept = { revision: this.#revision, models: this.#models, symbolCount: this.#symbolCount };
  }

  /**
   * Goes back to the stored state, after the changes since {@link keepChanges} were rolled back in the store. The
   * caller restores the matcher.
   *
   * @param counters as stored
   * @returns false when this knowledge cannot be used any more and must be created again
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
    this.#newest = undefined;
    this.#changed.clear();
    this.#fresh.clear();
    this.#untold.clear();
    // Models taken from the order cannot be put back, so it is built again when it is needed.
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

  /** The record of forecasts made just before models were learned; none while they are yet to be graded. */
  get forecastRecord(): ForecastRecord {
    return this.#forecastRecord;
  }

  /** Replaces the record of forecasts. It is stored with the change of models that it belongs to. */
  noteForecasts(record: ForecastRecord): void {
    this.#forecastRecord = record;
  }

  /** Number of models. */
  get models(): number {
    return this.#models;
  }

  /** Number of symbols of all models, with each model counted once. */
  get symbolCount(): number {
    return this.#symbolCount;
  }

  /** The sequence of the model with the greatest id; none without models. */
  get newest(): Sequence | undefined {
    if (this.#newest === undefined && this.#models > 0) {
      const [newest] = this.#store.knowledge.newestModels(1);
      this.#keepNewest(newest);
      return newest;
    }
    return this.#newest;
  }

  /** The sequence of the model of a name; `undefined` without one. Reads nothing if it is the model learned last. */
  sequenceOf(name: string): Sequence | undefined {
    return this.#latest?.name === name ? this.#latest : this.#store.knowledge.modelByName(name);
  }

  #keepNewest(model: (Sequence & { id: number }) | undefined): void {
    const isSmall = model !== undefined && model.symbols.length <= LATEST_UNITS;
    this.#newest = isSmall ? { id: model.id, symbols: model.symbols, lengths: model.lengths } : undefined;
  }

  /**
   * Whether a model may keep times; false only if none does. Each call reads a few more of the stored models to find
   * out, rather than all at once.
   */
  mayHaveTimes(): boolean {
    if (!this.#isTimed && this.#untimedFrom > 0) {
      const { found, next } = this.#store.knowledge.timesBelow(this.#untimedFrom, TIMED_AT_ONCE);
      this.#isTimed = found;
      this.#untimedFrom = next;
    }
    return this.#isTimed || this.#untimedFrom > 0;
  }

  /** Approximate heap bytes besides the cached summaries. */
  get heapBytes(): number {
    return this.symbols.heapBytes + this.#order.heapBytes + (this.#latest?.times?.byteLength ?? 0);
  }

  /** Counts a change of the knowledge base that was made elsewhere, for {@link revision}. */
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
   * @throws Fault `exhausted` when memory is used up; `too-large` when the model would exceed its maximum size;
   *   `invalid` when the counters would exceed the exact whole numbers
   */
  learn(draft: ModelDraft, persistence: number): string {
    const { name = modelName(draft.events) } = draft;
    const known = this.#latest?.name === name ? this.#latest : this.#store.knowledge.modelByName(name);
    if (known === undefined) {
      assertModelFits(`the model ${name}`, draft);
      this.#insert(name, draft);
    } else this.#renew(known, draft, appendValues(known.emotives, draft.emotives, persistence));
    return name;
  }

  /**
   * Stores a model under a new sequence, with what it kept under its old one. Keeps the last `persistence` values of
   * every emotive, even if the gene was higher before; `learn` cuts only the emotives that it appends to. If another
   * model has the sequence already, the two become one. Checks no size of a new model: it comes from a model or a
   * staged row that already fits.
   * @returns its name
   * @throws Fault as {@link learn}
   */
  merge(draft: ModelDraft, persistence: number): string {
    const { name = modelName(draft.events) } = draft;
    const known = this.#store.knowledge.modelByName(name);
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
   * @throws Fault `too-large` when it would exceed the maximum size and be larger than before; `invalid` when the
   *   counters would exceed the exact whole numbers
   */
  rewrite(model: ModelRow, change: Pick<ModelRow, "frequency" | "emotives" | "metadata" | "times">): void {
    const increase = change.frequency - model.frequency;
    this.#assertCountable(increase * model.symbols.length);
    this.#assertFits(model, change);
    this.#keepAsItIs(model);
    this.#latest = undefined;
    this.#isTimed ||= change.times !== undefined;
    this.#store.record({ kind: "model-put", model: { ...model, ...change } });
    this.#matcher.setFrequency(model.id, change.frequency);
    if (increase < 0) this.#order.noted(model.id, change.frequency);
    this.#count(model.symbols, increase);
    this.#summaries.forget(model.id);
  }

  /**
   * Forgets the least frequent models, the oldest among equals, until `most` are left, but at most {@link
   * MAX_FORGOTTEN} at a time.
   * @param most number of models that stay; 0 for all
   * @param spared the name of the model that stays in any case
   */
  keepAtMost(most: number, spared: string): void {
    if (most === 0) {
      this.#order.drop();
      return;
    }
    const excess = Math.min(this.#models - most, MAX_FORGOTTEN);
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
    // Now, because the rest of the verb must not count forgotten symbols.
    this.recordSymbols();
  }

  /** Forgets a known model. */
  remove(model: ModelRow): void {
    this.#keepAsItIs(model);
    if (this.#latest?.id === model.id) this.#latest = undefined;
    if (this.#newest?.id === model.id) this.#newest = undefined;
    this.#store.record({ kind: "model-removed", id: model.id });
    this.#matcher.remove(model.id, model);
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

  /** Drops all symbols and models held here, but not those of the matcher. */
  #dropAll(): void {
    this.#latest = undefined;
    this.#newest = undefined;
    this.#summaries.clear();
    this.#order.drop();
    this.symbols.clear();
    this.#changed.clear();
    this.#fresh.clear();
    this.#untold.clear();
  }

  /** Sends the changed frequencies to the matcher. Call it before a query: a sequence learns and asks in one verb. */
  tellMatcher(): void {
    if (this.#untold.size === 0) return;
    for (const id of this.#untold) this.#matcher.setSymbolFrequency(id, this.symbols.row(id).frequency);
    this.#untold.clear();
  }

  /** Records new symbols, and forgets those that no model holds any more. */
  recordSymbols(): void {
    if (this.#changed.size === 0) return;
    const rows = Array.from(this.#changed, (id) => this.symbols.row(id));
    const unusedIds = rows.filter(({ frequency }) => frequency === 0).map(({ id }) => id);
    const stored = unusedIds.filter((id) => !this.#fresh.has(id));
    const added = rows.filter(({ id, frequency }) => frequency > 0 && this.#fresh.has(id));
    if (stored.length > 0) this.#store.record({ kind: "symbols-removed", ids: stored });
    if (added.length > 0) {
      this.#store.record({ kind: "symbols-added", symbols: added.map(({ id, name }) => ({ id, name })) });
    }
    this.tellMatcher();
    for (const id of unusedIds) this.symbols.forget(id);
    this.#changed.clear();
    this.#fresh.clear();
  }

  /** Has the open snapshots keep everything, before models, symbols and vectors are replaced. */
  keepAllAsItIs(): void {
    if (this.#snapshots.isEmpty) return;
    this.#snapshots.allChanging(
      this.#store,
      () => this.symbols.rows(),
      (model) => this.eventsOf(model),
    );
  }

  /**
   * Reads everything again from the store, after a load has replaced it.
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
    this.symbols.restore(this.#store.knowledge.symbols());
    // First, as when the symbols were learned: a column that grows once the models are in would waste its old place.
    for (const { id } of this.symbols.rows()) this.#matcher.setSymbolFrequency(id, 0);
    const counter = new SymbolCounter(this.symbols);
    this.#symbolCount = 0;
    for (const batch of this.#store.knowledge.corpusBatches()) {
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
    const { events, ...experience } = draft;
    const { frequency } = experience;
    const all = events.flat();
    this.#assertCountable(frequency * all.length);
    const fresh = new Set(all.filter((symbol) => this.symbols.idOf(symbol) === undefined));
    this.symbols.assertRoomFor(fresh);
    const symbols = Uint32Array.from(all, (symbol) => this.symbols.intern(symbol));
    const lengths = Uint32Array.from(events, (event) => event.length);
    const id = this.#nextModelId;
    try {
      this.#matcher.add({ id, frequency, symbols, lengths });
    } catch (fault) {
      // The matcher has not changed, so undo the change of the table.
      for (const symbol of fresh) this.symbols.forget(this.symbols.intern(symbol));
      throw fault;
    }
    const model = { ...experience, id, name, symbols, lengths };
    this.#store.record({ kind: "model-put", model });
    for (const symbol of fresh) this.#fresh.add(this.symbols.intern(symbol));
    this.#nextModelId++;
    this.#models++;
    this.#symbolCount += symbols.length;
    this.#order.noted(id, frequency);
    this.#count(symbols, frequency);
    this.#keepNewest(model);
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

  /** @throws Fault `too-large` when a known model would exceed the maximum size and be larger than before */
  #assertFits(model: ModelRow, after: Pick<ModelRow, "emotives" | "metadata">): void {
    // Look at its texts only if they, or what it keeps besides, may be long.
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
