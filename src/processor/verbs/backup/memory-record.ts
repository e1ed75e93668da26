/** Converts a stored memory to a line of a backup, and back with checks. */

import type { BinRecord, Emotive, MemoryRecord, SourceRecord } from "../../../gen/plain";
import { MS_PER_SECOND } from "../../../text/clock";
import { ACCEPTED_TIME, isTime } from "../../../text/event-time";
import { excerpt } from "../../../text/excerpt";
import { checkComponents, checkGdf, checkSymbols } from "../../input/gdf-input";
import { checkMetadata } from "../../input/metadata";
import { vectorName } from "../../knowledge/names";
import type { PastMemory } from "../../knowledge/snapshot";
import { Fault } from "../../ports/fault";
import type { Arrivals, StoredSilence } from "../../ports/silence";
import {
  type EncoderRow,
  FEW_SOURCES,
  type KeptBin,
  MAX_READ_BYTES,
  neededFrom,
  newMemoryState,
  type Percept,
  type SourceNumber,
  type VectorRow,
} from "../../ports/store";
import { areArrivals, arrivedAt, lastArrival } from "../../silence/arrivals";
import { assertWellFormed } from "../../text/well-formed";
import { assertDelivery } from "../deliveries";
import { runningFrom, runningRecord } from "./incident-record";

const HASH = /^[0-9a-f]{40}$/;

function sourceRecord({ sender, source, number }: SourceNumber): SourceRecord {
  return { source, number, fromProcessor: sender === "processor" };
}

function binRecord({ name, encoder, from, below }: KeptBin): BinRecord {
  return {
    name,
    encoder,
    ...(Number.isFinite(from) ? { from } : {}),
    ...(Number.isFinite(below) ? { below } : {}),
  };
}

/** The inputs of a record besides the stored memory. */
export interface Surroundings {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The processor's encoders. */
  readonly encoders: { get(name: string): { readonly number: number } | undefined };
}

/**
 * A stored memory as a record. Leaves out the bins of encoders that were deleted or replaced.
 *
 * @throws Fault `too-large` if it is too large to read
 */
export function memoryRecord(
  session: string,
  { memory, kept, silence }: PastMemory,
  { now, encoders }: Surroundings,
): MemoryRecord {
  const { state, events, waiting, unreadBytes } = memory;
  if (unreadBytes !== undefined) throw tooLarge(session, unreadBytes);
  const first = neededFrom(state);
  const hasEnsemble = state.ensembleEnd > state.ensembleStart;
  // A source displaced from the state may have returned there with a greater number.
  const displaced = kept.filter(({ sender, source }) => {
    return !state.sources.some((other) => other.sender === sender && other.source === source);
  });
  return {
    session,
    time: state.time,
    observeCalls: state.observeCalls,
    target: state.target,
    lastLearned: state.lastLearned,
    emotives: state.emotives,
    pendingEmotives: state.pendingEmotives,
    ...(state.percept === undefined ? {} : { percept: state.percept }),
    events: events.map(({ symbols, metadata, time }) => ({
      symbols,
      metadataJson: metadata,
      ...(time === undefined ? {} : { time }),
    })),
    memoryStart: state.memoryStart - first,
    ensembleStart: hasEnsemble ? state.ensembleStart - first : 0,
    ensembleEnd: hasEnsemble ? state.ensembleEnd - first : 0,
    waiting: waiting.map(({ components }) => ({ components: Array.from(components) })),
    ageMs: Math.max(0, now - state.changedAt),
    ...(state.lastObserved === undefined ? {} : { lastObserved: state.lastObserved }),
    sources: [...displaced, ...state.sources].map(sourceRecord),
    risen: [...state.risen],
    bins: state.bins.filter(({ name, encoder }) => encoders.get(name)?.number === encoder).map(binRecord),
    running: state.running.map(runningRecord),
    arrivals: [...state.arrivals],
    ...silenceMembers(state.arrivals, silence),
  };
}

/** What was reported of a memory's silence, unless it has observed since. */
function silenceMembers(
  arrivals: Arrivals,
  silence: StoredSilence | undefined,
): Pick<MemoryRecord, "silentSince" | "silenceTold"> {
  if (silence === undefined || silence.arrival !== lastArrival(arrivals)) return { silenceTold: [] };
  const { since, told } = silence;
  return { ...(since === undefined ? {} : { silentSince: since }), silenceTold: told };
}

