/** A Store in memory, for tests. Like a database, it copies what goes in and out; it also counts its reads. */

import type { Notice, StoredAlert } from "../../src/processor/ports/alert";
import {
  type IncidentFilter,
  type IncidentRow,
  type IncidentSummary,
  type KeptThreshold,
  MAX_INCIDENTS,
  type MemoryIncidents,
  type RunningIncident,
} from "../../src/processor/ports/incident";
import type { ModelBatch } from "../../src/processor/ports/matcher";
import type {
  LastingSilences,
  MemoryArrivals,
  StoredSilence,
  WatchedMemories,
} from "../../src/processor/ports/silence";
import type {
  Change,
  EncoderRow,
  ForwardedEvent,
  GeneSetting,
  IncidentReader,
  KnowledgeReader,
  MemoriesReader,
  MemoryNumbers,
  MemoryState,
  ModelFrequency,
  ModelRow,
  ObservedRow,
  ScoreBlock,
  Sender,
  SessionRow,
  SilenceReader,
  SourceNumber,
  StagedReader,
  Staging,
  State,
  Store,
  StoredMemory,
  SymbolRow,
  VectorRow,
} from "../../src/processor/ports/store";
import { batchOf } from "../../src/store/rows/model-batch";
import { compareCodePoints } from "../../src/text/code-points";
import { copied } from "./copied";
import { APPLY, emptyRows, existing, pageByName, type Rows, sourceKey } from "./memory-rows";

function sessionRow(name: string, { memoryStart, memoryEnd, symbols, time, changedAt, lastObserved }: MemoryState) {
  return { name, events: memoryEnd - memoryStart, symbols, time, changedAt, lastObserved };
}

/** Reads rows, and counts it. */
type Read = <T>(select: (rows: Rows) => T) => T;

/** Models, symbols and vectors, read from rows. */
class KnowledgeInMemory implements KnowledgeReader {
  readonly #read: Read;

  constructor(read: Read) {
    this.#read = read;
  }

  vectors(): VectorRow[] {
    return this.#read((rows) => rows.vectors);
  }

  vectorByName(name: string): VectorRow | undefined {
    return this.#read((rows) => rows.vectors.find((vector) => vector.name === name));
  }

  symbols(): SymbolRow[] {
    return this.#read((rows) => Array.from(rows.symbols.values()));
  }

  corpus(): ModelRow[] {
    return this.#read((rows) => Array.from(rows.models.values()).sort((a, b) => a.id - b.id));
  }

  corpusBatches(): ModelBatch[] {
    const models = this.corpus();
    // Two batches wherever possible, because nothing may depend on where they are cut.
    const half = Math.ceil(models.length / 2);
    return [models.slice(0, half), models.slice(half)].map(batchOf);
  }

  modelByName(name: string): ModelRow | undefined {
    return this.#read((rows) => Array.from(rows.models.values()).find((model) => model.name === name));
  }

  modelById(id: number): ModelRow | undefined {
    return this.#read((rows) => rows.models.get(id));
  }

  modelsById(ids: readonly number[]): ModelRow[] {
    return this.#read((rows) => ids.map((id) => existing(rows.models.get(id), id)));
  }

  modelsAfter(after: string, limit: number): ModelRow[] {
    return this.#read((rows) => pageByName(rows.models.values(), after, limit));
  }

  modelFrequencies(after: string, limit: number): ModelFrequency[] {
    return this.#read((rows) =>
      pageByName(rows.models.values(), after, limit).map(({ id, name, frequency }) => ({ id, name, frequency })),
    );
  }

  newestModels(limit: number): ModelRow[] {
    return this.#read((rows) => [...rows.models.values()].sort((one, other) => other.id - one.id).slice(0, limit));
  }

  modelNamesFrom(start: string): [number, string][] {
    const named = this.corpus().filter(({ name }) => name.startsWith(start));
    return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ id, name }) => [id, name]);
  }

  modelMoments(): [number, number | undefined][] {
    return this.corpus().map(({ id, learnedAt }) => [id, learnedAt]);
  }

  timesBelow(below: number, most: number): { found: boolean; next: number } {
    const models = this.#read((rows) => [...rows.models.values()].filter(({ id }) => id < below));
    const looked = models.sort((one, other) => other.id - one.id).slice(0, most);
    const next = looked.length < most ? 0 : (looked.at(-1)?.id ?? 0);
    return { found: looked.some(({ times }) => times !== undefined), next };
  }

  modelNames(ids: readonly number[]): string[] {
    return this.#read((rows) => ids.map((id) => existing(rows.models.get(id), id).name));
  }

  vectorsAfter(after: string, limit: number): VectorRow[] {
    return this.#read((rows) => pageByName(rows.vectors, after, limit));
  }
}

