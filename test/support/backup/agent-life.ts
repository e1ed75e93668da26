/** A random life of an agent of two processors, over HTTP, and everything that it answers to reads. */

import type { Random } from "../random";
import { exchange } from "../server/http-exchange";
import type { JsonAnswer, Server } from "../server/server";

/** An agent of a server. */
export interface ServedAgent {
  server: Server;
  /** The first label of its host; the default agent when empty. */
  name: string;
}

/** A call as one word, and its body. */
export type Call = readonly [call: string, body?: unknown];

const SESSIONS = ["s", "t", "ünïcode/%", "a b"];
const SYMBOLS = ["a", "b", "c", "d", "e", "\u{1f600}", "ﬁ", "it's", "__proto__", 'q"\\'];

/** The processors that are read and called. P1 tells P2 what it predicts. */
export const PROCESSORS = ["p1", "p2"] as const;

/** The genome of the agent. */
export const GENOME = JSON.stringify({
  agent: "backed-up",
  description: "two processors, one that nobody has called, and one elsewhere",
  elements: {
    nodes: [
      { data: { type: "primitive", id: "p1", name: "P1", manipulatives: ["m"], persistence: 3 } },
      { data: { type: "primitive", id: "p2", name: "P2", classifier: "DVC" } },
      { data: { type: "primitive", id: "p3", name: "P3" } },
      {
        data: {
          type: "manipulative",
          id: "m",
          name: "abstraction",
          mtype: "output",
          primitive: "p1",
          genes: {
            field: { value: ["name", "future"] },
            primitives: { value: ["p2"] },
            sources: { value: ["cognition-data"] },
          },
        },
      },
    ],
  },
});

/** Sends one call to an agent. */
export function send({ server, name }: ServedAgent, [call, body]: Call): Promise<JsonAnswer> {
  return server.call(call, body, name === "" ? {} : { headers: { host: `${name}.localhost` } });
}

/** What an agent answers to GET /backup. @throws Error when it refuses */
export async function backupOf({ server, name }: ServedAgent, query = ""): Promise<string> {
  const headers = { host: name === "" ? "localhost" : `${name}.localhost` };
  const { status, text } = await exchange(server.address, { method: "GET", path: `/backup${query}`, headers });
  if (status !== 200) throw new Error(`GET /backup answered HTTP ${status}: ${text.slice(0, 300)}`);
  return text;
}

/** Makes random calls. Lives from the same seed make the same calls, whatever is answered. */
export class AgentLife {
  readonly #random: Random;
  #records = 0;
  #time: number | undefined;
  readonly #calls: ((processor: string) => Call)[];

