/**
 * Ended sessions whose numbers memories still keep. They keep them for a while because a call of a lost server may
 * arrive late: without the number, a memory would accept a message a second time that the client has since repeated
 * under another number.
 */

import type { MqttPort } from "../../mqtt/port";
import type { MqttTables } from "../../store/mqtt/mqtt-tables";

/** Time for which memories keep the numbers of an ended session, in milliseconds. Calls are given up before. */
export const NUMBERS_STAY_MS = 60_000;

/** Maximum number of ended sessions kept; beyond it the oldest is dropped. */
export const MAX_ENDED_SOURCES = 10_000;

/** A session that has ended. */
interface Ended {
  readonly agent: string;
  /** The processors that have its numbers. */
  readonly processors: readonly string[];
  /** When they may forget them, epoch milliseconds. */
  readonly at: number;
}

/** What an agent's ended sessions need. */
export interface EndedSourcesParts {
  readonly tables: MqttTables;
  port(): MqttPort;
  /** Requests a wake-up at a time, epoch milliseconds. */
  ringBy(at: number): void;
}

/** The ended sessions of one agent. */
export class EndedSources {
  readonly #parts: EndedSourcesParts;
  /** By source, oldest first; `undefined` until they are read. */
  #ended: Map<string, Ended> | undefined;
  #isForgetting = false;

  constructor(parts: EndedSourcesParts) {
    this.#parts = parts;
  }

  /** The agent of an ended session; `undefined` without one. */
  get agent(): string | undefined {
    for (const { agent } of this.#all().values()) return agent;
    return undefined;
  }

  /** Notes that a session has ended. @param source of its numbers */
  add(source: string, agent: string, processors: readonly string[]): void {
    const at = Date.now() + NUMBERS_STAY_MS;
    this.#parts.tables.addEndedSource(source, JSON.stringify({ agent, processors }), at);
    this.#all().set(source, { agent, processors, at });
    if (this.#all().size > MAX_ENDED_SOURCES) void this.forget();
    this.#parts.ringBy(at);
  }

  /** Has processors forget sessions that ended long enough ago. Never rejects. */
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

  /** When the next are to be forgotten, epoch milliseconds; `undefined` without any. */
  nextWake(): number | undefined {
    const soonest = this.#isForgetting ? Date.now() + NUMBERS_STAY_MS : 0;
    for (const { at } of this.#all().values()) return Math.max(soonest, at);
    return undefined;
  }

  /** The sources to be forgotten, by processor. */
  #due(): Map<string, string[]> {
    const due = new Map<string, string[]>();
    const now = Date.now();
    let tooMany = this.#all().size - MAX_ENDED_SOURCES;
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
