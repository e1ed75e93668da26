/**
 * Sessions that have ended, and whose numbers memories still have. They keep them for a while: of a server that was lost,
 * a call may come late, and a memory that has forgotten its number would take a message once more that its client has
 * repeated since under another one.
 */

import type { MqttPort } from "../../mqtt/port";
import type { MqttTables } from "../../store/mqtt/mqtt-tables";

/** For how long memories keep the numbers of a session that has ended, in milliseconds. A call is given up before. */
export const NUMBERS_STAY_MS = 60_000;

/** Of how many ended sessions they keep them. The oldest make room. */
export const MOST_ENDED_SOURCES = 10_000;

/** A session that has ended. */
interface Ended {
  readonly agent: string;
  /** The processors that have numbers of it. */
  readonly processors: readonly string[];
  /** When they are told that it has ended, epoch milliseconds. */
  readonly at: number;
}

/** What the ended sessions of an agent need. */
export interface EndedSourcesParts {
  readonly tables: MqttTables;
  port(): MqttPort;
  /** Something must be done at a time, epoch milliseconds. */
  ringBy(at: number): void;
}

/** The ended sessions of one agent. */
export class EndedSources {
  readonly #parts: EndedSourcesParts;
  /** By their sources, the oldest first; `undefined` until they are read. */
  #ended: Map<string, Ended> | undefined;
  #isForgetting = false;

  constructor(parts: EndedSourcesParts) {
    this.#parts = parts;
  }

  /** The agent of one; `undefined` when there is none. */
  get agent(): string | undefined {
    for (const { agent } of this.#all().values()) return agent;
    return undefined;
  }

  /** A session has ended. @param source its numbers' */
  add(source: string, agent: string, processors: readonly string[]): void {
    const at = Date.now() + NUMBERS_STAY_MS;
    this.#parts.tables.addEndedSource(source, JSON.stringify({ agent, processors }), at);
    this.#all().set(source, { agent, processors, at });
    if (this.#all().size > MOST_ENDED_SOURCES) void this.forget();
    this.#parts.ringBy(at);
  }

  /** Tells processors of those that have ended long enough ago. Never rejects. */
  async forget(): Promise<void> {
    if (this.#isForgetting) return;
    this.#isForgetting = true;
    try {
      for (let due = this.#due(); due.size > 0; due = this.#due()) {
        for (const [processor, sources] of due) await this.#parts.port().endSources([processor], sources);
        for (const source of new Set([...due.values()].flat())) {
          this.#all().delete(source);
          this.#parts.tables.removeEndedSource(source);
        }
      }
    } finally {
      this.#isForgetting = false;
    }
  }

  /** When some are to be forgotten, epoch milliseconds; `undefined` when there are none. */
  nextWake(): number | undefined {
    const soonest = this.#isForgetting ? Date.now() + NUMBERS_STAY_MS : 0;
    for (const { at } of this.#all().values()) return Math.max(soonest, at);
    return undefined;
  }

  /** The sources that are to be forgotten, by processors. */
  #due(): Map<string, string[]> {
    const due = new Map<string, string[]>();
    const now = Date.now();
    let tooMany = this.#all().size - MOST_ENDED_SOURCES;
    for (const [source, { at, processors }] of this.#all()) {
      if (at > now && tooMany-- <= 0) break;
      for (const processor of processors) {
        const sources = due.get(processor);
        if (sources === undefined) due.set(processor, [source]);
        else sources.push(source);
      }
    }
    return due;
  }

  #all(): Map<string, Ended> {
    if (this.#ended !== undefined) return this.#ended;
    const rows = this.#parts.tables.endedSources().toSorted((one, other) => one.at - other.at);
    this.#ended = new Map(rows.map(({ source, about, at }) => [source, { ...JSON.parse(about), at } as Ended]));
    return this.#ended;
  }
}
