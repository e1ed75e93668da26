/**
 * Admits as many calls as can be answered within about a second, and refuses the rest at once. Knows only the calls of
 * this gateway and their rate of completion. Never makes a call wait: the objects decide the order of admitted calls.
 */

import type { Budgets } from "../text/budgets";
import { Refusal } from "./refusal";
import { metrics } from "./watching/metrics";

/**
 * Number of concurrent calls that are always admitted, however long they take. At the limit, as many again are admitted
 * for keys and processors below their share, because slow calls of one key are no reason to refuse others.
 */
const ALWAYS_ADMITTED = 16;

/** A burst, up to the budget, is admitted if its calls together take no more than this, in milliseconds. */
const PATIENCE_MS = 2_500;

/** Once a call has run for this long, in milliseconds, no more than ALWAYS_ADMITTED calls are admitted. */
const SLOW_MS = 2_000;

/** Busy time over which the rate is computed, in milliseconds; and the minimum from which it is known. */
const WINDOW_MS = 1_000;
const EVIDENCE_MS = 50;

/**
 * A call no longer counts once a call that began this much later has ended, or at the age of ABANDONED_MS, in
 * milliseconds. The runtime silently drops the call of a client that has left.
 */
const OVERTAKEN_MS = 250;
const ABANDONED_MS = 4_000;

/** When a client should try again, in seconds. */
const RETRY_AFTER_S = 1;

/** A running call. */
export interface Turn {
  /** When it began, in milliseconds of the clock. */
  readonly begunMs: number;
  readonly processor: Line;
  /** The identifier of its key; empty for a configured one. */
  readonly keyId: string;
  /** Its key and processor. */
  readonly flow: string;
}

/** How the places of a line are shared. */
type Sharing = "keyId" | "flow";

/**
 * Running calls, oldest first, and the rate at which they end. A deployment's clock stands still while code runs, so it
 * is read only when a call begins or ends, when it has just moved.
 */
class Line {
  static #made = 0;
  /** Distinguishes this line's processor: the flow of the configured keys. */
  readonly flow = `${++Line.#made} `;
  readonly #waitMs: number;
  readonly #burst: number;
  readonly #turns = new Set<Turn>();
  readonly #sharing: Sharing;
  /** Number of running calls by key, or by key and processor. */
  readonly #shares = new Map<string, number>();
  /** The total time of calls, in milliseconds, and their number. Older calls count less. */
  #busyMs = 0;
  #ended = 0;
  /**
   * Number of calls let through together after the last look: the last of them waits for all others, even if most have
   * ended.
   */
  #together = 0;
  /** The number of that look. */
  #look = 0;
  /** When the last call ended, in milliseconds of the clock. */
  #lastEndMs = 0;

  /**
   * @param waitMs maximum total time of the running calls, in milliseconds
   * @param burst maximum number of running calls if they take no more than PATIENCE_MS together, or if their time is
   *   unknown
   * @param sharing among whom its places are shared
   */
  constructor(waitMs: number, burst: number, sharing: Sharing) {
    this.#waitMs = waitMs;
    this.#burst = burst;
    this.#sharing = sharing;
  }

  /** Number of calls that count as running. */
  get size(): number {
    return this.#turns.size;
  }