/** The fault for a memory stored by an earlier version that is too large to read. */
function tooLarge(session: string, bytes: number): Fault {
  const [whose, end] =
    session === ""
      ? ["the processor's own memory", ""]
      : [`the memory of the session ${excerpt(session)}`, ", or end it"];
  return new Fault(
    "too-large",
    `${whose} takes ${bytes} bytes, and at most ${MAX_READ_BYTES} are read for a backup: clear it ` +
      `(working-memory/clear)${end}`,
  );
}

/** @throws Fault `invalid` when a number is not whole and within its bounds */
function checkWhole(value: number, name: string, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new Fault("invalid", `the memory's ${name} must be a whole number from 0 to ${most}, got ${excerpt(value)}`);
}

function checkEvents(record: MemoryRecord) {
  return record.events.map(({ symbols, metadataJson, time }, position) => {
    if (symbols.length === 0)
      throw new Fault("invalid", `events[${position}] of the memory must hold a symbol, got none`);
    const metadata = checkMetadata(metadataJson, `the metadata of events[${position}]`);
    if (time !== undefined && !isTime(time)) {
      throw new Fault("invalid", `the time of events[${position}] must be ${ACCEPTED_TIME}, got ${excerpt(time)}`);
    }
    const row = { position, symbols: checkSymbols(symbols, `a symbol of events[${position}]`), metadata };
    return time === undefined ? row : { ...row, time };
  });
}

/** The positions of events. @throws Fault `invalid` if they are not among the events, or no position needs an event */
function checkPositions({ events, memoryStart, ensembleStart, ensembleEnd }: MemoryRecord) {
  const memoryEnd = events.length;
  checkWhole(memoryStart, "memory_start", memoryEnd);
  checkWhole(ensembleEnd, "ensemble_end", memoryEnd);
  checkWhole(ensembleStart, "ensemble_start", ensembleEnd);
  const positions = { memoryStart, memoryEnd, ensembleStart, ensembleEnd };
  if (events.length > 0 && neededFrom(positions) !== 0) {
    throw new Fault("invalid", "events[0] of the memory must be one that working memory or the ensemble holds");
  }
  return positions;
}

function checkPercept({ percept }: MemoryRecord): Percept | undefined {
  if (percept === undefined) return undefined;
  if (percept.gdf === undefined) throw new Fault("invalid", "the memory's percept must have its record, gdf");
  return {
    gdf: checkGdf(percept.gdf, Number.POSITIVE_INFINITY),
    path: checkSymbols(percept.path, "a station of the percept's path"),
    symbols: checkSymbols(percept.symbols, "a symbol of the percept"),
  };
}

function checkEmotives(emotives: readonly Emotive[]): Emotive[] {
  return checkGdf(
    { strings: [], vectors: [], emotives: [...emotives], metadataJson: "", uniqueId: "", command: "", numbers: [] },
    0,
  ).emotives;
}

function checkWaiting({ waiting }: MemoryRecord): VectorRow[] {
  const length = waiting[0]?.components.length;
  const rows = waiting.map((vector, at) => {
    const components = Float64Array.from(checkComponents(vector.components, `waiting[${at}]`), (each) => each + 0);
    if (components.length === length) return { id: at + 1, name: vectorName(components), components };
    throw new Fault(
      "invalid",
      `waiting[${at}] must have ${length} components like those before, got ${components.length}`,
    );
  });
  if (new Set(rows.map(({ name }) => name)).size === rows.length) return rows;
  throw new Fault("invalid", "each waiting vector may be given once, got one twice");
}

function checkSources({ sources }: MemoryRecord): SourceNumber[] {
  const known = new Set<string>();
  return sources.map(({ source, number, fromProcessor }) => {
    assertDelivery({ source, number });
    const sender = fromProcessor ? "processor" : "client";
    if (known.has(`${sender} ${source}`))
      throw new Fault("invalid", `the source ${excerpt(source)} may be given once, got it twice`);
    known.add(`${sender} ${source}`);
    return { sender, source, number };
  });
}

