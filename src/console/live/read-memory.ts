/**
 * A snapshot of a memory, for a key that may not follow it over a stream. Re-read on request, or every
 * ten seconds. Knows no view.
 */

import { signal } from "@preact/signals";
import {
  clearWorkingMemory,
  getForecast,
  getPredictions,
  getStatus,
  getWorkingMemory,
  learn,
  type Memory,
  observe,
  type Schemas,
} from "../../client";
import { fitting } from "./fitting";
import { type HeldEvent, HeldEvents } from "./held-events";
import { FIELDS, MAX_EXPECTED, MAX_PREDICTIONS, type ShownMemory, type ShownPrediction } from "./shown-memory";

/** Pause between an answer and the next read, when repeating. */
export const POLL_MS = 10_000;

/** Reads a memory on request or repeatedly, until it is closed. */
export class ReadMemory implements ShownMemory {
  readonly events = signal<readonly HeldEvent[]>([]);
  readonly answered = this.events;
  readonly predictions = signal<readonly ShownPrediction[] | undefined>(undefined);
  readonly forecast = signal<Schemas.Forecast | undefined>(undefined);
  readonly status = signal<Schemas.Status | undefined>(undefined);
  readonly tooLarge = signal({ predictions: false, forecast: false });
  /** When it was last read, in milliseconds since 1970; `undefined` before the first read. */
  readonly readAt = signal<number | undefined>(undefined);
  /** Why the last read failed; `undefined` if it did not. */
  readonly error = signal<unknown>(undefined);
  /** Whether it is re-read every ten seconds. */
  readonly repeats = signal(false);
  readonly #memory: Memory;
  readonly #mayPredict: boolean;
  readonly #held = new HeldEvents();
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isStale = false;

  /** @param mayPredict whether the key may ask for predictions and forecasts */
  constructor(memory: Memory, mayPredict: boolean) {
    this.#memory = memory;
    this.#mayPredict = mayPredict;
    this.refresh();
  }

  async observe(gdf: Schemas.Gdf): Promise<boolean> {
    const { status } = await observe(this.#memory, gdf);
    this.refresh();
    return status !== "asleep";
  }

  async learn(): Promise<string | null> {
    const model = await learn(this.#memory);
    this.refresh();
    return model;
  }

  async clear(): Promise<void> {
    await clearWorkingMemory(this.#memory);
    this.refresh();
  }

  refresh(): void {
    this.#isStale = true;
    if (!this.#isAsking) void this.#read();
  }

  /** Turns repeated reading on or off. */
  repeat(isWanted: boolean): void {
    this.repeats.value = isWanted;
    clearTimeout(this.#timer);
    if (isWanted) this.refresh();
  }

  /** Stops reading. */
  close(): void {
    clearTimeout(this.#timer);
    this.#over.abort(new DOMException("closed", "AbortError"));
  }

  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isAsking = true;
    while (this.#isStale) {
      this.#isStale = false;
      try {
        await this.#readOnce();
        this.error.value = undefined;
      } catch (error) {
        if (this.#over.signal.aborted) return;
        this.error.value = error;
      }
    }
    this.#isAsking = false;
    if (this.repeats.value) this.#timer = setTimeout(() => this.#again(), POLL_MS);
  }

  /** Wait while the page is hidden. */
  #again(): void {
    if (document.hidden) this.#timer = setTimeout(() => this.#again(), POLL_MS);
    else this.refresh();
  }

  async #readOnce(): Promise<void> {
    const options = { signal: this.#over.signal };
    const [status, events, predictions, forecast] = await Promise.all([
      getStatus(this.#memory, options),
      getWorkingMemory(this.#memory, options),
      this.#mayPredict
        ? fitting(MAX_PREDICTIONS, (top) => getPredictions(this.#memory, { top, fields: [...FIELDS] }, options))
        : undefined,
      this.#mayPredict ? fitting(MAX_EXPECTED, (top) => getForecast(this.#memory, { top }, options)) : undefined,
    ]);
    this.#held.expect();
    this.#held.replace(events);
    this.status.value = status;
    this.events.value = this.#held.events;
    this.predictions.value = predictions as ShownPrediction[] | undefined;
    this.forecast.value = forecast;
    this.tooLarge.value = {
      predictions: this.#mayPredict && predictions === undefined,
      forecast: this.#mayPredict && forecast === undefined,
    };
    this.readAt.value = Date.now();
  }
}
