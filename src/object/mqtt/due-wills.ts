/**
 * The wills that are to be published: each is stored from the turn in which its session gives it up until after its
 * memory has taken it, so neither a lost server nor a processor that is out of reach loses it. Each has a source of its
 * own, by which the memory takes it once however often it is sent.
 */

import { type MqttPort, Refused } from "../../mqtt/port";
import type { MqttTables } from "../../store/mqtt/mqtt-tables";
import { willFrom } from "./session";

/** How many wills of an agent may wait to be published, and how many characters they may have as they are stored. */
export const MOST_DUE_WILLS = 5000;
export const MOST_DUE_WILL_CHARACTERS = 8_388_608;

/** How long a will that could not be published waits, in milliseconds: twice as long each time, up to the most. */
const FIRST_PAUSE_MS = 5_000;
const MOST_PAUSE_MS = 300_000;

/** For how long publishing a will is tried before it is dropped, in milliseconds: a day. */
const GIVEN_UP_MS = 86_400_000;

/**
 * For how long the memory is left the number of a will that it has taken, in milliseconds: a call of a server that was
 * lost may come so late.
 */
const NUMBERED_MS = 60_000;

/** Whose will it is. */
interface Owner {
  readonly agent: string;
  readonly keyRef: string;
}

/** What of a will is stored with it as JSON. */
interface AboutWill extends Owner {
  /** When it was to be published, epoch milliseconds. */
  readonly since: number;
}

/** A will that waits. */
interface Waiting {
  readonly source: string;
  readonly about: AboutWill;
  /** How many characters are stored. */
  readonly size: number;
  pauseMs: number;
  /** When it is tried again, epoch milliseconds; of one that was taken, when that is forgotten. */
  at: number;
  /** The processor that has taken it. After a start that is found out once more. */
  takenBy?: string;
}

/** What the wills of an agent need. */
export interface DueWillParts {
  readonly tables: MqttTables;
  port(): MqttPort;
  /** Something must be done at a time, epoch milliseconds. */
  ringBy(at: number): void;
}

/** The wills of one agent that are to be published. */
export class DueWills {
  readonly #parts: DueWillParts;
  /** By their sources; `undefined` until they are read. */
  #waiting: Map<string, Waiting> | undefined;
  #characters = 0;
  #isPublishing = false;

  constructor(parts: DueWillParts) {
    this.#parts = parts;
  }

  /** The agent of one that waits; `undefined` when none does. */
  get agent(): string | undefined {
    for (const { about } of this.#all().values()) return about.agent;
    return undefined;
  }

  /** Stores a will, and publishes it soon. The oldest make room. @param will as a session returns it */
  add({ agent, keyRef }: Owner, will: string): void {
    const now = Date.now();
    const about = { agent, keyRef, since: now };
    const size = will.length;
    for (const oldest of this.#all().values()) {
      if (this.#all().size < MOST_DUE_WILLS && this.#characters + size <= MOST_DUE_WILL_CHARACTERS) break;
      this.#remove(oldest);
      console.error("the will of an MQTT client had to make room: too many wait to be published");
    }
    const source = crypto.randomUUID();
    this.#parts.tables.addDueWill(source, JSON.stringify(about), will);
    this.#note({ source, about, size, pauseMs: FIRST_PAUSE_MS, at: now });
    this.#parts.ringBy(now + FIRST_PAUSE_MS);
    void this.publish();
  }

  /** Publishes what is due. Never rejects. */
  async publish(): Promise<void> {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    try {
      for (let next = this.#due(); next !== undefined; next = this.#due()) {
        next.at = Date.now() + next.pauseMs;
        next.pauseMs = Math.min(MOST_PAUSE_MS, 2 * next.pauseMs);
        await this.#publishOne(next);
      }
    } finally {
      this.#isPublishing = false;
    }
    const at = this.nextWake();
    if (at !== undefined) this.#parts.ringBy(at);
  }

  /** When one is to be tried again, epoch milliseconds; `undefined` when none waits. */
  nextWake(): number | undefined {
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#all().values()) next = Math.min(next, at);
    return Number.isFinite(next) ? next : undefined;
  }

  #due(): Waiting | undefined {
    const now = Date.now();
    for (const one of this.#all().values()) if (one.at <= now) return one;
    return undefined;
  }

  async #publishOne(one: Waiting): Promise<void> {
    const { source, about, takenBy } = one;
    if (takenBy !== undefined) {
      this.#remove(one);
      await this.#parts.port().endSources([takenBy], [source]);
      return;
    }
    try {
      const processorId = await this.#take(one);
      if (processorId === undefined) this.#remove(one);
      else Object.assign(one, { takenBy: processorId, at: Date.now() + NUMBERED_MS });
    } catch (error) {
      const mayPass = !(error instanceof Refused) || !error.isFinal;
      if (mayPass && Date.now() < about.since + GIVEN_UP_MS) return;
      console.error(`the will of an MQTT client could not be published: ${error}`);
      this.#remove(one);
    }
  }

  /** Has a memory take a will. @returns its processor; `undefined` when nothing may be published @throws Refused */
  async #take(one: Waiting): Promise<string | undefined> {
    const { source, about } = one;
    const port = this.#parts.port();
    const holder = await port.holder(about.keyRef);
    const text = this.#parts.tables.dueWill(source);
    if (holder === undefined || text === undefined) return undefined;
    const { topic, payload } = willFrom(text);
    const publication = await port.prepare(holder, topic, payload);
    const { processorId } = publication;
    const { outcomes, later } = await port.take(processorId, source, [{ publication, number: 1 }], holder);
    const refused = outcomes[0] ?? later;
    if (refused !== undefined) throw refused;
    return processorId;
  }

  #all(): Map<string, Waiting> {
    if (this.#waiting !== undefined) return this.#waiting;
    this.#waiting = new Map();
    const rows = this.#parts.tables.dueWills().map((row) => ({ ...row, about: JSON.parse(row.about) as AboutWill }));
    for (const row of rows.toSorted((one, other) => one.about.since - other.about.since)) {
      this.#note({ ...row, pauseMs: FIRST_PAUSE_MS, at: 0 });
    }
    return this.#waiting;
  }

  #note(one: Waiting): void {
    this.#all().set(one.source, one);
    this.#characters += one.size;
  }

  #remove({ source, size }: Waiting): void {
    if (!this.#all().delete(source)) return;
    this.#characters -= size;
    this.#parts.tables.removeDueWill(source);
  }
}
