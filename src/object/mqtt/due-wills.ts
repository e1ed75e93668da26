/**
 * The wills to be published. Each is stored from the turn in which its session hands it over until its memory has
 * accepted it, so that neither a lost server nor an unreachable processor loses it. Each has its own source, so that
 * the memory accepts it once however often it is sent.
 */

import { type MqttPort, Refused } from "../../mqtt/port";
import type { MqttTables } from "../../store/mqtt/mqtt-tables";
import { InputTurns, PACKETS_A_TURN } from "./input-turns";
import { willFrom } from "./session";

/** Maximum number of an agent's wills waiting to be published, and of their characters as stored. */
export const MAX_DUE_WILLS = 5000;
export const MAX_DUE_WILL_CHARACTERS = 8_388_608;

/**
 * The first and the longest pause before a failed will is published again, in milliseconds; each pause is twice the
 * previous one.
 */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;

/** Time after which an unpublished will is dropped, in milliseconds: a day. */
const GIVEN_UP_MS = 86_400_000;

/**
 * Time for which a memory keeps the number of an accepted will, in milliseconds: a call of a lost server may come this
 * late.
 */
const NUMBERED_MS = 60_000;

/** Maximum number of an agent's wills published concurrently, and of those to one processor. */
export const MAX_AT_ONCE = 32;
export const MAX_AT_ONCE_OF_A_PROCESSOR = 4;

/**
 * Number of wills after which the runtime reads what others have sent, some ten milliseconds of work: when a link
 * breaks, the wills of thousands of clients are due at once.
 */
export const WILLS_A_TURN = 16;

/** The owner of a will. */
interface Owner {
  /** The session's identifier. */
  readonly id: string;
  readonly agent: string;
  readonly keyRef: string;
}

/** The part of a will that is stored as JSON. */
interface AboutWill {
  readonly agent: string;
  readonly keyRef: string;
  /** When it was to be published, epoch milliseconds; later than all earlier wills. */
  readonly since: number;
  /** Its session, whose wills are published one after the other; `undefined` if an earlier release stored it. */
  readonly session?: string;
}

/** A waiting will. */
interface Waiting {
  readonly source: string;
  readonly about: AboutWill;
  /** Number of stored characters. */
  readonly size: number;
  pauseMs: number;
  /** When it is tried again, epoch milliseconds; for an accepted will, when it is forgotten. */
  at: number;
  isUnderWay: boolean;
  /** The processor it is for; `undefined` until it was prepared. */
  processorId?: string;
  /** Whether the processor has accepted it. Found out again after a start. */
  isTaken: boolean;
}

/** What an agent's wills need. */
export interface DueWillParts {
  readonly tables: MqttTables;
  port(): MqttPort;
  /** Requests a wake-up at a time, epoch milliseconds. */
  ringBy(at: number): void;
}

/** The wills of one agent that are to be published. */
export class DueWills {
  readonly #parts: DueWillParts;
  /** By source, oldest first; `undefined` until they are read. */
  #waiting: Map<string, Waiting> | undefined;
  /** By session, those that no memory has accepted, oldest first. */
  readonly #ofSessions = new Map<string, Waiting[]>();
  /** Number of concurrent calls by processor. */
  readonly #toProcessors = new Map<string, number>();
  #underWay = 0;
  readonly #turns = new InputTurns();
  #characters = 0;
  /** When the newest will was to be published. */
  #newest = 0;

  constructor(parts: DueWillParts) {
    this.#parts = parts;
  }

