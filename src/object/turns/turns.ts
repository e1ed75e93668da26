/**
 * The turns of one object's calls and frames. Cheap work runs on arrival, without a promise. Expensive work, or that of
 * a heavy key, waits once the thread has worked for long: then the runtime reads what others have sent, and the key
 * with the least processor time goes first, and within it the flow with the least. Decision 034 gives the reasons.
 */

import { MAX_MS, QUANTUM_MS, type Thread, type Waiter } from "./thread";
import { Usage } from "./usage";

/** Milliseconds from which a call counts as expensive. */
const EXPENSIVE_MS = 5;

/**
 * Decay of a flow's cost: an expensive call makes its flow expensive, and each cheaper call after it reduces the cost
 * by this factor.
 */
const COST_KEPT = 0.9;

/** A key with more recent use than this, in milliseconds, waits while others are to be read, even for cheap work. */
const HEAVY_MS = QUANTUM_MS;

/** How long the flows of a key are remembered after its last expensive call, in milliseconds. */
const KNOWN_MS = 10_000;

/** Maximum number of remembered flows of a key without waiting calls. */
const MAX_FLOWS = 1_000;

/** The bounds of an object's pauses while it is not next, in milliseconds: the more objects wait, the longer. */
const MIN_PAUSE_MS = 2;
const MAX_PAUSE_MS = 50;
const WAITING_PER_MS = 4;

/** After a turn, others get this fraction of its time for themselves while they keep asking. */
const SHARE_OF_OTHERS = 0.5;

/** Maximum number of pieces of a turn: where the clock stands still while code runs, their time is not known. */
const MAX_PIECES = 8;

/** The caller of a piece of work. */
export interface Caller {
  /** The identifier of the key; empty for a configured one. */
  readonly keyId: string;
  /**
   * Distinguishes the flows of a key: a stream, or the called object and session. Calls of one flow keep their order.
   */
  flow(): unknown;
  /** How many bytes the request has, where it holds them while it waits. */
  readonly bytes?: number;
}

/** The caller of an object's own work: without a real key, so that other callers' turns do not wait longer. */
export const ownCaller = (work: string): Caller => ({ keyId: `${work} of the object`, flow: () => work });

/** What does work when it is its turn. */
export type Take = <Reply>(caller: Caller, work: () => Reply) => Reply | Promise<Awaited<Reply>>;

/** Makes the runtime read everything that has arrived. */
export interface Looking {
  /** Number of requests of the isolate so far, without the messages of streams. */
  readonly requests: number;
  /** Waits until everything is read. @returns the number of the look */
  look(): Promise<number>;
}

/** The calls of one key that keep their order. */
class Flow {
  readonly key: KnownKey;
  costMs = 0;
  readonly used = new Usage();
  readonly calls: (() => void)[] = [];

  constructor(key: KnownKey) {
    this.key = key;
  }
}

/** A key that has made an expensive call here, with its flows. */
class KnownKey {
  readonly id: string;
  readonly flows = new Map<unknown, Flow>();
  /** When its last expensive call ended, in milliseconds of the clock. */
  expensiveMs = 0;

  constructor(id: string) {
    this.id = id;
  }
}

/** The turns of one object. */
export class Turns {
  readonly #thread: Thread;
  readonly #looking: () => Looking;
  readonly #keys = new Map<string, KnownKey>();
  readonly #waiting = new Set<Flow>();
  readonly #waiter: Waiter = { keyMs: 0, flowMs: 0, seenMs: 0 };
  #isServing = false;
  #caller: Caller | undefined;

  /** @param looking lets the runtime read */
  constructor(thread: Thread, looking: () => Looking) {
    this.#thread = thread;
    this.#looking = looking;
  }

  /** Number of flows with waiting calls. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whose turn it is, while what is done runs in one piece; `undefined` between turns. */
  get caller(): Caller | undefined {
    return this.#caller;
  }

