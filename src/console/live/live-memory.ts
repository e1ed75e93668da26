/**
 * A live view of a memory: follows it over a stream, and queries predictions and forecast after changes. Updates what
 * is shown at most twenty times a second, and has at most one query in flight. Knows no view.
 */

import { batch, type Signal, signal } from "@preact/signals";
import {
  getStatus,
  getWorkingMemory,
  type Memory,
  NoemaError,
  type Schemas,
  type Stream,
  type StreamEvent,
  stream,
} from "../../client";
import { isTooLargeToSend } from "./fitting";
import { FrameTask } from "./frame-task";
import { type HeldEvent, HeldEvents } from "./held-events";
import { hourOf, type KeptHour } from "./kept-hours";
import { RecentEvents } from "./recent-events";
import {
  FIELDS,
  MAX_EXPECTED,
  MAX_PREDICTIONS,
  type ShownMemory,
  type ShownPrediction,
  type TooLarge,
} from "./shown-memory";
import type { Surprise } from "./surprise-hour";

/** State of the link. `lost`: down, and retried; `ended`: not retried. */
export type LinkState = "opening" | "live" | "lost" | "ended";

/**
 * Debounces queries: many events in a short time lead to one.
 */
const DEBOUNCE_MS = 200;

/** Wait before another query when the server did not answer. */
const UNREACHED_MS = 1000;

/** Update interval of the surprise strip: the length of its slots. */
const STRIP_MS = 1000;

/** Number of newest events whose surprise is remembered: more than the view draws. */
const MAX_SURPRISES = 100;

const DEFAULT_COUNTS = { predictions: MAX_PREDICTIONS, forecast: MAX_EXPECTED };

