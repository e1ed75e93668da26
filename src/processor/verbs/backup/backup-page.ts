/**
 * Reads a processor's backup page by page: its record, its encoders, its blacklist, its memories and its knowledge with
 * order. All pages show the moment of the first, which opens a snapshot.
 */

import type {
  AlertRecord,
  EncoderRecord,
  IncidentRecord,
  MemoryRecord,
  ProcessorRecord,
  VectorRecord,
} from "../../../gen/plain";
import { answerBytes, MAX_LINE_BYTES } from "../../../text/answer-bytes";
import { compareCodePoints } from "../../../text/code-points";
import { excerpt } from "../../../text/excerpt";
import { modelBytes as bytesOfModel, MAX_MODEL_BYTES } from "../../knowledge/counting";
import { incidentName, type PastMemory, type Snapshot } from "../../knowledge/snapshot";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import { alertRecord } from "../alerts/alert-record";
import { fill, modelBytes, modelsAfter, vectorBytes, vectorsAfter } from "../knowledge/knowledge-page";
import type { Model } from "../knowledge/model-record";
import { incidentRecord } from "./incident-record";
import { memoryRecord, type Surroundings } from "./memory-record";
import { encoderRecords, processorRecord } from "./processor-record";

/** The parts of a backup, in the order in which they are read. */
export type BackupSection = "processor" | "sessions" | "incidents" | "models" | "vectors";

/** A place in a backup. */
export interface BackupPlace {
  section: BackupSection;
  /** The last name of the previous page; empty for the first page of a section. */
  after: string;
}

/** A request for one page. */
export interface BackupRequest extends BackupPlace {
  /** A name that the reader chooses for each backup. */
  snapshot: string;
}

/** A record of a backup. */
export interface BackupRecord {
  record:
    | { case: "processor"; value: ProcessorRecord }
    | { case: "encoder"; value: EncoderRecord }
    | { case: "blacklist"; value: { symbols: string[] } }
    | { case: "memory"; value: MemoryRecord }
    | { case: "alert"; value: AlertRecord }
    | { case: "incident"; value: IncidentRecord }
    | { case: "model"; value: Model }
    | { case: "vector"; value: VectorRecord };
}

/** One page. */
export interface BackupPage {
  records: BackupRecord[];
  /** Where the next page begins; `undefined` after the last. */
  next: BackupPlace | undefined;
}

/** Limits of one record of the blacklist, in symbols and in UTF-16 units. */
const SYMBOLS_PER_RECORD = 1_000;
const UNITS_PER_RECORD = 256 * 1024;

/** Sessions read at a time. */
const BATCH = 64;

/** Maximum length of a snapshot's name, in characters. */
const MAX_SNAPSHOT_NAME = 64;

/** The blacklist as records, in order. */
function* blacklistRecords(symbols: Iterable<string>): Iterable<BackupRecord> {
  let batch: string[] = [];
  let units = 0;
  for (const symbol of symbols) {
    batch.push(symbol);
    units += symbol.length;
    if (batch.length < SYMBOLS_PER_RECORD && units < UNITS_PER_RECORD) continue;
    yield { record: { case: "blacklist", value: { symbols: batch } } };
    batch = [];
    units = 0;
  }
  if (batch.length > 0) yield { record: { case: "blacklist", value: { symbols: batch } } };
}

/** The processor, its encoders, its blacklist, its alerts and its own memory. */
function ownRecords(mind: Mind): BackupRecord[] {
  const records: BackupRecord[] = [{ record: { case: "processor", value: processorRecord(mind) } }];
  for (const value of encoderRecords(mind)) records.push({ record: { case: "encoder", value } });
  records.push(...blacklistRecords(mind.blacklist));
  for (const alert of mind.store.alerts()) {
    const [kept] = mind.shared.thresholds.copies(alert.when.kind === "daily" ? [alert.number] : []);
    records.push({ record: { case: "alert", value: alertRecord(alert, kept) } });
  }
  const own = storedMemory(mind, "");
  if (own === undefined) return records;
  const memory = memoryRecord("", own, surroundingsOf(mind));
  assertMemoryFits(memory);
  return [...records, { record: { case: "memory", value: memory } }];
}

/** The first page of the processor's own records. Opens the snapshot, which holds the other records. */
function firstPage(mind: Mind, name: string): BackupPage {
  const { snapshots } = mind.shared;
  if (name === "" || name.length > MAX_SNAPSHOT_NAME) {
    throw new Fault(
      "invalid",
      `the name of a snapshot must have 1 to ${MAX_SNAPSHOT_NAME} characters, got ${name.length}`,
    );
  }
  const records = ownRecords(mind);
  // A repeated request for the first page starts over.
  snapshots.close(name);
  const moment = {
    ...mind.knowledge.counters,
    vectors: mind.vectors.count,
    lastIncident: mind.store.incidents.last(),
  };
  const snapshot = snapshots.open(name, moment, "sessions");
  return ownPage(snapshot, records, 0);
}