function checkRisen({ risen }: MemoryRecord): number[] {
  const seen = new Set<number>();
  return risen.map((number, at) => {
    if (seen.has(number)) throw new Fault("invalid", `the memory's risen may hold ${number} once, got it twice`);
    seen.add(number);
    return checkWhole(number, `risen[${at}]`);
  });
}

/** When records arrived. Earlier releases backed up only the last arrival, in whole seconds. */
function checkArrivals({ arrivals, lastObserved }: MemoryRecord): Arrivals {
  if (!areArrivals(arrivals)) {
    throw new Fault(
      "invalid",
      `the memory's arrivals must be a list that a backup has written, got ${excerpt(arrivals)}`,
    );
  }
  return arrivals.length > 0 || lastObserved === undefined ? arrivals : arrivedAt(MS_PER_SECOND * lastObserved);
}

function checkSilence({ silenceTold, silentSince }: MemoryRecord, arrivals: Arrivals): StoredSilence | undefined {
  const arrival = lastArrival(arrivals);
  if (arrival === undefined || (silenceTold.length === 0 && silentSince === undefined)) return undefined;
  const since = silentSince === undefined ? undefined : checkWhole(silentSince, "silent_since");
  return { arrival, since, told: silenceTold.map((number, at) => checkWhole(number, `silence_told[${at}]`)) };
}

/** The bins of a record, except those of deleted encoders. @throws Fault `invalid` when one is wrong */
function checkBins({ bins }: MemoryRecord, encoders: readonly EncoderRow[]): KeptBin[] {
  const checked = bins.map(({ name, encoder, from, below }, at) => {
    const bin = { name, encoder, from: from ?? Number.NEGATIVE_INFINITY, below: below ?? Number.POSITIVE_INFINITY };
    if (bin.from < bin.below) return bin;
    throw new Fault("invalid", `bins[${at}] of the memory must begin below its end, got ${bin.from} to ${bin.below}`);
  });
  if (new Set(checked.map(({ name }) => name)).size < checked.length) {
    throw new Fault("invalid", "the memory may have one bin for each encoder, got two");
  }
  const numbers = new Map(encoders.map(({ name, number }) => [name, number]));
  return checked.filter(({ name, encoder }) => numbers.get(name) === encoder);
}

/**
 * The memory in a record.
 * @param encoders those of the processor
 * @param now epoch milliseconds; a session has the lifetime left that it had at the backup
 * @throws Fault `invalid` naming the wrong value and the accepted ones
 */
export function memoryFrom(record: MemoryRecord, encoders: readonly EncoderRow[], now: number): PastMemory {
  const events = checkEvents(record);
  const positions = checkPositions(record);
  const waiting = checkWaiting(record);
  const sources = checkSources(record);
  const { lastLearned, lastObserved } = record;
  if (lastLearned !== "" && !HASH.test(lastLearned)) {
    throw new Fault("invalid", `the memory's last_learned must be 40 hex digits or empty, got ${excerpt(lastLearned)}`);
  }
  assertWellFormed(record.target, "the memory's target");
  const symbols = events.slice(positions.memoryStart).reduce((sum, event) => sum + event.symbols.length, 0);
  // In a backup, collected numbers are part of the encoders, and thresholds part of the alerts. History is not backed
  // up.
  const state = {
    ...newMemoryState(),
    ...positions,
    time: checkWhole(record.time, "time"),
    observeCalls: checkWhole(record.observeCalls, "observe_calls"),
    target: record.target,
    lastLearned,
    emotives: checkEmotives(record.emotives),
    pendingEmotives: checkEmotives(record.pendingEmotives),
    percept: checkPercept(record),
    symbols,
    waitingEnd: waiting.length + 1,
    changedAt: now - checkWhole(record.ageMs, "age_ms", now),
    lastObserved: lastObserved === undefined ? undefined : checkWhole(lastObserved, "last_observed"),
    sources: sources.slice(-FEW_SOURCES),
    risen: checkRisen(record),
    bins: checkBins(record, encoders),
    running: record.running.map(runningFrom),
    arrivals: checkArrivals(record),
  };
  const silence = checkSilence(record, state.arrivals);
  return { memory: { state, events, waiting }, kept: sources.slice(0, -FEW_SOURCES), silence };
}
