/**
 * Reads a memory's history, and its new events after an observation, at most every 1.5 seconds, with the forecast that
 * follows. Knows no view.
 */

import { batch, type Signal, signal } from "@preact/signals";
import { getForecast, getHistory, listIncidents, MAX_LISTED_EVENTS, type Memory, type Schemas } from "../../client";
import { fitting } from "../live/fitting";
import { merged } from "./readings";

/** Number of events read after an observation: more than normally arrive between two reads. */
const MAX_NEW = 100;

/** How many events ahead are expected, and how many symbols of each are asked for: a few of each sensor. */
const HORIZON = 5;
const MAX_SYMBOLS = 20;

/** Maximum number of incidents marked. */
const MAX_INCIDENTS = 50;

/** Minimum time between two reads, in milliseconds. */
const MIN_INTERVAL_MS = 1500;

/** Minimum time between two reads of the incidents, in milliseconds. */
const MIN_INCIDENTS_INTERVAL_MS = 6000;

/** Follows the history of a memory until it is closed. */
export class HistoryReader {
  /** Newest first; `undefined` until the first answer. */
  readonly events: Signal<readonly Schemas.HistoryEvent[] | undefined> = signal(undefined);
  readonly incidents: Signal<readonly Schemas.Incident[]> = signal([]);
  /** The forecast of the events after {@link events}; `undefined` until the first answer. */
  readonly forecast: Signal<Schemas.Forecast | undefined> = signal(undefined);
  /** Why the last read failed; `undefined` if it did not. */
  readonly error = signal<unknown>(undefined);
  readonly #memory: Memory;
  readonly #isSession: boolean;
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isStale = false;
  #incidentsAt = Number.NEGATIVE_INFINITY;

  /**
   * @param isSession whether the memory is a session's; otherwise only incidents of the processor's own memory are read
   */
  constructor(memory: Memory, isSession: boolean) {
    this.#memory = memory;
    this.#isSession = isSession;
    void this.#read(MAX_LISTED_EVENTS);
  }

  /** Reports that something was observed. */
  touch(): void {
    if (this.#isAsking) this.#isStale = true;
    else this.#timer ??= setTimeout(() => void this.#read(MAX_NEW), MIN_INTERVAL_MS);
  }

  /** Reads everything again. */
  refresh(): void {
    this.events.value = undefined;
    void this.#read(MAX_LISTED_EVENTS);
  }

  /** Stops following. */
  close(): void {
    clearTimeout(this.#timer);
    this.#over.abort(new DOMException("closed", "AbortError"));
  }

  async #read(limit: number): Promise<void> {
    this.#timer = undefined;
    this.#isAsking = true;
    this.#isStale = false;
    try {
      const options = { signal: this.#over.signal };
      const [newest, forecast] = await Promise.all([
        getHistory(this.#memory, { limit }, options),
        fitting(MAX_SYMBOLS, (top) => getForecast(this.#memory, { horizon: HORIZON, top }, options)),
      ]);
      const known = this.events.peek();
      const all = known === undefined ? newest : merged(known, newest, MAX_LISTED_EVENTS);
      // If more events arrived than were requested, the whole history is read to close the gap.
      const isWhole = limit === MAX_LISTED_EVENTS || all.length >= (known?.length ?? 0) || newest.length < limit;
      const whole = isWhole ? all : await getHistory(this.#memory, { limit: MAX_LISTED_EVENTS }, options);
      batch(() => {
        this.events.value = whole;
        this.forecast.value = forecast;
      });
      await this.#readIncidents();
      this.error.value = undefined;
    } catch (error) {
      if (!this.#over.signal.aborted) this.error.value = error;
    } finally {
      this.#isAsking = false;
      if (this.#isStale && !this.#over.signal.aborted) this.touch();
    }
  }

  async #readIncidents(): Promise<void> {
    if (performance.now() - this.#incidentsAt < MIN_INCIDENTS_INTERVAL_MS) return;
    this.#incidentsAt = performance.now();
    const query = { limit: MAX_INCIDENTS, ...(this.#isSession ? {} : { session: "" }) };
    this.incidents.value = await listIncidents(this.#memory, query, { signal: this.#over.signal });
  }
}