  /** @param time around when its events begin to happen, epoch seconds; without it, each happens when it arrives */
  constructor(random: Random, time?: number) {
    this.#random = random;
    this.#time = time;
    const memory = (processor: string) => {
      if (random.below(2) === 0) return `/${processor}`;
      return `/${processor}/sessions/${encodeURIComponent(random.pick(SESSIONS))}`;
    };
    this.#calls = [
      ...Array.from(
        { length: 20 },
        () =>
          (processor: string): Call => [`POST ${memory(processor)}/observe`, this.#observation()],
      ),
      ...Array.from(
        { length: 5 },
        () =>
          (processor: string): Call => [`POST ${memory(processor)}/learn`],
      ),
      (processor) => [`POST ${memory(processor)}/working-memory/clear`],
      (processor) => [`POST ${memory(processor)}/set-target-class`, { data: this.#symbol() }],
      (processor) => [`POST ${memory(processor)}/clear-target-class`],
      (processor) => [`POST /${processor}/autolearning/${random.pick(["start", "stop"])}`],
      (processor) => [`POST /${processor}/predicting/${random.pick(["start", "start", "stop"])}`],
      (processor) => [`POST /${processor}/sleeping/${random.pick(["start", "stop", "stop"])}`],
      (processor) => [`POST /${processor}/genes/change`, { data: this.#genes() }],
      (processor) => [`POST /${processor}/blacklisted-symbols/add`, { data: [this.#symbol()] }],
      (processor) => [`DELETE /${processor}/blacklisted-symbols/remove`, { data: SYMBOLS.slice(random.below(4)) }],
      (processor) => [`POST /${processor}/forget`, { data: { keep_at_most: 3 + random.below(20) } }],
      (processor) => [`DELETE /${processor}/symbols/remove`, { data: [this.#symbol()] }],
      (processor) => [`DELETE /${processor}/sessions/${encodeURIComponent(random.pick(SESSIONS))}`],
      (processor) => [
        `PUT /${processor}/add-model`,
        {
          sequence: [[this.#symbol()], [this.#symbol(), this.#symbol()]],
          emotives: { joy: [1, -0.5] },
          vector: this.#vector(),
        },
      ],
    ];
  }

  /** The next call. */
  next(): Call {
    return this.#random.pick(this.#calls)(this.#random.pick(PROCESSORS));
  }

  #symbol(): string {
    return this.#random.pick(SYMBOLS);
  }

  #vector(): number[] {
    return [this.#random.below(4) / 2, this.#random.below(3)];
  }

  #observation() {
    this.#records++;
    // Some before the one before.
    if (this.#time !== undefined) this.#time += this.#random.below(40) / 4 - 1;
    const strings = Array.from({ length: this.#random.below(3) }, () => this.#symbol());
    const data = {
      strings,
      vectors: this.#random.below(4) === 0 ? [this.#vector()] : [],
      emotives: this.#random.below(3) === 0 ? { [this.#random.pick(["u", "v"])]: this.#random.below(9) - 4.25 } : {},
      metadata: this.#random.below(3) === 0 ? { z: 1, "10": [this.#records], a: "ü" } : {},
      unique_id: `record ${this.#records}`,
      ...(this.#time !== undefined && { time: this.#time }),
    };
    if (this.#random.below(3) > 0) return { data };
    return {
      data,
      delivery: { source: `device ${this.#random.below(30)}`, number: this.#records - this.#random.below(3) },
    };
  }

  #genes() {
    return this.#random.pick<Record<string, unknown>>([
      { recall_threshold: this.#random.below(4) / 10 },
      { max_sequence_length: this.#random.below(5), wm_resolution: this.#random.pick(["symbol", "event"]) },
      { classifier: this.#random.pick(["CVC", "DVC"]), search_depth: 3 },
      { max_models: this.#random.pick([0, 3, 12]), wm_mode: this.#random.pick(["clear", "rolling"]) },
      { near_vector_count: this.#random.below(4) },
      { predict_on_nth_event: 1 + this.#random.below(2) },
      { prediction_sort_metric: this.#random.pick(["potential", "number_of_blocks"]) },
      { SORT: this.#random.below(2) === 0 },
    ]);
  }
}

const MEMORY_READINGS = ["status", "time", "working-memory", "percept-data", "cognition-data"];
const PROCESSOR_READINGS = ["name", "all-genes", "list-blacklisted-symbols", "get_kb?order=true", "sessions"];

/** What an answer says besides when it was given. */
export function timeless(text: string): string {
  return text
    .replace(/"time_stamp":\d+/g, "")
    .replace(/"agent_name":"[a-z]+"/g, "")
    .replace(/"last_observed":\d+/g, "")
    .replace(/"unique_id":"[0-9a-f-]{36}"/g, "");
}

/** Everything that the agent answers to reads, by call. */
export async function readingsOf(agent: ServedAgent): Promise<Record<string, string>> {
  const calls: Call[] = [["GET /connect"]];
  for (const id of PROCESSORS) {
    for (const reading of PROCESSOR_READINGS) calls.push([`GET /${id}/${reading}`]);
    for (const memory of [`/${id}`, ...SESSIONS.map((name) => `/${id}/sessions/${encodeURIComponent(name)}`)]) {
      for (const reading of MEMORY_READINGS) calls.push([`GET ${memory}/${reading}`]);
      calls.push([`POST ${memory}/predictions`], [`POST ${memory}/forecast`]);
    }
  }
  const readings: Record<string, string> = {};
  for (const call of calls) readings[call[0]] = timeless((await send(agent, call)).text);
  return readings;
}
