/** A Store in memory, for tests. Like a database, it copies what goes in and out; it also counts its reads. */

import type { Notice, StoredAlert } from "../../src/processor/ports/alert";
import {
  type IncidentFilter,
  type IncidentRow,
  type IncidentSummary,
  type KeptThreshold,
  type MemoryIncidents,
  MOST_INCIDENTS,
  type RunningIncident,
} from "../../src/processor/ports/incident";
import type { ModelBatch } from "../../src/processor/ports/matcher";
import type { LastingSilences, MemoryArrivals, StoredSilence } from "../../src/processor/ports/silence";
import type {
  Change,
  EncoderRow,
  ForwardedEvent,
  GeneSetting,
  MemoryNumbers,
  MemoryState,
  ModelFrequency,
  ModelRow,
  ScoreBlock,
  Sender,
  SessionRow,
  SourceNumber,
  Staging,
  State,
  Store,
  StoredMemory,
  SymbolRow,
  VectorRow,
} from "../../src/processor/ports/store";
import { batchOf } from "../../src/store/rows/model-batch";
import { compareCodePoints } from "../../src/text/code-points";
import { APPLY, emptyRows, existing, pageByName, type Rows, sourceKey } from "./memory-rows";

function sessionRow(name: string, { memoryStart, memoryEnd, symbols, time, changedAt, lastObserved }: MemoryState) {
  return { name, events: memoryEnd - memoryStart, symbols, time, changedAt, lastObserved };
}

/** Holds the rows that last. */
export class MemoryStore implements Store {
  #rows = emptyRows();
  /** The number of reads so far. */
  reads = 0;
  /** How many memories it reads at a time, as a store does that holds much of each. */
  mostRows = Number.POSITIVE_INFINITY;
  /** The kinds of all recorded changes, in order. */
  readonly recorded: Change["kind"][] = [];
  /** How many changes were recorded or only said, rolled back or not. It grows during a verb that changes something. */
  changes = 0;

  record(change: Change): void {
    this.changes++;
    this.recorded.push(change.kind);
    const apply = APPLY[change.kind] as (rows: Rows, change: Change) => void;
    apply(this.#rows, structuredClone(change));
  }

  touch(): void {
    this.changes++;
  }

  /** Runs `work`; when it throws, takes back everything that it recorded. */
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

  encoders(): EncoderRow[] {
    return this.#read((rows) => rows.encoders);
  }

  collectedNumbers(): MemoryNumbers[] {
    const all = this.#read((rows) => Array.from(rows.memories, ([session, { state }]) => ({ session, ...state })));
    return all
      .filter(({ collected }) => collected.length > 0)
      .map(({ session, collected }) => ({ session, collected }));
  }

  memory(session: string): StoredMemory | undefined {
    return this.#read((rows) => rows.memories.get(session));
  }