/** Memories, read from rows. */
class MemoriesInMemory implements MemoriesReader {
  readonly #read: Read;
  readonly #store: MemoryStore;

  constructor(read: Read, store: MemoryStore) {
    this.#read = read;
    this.#store = store;
  }

  list(after: string, limit: number): SessionRow[] {
    return this.#sessions()
      .filter(({ name }) => compareCodePoints(name, after) > 0)
      .sort((a, b) => compareCodePoints(a.name, b.name))
      .slice(0, Math.min(limit, this.#store.mostRows));
  }

  observed(after: string, limit: number): ObservedRow[] {
    return this.list(after, limit).map(({ name, changedAt, lastObserved }) => ({ name, changedAt, lastObserved }));
  }

  names(after: string, limit: number): string[] {
    const names = this.#sessions().map(({ name }) => name);
    return names
      .filter((name) => compareCodePoints(name, after) > 0)
      .sort(compareCodePoints)
      .slice(0, limit);
  }

  row(session: string): SessionRow | undefined {
    const state = this.#read((rows) => rows.memories.get(session)?.state);
    return state && sessionRow(session, state);
  }

  sessionCount(): number {
    return this.#sessions().length;
  }

  unchangedSince(before: number, limit: number): string[] {
    return this.#sessions()
      .filter(({ changedAt }) => changedAt <= before)
      .sort((a, b) => a.changedAt - b.changedAt)
      .map(({ name }) => name)
      .slice(0, limit);
  }

  oldestChange(): number | undefined {
    const changes = this.#sessions().map(({ changedAt }) => changedAt);
    return changes.length === 0 ? undefined : Math.min(...changes);
  }

  newestChange(): number | undefined {
    const changes = this.#sessions().map(({ changedAt }) => changedAt);
    return changes.length === 0 ? undefined : Math.max(...changes);
  }

  time(session: string): number {
    return this.#read((rows) => rows.memories.get(session)?.state.time ?? 0);
  }

  running(session: string): readonly RunningIncident[] {
    return this.#read((rows) => rows.memories.get(session)?.state.running ?? []);
  }

  arrivals(after: string | undefined, limit: number): MemoryArrivals[] {
    return this.#names()
      .filter((name) => after === undefined || compareCodePoints(name, after) > 0)
      .flatMap((session) => this.#arrivalsOf(session) ?? [])
      .slice(0, limit);
  }

  watched(sessions: readonly string[]): WatchedMemories {
    const asked = sessions.slice(0, this.#store.mostRows);
    const memories = asked.flatMap((session) => {
      const arrivals = this.#arrivalsOf(session);
      return arrivals === undefined ? [] : [[session, { ...arrivals, time: this.time(session) }] as const];
    });
    return { read: asked.length, memories: new Map(memories) };
  }

  #arrivalsOf(session: string): MemoryArrivals | undefined {
    const state = this.#read((rows) => rows.memories.get(session)?.state);
    return state && { session, arrivals: state.arrivals, changedAt: state.changedAt };
  }

  collectedNumbers(): MemoryNumbers[] {
    const all = this.#read((rows) => Array.from(rows.memories, ([session, { state }]) => ({ session, ...state })));
    return all
      .filter(({ collected }) => collected.length > 0)
      .map(({ session, collected }) => ({ session, collected }));
  }

  read(session: string): StoredMemory | undefined {
    return this.#read((rows) => rows.memories.get(session));
  }

  /** All sessions, in the order of creation. */
  #sessions(): SessionRow[] {
    return this.#read((rows) => Array.from(rows.memories, ([name, { state }]) => sessionRow(name, state))).filter(
      ({ name }) => name !== "",
    );
  }

  #names(): string[] {
    return this.#read((rows) => [...rows.memories.keys()]).sort(compareCodePoints);
  }
}