  /** Gives one turn, if anything waits. For an object that lets nothing in meanwhile. */
  async serveOne(): Promise<void> {
    if (this.#waiting.size === 0) return;
    await this.#untilNext(0);
    this.#turn();
  }

  /**
   * Runs pieces of work, as many as belong into a turn, when the runtime has read what others have sent. For an object
   * that lets nothing in meanwhile: its waiting calls wait on.
   *
   * @param piece runs synchronously. @returns whether it was the last
   * @param isLate whether others get only what they have sent, and no time of their own
   * @returns whether the last piece was run; passes on what one throws
   */
  async takeApart(caller: Caller, piece: () => boolean, isLate: boolean): Promise<boolean> {
    const thread = this.#thread;
    let tookMs = 0;
    let isLast = false;
    for (let pieces = 0; !isLast && pieces < MAX_PIECES; pieces++) {
      thread.begin();
      if (thread.levelMs >= QUANTUM_MS) {
        if (pieces > 0) break;
        thread.looked(await this.#looking().look());
        thread.begin();
      }
      try {
        isLast = this.#as(caller, piece);
      } finally {
        const ms = thread.end();
        tookMs += ms;
        thread.use(caller.keyId, ms);
      }
    }
    if (!isLast) await this.#leaveTime(isLate ? MIN_PAUSE_MS : Math.max(MIN_PAUSE_MS, tookMs * SHARE_OF_OTHERS));
    return isLast;
  }

  /**
   * Runs work, at once or in its turn.
   *
   * @param work runs synchronously
   * @returns what it returns; passes on what it throws
   */
  take<Reply>(caller: Caller, work: () => Reply): Reply | Promise<Awaited<Reply>> {
    const thread = this.#thread;
    thread.begin();
    if (this.#keys.size > 0 || thread.levelMs >= QUANTUM_MS) {
      const flow = this.#waitingFlow(caller);
      if (flow !== undefined) return this.#wait(flow, () => this.#as(caller, work));
    }
    thread.promptly++;
    try {
      return this.#as(caller, work);
    } finally {
      const ms = thread.end();
      if (ms > 0 || this.#keys.size > 0) this.#note(caller, ms);
    }
  }

  #as<Reply>(caller: Caller, work: () => Reply): Reply {
    const before = this.#caller;
    this.#caller = caller;
    try {
      return work();
    } finally {
      this.#caller = before;
    }
  }

  /** The flow in which a call waits; `undefined` when it need not. */
  #waitingFlow(caller: Caller): Flow | undefined {
    const { levelMs } = this.#thread;
    const isDue = levelMs >= QUANTUM_MS;
    if (!isDue && this.#waiting.size === 0) return undefined;
    const key = this.#keys.get(caller.keyId);
    const name = caller.flow();
    const flow = key?.flows.get(name);
    if (flow !== undefined && flow.calls.length > 0) return flow;
    const isExpensive = flow === undefined ? key !== undefined || levelMs >= MAX_MS : flow.costMs >= EXPENSIVE_MS;
    const waits = isExpensive || (isDue && this.#thread.usedBy(caller.keyId) >= HEAVY_MS);
    return waits ? this.#flowNamed(name, key ?? this.#keyOf(caller.keyId)) : undefined;
  }

  #keyOf(id: string): KnownKey {
    let key = this.#keys.get(id);
    if (key === undefined) {
      key = new KnownKey(id);
      key.expensiveMs = this.#thread.nowMs;
      this.#keys.set(id, key);
    }
    return key;
  }

  #flowNamed(name: unknown, key: KnownKey): Flow {
    let flow = key.flows.get(name);
    if (flow === undefined) {
      if (key.flows.size >= MAX_FLOWS) forgetIdle(key);
      flow = new Flow(key);
      key.flows.set(name, flow);
    }
    return flow;
  }

  #wait<Reply>(flow: Flow, work: () => Reply): Promise<Awaited<Reply>> {
    return new Promise((resolve, reject) => {
      flow.calls.push(() => {
        try {
          resolve(work() as Awaited<Reply>);
        } catch (error) {
          reject(error);
        }
      });
      this.#waiting.add(flow);
      this.#rankWith(flow, this.#waiting.size === 1);
      if (!this.#isServing) void this.#serve();
    });
  }

  /** Notes the time of a call. */
  #note(caller: Caller, ms: number): void {
    const { nowMs } = this.#thread;
    if (ms > 0) this.#thread.use(caller.keyId, ms);
    const known = this.#keys.get(caller.keyId);
    if (known === undefined && ms < EXPENSIVE_MS) return;
    const key = known ?? this.#keyOf(caller.keyId);
    this.#spend(this.#flowNamed(caller.flow(), key), ms);
    if (Math.abs(nowMs - key.expensiveMs) > KNOWN_MS && !hasWaiting(key)) this.#keys.delete(key.id);
  }

