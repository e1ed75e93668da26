/**
 * A memory as it is now: it hears over a stream what happens there, and asks again what follows from it. Knows no view.
 * However much happens, it changes what is shown at most twenty times a second, and asks one question at a time.
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
import { FrameTask } from "./frame-task";
import { type HeldEvent, HeldEvents } from "./held-events";
import { hourOf, type KeptHour } from "./kept-hours";
import { RecentEvents } from "./recent-events";
import { FIELDS, MOST_PREDICTIONS, type ShownMemory, type ShownPrediction } from "./shown-memory";
import type { Surprise } from "./surprise-hour";

/** Whether what is shown is of now. `lost`: the link is down and is tried again; `ended`: it is not tried again. */
export type LinkState = "opening" | "live" | "lost" | "ended";

/**
 * Many events in a short time are followed by one question: the answers of the others would be replaced
 * before anybody saw them.
 */
const QUIET_MS = 200;

/** A server that did not answer is asked again after so long. */
const UNREACHED_MS = 1000;

/** The strip of surprises changes at most so often: it has no finer slots. */
const STRIP_MS = 1000;

/** A memory that is followed until it is closed. */
export class LiveMemory implements ShownMemory {
  readonly state = signal<LinkState>("opening");
  /** Why the link is down or ended; empty while it is not. */
  readonly trouble = signal("");
  /** The events of working memory, oldest first. */
  readonly events = signal<readonly HeldEvent[]>([]);
  readonly answered: Signal<readonly HeldEvent[] | undefined> = signal(undefined);
  readonly predictions: Signal<readonly ShownPrediction[] | undefined> = signal(undefined);
  readonly forecast: Signal<Schemas.Forecast | undefined> = signal(undefined);
  /** The last hour in slots, oldest first. */
  readonly surprises: Signal<readonly (Surprise | undefined)[]> = signal([]);
  readonly status: Signal<Schemas.Status | undefined> = signal(undefined);
  readonly #memory: Memory;
  readonly #stream: Stream;
  readonly #over = new AbortController();
  readonly #kept: KeptHour;
  readonly #held = new HeldEvents();
  readonly #recent = new RecentEvents();
  readonly #frame = new FrameTask(() => this.#takeIn());
  readonly #strip: ReturnType<typeof setInterval>;
  /** What was heard since the last frame. */
  #heard: StreamEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the strip was moved last, in milliseconds since 1970. */
  #moved = 0;
  #isAsking = false;
  #isStale = false;
  #mustRead = true;

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
        // Asked as soon as there is a link again: meanwhile anything may have happened.
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

  /** When somebody first listened to it, in milliseconds since 1970. */
  get since(): number {
    return this.#kept.since;
  }

  async observe(gdf: Schemas.Gdf): Promise<boolean> {
    const { observed } = await this.#stream.observe(gdf);
    const isTaken = !Array.isArray(observed) || observed.every(({ status }) => status !== "asleep");
    // Nobody is told that a processor was put to sleep.
    if (!isTaken) this.refresh();
    return isTaken;
  }

  async learn(): Promise<string | null> {
    const { learned = null } = await this.#stream.observe([], { learn: true });
    return learned;
  }

  async clear(): Promise<void> {
    await this.#stream.observe([], { clear: true });
    // Nobody is told of a clear.
    this.refresh();
  }

  refresh(): void {
    this.#mustRead = true;
    this.#ask();
  }

  /** Follows it no longer. */
  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#strip);
    this.#frame.cancel();
    document.removeEventListener("visibilitychange", this.#look);
    this.#over.abort(new DOMException("closed", "AbortError"));
  }

  /** Who comes back to the page sees what is, even where nobody was told of it. */
  readonly #look = (): void => {
    if (document.visibilityState === "visible") this.refresh();
  };

  /** Shows what was heard since the last frame. */
  #takeIn(): void {
    const heard = this.#heard;
    this.#heard = [];
    const now = Date.now();
    for (const event of heard) {
      this.#recent.hear(event);
      if (event.event === "surprise" && event.surprise !== null) {
        const { bits, unexpected } = event.surprise;
        this.#kept.hour.add({ at: now, bits, unexpected, events: this.#recent.events });
      }
      // How much of memory stays depends on why it was learned.
      if (event.event === "learned") this.#mustRead = true;
    }
    const observed = heard.flatMap((event) =>
      event.event === "observed" ? [{ time: event.interval, symbols: event.symbols }] : [],
    );
    if (observed.length > 0) {
      this.#held.add(observed);
      this.events.value = this.#held.events;
    }
    if (now - this.#moved >= STRIP_MS) this.#moveStrip();
    if (heard.length > 0) this.#askSoon();
  }

  /** The strip moves on with the time, whether something happens or not. */
  #moveStrip(): void {
    if (document.visibilityState === "hidden") return;
    this.#moved = Date.now();
    this.surprises.value = this.#kept.hour.slots(this.#moved);
  }

  #askSoon(): void {
    this.#timer ??= setTimeout(() => this.#ask(), QUIET_MS);
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
      const { predictions = [], forecast } = await this.#stream.observe([], {
        predictions: { top: MOST_PREDICTIONS, fields: [...FIELDS] },
        forecast: true,
        brief: true,
      });
      batch(() => {
        this.answered.value = undefined;
        this.predictions.value = predictions as ShownPrediction[];
        this.forecast.value = forecast;
      });
      await this.#settle();
      this.state.value = "live";
      this.trouble.value = "";
    } finally {
      this.#isAsking = false;
      if (this.#isStale) this.#askSoon();
    }
  }

  /** Sets right what is held of memory. It is read only where what was heard does not say it: a memory may be long. */
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
      // If not even what was read fits, something has happened since. It is heard of, and asks again.
      if (!isRead) this.#askSoon();
    }
    if (!this.#mustRead) this.#recent.replace(this.#held.events.map(({ symbols }) => symbols));
    this.events.value = this.#held.events;
    if (!this.#mustRead) this.answered.value = this.#held.events;
    this.status.value = status;
  }

  /** Without a source, a question under way is lost with its link; then it is asked again. */
  #fail(error: unknown): void {
    if (this.#over.signal.aborted || this.state.value === "ended") return;
    // Who cannot be reached is not asked again at once.
    if (error instanceof NoemaError && error.status === 0) {
      this.#mustRead = true;
      this.#timer ??= setTimeout(() => this.#ask(), UNREACHED_MS);
    } else this.trouble.value = error instanceof Error ? error.message : String(error);
  }
}