  /** Whether a call may not begin, because it would wait too long and its key has no share left. */
  isFull(turn: Turn, look: number): boolean {
    const now = turn.begunMs;
    const together = look === this.#look ? this.#together : 0;
    if (Math.max(this.#turns.size, together) < ALWAYS_ADMITTED) return false;
    this.#dropBegunBefore(now - ABANDONED_MS, now);
    const underWay = Math.max(this.#turns.size, together);
    const capacity = this.#capacity(now);
    if (underWay < capacity) return false;
    const own = this.#shares.get(turn[this.#sharing]) ?? 0;
    const sharers = this.#shares.size + (own === 0 ? 1 : 0);
    return sharers === 1 || underWay >= capacity + ALWAYS_ADMITTED || own >= Math.max(1, ALWAYS_ADMITTED / sharers);
  }

  begin(turn: Turn, look: number): void {
    // A request whose body came late has an old look.
    if (look > 0 && look >= this.#look) this.#countTogether(look);
    this.#turns.add(turn);
    const sharer = turn[this.#sharing];
    this.#shares.set(sharer, (this.#shares.get(sharer) ?? 0) + 1);
  }

  #countTogether(look: number): void {
    if (look !== this.#look) this.#together = 0;
    this.#look = look;
    this.#together += 1;
  }

  end(turn: Turn, now: number): void {
    if (!this.#drop(turn)) return;
    // It was served from its own beginning or from the end of the previous call, whichever is later.
    const servedMs = now - Math.max(this.#lastEndMs, turn.begunMs);
    // The clock may have been set meanwhile, so limit the time to a plausible range.
    this.#busyMs += Math.min(Math.max(servedMs, 0), ABANDONED_MS);
    this.#lastEndMs = now;
    this.#ended += 1;
    if (this.#busyMs > WINDOW_MS) {
      this.#busyMs /= 2;
      this.#ended /= 2;
    }
    this.#dropBegunBefore(turn.begunMs - OVERTAKEN_MS, now);
  }

  /** Number of calls that end within a time, by Little's law. */
  #capacity(now: number): number {
    const [oldest] = this.#turns;
    if (oldest !== undefined && now - oldest.begunMs > SLOW_MS) return ALWAYS_ADMITTED;
    if (this.#busyMs < EVIDENCE_MS) return Math.max(ALWAYS_ADMITTED, this.#burst);
    const perMs = this.#ended / this.#busyMs;
    return Math.max(ALWAYS_ADMITTED, perMs * this.#waitMs, Math.min(this.#burst, perMs * PATIENCE_MS));
  }

  /**
   * Drops the calls that began before a time, and those that seem to begin in the future
   * because the clock was set back.
   */
  #dropBegunBefore(timeMs: number, now: number): void {
    for (const turn of this.#turns) {
      if (turn.begunMs >= timeMs && turn.begunMs <= now) return;
      this.#drop(turn);
    }
  }

  #drop(turn: Turn): boolean {
    if (!this.#turns.delete(turn)) return false;
    const sharer = turn[this.#sharing];
    const left = (this.#shares.get(sharer) ?? 1) - 1;
    if (left === 0) this.#shares.delete(sharer);
    else this.#shares.set(sharer, left);
    return true;
  }
}

/** Admits the calls of one gateway. */
export class Admission {
  readonly #all: Line;
  /** By the object that counts a processor's calls; an entry disappears with its object. */
  readonly #processors = new WeakMap<object, Line>();
  readonly #budgets: Budgets;
  readonly #now: () => number;

  /**
   * @param budgets the waiting time of calls, and the size of a burst
   * @param now the time in milliseconds
   */
  constructor(budgets: Budgets, now = Date.now) {
    this.#budgets = budgets;
    this.#all = new Line(budgets.serverWaitMs, budgets.burstCalls, "flow");
    this.#now = now;
  }

  /**
   * Counts a request from now on, if it can be answered in time. Call {@link Admission.end} when it ends.
   *
   * @param processor the object by which the calls of its processor are counted; `undefined` for a request that does
   *   not count
   * @param look the number of the look that it waited for on arrival; 0 for none
   * @param keyId the identifier of its key; empty for a configured one
   * @throws Refusal 503 with a time to wait; nothing has been done then
   */
  begin(processor: object | undefined, look: number, keyId = ""): Turn | undefined {
    if (processor === undefined) return undefined;
    // Not the time of arrival: its body may have come slowly.
    const now = this.#now();
    const line = this.#processors.get(processor) ?? this.#newLine(processor);
    const turn = { begunMs: now, processor: line, keyId, flow: keyId === "" ? line.flow : line.flow + keyId };
    if (line.isFull(turn, look)) throw refusal("processor");
    if (this.#all.isFull(turn, look)) throw refusal("server");
    line.begin(turn, look);
    this.#all.begin(turn, look);
    return turn;
  }

  /** Number of calls that count as running. */
  get underWay(): number {
    return this.#all.size;
  }

  /** Notes that a request has ended, or was refused. */
  end(turn: Turn | undefined): void {
    if (turn === undefined) return;
    const now = this.#now();
    turn.processor.end(turn, now);
    this.#all.end(turn, now);
  }

  #newLine(processor: object): Line {
    const line = new Line(this.#budgets.processorWaitMs, this.#budgets.burstCalls, "keyId");
    this.#processors.set(processor, line);
    return line;
  }
}

function refusal(who: "processor" | "server"): Refusal {
  metrics.overloads[who]++;
  return new Refusal(
    503,
    `this ${who} has more calls than it can answer within a second; nothing was done, try again in ${RETRY_AFTER_S} s`,
    { retryAfterS: RETRY_AFTER_S },
  );
}