  sessionsAfter(after: string, limit: number): SessionRow[] {
    return this.#sessions()
      .filter(({ name }) => compareCodePoints(name, after) > 0)
      .sort((a, b) => compareCodePoints(a.name, b.name))
      .slice(0, Math.min(limit, this.mostRows));
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

  sessionCount(): number {
    return this.#sessions().length;
  }

  sessionsUnchangedSince(before: number, limit: number): string[] {
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

  sessionNamesAfter(after: string, limit: number): string[] {
    const names = this.#sessions().map(({ name }) => name);
    return names
      .filter((name) => compareCodePoints(name, after) > 0)
      .sort(compareCodePoints)
      .slice(0, limit);
  }

  sessionRow(session: string): SessionRow | undefined {
    const state = this.#read((rows) => rows.memories.get(session)?.state);
    return state && sessionRow(session, state);
  }

  memoryArrivals(after: string | undefined, limit: number): MemoryArrivals[] {
    return this.#names()
      .filter((name) => after === undefined || compareCodePoints(name, after) > 0)
      .flatMap((session) => this.memoryArrivalsOf(session) ?? [])
      .slice(0, limit);
  }

  memoryArrivalsOf(session: string): MemoryArrivals | undefined {
    const state = this.#read((rows) => rows.memories.get(session)?.state);
    return state && { session, arrivals: state.arrivals, changedAt: state.changedAt };
  }

  silence(session: string): StoredSilence | undefined {
    return this.#read((rows) => rows.silences.get(session));
  }

  silences(after: string | undefined, last: string): Map<string, StoredSilence> {
    const all = this.#read((rows) => [...rows.silences]);
    return new Map(
      all.filter(([name]) => compareCodePoints(name, after ?? "") >= 0 && compareCodePoints(name, last) <= 0),
    );
  }

  lastingSilences(after: string | undefined, limit: number): LastingSilences {
    const told = this.memoryArrivals(after, Number.POSITIVE_INFINITY).flatMap(({ session, arrivals }) => {
      const silence = this.silence(session);
      return silence === undefined ? [] : [{ session, silence, isLasting: silence.arrival === arrivals[0] }];
    });
    const seen = told.slice(0, Math.min(limit, this.mostRows));
    const silences = seen.flatMap(({ session, silence, isLasting }) => (isLasting ? [{ session, silence }] : []));
    return { silences, last: seen.at(-1)?.session };
  }

  time(session: string): number {
    return this.#read((rows) => rows.memories.get(session)?.state.time ?? 0);
  }

  #names(): string[] {
    return this.#read((rows) => [...rows.memories.keys()]).sort(compareCodePoints);
  }

  lastIncident(): number {
    return Math.max(0, ...this.#incidents().map(({ id }) => id));
  }

  incident(id: number): IncidentRow | undefined {
    return this.#incidents().find((row) => row.id === id);
  }

  incidentInPlaceOf(id: number): IncidentRow | undefined {
    return this.#incidents().find((row) => row.id % MOST_INCIDENTS === id % MOST_INCIDENTS);
  }

  incidents({ before, session, verdict }: IncidentFilter, limit: number): IncidentSummary[] {
    const wanted = this.#incidents().filter(
      (row) =>
        (before === undefined || row.id < before) &&
        (session === undefined || row.session === session) &&
        (verdict === undefined || (row.verdict ?? "open") === verdict),
    );
    const newest = wanted.sort((a, b) => b.id - a.id).slice(0, limit);
    return newest.map(({ evidence: _, thresholds: __, ...summary }) => summary);
  }

  incidentIdsAfter(after: number, limit: number): number[] {
    const ids = this.#incidents().map(({ id }) => id);
    return ids
      .filter((id) => id > after)
      .sort((a, b) => a - b)
      .slice(0, limit);
  }

  runningIncidents(): Pick<IncidentRow, "id" | "session">[] {
    return this.#incidents().filter(({ isRunning }) => isRunning);
  }

  runningIn(session: string): readonly RunningIncident[] {
    return this.#read((rows) => rows.memories.get(session)?.state.running ?? []);
  }

  newestThresholds(): readonly KeptThreshold[] {
    const ofMemories = this.#read((rows) => Array.from(rows.memories.values(), ({ state }) => state.thresholds));
    return [...(this.incident(this.lastIncident())?.thresholds ?? []), ...ofMemories.flat()];
  }

  incidentsByMemory(): MemoryIncidents[] {
    const sessions = [...new Set(this.#incidents().map(({ session }) => session))];
    return sessions.map((session) => {
      const own = this.incidents({ session }, Number.POSITIVE_INFINITY);
      const open = own.filter(({ verdict }) => verdict === undefined).length;
      return { session, open, bits: own[0]?.bits ?? 0, time: own[0]?.to ?? 0 };
    });
  }

  #incidents(): IncidentRow[] {
    return this.#read((rows) => rows.incidents);
  }

  /** All that alerts had to tell, in order. */
  told(): Notice[] {
    return this.#read((rows) => rows.told);
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

  stagedModelIds(ids: readonly number[]): number[] {
    return this.#read((rows) => rows.stagedModels.map(({ id }) => id).filter((id) => ids.includes(id)));
  }

  stagedVectorIds(ids: readonly number[]): number[] {
    return this.#read((rows) => rows.stagedVectors.map(({ id }) => id).filter((id) => ids.includes(id)));
  }

  lastStagedModelId(): number {
    return this.#read((rows) => Math.max(0, ...rows.stagedModels.map(({ id }) => id)));
  }

  stagedModelsAfter(after: number, limit: number): ModelRow[] {
    const rows = this.#read(({ stagedModels }) => stagedModels.filter(({ id }) => id > after));
    return rows.sort((a, b) => a.id - b.id).slice(0, limit);
  }

  stagedVectors(): VectorRow[] {
    return this.#read((rows) => rows.stagedVectors).sort((a, b) => a.id - b.id);
  }

  /** All sessions, in the order of creation. */
  #sessions(): SessionRow[] {
    return this.#read((rows) => Array.from(rows.memories, ([name, { state }]) => sessionRow(name, state))).filter(
      ({ name }) => name !== "",
    );
  }

  #read<T>(select: (rows: Rows) => T): T {
    this.reads++;
    return structuredClone(select(this.#rows));
  }
}
