/**
 * The encoding of a memory in the table `memories`: its state, its events and its waiting vectors, and back, bit for
 * bit. Knows no table.
 *
 * Events text: the position of the first event; then, for each event, its symbols as a JSON list and its metadata as
 * received, all separated by the control character 1E, which JSON texts cannot contain; the metadata may be followed by
 * 1F and the time of the event. Waiting vectors blob, little-endian: for each vector its id as a double, the number of
 * its components as u32, its SHA-1 name, the components as doubles.
 */

import type { Emotive } from "../../gen/plain";
import type { KeptThreshold, RunningIncident } from "../../processor/ports/incident";
import type { Arrivals } from "../../processor/ports/silence";
import type {
  CollectedNumbers,
  EventRow,
  HistoryEvent,
  KeptBin,
  MemoryState,
  Percept,
  Sender,
  SourceNumber,
  VectorRow,
} from "../../processor/ports/store";
import {
  elementsToColumn,
  emotivesFromPairs,
  emotivesToColumn,
  hashNameFromColumn,
  hashNameToColumn,
  textsFromColumn,
  textsToColumn,
  vectorsFromColumn,
  vectorsToColumn,
} from "./columns";

const SEPARATOR = "\x1e";
const TIME_SEPARATOR = "\x1f";

/** Occurs in every state with collected numbers. Inside texts of a state it could only occur escaped. */
export const COLLECTED_MARK = '"collected":';

/** Occurs in every state with thresholds, likewise. */
export const THRESHOLDS_MARK = '"thresholds":';

const COUNT_OFFSET = 8;
const NAME_OFFSET = 12;
const COMPONENTS_OFFSET = 32;

/** The columns of a row that hold the state of a memory. */
export interface StateColumns {
  state: string;
  metadata: string | null;
  vectors: Uint8Array | ArrayBuffer | null;
}

/** The column `state` as JSON. The metadata and the vectors of the last observation have columns of their own. */
interface StateJson {
  time: number;
  observe_calls: number;
  target: string;
  last_learned: string;
  emotives: [name: string, value: number][];
  pending_emotives: [name: string, value: number][];
  memory: [start: number, end: number];
  ensemble: [start: number, end: number];
  symbols: number;
  waiting: [start: number, end: number];
  last_observed: number | null;
  /** Absent when there are none, and in states of earlier releases. */
  arrivals?: number[];
  sources: [sender: Sender, source: string, number: number][];
  /** Absent when there are none. */
  risen?: number[];
  /** Absent when there are none. A bound is `null` if the bin is open on that side. */
  bins?: [name: string, encoder: number, from: number | null, below: number | null][];
  /** Absent when there are none. */
  collected?: [encoder: number, values: number[]][];
  /** The members below are absent when there are none. */
  running?: RunningIncident[];
  thresholds?: StoredThresholds;
  history?: HistoryJson[];
  percept: PerceptJson | null;
}

/** An event of the history. Its bits are `null` if they were not computed. */
type HistoryJson = [
  interval: number,
  time: number,
  bits: number | null,
  symbols: string[],
  numbers: [name: string, value: number][],
];

interface PerceptJson {
  strings: string[];
  emotives: [name: string, value: number][];
  unique_id: string;
  command: string;
  path: string[];
  /** Absent when there are none. */
  numbers?: [name: string, value: number][];
  /** Epoch seconds; absent if the sender did not say. */
  time?: number;
  /** `null` if they equal the strings. */
  symbols: string[] | null;
}

/** The columns of a state. */
export function stateToColumns(state: MemoryState): StateColumns {
  const { percept } = state;
  const arrivals = state.arrivals.length === 0 ? "" : `"arrivals":${JSON.stringify(state.arrivals)},`;
  const risen = state.risen.length === 0 ? "" : `"risen":[${state.risen}],`;
  const text =
    `{"time":${state.time},"observe_calls":${state.observeCalls},"target":${JSON.stringify(state.target)},` +
    `"last_learned":"${state.lastLearned}","emotives":${emotivesToColumn(state.emotives)},` +
    `"pending_emotives":${emotivesToColumn(state.pendingEmotives)},"memory":[${state.memoryStart},` +
    `${state.memoryEnd}],` +
    `"ensemble":[${state.ensembleStart},${state.ensembleEnd}],"symbols":${state.symbols},` +
    `"waiting":[${state.waitingStart},${state.waitingEnd}],"last_observed":${state.lastObserved ?? null},` +
    `${arrivals}"sources":${sourcesText(state.sources)},` +
    `${risen}${binsText(state.bins)}${keptText(state)}${collectedText(state.collected)}` +
    `"percept":${percept === undefined ? "null" : perceptText(percept)}}`;
  if (percept === undefined) return { state: text, metadata: null, vectors: null };
  const { vectors, metadataJson: metadata } = percept.gdf;
  return { state: text, metadata, vectors: vectors.length === 0 ? null : vectorsToColumn(vectors) };
}

function sourcesText(sources: MemoryState["sources"]): string {
  if (sources.length === 0) return "[]";
  return JSON.stringify(sources.map(({ sender, source, number }) => [sender, source, number]));
}

