/**
 * What was learned since the view was opened, by anybody, in any memory of the processor: heard over
 * a stream. Knows no view.
 */

import { signal } from "@preact/signals";
import { type Processor, type StreamEvent, stream } from "../../client";

/** Learning many models in a short time is told once. */
const QUIET_MS = 1000;

/** So many models are kept in mind; then the one that was heard of first is forgotten. */
const MOST_MODELS = 10_000;

/** Hears until it is closed. */
export class LearnedNews {
  /** Grows when something was learned, at most once a second. */
  readonly changes = signal(0);
  /** Whether it has begun to hear. */
  readonly isHearing = signal(false);
  /** Why nothing is heard; empty while it is. */
  readonly trouble = signal("");
  /** How often each model was learned since, by hash. */
  readonly #times = new Map<string, number>();
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param refusal why the key may not hear of it; empty where it may */
  constructor(processor: Processor, refusal: string) {
    this.trouble.value = refusal;
    if (refusal === "") this.#listen(processor);
  }

  /** How many models were learned. */
  get models(): number {
    return this.#times.size;
  }

  /**
   * Whether a model was learned since: `new` if it was not known before, `again` if it was.
   *
   * @param frequency how often it was learned altogether
   */
  standing(name: string, frequency: number): "new" | "again" | undefined {
    const times = this.#times.get(name);
    if (times === undefined) return undefined;
    return times >= frequency ? "new" : "again";
  }

  /** Hears no more. */
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
        // Meanwhile anything may have been learned.
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
    if (this.#times.size > MOST_MODELS) {
      const oldest = this.#times.keys().next();
      if (!oldest.done) this.#times.delete(oldest.value);
    }
    this.#tellSoon();
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // Nobody sees it: then it is told later, because whoever is told asks the server.
      if (document.hidden) this.#tellSoon();
      else this.changes.value++;
    }, QUIET_MS);
  }
}
