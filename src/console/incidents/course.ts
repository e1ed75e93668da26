/** The events around an incident, prepared for drawing: a line for each sensor, and a line of bits. No I/O. */

import type { Schemas } from "../../client";

/** An event before, during or after an incident. */
export interface CourseEvent {
  readonly interval: number | null;
  /** Epoch seconds. */
  readonly time: number | null;
  readonly bits: number | null;
  readonly symbols: readonly string[];
  /** By sensor; empty if only the symbols are kept. */
  readonly numbers: { readonly [name: string]: number };
}

/** The values of a sensor. */
export interface Line {
  readonly name: string;
  /** `line` for numbers, `steps` for words or bins, `bits` for surprise. */
  readonly kind: "bits" | "line" | "steps";
  /** From 0 at the bottom to 1 at the top, for each event; `undefined` without a value. */
  readonly heights: readonly (number | undefined)[];
  /** In words, for each event. */
  readonly texts: readonly (string | undefined)[];
  /** The labels of the axis. */
  readonly least: string;
  readonly most: string;
}

/** All lines, over one axis. */
export interface Course {
  /** `x` from 0 to 1. */
  readonly points: readonly { readonly x: number; readonly time: number | null }[];
  /** Whether the points are placed by time; otherwise they are evenly spaced. */
  readonly isTimed: boolean;
  readonly lines: readonly Line[];
  /** The events of the incident that exceeded the alert's threshold. */
  readonly passed: readonly number[];
  readonly worst: number;
}

/**
 * Evidence, completed by the history of the memory where that is still kept: with numbers, and with what came after.
 *
 * @param history newest first
 */
export function eventsAround(
  evidence: readonly Schemas.SeenEvent[],
  history: readonly Schemas.HistoryEvent[],
): readonly CourseEvent[] {
  const known = new Map(history.map((event) => [event.interval, event]));
  const [first, last] = [evidence[0]?.interval, evidence.at(-1)?.interval];
  const isSame = (event: Schemas.SeenEvent) =>
    event.interval !== null && known.get(event.interval)?.symbols.join() === event.symbols.join();
  if (first == null || last == null || !evidence.some(isSame)) {
    return evidence.map((event) => ({ ...event, numbers: {} }));
  }
  const seen = evidence.map((event) => ({
    ...event,
    numbers: (event.interval === null ? undefined : known.get(event.interval)?.numbers) ?? {},
  }));
  const intervals = new Set(evidence.map(({ interval }) => interval));
  return [...seen, ...history.filter(({ interval }) => !intervals.has(interval))].sort(
    (one, other) => (one.interval ?? 0) - (other.interval ?? 0),
  );
}

/** Formats what the lines show. */
export interface CourseWords {
  /** The sensor of a symbol; empty for none. */
  readonly sensorOf: (symbol: string) => string;
  /** A symbol in words. */
  readonly shown: (symbol: string) => string;
  readonly number: (value: number) => string;
}

/**
 * The lines of events.
 *
 * @param incident which events belong to it, and the bits of its worst event
 */
export function courseOf(
  events: readonly CourseEvent[],
  { bits, from, to }: Pick<Schemas.Incident, "bits" | "from" | "to">,
  words: CourseWords,
): Course {
  const sensors = [...new Set(events.flatMap(({ symbols }) => symbols.map(words.sensorOf)))].sort();
  const isIn = ({ time }: CourseEvent) => time !== null && time >= from && time <= to;
  const worst = Math.max(
    0,
    events.findLastIndex((event) => event.bits === bits),
  );
  return {
    ...pointsOf(events),
    lines: [...sensors.map((sensor) => lineOf(sensor, events, words)), bitsLine(events, words)],
    passed: events.flatMap((event, at) => (isIn(event) ? [at] : [])),
    worst,
  };
}