/** The member `bins` followed by a comma; empty for none. */
function binsText(bins: readonly KeptBin[]): string {
  if (bins.length === 0) return "";
  // JSON has no infinity; `JSON.stringify` writes null instead.
  return `"bins":${JSON.stringify(bins.map(({ name, encoder, from, below }) => [name, encoder, from, below]))},`;
}

/** The member `collected` followed by a comma; empty for none. */
function collectedText(collected: readonly CollectedNumbers[]): string {
  if (collected.length === 0) return "";
  return `${COLLECTED_MARK}${JSON.stringify(collected.map(({ encoder, values }) => [encoder, values]))},`;
}

/** Collected numbers. @param column the member `collected` of a state */
export function collectedFromColumn(column: string): CollectedNumbers[] {
  return (JSON.parse(column) as [number, number[]][]).map(([encoder, values]) => ({ encoder, values }));
}

/** Thresholds as stored in a state. */
type StoredThresholds = [alert: number, ...numbers: number[]][];

function thresholdsFrom(stored: StoredThresholds): KeptThreshold[] {
  return stored.map(([alert, ...numbers]) => ({ alert, numbers }));
}

/** Thresholds. @param column the member `thresholds` of a state */
export function thresholdsFromColumn(column: string): KeptThreshold[] {
  return thresholdsFrom(JSON.parse(column) as StoredThresholds);
}

/** The members `running`, `thresholds` and `history`, each followed by a comma; empty for none. */
function keptText({ running, thresholds, history }: MemoryState): string {
  const lasting = running.length === 0 ? "" : `"running":${JSON.stringify(running)},`;
  const kept = thresholds.map(({ alert, numbers }) => [alert, ...numbers]);
  const chosen = kept.length === 0 ? "" : `${THRESHOLDS_MARK}${JSON.stringify(kept)},`;
  return lasting + chosen + historyText(history);
}

/** Maximum size of the history in a row, in UTF-16 units. Each observation rewrites it. */
export const MAX_HISTORY_IN_ROW = 8_192;

/** The texts of events of histories, cached because most events stay. */
const historyTexts = new WeakMap<HistoryEvent, string>();

/** The member `history` with the newest events that fit, followed by a comma; empty for none. */
function historyText(history: readonly HistoryEvent[]): string {
  const texts: string[] = [];
  let units = 0;
  for (let at = history.length - 1; at >= 0; at--) {
    const text = historyEventText(history[at] as HistoryEvent);
    units += text.length + 1;
    if (units > MAX_HISTORY_IN_ROW) break;
    texts.push(text);
  }
  return texts.length === 0 ? "" : `"history":[${texts.reverse().join(",")}],`;
}

function historyEventText(event: HistoryEvent): string {
  const known = historyTexts.get(event);
  if (known !== undefined) return known;
  const { interval, time, bits, symbols, numbers } = event;
  const text = `[${interval},${time},${bits ?? null},${textsToColumn(symbols)},${emotivesToColumn(numbers)}]`;
  historyTexts.set(event, text);
  return text;
}

function historyOf([interval, time, bits, symbols, numbers]: HistoryJson): HistoryEvent {
  return { interval, time, bits: bits ?? undefined, symbols, numbers: emotivesFromPairs(numbers) };
}

/** The reverse of {@link stateToColumns}. @param changedAt epoch milliseconds; it has a column of its own */
export function stateFromColumns({ state, metadata, vectors }: StateColumns, changedAt: number): MemoryState {
  const json = JSON.parse(state) as StateJson;
  return {
    time: json.time,
    observeCalls: json.observe_calls,
    target: json.target,
    lastLearned: json.last_learned,
    emotives: emotivesFromPairs(json.emotives),
    pendingEmotives: emotivesFromPairs(json.pending_emotives),
    percept: json.percept === null ? undefined : perceptOf(json.percept, metadata, vectors),
    memoryStart: json.memory[0],
    memoryEnd: json.memory[1],
    ensembleStart: json.ensemble[0],
    ensembleEnd: json.ensemble[1],
    symbols: json.symbols,
    waitingStart: json.waiting[0],
    waitingEnd: json.waiting[1],
    changedAt,
    lastObserved: json.last_observed ?? undefined,
    arrivals: arrivalsFrom(json.arrivals, json.last_observed),
    sources: json.sources.map(([sender, source, number]) => ({ sender, source, number })),
    risen: json.risen ?? [],
    running: json.running ?? [],
    thresholds: thresholdsFrom(json.thresholds ?? []),
    history: (json.history ?? []).map(historyOf),
    bins: (json.bins ?? []).map(([name, encoder, from, below]) => ({
      name,
      encoder,
      from: from ?? Number.NEGATIVE_INFINITY,
      below: below ?? Number.POSITIVE_INFINITY,
    })),
    collected: (json.collected ?? []).map(([encoder, values]) => ({ encoder, values })),
  };
}

/**
 * The arrivals of a state. Earlier releases stored only the last arrival, in whole seconds; then these begin with it.
 */