/** Silences, read from rows. */
class SilencesInMemory implements SilenceReader {
  readonly #read: Read;
  readonly #store: MemoryStore;

  constructor(read: Read, store: MemoryStore) {
    this.#read = read;
    this.#store = store;
  }

  read(session: string): StoredSilence | undefined {
    return this.#read((rows) => rows.silences.get(session));
  }

  of(sessions: readonly string[]): Map<string, StoredSilence> {
    return this.#read((rows) => new Map([...rows.silences].filter(([session]) => sessions.includes(session))));
  }

  range(after: string | undefined, last: string): Map<string, StoredSilence> {
    const all = this.#read((rows) => [...rows.silences]);
    return new Map(
      all.filter(([name]) => compareCodePoints(name, after ?? "") >= 0 && compareCodePoints(name, last) <= 0),
    );
  }

  lasting(after: string | undefined, limit: number): LastingSilences {
    const told = this.#store.memories.arrivals(after, Number.POSITIVE_INFINITY).flatMap(({ session, arrivals }) => {
      const silence = this.read(session);
      return silence === undefined ? [] : [{ session, silence, isLasting: silence.arrival === arrivals[0] }];
    });
    const seen = told.slice(0, Math.min(limit, this.#store.mostRows));
    const silences = seen.flatMap(({ session, silence, isLasting }) => (isLasting ? [{ session, silence }] : []));
    return { silences, last: seen.at(-1)?.session };
  }
}

/** Incidents, read from rows. */
class IncidentsInMemory implements IncidentReader {
  readonly #read: Read;

  constructor(read: Read) {
    this.#read = read;
  }

  last(): number {
    return Math.max(0, ...this.#incidents().map(({ id }) => id));
  }

  read(id: number): IncidentRow | undefined {
    return this.#incidents().find((row) => row.id === id);
  }

  inPlaceOf(id: number): IncidentRow | undefined {
    return this.#incidents().find((row) => row.id % MAX_INCIDENTS === id % MAX_INCIDENTS);
  }

  list({ before, session, verdict }: IncidentFilter, limit: number): IncidentSummary[] {
    const wanted = this.#incidents().filter(
      (row) =>
        (before === undefined || row.id < before) &&
        (session === undefined || row.session === session) &&
        (verdict === undefined || (row.verdict ?? "open") === verdict),
    );
    const newest = wanted.sort((a, b) => b.id - a.id).slice(0, limit);
    return newest.map(({ evidence: _, thresholds: __, ...summary }) => summary);
  }

  idsAfter(after: number, limit: number): number[] {
    const ids = this.#incidents().map(({ id }) => id);
    return ids
      .filter((id) => id > after)
      .sort((a, b) => a - b)
      .slice(0, limit);
  }

  running(): Pick<IncidentRow, "id" | "session">[] {
    return this.#incidents().filter(({ isRunning }) => isRunning);
  }

  byMemory(): MemoryIncidents[] {
    const sessions = [...new Set(this.#incidents().map(({ session }) => session))];
    return sessions.map((session) => {
      const own = this.list({ session }, Number.POSITIVE_INFINITY);
      const open = own.filter(({ verdict }) => verdict === undefined).length;
      return { session, open, bits: own[0]?.bits ?? 0, time: own[0]?.to ?? 0 };
    });
  }

  #incidents(): IncidentRow[] {
    return this.#read((rows) => rows.incidents);
  }
}

/** What a load has staged, read from rows. */
class StagedInMemory implements StagedReader {
  readonly #read: Read;

  constructor(read: Read) {
    this.#read = read;
  }

  symbols(): SymbolRow[] {
    return this.#read((rows) => Array.from(rows.stagedSymbols.values()));
  }

  lastModelId(): number {
    return this.#read((rows) => Math.max(0, ...rows.stagedModels.map(({ id }) => id)));
  }

  modelsAfterId(after: number, limit: number): ModelRow[] {
    const rows = this.#read(({ stagedModels }) => stagedModels.filter(({ id }) => id > after));
    return rows.sort((a, b) => a.id - b.id).slice(0, limit);
  }