/** By time if all times are known and rise; otherwise evenly spaced. */
function pointsOf(events: readonly CourseEvent[]): Pick<Course, "points" | "isTimed"> {
  const [first, last] = [events[0]?.time, events.at(-1)?.time];
  const isTimed =
    first != null &&
    last != null &&
    last > first &&
    events.every(({ time }, at) => time !== null && time >= (events[at - 1]?.time ?? time));
  const points = events.map(({ time }, at) => ({
    time,
    x: isTimed && time !== null ? (time - first) / (last - first) : at / Math.max(1, events.length - 1),
  }));
  return { points, isTimed };
}

function bitsLine(events: readonly CourseEvent[], { number }: CourseWords): Line {
  const most = Math.max(1, ...events.map(({ bits }) => bits ?? 0));
  return {
    name: "surprise",
    kind: "bits",
    heights: events.map(({ bits }) => (bits === null ? undefined : bits / most)),
    texts: events.map(({ bits }) => (bits === null ? undefined : `${number(bits)} bits`)),
    least: "0",
    most: `${number(most)} bits`,
  };
}

function lineOf(sensor: string, events: readonly CourseEvent[], words: CourseWords): Line {
  const symbols = events.map((event) => event.symbols.find((symbol) => words.sensorOf(symbol) === sensor));
  const texts = events.map(({ numbers }, at) => {
    const number = numbers[sensor];
    if (number !== undefined) return words.number(number);
    const symbol = symbols[at];
    return symbol === undefined ? undefined : valueIn(words.shown(symbol), sensor);
  });
  const numbers = events.map((event) => event.numbers[sensor]);
  if (numbers.some((number) => number !== undefined)) return scaled(sensor, "line", numbers, texts, words);
  const edges = symbols.map((symbol) => (symbol === undefined ? undefined : edgeOf(symbol, sensor)));
  if (symbols.every((symbol, at) => symbol === undefined || edges[at] !== undefined)) {
    const finite = edges.map((edge) => (edge === Number.NEGATIVE_INFINITY ? leastBelow(edges) : edge));
    return scaled(sensor, "steps", finite, texts, words);
  }
  const values = [...new Set(symbols.filter((symbol) => symbol !== undefined))].sort();
  const place = (symbol: string) => (values.length < 2 ? 0.5 : values.indexOf(symbol) / (values.length - 1));
  return {
    name: sensor === "" ? "symbols" : sensor,
    kind: "steps",
    heights: symbols.map((symbol) => (symbol === undefined ? undefined : place(symbol))),
    texts,
    least: values.length < 2 ? "" : valueIn(words.shown(values[0] ?? ""), sensor),
    most: valueIn(words.shown(values.at(-1) ?? ""), sensor),
  };
}

function scaled(
  name: string,
  kind: Line["kind"],
  values: readonly (number | undefined)[],
  texts: Line["texts"],
  { number }: CourseWords,
): Line {
  const known = values.filter((value) => value !== undefined);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const height = (value: number) => (most === least ? 0.5 : (value - least) / (most - least));
  return {
    name,
    kind,
    heights: values.map((value) => (value === undefined ? undefined : height(value))),
    texts,
    least: most === least ? "" : number(least),
    most: number(most),
  };
}

/** The lower edge that names a bin; `undefined` for any other symbol. */
function edgeOf(symbol: string, sensor: string): number | undefined {
  const text = symbol.slice(sensor.length + 1);
  if (text === "-inf") return Number.NEGATIVE_INFINITY;
  return text.trim() === "" || Number.isNaN(Number(text)) ? undefined : Number(text);
}

/** A height for the bin below all edges: as far below the lowest edge as the known bins are wide. */
function leastBelow(edges: readonly (number | undefined)[]): number {
  const known = edges.filter((edge) => edge !== undefined && Number.isFinite(edge)) as number[];
  if (known.length === 0) return 0;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return least - (most - least || 1) / 4;
}

/** The displayed value of a sensor, without the sensor's name. */
function valueIn(shown: string, sensor: string): string {
  return sensor !== "" && shown.startsWith(sensor) ? shown.slice(sensor.length + 1) : shown;
}
