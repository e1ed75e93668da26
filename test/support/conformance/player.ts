/** Plays the conformance examples over HTTP against a server, and says where an answer is wrong. */

import { expect } from "vitest";
import { answerFault, requestFault } from "../openapi/schemas";
import { ask } from "../server/processor-calls";
import type { JsonAnswer, Server } from "../server/server";
import { canonicalFault } from "./canonical-json";
import type { Example, Step } from "./examples";
import { difference, subsetDifference, unorderedDifference } from "./expectation";

type Genes = Record<string, boolean | number | string>;

/** Calls that undo whatever an example did, besides changes of genes. */
const RESET = [
  "POST clear-all-memory",
  "POST clear-target-class",
  "POST predicting/start",
  "POST autolearning/stop",
  "POST sleeping/stop",
];

/** The operations that a session has, as the wire contract lists them. */
const IN_SESSIONS: readonly string[] = [
  "clear-target-class",
  "cognition-data",
  "learn",
  "observe",
  "percept-data",
  "predictions",
  "sequence-observe",
  "set-target-class",
  "status",
  "time",
  "working-memory",
  "working-memory/clear",
];

/** Plays on the default processor of one server. */
export class Player {
  readonly #server: Server;
  readonly #status: unknown;
  readonly #genes: Genes;

  private constructor(server: Server, status: unknown, genes: Genes) {
    this.#server = server;
    this.#status = status;
    this.#genes = genes;
  }

  /** Begins with the processor as its genome made it, and remembers its status and genes. */
  static async begin(server: Server): Promise<Player> {
    const status = await ask(server, "GET status");
    const { genes } = (await ask(server, "GET all-genes")) as { genes: Genes };
    return new Player(server, status, genes);
  }

  /** Brings the processor back to the state in which its genome made it. */
  async reset(): Promise<void> {
    for (const call of RESET) await ask(this.#server, call);
    expect(await ask(this.#server, "POST genes/change", { data: this.#genes })).toBe("updated-genes");
    expect(await ask(this.#server, "GET status")).toEqual(this.#status);
  }

  /**
   * Plays an example. Throws at the first wrong answer.
   *
   * @param session the session of all steps that a session has; the processor's own memory when empty
   */
  async play(example: Example, session = ""): Promise<void> {
    for (const [at, written] of example.steps.entries()) {
      const step = session === "" ? written : inSession(written, session);
      const answer = await this.#server.send(step);
      const found = fault(step, answer, example) || (await schemaFault(step, answer));
      if (found !== "") throw new Error(`step ${at}, ${step.method} ${step.path}: ${found}`);
      if (session !== "" && step.path.endsWith("/sleeping/start")) await this.#clear(step, session);
    }
  }

  /** Falling asleep clears only the processor's own memory. */
  async #clear({ path }: Step, session: string): Promise<void> {
    await this.#server.okay(`POST ${path.replace("/sleeping/start", `/sessions/${session}/working-memory/clear`)}`);
  }
}

/** The step in a session. One that no session has is as written, but for the time in its answer, which is that of the own memory. */
function inSession(step: Step, session: string): Step {
  const [, id = "", ...rest] = step.path.split("/");
  const operation = rest.join("/");
  if (IN_SESSIONS.includes(operation)) return { ...step, path: `/${id}/sessions/${session}/${operation}` };
  const { interval: _, ...timeless } = step;
  return timeless;
}

function bodyDifference(step: Step, json: unknown, { compare }: Example): string {
  if (step.ties === true) return unorderedDifference(step.message, json, compare);
  if (step.subset !== undefined) return subsetDifference(step.subset, json, compare);
  return "message" in step ? difference(step.message, json, compare) : "";
}

/** What is wrong with an answer; empty when nothing is. */
function fault(step: Step, { status, text, json }: JsonAnswer, example: Example): string {
  const http = step.http ?? 200;
  if (status !== http) return `HTTP ${http} expected, got ${status}: ${text}`;
  if (step.interval !== undefined && json.interval !== step.interval) {
    return `interval ${step.interval} expected, got ${json.interval}`;
  }
  return bodyDifference(step, json.message, example) || canonicalFault(text);
}

/** What the schemas of the OpenAPI document find wrong; empty when nothing. A request that is answered is one that they accept. */
async function schemaFault(step: Step, { status, json }: JsonAnswer): Promise<string> {
  const request = status === 200 ? await requestFault(step, step.body) : "";
  if (request !== "") return `the schema refuses the request: ${request}`;
  const answer = await answerFault(step, status, json);
  return answer === "" ? "" : `the schema refuses the answer: ${answer}`;
}
