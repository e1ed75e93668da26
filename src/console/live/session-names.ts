/** The names of a processor's sessions: those that there are, and those that come. Knows no view. */

import { type Signal, signal } from "@preact/signals";
import { listSessions, type Processor, stream } from "../../client";

/** So many are listed; others are reached by their address. */
const MOST_SESSIONS = 200;

/** Who only passes by a view opens no stream for it. */
const PASSING_MS = 500;

/** Follows the sessions of a processor until it is closed. */
export class SessionNames {
  /** In the order of the list; those that came later at the end. */
  readonly names: Signal<readonly string[]> = signal([]);
  readonly #processor: Processor;
  readonly #over = new AbortController();
  readonly #known = new Set<string>();
  /** Those that were heard while a list was on its way, which may not have them; `undefined` while none is. */
  #heard: Set<string> | undefined;
  readonly #mayList: boolean;
  readonly #start: ReturnType<typeof setTimeout> | undefined;

  /** @param rights whether the key allows to list sessions, and to hear of new ones */
  constructor(processor: Processor, { mayList, mayHear }: { readonly mayList: boolean; readonly mayHear: boolean }) {
    this.#processor = processor;
    this.#mayList = mayList;
    if (mayHear) this.#start = setTimeout(() => this.#listen(), PASSING_MS);
    this.list();
  }

  /** Asks which there are. Those that have ended are gone then. */
  list(): void {
    if (!this.#mayList) return;
    const { signal } = this.#over;
    const heard = new Set<string>();
    this.#heard = heard;
    listSessions(this.#processor, { limit: MOST_SESSIONS }, { signal }).then(
      (found) => {
        // A newer list is on its way.
        if (this.#heard !== heard) return;
        this.#heard = undefined;
        this.#known.clear();
        this.names.value = [];
        this.#add([...found.map(({ name }) => name), ...heard]);
      },
      () => {
        if (this.#heard === heard) this.#heard = undefined;
      },
    );
  }

  /** Follows them no longer. */
  close(): void {
    clearTimeout(this.#start);
    this.#over.abort(new DOMException("closed", "AbortError"));
  }

  #listen(): void {
    const { signal } = this.#over;
    const heard = stream(this.#processor, {
      signal,
      sessions: true,
      events: ["observed"],
      // Those that began before it heard anything.
      onOpen: () => this.list(),
      onEvent: ({ session }) => {
        if (session === null) return;
        this.#heard?.add(session);
        this.#add([session]);
      },
    });
    // What it opens shows why there is nothing to hear.
    heard.closed.catch(() => undefined);
  }

  #add(names: readonly string[]): void {
    const added = names.filter((name) => !this.#known.has(name));
    if (added.length === 0 || this.#known.size >= MOST_SESSIONS) return;
    for (const name of added) this.#known.add(name);
    this.names.value = [...this.names.value, ...added];
  }
}
