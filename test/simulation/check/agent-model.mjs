/**
 * A whole agent as the documentation describes it, slow and without a database: processors of the torture's model,
 * their sessions, the answers that they keep, the numbers of sources, and what they tell each other.
 */

import { answer, envelope } from "../../torture/model/answers.mjs";
import { ModelProcessor } from "../../torture/model/processor.mjs";

/** What all memories of a processor share. */
const SHARED = ["knowledge", "genes", "flags", "blacklist"];

/** One processor with its sessions. */
export class ProcessorModel {
  id;
  #name;
  /** The processors that observe what this one predicts. */
  targets;
  #own;
  #sessions = new Map();
  /** By idempotency key. */
  #kept = new Map();
  /** By session and source, the number of the last record. */
  #numbers = new Map();
  /** How often all sessions were ended: with them end the numbers of their sources. */
  generation = 0;
  /** The events for other processors that were recorded, in order; their numbers count from 1. */
  told = [];

  constructor(id, name, targets) {
    this.id = id;
    this.#name = name;
    this.targets = targets;
    this.#own = new ModelProcessor(id, name);
  }

  /** The sessions that something was changed in. */
  get sessions() {
    return [...this.#sessions.keys()];
  }

  /** Does something with a memory. */
  #in(session, work) {
    if (session === "") return work(this.#own);
    const memory = this.#sessions.get(session) ?? new ModelProcessor(this.id, this.#name);
    for (const member of SHARED) memory[member] = this.#own[member];
    const result = work(memory);
    for (const member of SHARED) this.#own[member] = memory[member];
    return result;
  }

  /** Notes that a session has something of its own. */
  #keepSession(session, work) {
    return this.#in(session, (memory) => {
      if (session !== "") this.#sessions.set(session, memory);
      return work(memory);
    });
  }

  /** Observes one record, and tells others what is predicted then. */
  #observe(memory, session, gdf) {
    const message = memory.observe(gdf);
    if (!message.prediction_made) return message;
    const symbols = memory.predictions().map(({ name }) => `PRIMITIVE|${this.id}|${name}|name|${name}`);
    for (const target of this.targets) {
      const { emotives, unique_id } = gdf;
      const event = { strings: symbols, vectors: [], emotives, metadata: {}, unique_id };
      this.told.push({ number: this.told.length + 1, target, session, event, isTaken: false });
    }
    return message;
  }

  /**
   * What a request leads to.
   *
   * @param {{ call: string, body?: any, session: string, key?: string, writes: boolean }} request
   * @returns {string} the answer, as `comparable` of the torture's model writes it
   */
  ask({ call, body, session, key, writes }) {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const inMemory = (work) => (writes ? this.#keepSession(session, work) : this.#in(session, work));
    const text = inMemory((memory) => this.#answer(memory, session, call, body));
    if (call === "POST clear-all-memory") this.#endSessions();
    if (key !== undefined && writes && text.startsWith("200")) this.#kept.set(key, text);
    return text;
  }

  #answer(memory, session, call, body) {
    const [method, operation] = call.split(" ");
    const request = { method, path: `/${this.id}/${operation}`, body: structuredClone(body) };
    const outcome = this.#tells(call) ? this.#outcomeOf(memory, session, request) : answer(memory, request);
    return `${outcome.status} ${envelope(this.id, outcome)}`;
  }

  #tells(call) {
    return this.targets.length > 0 && (call === "POST observe" || call === "POST sequence-observe");
  }

  /** The outcome of a call that other processors hear of: record by record. */
  #outcomeOf(memory, session, { path, body: { data } }) {
    if (path.endsWith("/observe")) {
      const message = this.#observe(memory, session, data);
      return { status: 200, message, interval: memory.time, uniqueId: message.unique_id };
    }
    if (data.clear) memory.clearWorkingMemory();
    const message = data.sequence.map((record) => this.#observe(memory, session, record));
    if (data.learn) memory.learn();
    return { status: 200, message, interval: memory.time };
  }

  #endSessions() {
    this.generation++;
    for (const name of this.sessions) {
      for (const place of this.#numbers.keys()) if (place.startsWith(`${name}/`)) this.#numbers.delete(place);
    }
    this.#sessions.clear();
  }

  /**
   * A frame of a stream with a source.
   *
   * @returns what the answer says besides its number; `undefined` when it was taken before
   */
  frame({ session, source, n, clear, observe, learn }) {
    if (!this.#takes(session, source, n)) return undefined;
    return this.#keepSession(session, (memory) => {
      if (clear) memory.clearWorkingMemory();
      for (const record of observe) this.#observe(memory, session, record);
      const message = { observed: observe.length, ...(learn && { learned: memory.learn() }) };
      return { interval: memory.time, message };
    });
  }

  /** A record that another processor has sent. @returns whether it was not taken before */
  deliver({ session, event }, source, number) {
    if (!this.#takes(session, source, number)) return false;
    this.#keepSession(session, (memory) => this.#observe(memory, session, event));
    return true;
  }

  #takes(session, source, number) {
    const place = `${session}/${source}`;
    if (number <= (this.#numbers.get(place) ?? 0)) return false;
    this.#numbers.set(place, number);
    return true;
  }
}