  /** The agent of a waiting will; `undefined` without one. */
  get agent(): string | undefined {
    for (const { about } of this.#all().values()) return about.agent;
    return undefined;
  }

  /**
   * Stores a will, and publishes it soon. Drops the oldest if there are too many. @param will as returned by a session
   */
  add({ id, agent, keyRef }: Owner, will: string): void {
    const now = Date.now();
    const size = will.length;
    for (const oldest of this.#all().values()) {
      if (this.#all().size < MAX_DUE_WILLS && this.#characters + size <= MAX_DUE_WILL_CHARACTERS) break;
      this.#remove(oldest);
      console.error("the will of an MQTT client was dropped: too many wait to be published");
    }
    const about = { agent, keyRef, since: Math.max(now, this.#newest + 1), session: id };
    const source = crypto.randomUUID();
    this.#parts.tables.addDueWill(source, JSON.stringify(about), will);
    this.#note({ source, about, size, pauseMs: FIRST_PAUSE_MS, at: now, isUnderWay: false, isTaken: false });
    this.#parts.ringBy(now + FIRST_PAUSE_MS);
    this.publish();
  }

  /** Begins to publish what is due, concurrently, but a session's wills one after the other. */
  publish(): void {
    while (this.#underWay < MAX_AT_ONCE) {
      const next = this.#due();
      if (next === undefined) return;
      void this.#publishFrom(next);
    }
  }

  /** The time of the next attempt, epoch milliseconds; `undefined` when no will waits. */
  nextWake(): number | undefined {
    const now = Date.now();
    const isFull = this.#underWay >= MAX_AT_ONCE;
    let next = Number.POSITIVE_INFINITY;
    for (const one of this.#all().values()) {
      // In case the object is lost.
      if (one.isUnderWay) next = Math.min(next, Math.max(one.at, now + FIRST_PAUSE_MS));
      // A will that waits for another goes on when that one is done.
      else if (!this.#waitsForOthers(one) && !(isFull && one.at <= now)) next = Math.min(next, one.at);
    }
    return Number.isFinite(next) ? next : undefined;
  }

  #due(): Waiting | undefined {
    const now = Date.now();
    for (const one of this.#all().values()) {
      if (one.at <= now && !one.isUnderWay && !this.#waitsForOthers(one)) return one;
    }
    return undefined;
  }

  /** Whether another will of its session comes first, or its processor has the maximum of concurrent calls. */
  #waitsForOthers(one: Waiting): boolean {
    if (!one.isTaken && this.#ofSessions.get(sessionOf(one))?.[0] !== one) return true;
    return one.processorId !== undefined && this.#mayNotGoTo(one.processorId);
  }

  #mayNotGoTo(processorId: string): boolean {
    return (this.#toProcessors.get(processorId) ?? 0) >= MAX_AT_ONCE_OF_A_PROCESSOR;
  }

  /** Publishes a will, then others while any are due. */
  async #publishFrom(first: Waiting): Promise<void> {
    for (let next: Waiting | undefined = first; next !== undefined; next = this.#due()) {
      this.#underWay++;
      next.isUnderWay = true;
      next.at = Date.now() + next.pauseMs;
      try {
        const { due } = this.#turns;
        if (due !== undefined) await due;
        this.#turns.handling(PACKETS_A_TURN / WILLS_A_TURN);
        await this.#publishOne(next);
      } finally {
        next.isUnderWay = false;
        this.#underWay--;
      }
    }
    const at = this.nextWake();
    if (at !== undefined) this.#parts.ringBy(at);
  }

  async #publishOne(one: Waiting): Promise<void> {
    const { source, about, processorId } = one;
    if (one.isTaken && processorId !== undefined) {
      this.#remove(one);
      await this.#goTo(processorId, () => this.#parts.port().endSources([processorId], [source]));
      return;
    }
    try {
      await this.#take(one);
    } catch (error) {
      const mayPass = !(error instanceof Refused) || !error.isFinal;
      one.pauseMs = Math.min(MAX_PAUSE_MS, 2 * one.pauseMs);
      if (mayPass && Date.now() < about.since + GIVEN_UP_MS) return;
      console.error(`the will of an MQTT client could not be published: ${error}`);
      this.#remove(one);
    }
  }

  /** Has a memory accept a will, unless its processor has the maximum of concurrent calls. @throws Refused */
  async #take(one: Waiting): Promise<void> {
    const { source, about } = one;
    const port = this.#parts.port();
    const holder = await port.holder(about.keyRef);
    const text = this.#parts.tables.dueWill(source);
    if (holder === undefined || text === undefined) {
      this.#remove(one);
      return;
    }
    const { topic, payload } = willFrom(text);
    const publication = await port.prepare(holder, topic, payload);
    const { processorId } = publication;
    one.processorId = processorId;
    if (this.#mayNotGoTo(processorId)) {
      one.at = Date.now();
      return;
    }
    await this.#goTo(processorId, async () => {
      const { outcomes, later } = await port.take(processorId, source, [{ publication, number: 1 }], holder);
      const refused = outcomes[0] ?? later;
      if (refused !== undefined) throw refused;
    });
    one.isTaken = true;
    one.at = Date.now() + NUMBERED_MS;
    this.#leaveSession(one);
  }

  /** Counts a call to a processor while it runs. */
  async #goTo(processorId: string, call: () => Promise<void>): Promise<void> {
    this.#toProcessors.set(processorId, (this.#toProcessors.get(processorId) ?? 0) + 1);
    try {
      await call();
    } finally {
      const left = (this.#toProcessors.get(processorId) ?? 1) - 1;
      if (left === 0) this.#toProcessors.delete(processorId);
      else this.#toProcessors.set(processorId, left);
    }
  }

  #all(): Map<string, Waiting> {
    if (this.#waiting !== undefined) return this.#waiting;
    this.#waiting = new Map();
    const rows = this.#parts.tables.dueWills().map((row) => ({ ...row, about: JSON.parse(row.about) as AboutWill }));
    for (const row of rows.toSorted((one, other) => one.about.since - other.about.since)) {
      this.#note({ ...row, pauseMs: FIRST_PAUSE_MS, at: 0, isUnderWay: false, isTaken: false });
    }
    return this.#waiting;
  }

  #note(one: Waiting): void {
    this.#all().set(one.source, one);
    this.#characters += one.size;
    this.#newest = Math.max(this.#newest, one.about.since);
    const session = sessionOf(one);
    const others = this.#ofSessions.get(session);
    if (others === undefined) this.#ofSessions.set(session, [one]);
    else others.push(one);
  }

  #remove(one: Waiting): void {
    if (!this.#all().delete(one.source)) return;
    this.#characters -= one.size;
    this.#parts.tables.removeDueWill(one.source);
    this.#leaveSession(one);
  }

  /** Allows the session's next will to be published. */
  #leaveSession(one: Waiting): void {
    const session = sessionOf(one);
    const left = this.#ofSessions.get(session)?.filter((other) => other !== one) ?? [];
    if (left.length === 0) this.#ofSessions.delete(session);
    else this.#ofSessions.set(session, left);
  }
}

/** The session whose wills are published one after the other. */
function sessionOf({ source, about }: Waiting): string {
  return about.session ?? source;
}