  vectorsAfterId(after: number, limit: number): VectorRow[] {
    const rows = this.#read(({ stagedVectors }) => stagedVectors.filter(({ id }) => id > after));
    return rows.sort((a, b) => a.id - b.id).slice(0, limit);
  }

  present(kind: "models" | "vectors", names: readonly string[]): string[] {
    return this.#kind(kind)
      .map(({ name }) => name)
      .filter((name) => names.includes(name));
  }

  presentIds(kind: "models" | "vectors", ids: readonly number[]): number[] {
    return this.#kind(kind)
      .map(({ id }) => id)
      .filter((id) => ids.includes(id));
  }

  #kind(kind: "models" | "vectors"): { id: number; name: string }[] {
    return this.#read((rows) => (kind === "models" ? rows.stagedModels : rows.stagedVectors));
  }
}

/** Holds the rows that last. */
export class MemoryStore implements Store {
  readonly knowledge = new KnowledgeInMemory((select) => this.#read(select));
  readonly memories = new MemoriesInMemory((select) => this.#read(select), this);
  readonly silences = new SilencesInMemory((select) => this.#read(select), this);
  readonly incidents = new IncidentsInMemory((select) => this.#read(select));
  readonly staged = new StagedInMemory((select) => this.#read(select));
  #rows = emptyRows();
  /** The number of reads so far. */
  reads = 0;
  /** How many memories it reads at a time, as a store does that holds much of each. */
  mostRows = Number.POSITIVE_INFINITY;
  /** The kinds of all recorded changes, in order. */
  readonly recorded: Change["kind"][] = [];
  /** How many changes were recorded or only said, rolled back or not. It grows during a verb that changes something. */
  changes = 0;

  /** A store of its own with the same rows. */
  copy(): MemoryStore {
    const store = new MemoryStore();
    store.#rows = copied(this.#rows);
    return store;
  }

  record(change: Change): void {
    this.changes++;
    this.recorded.push(change.kind);
    const apply = APPLY[change.kind] as (rows: Rows, change: Change) => void;
    apply(this.#rows, copied(change));
  }

  touch(): void {
    this.changes++;
  }

  /** Runs `work`; when it throws, takes back everything that it recorded. */
  transaction<T>(work: () => T): T {
    const before = copied(this.#rows);
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

  encoders(): EncoderRow[] {
    return this.#read((rows) => rows.encoders);
  }

  /** About how many bytes the memories take. */
  /** How many bytes of events for others may be recorded: any. */
  mostToTell = Number.POSITIVE_INFINITY;

  roomToTell(): number {
    return this.mostToTell;
  }

  storedBytes(): number {
    return JSON.stringify([...this.#rows.memories.values()]).length;
  }

  keptSource(session: string, sender: Sender, source: string): number {
    return this.#read((rows) => rows.sources.get(session)?.get(sourceKey(sender, source)) ?? 0);
  }

  keptSources(session: string): SourceNumber[] {
    const kept = this.#read((rows) => [...(rows.sources.get(session) ?? [])]);
    return kept.map(([key, number]) => {
      const space = key.indexOf(" ");
      return { sender: key.slice(0, space) as Sender, source: key.slice(space + 1), number };
    });
  }

  scoreBlocks(): ScoreBlock[] {
    return this.#read((rows) => rows.scoreBlocks);
  }

  blacklist(): string[] {
    return this.#read((rows) => rows.blacklist);
  }

  /** All forwarded events, in order. */
  forwarded(): ForwardedEvent[] {
    return this.#read((rows) => rows.forwarded);
  }

  alerts(): StoredAlert[] {
    return this.#read((rows) => rows.alerts).sort((a, b) => compareCodePoints(a.name, b.name));
  }

  newestThresholds(): readonly KeptThreshold[] {
    const ofMemories = this.#read((rows) => Array.from(rows.memories.values(), ({ state }) => state.thresholds));
    return [...(this.incidents.read(this.incidents.last())?.thresholds ?? []), ...ofMemories.flat()];
  }

  /** All that alerts had to tell, in order. */
  told(): Notice[] {
    return this.#read((rows) => rows.told);
  }

  staging(): Staging | undefined {
    return this.#read((rows) => rows.staging);
  }

  #read<T>(select: (rows: Rows) => T): T {
    this.reads++;
    return copied(select(this.#rows));
  }
}