  #spend(flow: Flow, ms: number): void {
    const { nowMs } = this.#thread;
    flow.costMs = Math.max(ms, flow.costMs * COST_KEPT);
    flow.used.add(ms, nowMs);
    if (ms >= EXPENSIVE_MS) flow.key.expensiveMs = nowMs;
  }

  /** Gives turns until nothing waits. */
  async #serve(): Promise<void> {
    this.#isServing = true;
    this.#thread.join(this.#waiter);
    try {
      for (let tookMs = 0; this.#waiting.size > 0; tookMs = this.#turn()) await this.#untilNext(tookMs);
    } finally {
      this.#isServing = false;
      this.#thread.leave(this.#waiter);
    }
  }

  /**
   * Waits until it is this object's turn, and the runtime has read what others have sent.
   *
   * @param tookMs time of its last turn
   */
  async #untilNext(tookMs: number): Promise<void> {
    const thread = this.#thread;
    if (tookMs > 0) await this.#leaveTime(tookMs * SHARE_OF_OTHERS);
    this.#rank();
    for (;;) {
      // It may have been counted as gone.
      thread.join(this.#waiter);
      if (!thread.isNext(this.#waiter)) {
        await pause(Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS + thread.waiting / WAITING_PER_MS));
      } else if (thread.levelMs >= QUANTUM_MS) {
        thread.looked(await this.#looking().look());
      } else return;
    }
  }

  /** Leaves time to callers that are served on arrival, while they keep asking. */
  async #leaveTime(mostMs: number): Promise<void> {
    const served = () => this.#thread.promptly + this.#looking().requests;
    for (let leftMs = 0; leftMs < mostMs; leftMs += MIN_PAUSE_MS) {
      const before = served();
      await pause(MIN_PAUSE_MS);
      if (served() === before) return;
    }
  }

  /**
   * Runs waiting calls, one of each flow at a time, until the quantum is used up or none waits any more: {@link
   * serveOne} may have run the last one while {@link #serve} waited.
   *
   * @returns the time it took, in milliseconds
   */
  #turn(): number {
    const thread = this.#thread;
    let tookMs = 0;
    while (this.#waiting.size > 0) {
      for (const flow of this.#inOrder()) {
        thread.begin();
        flow.calls.shift()?.();
        const ms = thread.end();
        tookMs += ms;
        this.#thread.use(flow.key.id, ms);
        this.#spend(flow, ms);
        if (flow.calls.length === 0) this.#waiting.delete(flow);
        if (thread.levelMs >= QUANTUM_MS) return tookMs;
      }
    }
    return tookMs;
  }

  /** The waiting flows, by least use of their key, then by least use of the flow. */
  #inOrder(): Flow[] {
    const { nowMs } = this.#thread;
    const ranked = [...this.#waiting].map((flow) => {
      return { flow, keyMs: this.#thread.usedBy(flow.key.id), flowMs: flow.used.at(nowMs) };
    });
    return ranked.sort((one, other) => one.keyMs - other.keyMs || one.flowMs - other.flowMs).map(({ flow }) => flow);
  }

  /** Updates the object's rank on the thread. */
  #rank(): void {
    let isFirst = true;
    for (const flow of this.#waiting) {
      this.#rankWith(flow, isFirst);
      isFirst = false;
    }
  }

  /** @param isOnly whether to discard earlier comparisons */
  #rankWith(flow: Flow, isOnly: boolean): void {
    const waiter = this.#waiter;
    const keyMs = this.#thread.usedBy(flow.key.id);
    const flowMs = flow.used.at(this.#thread.nowMs);
    if (!isOnly && (keyMs > waiter.keyMs || (keyMs === waiter.keyMs && flowMs >= waiter.flowMs))) return;
    waiter.keyMs = keyMs;
    waiter.flowMs = flowMs;
  }
}

function hasWaiting({ flows }: KnownKey): boolean {
  for (const { calls } of flows.values()) if (calls.length > 0) return true;
  return false;
}

function forgetIdle({ flows }: KnownKey): void {
  for (const [name, { calls }] of flows) if (calls.length === 0) flows.delete(name);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