/**
 * The page of the processor's own records from an index on. @param all the records, which the snapshot holds for the
 * next page
 */
function ownPage(snapshot: Snapshot, all: readonly BackupRecord[], from: number): BackupPage {
  const { rows, more } = fill(all.slice(from).values(), ownBytes);
  snapshot.ownRecords = more ? all : undefined;
  const next = from + rows.length;
  if (more) return { records: rows, next: { section: "processor", after: String(next) } };
  return { records: rows, next: { section: "sessions", after: "" } };
}

/** Approximate bytes of one of the processor's own records. */
function ownBytes({ record }: BackupRecord): number {
  return answerBytes(record.value, 0);
}

/** A page of the processor's own records after the first. @throws Fault `conflict` when the snapshot is lost */
function furtherPage(mind: Mind, { after, snapshot: name }: BackupRequest): BackupPage {
  const snapshot = mind.shared.snapshots.find(name);
  const records = snapshot?.ownRecords as readonly BackupRecord[] | undefined;
  if (snapshot === undefined || records === undefined) throw lost(mind);
  return ownPage(snapshot, records, Number(after));
}

/** @throws Fault `too-large` for a memory stored by an earlier version that does not fit into a line of a backup */
function assertMemoryFits(memory: MemoryRecord): void {
  const bytes = answerBytes(memory, MAX_LINE_BYTES);
  if (bytes <= MAX_LINE_BYTES) return;
  const subject =
    memory.session === "" ? "the processor's own memory" : `the memory of the session ${excerpt(memory.session)}`;
  throw new Fault(
    "too-large",
    `${subject} takes ${bytes} bytes as JSON, and a line of a backup has at most ${MAX_LINE_BYTES}; ` +
      "learn or clear it first",
  );
}

/** @throws Fault `too-large` for a model stored by an earlier version that a restore would refuse */
function assertRestorable({ name, sequence, emotives, metadataJson }: Model): void {
  const bytes = bytesOfModel({ events: sequence.map(({ symbols }) => symbols), emotives, metadata: metadataJson });
  if (bytes <= MAX_MODEL_BYTES) return;
  throw new Fault(
    "too-large",
    `the model ${name}, which an earlier version stored, takes ${bytes} bytes, and a restore takes models of at most ` +
      `${MAX_MODEL_BYTES}; delete it, or remove symbols from it`,
  );
}

function surroundingsOf({ shared: { encoders, now } }: Mind): Surroundings {
  return { now: now(), encoders };
}

function storedMemory({ store }: Mind, session: string): PastMemory | undefined {
  const memory = store.memories.read(session);
  return memory && { memory, kept: store.keptSources(session), silence: store.silences.read(session) };
}

/** The names of the stored sessions after a name, in order. */
function* storedNames({ store }: Mind, after: string): Iterable<string> {
  for (let from = after; ; ) {
    const batch = store.memories.names(from, BATCH);
    yield* batch;
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return;
    from = last;
  }
}

/** The sessions at the snapshot's moment, by name. */
function* sessionsAfter(mind: Mind, after: string, snapshot: Snapshot): Iterator<MemoryRecord> {
  const around = surroundingsOf(mind);
  const kept = [...snapshot.sessions].filter(([name]) => compareCodePoints(name, after) > 0);
  kept.sort(([a], [b]) => compareCodePoints(a, b));
  let at = 0;
  for (const name of storedNames(mind, after)) {
    for (let next = kept[at]; next !== undefined && compareCodePoints(next[0], name) < 0; next = kept[++at]) {
      if (next[1] !== undefined) yield memoryRecord(next[0], next[1], around);
    }
    if (snapshot.sessions.has(name)) continue;
    const past = storedMemory(mind, name);
    if (past !== undefined) yield memoryRecord(name, past, around);
  }
  for (const [name, past] of kept.slice(at)) if (past !== undefined) yield memoryRecord(name, past, around);
}

/** The ids of the stored incidents after the given one, up to the last of a snapshot. */
function* storedIncidents({ store }: Mind, after: number, { moment }: Snapshot): Iterable<number> {
  for (let from = after; ; ) {
    const ids = store.incidents.idsAfter(from, BATCH).filter((id) => id <= moment.lastIncident);
    yield* ids;
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) return;
    from = last;
  }
}

