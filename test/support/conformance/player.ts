/** Plays the conformance examples over HTTP against a server, and says where an answer is not as expected. */

import { expect } from "vitest";
import type { JsonAnswer, Server } from "../server/server";
import { disorder } from "./canonical-json";
import type { Example, Step } from "./examples";
import { difference, subsetDifference, unorderedDifference } from "./expectation";

/** The processor of the default genome. */
const PROCESSOR = "/p46b6b076c";

type Genes = Record<string, boolean | number | string>;

/** Plays on one server. */
export class Player {
  readonly #server: Server;
  readonly #status: unknown;
  readonly #genes: Genes;

  private constructor(server: Server, status: unknown, genes: Genes) {
    this.#server = server;
    this.#status = status;
    this.#genes = genes;
  }

  /** Begins with the processor as its genome made it. */
  static async begin(server: Server): Promise<Player> {
    const status = await message(server, "GET", "status");
    const { genes } = (await message(server, "GET", "all-genes")) as { genes: Genes };
    return new Player(server, status, genes);
  }

  /** Brings the processor to the state in which its genome made it. */
  async reset(): Promise<void> {
    for (const call of ["clear-all-memory", "clear-target-class", "predicting/start", "autolearning/stop"]) {
      await message(this.#server, "POST", call);
    }
    await message(this.#server, "POST", "sleeping/stop");
    expect(await message(this.#server, "POST", "genes/change", { data: this.#genes })).toBe("updated-genes");
    expect(await message(this.#server, "GET", "status")).toEqual(this.#status);
  }

  /** Plays an example. Throws at the first answer that is not as expected. */
  async play(example: Example): Promise<void> {
    for (const [at, step] of example.steps.entries()) {
      const found = complaint(step, await this.#server.send(step), example);
      if (found !== "") throw new Error(`step ${at}, ${step.method} ${step.path}: ${found}`);
    }
  }
}

async function message(server: Server, method: string, path: string, body?: unknown): Promise<unknown> {
  const { status, json } = await server.send({ method, path: `${PROCESSOR}/${path}`, body });
  expect({ path, status, word: json.status }).toEqual({ path, status: 200, word: "okay" });
  return json.message;
}

function bodyDifference(step: Step, json: unknown, { compare }: Example): string {
  if (step.ties === true) return unorderedDifference(step.message, json, compare);
  if (step.subset !== undefined) return subsetDifference(step.subset, json, compare);
  return "message" in step ? difference(step.message, json, compare) : "";
}

/** What is wrong with an answer; empty when nothing is. */
function complaint(step: Step, { status, text, json }: JsonAnswer, example: Example): string {
  const http = step.http ?? 200;
  if (status !== http) return `HTTP ${http} expected, got ${status}: ${text}`;
  if (step.interval !== undefined && json.interval !== step.interval) {
    return `interval ${step.interval} expected, got ${json.interval}`;
  }
  return bodyDifference(step, json.message, example) || disorder(text);
}