export function arrivalsFrom(stored: number[] | null | undefined, lastObserved: number | null): Arrivals {
  return stored ?? (lastObserved === null ? [] : [1_000 * lastObserved, 0, 0]);
}

/** A source's number in a row that is not part of the state. */
type KeptEntry = [sender: Sender, source: string, number: number, heard: number];

/** A state with the row's further numbers of sources added. @param state of {@link stateToColumns} */
export function withKept(state: string, kept: ReadonlySet<SourceNumber & { readonly heard: number }>): string {
  if (kept.size === 0) return state;
  const entries = Array.from(kept, ({ sender, source, number, heard }): KeptEntry => [sender, source, number, heard]);
  return `${state.slice(0, -1)}${state === "{}" ? "" : ","}"kept":${JSON.stringify(entries)}}`;
}

/** The numbers that a row keeps. @param column the member `kept` of its state; `null` for none */
export function keptFrom(column: string | null): (SourceNumber & { heard: number })[] {
  if (column === null) return [];
  const entries = JSON.parse(column) as KeptEntry[];
  return entries.map(([sender, source, number, heard]) => ({ sender, source, number, heard }));
}

/** An event's part of the events text. */
export function eventToText({ symbols, metadata, time }: EventRow): string {
  return textsToColumn(symbols) + SEPARATOR + metadata + (time === undefined ? "" : TIME_SEPARATOR + time);
}

/** Events text. @param texts of {@link eventToText}, at least one @param first the position of the first event */
export function eventsToColumn(first: number, texts: readonly string[]): string {
  return first + SEPARATOR + texts.join(SEPARATOR);
}

/** The reverse of {@link eventsToColumn}, with each event's part of the text. */
export function eventsFromColumn(column: string): { event: EventRow; text: string }[] {
  const [first, ...parts] = column.split(SEPARATOR);
  const events: { event: EventRow; text: string }[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const [symbols = "[]", rest = "{}"] = parts.slice(at, at + 2);
    const position = Number(first) + at / 2;
    const [metadata = "{}", time] = rest.split(TIME_SEPARATOR);
    events.push({
      event: {
        position,
        symbols: textsFromColumn(symbols),
        metadata,
        ...(time === undefined ? {} : { time: Number(time) }),
      },
      text: symbols + SEPARATOR + rest,
    });
  }
  return events;
}

/** A vector's part of the waiting vectors blob. */
export function waitingToBytes({ id, name, components }: VectorRow): Uint8Array {
  const bytes = new Uint8Array(COMPONENTS_OFFSET + components.byteLength);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, id, true);
  view.setUint32(COUNT_OFFSET, components.length, true);
  bytes.set(hashNameToColumn(name), NAME_OFFSET);
  bytes.set(elementsToColumn(components), COMPONENTS_OFFSET);
  return bytes;
}

/** The reverse of {@link waitingToBytes} for a whole blob, with each vector's part of it. */
export function waitingFromColumn(column: ArrayBuffer): { vector: VectorRow; bytes: Uint8Array }[] {
  const view = new DataView(column);
  const vectors: { vector: VectorRow; bytes: Uint8Array }[] = [];
  for (let at = 0; at < column.byteLength; ) {
    const end = at + COMPONENTS_OFFSET + view.getUint32(at + COUNT_OFFSET, true) * Float64Array.BYTES_PER_ELEMENT;
    const vector = {
      id: view.getFloat64(at, true),
      name: hashNameFromColumn(column.slice(at + NAME_OFFSET, at + COMPONENTS_OFFSET)),
      components: new Float64Array(column.slice(at + COMPONENTS_OFFSET, end)),
    };
    vectors.push({ vector, bytes: new Uint8Array(column.slice(at, end)) });
    at = end;
  }
  return vectors;
}

function perceptText({ gdf, path, symbols }: Percept): string {
  const { strings, emotives, uniqueId, command, numbers, time } = gdf;
  const numbersText = numbers.length === 0 ? "" : `"numbers":${emotivesToColumn(numbers)},`;
  const timeText = time === undefined ? "" : `"time":${time},`;
  return (
    `{"strings":${textsToColumn(strings)},"emotives":${emotivesToColumn(emotives)},` +
    `"unique_id":${JSON.stringify(uniqueId)},` +
    `"command":${JSON.stringify(command)},"path":${textsToColumn(path)},${numbersText}${timeText}` +
    `"symbols":${isSame(strings, symbols) ? "null" : textsToColumn(symbols)}}`
  );
}

function perceptOf(json: PerceptJson, metadata: string | null, vectors: StateColumns["vectors"]): Percept {
  const emotives: Emotive[] = emotivesFromPairs(json.emotives);
  return {
    gdf: {
      strings: json.strings,
      vectors: vectors === null ? [] : vectorsFromColumn(vectors as ArrayBuffer),
      emotives,
      metadataJson: metadata ?? "{}",
      uniqueId: json.unique_id,
      command: json.command,
      numbers: emotivesFromPairs(json.numbers ?? []),
      ...(json.time === undefined ? {} : { time: json.time }),
    },
    path: json.path,
    symbols: json.symbols ?? [...json.strings],
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}