/** Follows a memory until it is closed. */
export class LiveMemory implements ShownMemory {
  readonly state = signal<LinkState>("opening");
  readonly trouble = signal("");
  /** The events of working memory, oldest first. */
  readonly events = signal<readonly HeldEvent[]>([]);
  readonly answered: Signal<readonly HeldEvent[] | undefined> = signal(undefined);
  readonly predictions: Signal<readonly ShownPrediction[] | undefined> = signal(undefined);
  readonly forecast: Signal<Schemas.Forecast | undefined> = signal(undefined);
  /** The last hour in slots, oldest first. */
  readonly surprises: Signal<readonly (Surprise | undefined)[]> = signal([]);
  readonly status: Signal<Schemas.Status | undefined> = signal(undefined);
  readonly bits: Signal<ReadonlyMap<number, number>> = signal(new Map());
  readonly tooLarge: Signal<TooLarge> = signal({ predictions: false, forecast: false });
  readonly #memory: Memory;
  readonly #stream: Stream;
  readonly #over = new AbortController();
  readonly #kept: KeptHour;
  readonly #held = new HeldEvents();
  readonly #recent = new RecentEvents();
  readonly #frame = new FrameTask(() => this.#takeIn());
  readonly #strip: ReturnType<typeof setInterval>;
  /** Events received since the last frame. */
  #heard: StreamEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the strip was last moved, in milliseconds since 1970. */
  #moved = 0;
  #isAsking = false;
  #isStale = false;
  #mustRead = true;
  /** Number of predictions and of expected symbols that fit into a frame; 0: none does. */
  #most = DEFAULT_COUNTS;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#kept = hourOf(memory);
    this.#stream = stream(memory, {
      signal: this.#over.signal,
      onEvent: (event) => {
        this.#heard.push(event);
        this.#frame.request();
      },
      events: ["learned", "observed", "surprise"],
      onLost: (error) => {
        this.state.value = "lost";
        this.trouble.value = error.message;
        // Anything may have happened while the link was down.
        this.refresh();
      },
    });
    this.#stream.closed.catch((error: unknown) => {
      if (this.#over.signal.aborted) return;
      this.state.value = "ended";
      this.trouble.value = error instanceof Error ? error.message : String(error);
    });
    this.#strip = setInterval(() => this.#moveStrip(), STRIP_MS);
    this.#moveStrip();
    document.addEventListener("visibilitychange", this.#look);
    this.#ask();
  }

  /** Since when surprises are collected, in milliseconds since 1970. */
  get since(): number {
    return this.#kept.since;
  }

  async observe(gdf: Schemas.Gdf): Promise<boolean> {
    const { observed } = await this.#stream.observe(gdf);
    const isTaken = !Array.isArray(observed) || observed.every(({ status }) => status !== "asleep");
    // The stream has no event for falling asleep.
    if (!isTaken) this.refresh();
    return isTaken;
  }

  async learn(): Promise<string | null> {
    const { learned = null } = await this.#stream.observe([], { learn: true });
    return learned;
  }

  async clear(): Promise<void> {
    await this.#stream.observe([], { clear: true });
    // The stream has no event for a clear.
    this.refresh();
  }

  refresh(): void {
    this.#mustRead = true;
    this.#most = DEFAULT_COUNTS;
    this.#ask();
  }

  /** Stops following. */
  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#strip);
    this.#frame.cancel();
    document.removeEventListener("visibilitychange", this.#look);
    this.#over.abort(new DOMException("closed", "AbortError"));
  }

  /** Reload the current state when the page becomes visible: not every change is sent as an event. */
  readonly #look = (): void => {
    if (document.visibilityState === "visible") this.refresh();
  };

  /** Shows the events received since the last frame. */
  #takeIn(): void {
    const heard = this.#heard;
    this.#heard = [];
    const unusual = new Map<number, number>();
    const now = Date.now();
    for (const event of heard) {
      this.#recent.hear(event);
      if (event.event === "surprise" && event.surprise !== null) {
        const { bits, unexpected } = event.surprise;
        unusual.set(event.interval, bits);
        this.#kept.hour.add({ at: now, bits, unexpected, events: this.#recent.events });
      }
      // What stays in memory depends on why it learned.
      if (event.event === "learned") this.#mustRead = true;
    }
    const observed = heard.flatMap((event) =>
      event.event === "observed" ? [{ time: event.interval, symbols: event.symbols }] : [],
    );
    if (observed.length > 0) {
      this.#held.add(observed);
      this.events.value = this.#held.events;
    }
    if (unusual.size > 0) this.bits.value = new Map([...this.bits.value, ...unusual].slice(-MAX_SURPRISES));
    if (now - this.#moved >= STRIP_MS) this.#moveStrip();
    if (heard.length > 0) this.#askSoon();
  }

  /** The strip moves with the clock, even without events. */
  #moveStrip(): void {
    if (document.visibilityState === "hidden") return;
    this.#moved = Date.now();
    this.surprises.value = this.#kept.hour.slots(this.#moved);
  }

  #askSoon(): void {
    this.#timer ??= setTimeout(() => this.#ask(), DEBOUNCE_MS);
  }

  #ask(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isAsking) this.#isStale = true;
    else this.#askNow().catch((error: unknown) => this.#fail(error));
  }

  async #askNow(): Promise<void> {
    this.#isAsking = true;
    this.#isStale = false;
    try {
      // A refusal says nothing about the link, and memory is shown without an answer.
      const refusal = await this.#query().catch((error: unknown) => {
        if (error instanceof NoemaError && error.status !== 0 && !this.#over.signal.aborted) return error.message;
        throw error;
      });
      await this.#settle();
      this.state.value = "live";
      this.trouble.value = refusal ?? "";
    } finally {
      this.#isAsking = false;
      if (this.#isStale) this.#askSoon();
    }
  }

  /** Asks what is expected. A frame holds less than an answer over HTTP: of what is too long, fewer are asked for. */
  async #query(): Promise<undefined> {
    const { predictions: most, forecast: symbols } = this.#most;
    try {
      const { predictions = [], forecast } = await this.#stream.observe([], {
        ...(most > 0 && { predictions: { top: most, fields: [...FIELDS] } }),
        ...(symbols > 0 && { forecast: { top: symbols } }),
        brief: true,
      });
      batch(() => {
        this.answered.value = undefined;
        this.predictions.value = predictions as ShownPrediction[];
        this.tooLarge.value = { predictions: most === 0, forecast: symbols === 0 };
        this.forecast.value = forecast;
      });
    } catch (error) {
      if (!isTooLargeToSend(error) || symbols === 0) throw error;
      this.#most =
        most > 0
          ? { predictions: Math.floor(most / 2), forecast: symbols }
          : { predictions: 0, forecast: Math.floor(symbols / 2) };
      await this.#query();
    }
  }

  /** Corrects the local copy of memory. Reads it only if the events are not enough: a memory may be long. */
  async #settle(): Promise<void> {
    const options = { signal: this.#over.signal };
    const isRead = this.#mustRead;
    if (isRead) {
      this.#mustRead = false;
      this.#held.expect();
      this.#held.replace(await getWorkingMemory(this.#memory, options));
    }
    const status = await getStatus(this.#memory, options);
    if (!this.#held.trim(status.time, status.size_WM)) {
      this.#mustRead = true;
      // If even the answer does not fit, memory has changed since; the event for that leads to another query.
      if (!isRead) this.#askSoon();
    }
    if (!this.#mustRead) this.#recent.replace(this.#held.events.map(({ symbols }) => symbols));
    this.events.value = this.#held.events;
    if (!this.#mustRead) this.answered.value = this.#held.events;
    this.status.value = status;
  }

  /** A query sent over the stream is lost with its link, because it has no source; it is sent again. */
  #fail(error: unknown): void {
    if (this.#over.signal.aborted || this.state.value === "ended") return;
    // Do not retry at once when the server is unreachable.
    if (error instanceof NoemaError && error.status === 0) {
      this.#mustRead = true;
      this.#timer ??= setTimeout(() => this.#ask(), UNREACHED_MS);
    } else this.trouble.value = error instanceof Error ? error.message : String(error);
  }
}
