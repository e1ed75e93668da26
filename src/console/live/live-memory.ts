/**
 * A memory as it is now: it hears over a stream what happens there, and asks again what follows from it. Knows no view.
 */

import { type Signal, signal } from "@preact/signals";
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
import { type Surprise, SurpriseHour } from "./surprise-hour";

/** Whether what is shown is of now. `lost`: the link is down and is tried again; `ended`: it is not tried again. */
export type LinkState = "opening" | "live" | "lost" | "ended";

/** Many events in a short time are followed by one question: the answers of the others would be replaced before anybody saw them. */
const QUIET_MS = 200;

/** So many predictions are asked for: more than a screen shows at once. */
const MOST_PREDICTIONS = 20;

/** A memory that is followed until it is closed. */
export class LiveMemory {
  readonly state = signal<LinkState>("opening");
  /** Why the link is down or ended; empty while it is not. */
  readonly trouble = signal("");
  /** The events of working memory, oldest first. */
  readonly events = signal<Schemas.Sequence>([]);
  readonly predictions: Signal<readonly Schemas.Prediction[] | undefined> = signal(undefined);
  readonly forecast: Signal<Schemas.Forecast | undefined> = signal(undefined);
  /** The last hour in slots, oldest first. */
  readonly surprises: Signal<readonly (Surprise | undefined)[]> = signal([]);
  readonly status: Signal<Schemas.Status | undefined> = signal(undefined);
  readonly #memory: Memory;
  readonly #stream: Stream;
  readonly #over = new AbortController();
  readonly #hour = new SurpriseHour();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isStale = false;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#stream = stream(memory, {
      signal: this.#over.signal,
      onEvent: (event) => this.#hear(event),
      events: ["learned", "observed", "surprise"],
      onLost: (error) => {
        this.state.value = "lost";
        this.trouble.value = error.message;
        // Asked as soon as there is a link again: meanwhile anything may have happened.
        this.#ask();
      },
    });
    this.#stream.closed.catch((error: unknown) => {
      if (this.#over.signal.aborted) return;
      this.state.value = "ended";
      this.trouble.value = error instanceof Error ? error.message : String(error);
    });
    this.#ask();
  }

  /** Observes a record. @throws NoemaError if it is refused */
  async observe(gdf: Schemas.Gdf): Promise<void> {
    await this.#stream.observe(gdf, { brief: true });
  }

  /** Learns working memory. @returns the model, or `null` if there was nothing to learn. @throws NoemaError if it is refused */
  async learn(): Promise<string | null> {
    const { learned = null } = await this.#stream.observe([], { learn: true });
    return learned;
  }

  /** Clears working memory. @throws NoemaError if it is refused */
  async clear(): Promise<void> {
    await this.#stream.observe([], { clear: true });
    // Nobody is told of a clear.
    this.#askSoon();
  }

  /** Follows it no longer. */
  close(): void {
    clearTimeout(this.#timer);
    this.#over.abort(new DOMException("closed", "AbortError"));
  }

  #hear(event: StreamEvent): void {
    if (event.event === "surprise") {
      if (event.surprise === null) return;
      const { bits, unexpected } = event.surprise;
      this.#hour.add({ at: Date.now(), bits, unexpected });
      return;
    }
    if (event.event === "observed" && event.symbols.length > 0)
      this.events.value = [...this.events.value, event.symbols];
    this.#askSoon();
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
        predictions: { top: MOST_PREDICTIONS },
        forecast: true,
        brief: true,
      });
      const options = { signal: this.#over.signal };
      const [events, status] = await Promise.all([
        getWorkingMemory(this.#memory, options),
        getStatus(this.#memory, options),
      ]);
      this.predictions.value = predictions as Schemas.Prediction[];
      this.forecast.value = forecast;
      this.surprises.value = this.#hour.slots(Date.now());
      this.events.value = events;
      this.status.value = status;
      this.state.value = "live";
      this.trouble.value = "";
    } finally {
      this.#isAsking = false;
      if (this.#isStale) this.#askSoon();
    }
  }

  /** Without a source, a question under way is lost with its link; then it is asked again. */
  #fail(error: unknown): void {
    if (this.#over.signal.aborted || this.state.value === "ended") return;
    if (error instanceof NoemaError && error.status === 0) this.#ask();
    else this.trouble.value = error instanceof Error ? error.message : String(error);
  }
}
