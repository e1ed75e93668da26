/** The names of a processor's sessions, existing and new. Knows no view. */

import { type Signal, signal } from "@preact/signals";
import { listSessions, type Processor, stream } from "../../client";

/** Maximum number listed; others can be reached by URL. */
const MAX_SESSIONS = 200;

/** Delay before the stream is opened, so that passing through a view opens none. */
const PASSING_MS = 500;

/** Follows the sessions of a processor until it is closed. */
export class SessionNames {
  /** In the order of the list; new ones at the end. */
  readonly names: Signal<readonly string[]> = signal([]);
  readonly #processor: Processor;
  readonly #over = new AbortController();
  readonly #known = new Set<string>();
  /** Names received while a list was in flight, which may lack them; `undefined` while none is. */
  #heard: Set<string> | undefined;
  readonly #mayList: boolean;
  readonly #start: ReturnType<typeof setTimeout> | undefined;

  /** @param rights whether the key allows listing sessions and following new ones */
  constructor(processor: Processor, { mayList, mayHear }: { readonly mayList: boolean; readonly mayHear: boolean }) {
    this.#processor = processor;
    this.#mayList = mayList;
    if (mayHear) this.#start = setTimeout(() => this.#listen(), PASSING_MS);
    this.list();
  }

  /** Reads the list. Sessions that have ended disappear. */
  list(): void {
    if (!this.#mayList) return;
    const { signal } = this.#over;
    const heard = new Set<string>();
    this.#heard = heard;
    listSessions(this.#processor, { limit: MAX_SESSIONS }, { signal }).then(
      (found) => {
        // A newer list is in flight.
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

  /** Stops following. */
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
      // Sessions that began before the stream was open.
      onOpen: () => this.list(),
      onEvent: ({ session }) => {
        if (session === null) return;
        this.#heard?.add(session);
        this.#add([session]);
      },
    });
    // The view itself shows why there is no stream.
    heard.closed.catch(() => undefined);
  }

  #add(names: readonly string[]): void {
    const added = names.filter((name) => !this.#known.has(name));
    if (added.length === 0 || this.#known.size >= MAX_SESSIONS) return;
    for (const name of added) this.#known.add(name);
    this.names.value = [...this.names.value, ...added];
  }
}