/** The incidents at the snapshot's moment, by id. */
function* incidentsAfter(mind: Mind, after: string, snapshot: Snapshot): Iterator<IncidentRecord> {
  const kept = [...snapshot.incidents].filter(([name]) => name > after).map(([, row]) => row);
  kept.sort((one, other) => one.id - other.id);
  let at = 0;
  for (const id of storedIncidents(mind, Number(after), snapshot)) {
    for (let next = kept[at]; next !== undefined && next.id <= id; next = kept[++at]) yield incidentRecord(next);
    const row = snapshot.incidents.has(incidentName(id)) ? undefined : mind.store.incidents.read(id);
    if (row !== undefined) yield incidentRecord(row);
  }
  for (const row of kept.slice(at)) yield incidentRecord(row);
}

/** Approximate bytes of an incident. */
function incidentBytes(record: IncidentRecord): number {
  return answerBytes(record, 0);
}

/** Approximate bytes of a memory. */
function memoryBytes({ events, percept, sources, waiting }: MemoryRecord): number {
  const symbols = [...events.flatMap((event) => [...event.symbols, event.metadataJson]), ...(percept?.symbols ?? [])];
  const components = waiting.reduce((sum, vector) => sum + vector.components.length, 0);
  const texts = symbols.reduce((sum, { length }) => sum + length + 4, 0);
  return 200 + texts + 2 * (percept?.gdf?.metadataJson.length ?? 0) + 40 * sources.length + 8 * components;
}

/** The snapshot of a request. @throws Fault `conflict` when it is lost, or a later page was read */
function snapshotFor(mind: Mind, { section, after, snapshot: name }: BackupRequest): Snapshot {
  const { snapshots } = mind.shared;
  const snapshot = snapshots.find(name);
  if (section !== "processor" && snapshot?.advance(section, after)) return snapshot;
  throw lost(mind);
}

function lost({ shared: { snapshots } }: Mind): Fault {
  return new Fault(
    "conflict",
    "the backup was lost between two pages: the processor started again, the reader paused for too long, or more " +
      `changed meanwhile than the ${snapshots.limitBytes} bytes that exports and backups may keep ` +
      "(NOEMA_EXPORT_BYTES); begin again",
  );
}

/**
 * The rows of a page as records, and where the next page begins.
 *
 * @param nameOf the name to pass as `after` for the next page
 */
function pageOf<Kind extends "incident" | "memory" | "model" | "vector", Value>(
  kind: Kind,
  { rows, more }: { rows: Value[]; more: boolean },
  nameOf: (row: Value) => string,
  { here, following }: { here: BackupSection; following: BackupPlace | undefined },
) {
  const last = rows.at(-1);
  const records = rows.map((value) => ({ record: { case: kind, value } }));
  const next = more && last !== undefined ? { section: here, after: nameOf(last) } : following;
  return { records, next };
}

/**
 * Reads one page. The last page closes the snapshot.
 * @param mind the processor's own
 * @throws Fault `conflict` when the page would not be of the same moment as the first; `unavailable` when too many
 *   exports are being read; `too-large` for a memory or model stored by an earlier version that is too large; `invalid`
 *   when the request is wrong; `damaged` when a memory is damaged
 */
export function readBackup(mind: Mind, request: BackupRequest): BackupPage {
  const { section, after } = request;
  if (section === "processor") return after === "" ? firstPage(mind, request.snapshot) : furtherPage(mind, request);
  const snapshot = snapshotFor(mind, request);
  const knowledge = { after, order: true };
  switch (section) {
    case "sessions": {
      const following: BackupPlace = { section: "incidents", after: "" };
      const page = fill(sessionsAfter(mind, after, snapshot), memoryBytes, assertMemoryFits);
      return pageOf("memory", page, ({ session }) => session, { here: section, following });
    }
    case "incidents": {
      const following: BackupPlace = { section: "models", after: "" };
      const page = fill(incidentsAfter(mind, after, snapshot), incidentBytes);
      return pageOf("incident", page, ({ incident }) => incidentName(incident?.id ?? 0), { here: section, following });
    }
    case "models": {
      const following: BackupPlace = { section: "vectors", after: "" };
      const page = fill(modelsAfter(mind, knowledge, snapshot), modelBytes, assertRestorable);
      return pageOf("model", page, ({ name }) => name, { here: section, following });
    }
    case "vectors": {
      const page = fill(vectorsAfter(mind, knowledge, snapshot), vectorBytes);
      if (!page.more) mind.shared.snapshots.close(request.snapshot);
      return pageOf("vector", page, ({ name }) => name, { here: section, following: undefined });
    }
  }
}
