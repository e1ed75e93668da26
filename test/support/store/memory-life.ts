/** The life of one memory as changes for a store, and what must be stored of it. */

import type { Change, EventRow, MemoryState, StoredMemory, VectorRow } from "../../../src/processor/ports/store";
import type { Random } from "../random";
import { event, memoryChange, nameOf, plainMemoryState, vector } from "./rows";

/** A change of a memory. */
type MemoryChange = Extract<Change, { kind: "memory" }>;

/** A memory to which things happen one by one. Each method returns the change to record. */
export class Life {
  readonly #session: string;
  #state: MemoryState = plainMemoryState();
  #events: EventRow[] = [];
  #waiting: VectorRow[] = [];

  constructor(session = "") {
    this.#session = session;
  }

  /** What must be stored. */
  get stored(): StoredMemory {
    return { state: this.#state, events: this.#events, waiting: this.#waiting };
  }

  observe(symbols: string[], components?: Float64Array): MemoryChange {
    const { memoryEnd, waitingEnd, time } = this.#state;
    const added = event(memoryEnd, { symbols });
    const waiting = components === undefined ? [] : [vector(waitingEnd, { name: nameOf(waitingEnd), components })];
    this.#events = [...this.#events, added];
    this.#waiting = [...this.#waiting, ...waiting];
    return this.#change(
      { memoryEnd: memoryEnd + 1, waitingEnd: waitingEnd + waiting.length, time: time + 1 },
      [added],
      waiting,
    );
  }

  dropOldest(count: number): MemoryChange {
    this.#events = this.#events.slice(count);
    const memoryStart = Math.min(this.#state.memoryStart + count, this.#state.memoryEnd);
    return this.#change({ memoryStart, ensembleStart: memoryStart, ensembleEnd: memoryStart });
  }

  clear(clean = true): MemoryChange {
    this.#events = [];
    this.#waiting = [];
    const { memoryEnd, waitingEnd } = this.#state;
    const moved = {
      memoryStart: memoryEnd,
      ensembleStart: memoryEnd,
      ensembleEnd: memoryEnd,
      waitingStart: waitingEnd,
    };
    return this.#change(moved, [], [], clean);
  }

  /** Does something at random. */
  liveOn(random: Random): MemoryChange {
    const drawn = random.below(100);
    if (drawn < 20) return this.observe(["s".repeat(random.below(300))], new Float64Array(random.below(40)));
    if (drawn < 60) return this.observe(["s".repeat(random.below(300))]);
    if (drawn < 96) return this.dropOldest(random.below(4));
    return this.clear(drawn === 99);
  }

  #change(
    change: Partial<MemoryState>,
    events: EventRow[] = [],
    waiting: VectorRow[] = [],
    clean = false,
  ): MemoryChange {
    this.#state = { ...this.#state, ...change, changedAt: this.#state.changedAt + 1 };
    return memoryChange(this.#session, this.#state, { events, waiting, clean });
  }
}
