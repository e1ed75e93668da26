/**
 * The metrics of a server over the last minutes. Polls every few seconds between {@link MetricsHistory.begin} and
 * pause. The history lives in the page; the server keeps none.
 */

import { signal } from "@preact/signals";
import { getMetrics, type Noema, NoemaError } from "../../client";
import { type Reading, startOf, type Values, valuesOf } from "./readings";
import { metricsIn } from "./samples";

/** Poll interval, in milliseconds. */
export const POLL_MS = 5_000;

/** Maximum number of points: a quarter of an hour. */
export const MAX_POINTS = 180;

/** After a gap of this length the line breaks: a rate over the gap would not describe the present. */
const PAUSE_MS = 4 * POLL_MS;

/** Maximum number of isolate lives that are told apart. */
const MAX_LIVES = 16;

/** A moment in the history. */
export interface Point {
  /** When, in milliseconds of the clock. */
  readonly at: number;
  /** Whether another isolate life began to answer: the server was restarted, or another isolate answers. */
  readonly isAnotherLife: boolean;
  readonly values: Values;
}

/** The history of one server. */
export class MetricsHistory {
  /** Oldest first. */
  readonly points = signal<readonly Point[]>([]);
  /** The newest reading; `undefined` until there is one. */
  readonly latest = signal<Reading | undefined>(undefined);
  /** Why the last poll failed; `undefined` if it did not. */
  readonly failure = signal<unknown>(undefined);
  /** Whether answers have come from several isolates, so that each is only a sample. */
  readonly isSampled = signal(false);
  readonly #noema: Noema;
  readonly #lives = new Map<number, Reading>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isAsking = false;

  constructor(noema: Noema) {
    this.#noema = noema;
  }

  /** Polls now and repeatedly. */
  begin(): void {
    this.pause();
    this.#timer = setInterval(() => void this.#ask(), POLL_MS);
    void this.#ask();
  }

  /** Stops polling. */
  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const text = await getMetrics(this.#noema, { retries: 0 });
      this.take({ at: Date.now(), metrics: metricsIn(text) });
      this.failure.value = undefined;
    } catch (error) {
      this.failure.value = error;
      // A key without the right will not get it by trying again.
      if (error instanceof NoemaError && (error.status === 403 || error.status === 500)) this.pause();
    } finally {
      this.#isAsking = false;
    }
  }

  /** Adds a reading. */
  take(reading: Reading): void {
    const start = startOf(reading.metrics);
    const last = this.latest.value;
    const known = this.#lives.get(start);
    const isAnotherLife = last !== undefined && startOf(last.metrics) !== start;
    if (isAnotherLife && (known !== undefined || start < startOf(last.metrics))) this.isSampled.value = true;
    const before = known !== undefined && reading.at - known.at < PAUSE_MS ? known : undefined;
    this.#remember(start, reading);
    this.latest.value = reading;
    const point = { at: reading.at, isAnotherLife, values: valuesOf(reading, before) };
    this.points.value = [...this.points.value, point].slice(-MAX_POINTS);
  }

  #remember(start: number, reading: Reading): void {
    this.#lives.delete(start);
    this.#lives.set(start, reading);
    const [oldest] = this.#lives.keys();
    if (this.#lives.size > MAX_LIVES && oldest !== undefined) this.#lives.delete(oldest);
  }
}

const histories = new WeakMap<Noema, MetricsHistory>();

/** The history of a server, kept until its key is forgotten. */
export function historyOf(noema: Noema): MetricsHistory {
  const known = histories.get(noema);
  if (known !== undefined) return known;
  const made = new MetricsHistory(noema);
  histories.set(noema, made);
  return made;
}
