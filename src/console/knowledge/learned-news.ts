/**
 * What the processor has learned, in any of its memories, since the view was opened; received over
 * a stream. Knows no view.
 */

import { signal } from "@preact/signals";
import { type Processor, type StreamEvent, stream } from "../../client";

/** Several models learned within this time are reported once. */
const DEBOUNCE_MS = 1000;

/** Maximum number of models kept; beyond it the oldest is dropped. */
const MAX_MODELS = 10_000;

/** Listens until it is closed. */
export class LearnedNews {
  /** Incremented when something was learned, at most once a second. */
  readonly changes = signal(0);
  /** Whether the stream is open. */
  readonly isHearing = signal(false);
  /** Why the stream is not open; empty while it is. */
  readonly trouble = signal("");
  /** How often each model was learned since the view was opened, by hash. */
  readonly #times = new Map<string, number>();
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param refusal why the key does not allow it; empty if it does */
  constructor(processor: Processor, refusal: string) {
    this.trouble.value = refusal;
    if (refusal === "") this.#listen(processor);
  }

  /** Number of models learned. */
  get models(): number {
    return this.#times.size;
  }

  /**
   * Whether a model was learned since: `new` if it was not known before, `again` if it was.
   *
   * @param frequency how often it was learned in all
   */
  standing(name: string, frequency: number): "new" | "again" | undefined {
    const times = this.#times.get(name);
    if (times === undefined) return undefined;
    return times >= frequency ? "new" : "again";
  }

  /** Stops listening. */
  close(): void {
    clearTimeout(this.#timer);
    this.#over.abort(new DOMException("closed", "AbortError"));
  }

  #listen(processor: Processor): void {
    const link = stream(processor, {
      signal: this.#over.signal,
      events: ["learned"],
      sessions: true,
      onEvent: (event) => this.#hear(event),
      onOpen: () => {
        this.trouble.value = "";
        this.isHearing.value = true;
      },
      onLost: (error) => {
        this.trouble.value = error.message;
        // Anything may have been learned while the link was down.
        this.#tellSoon();
      },
    });
    link.closed.catch((error: unknown) => {
      if (!this.#over.signal.aborted) this.trouble.value = error instanceof Error ? error.message : String(error);
    });
  }

  #hear(event: StreamEvent): void {
    if (event.event !== "learned") return;
    const name = event.model.replace(/^MODEL\|/, "");
    this.#times.set(name, (this.#times.get(name) ?? 0) + 1);
    if (this.#times.size > MAX_MODELS) {
      const oldest = this.#times.keys().next();
      if (!oldest.done) this.#times.delete(oldest.value);
    }
    this.#tellSoon();
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // Wait while the page is hidden: reporting it makes views query the server.
      if (document.hidden) this.#tellSoon();
      else this.changes.value++;
    }, DEBOUNCE_MS);
  }
}
