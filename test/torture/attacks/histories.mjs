/**
 * Plays random histories of operations on a server and on an independent model of the wire contract at the same time, with kills in
 * between: every answer must be the model's to the byte. A history that fails is shrunk to the shortest that still does.
 */

import fc from "fast-check";
import { genome } from "../client.mjs";
import { answer, comparable, envelope } from "../model/answers.mjs";
import { ModelProcessor } from "../model/processor.mjs";
import { history, READINGS } from "../model/steps.mjs";
import { Raw } from "../model/text.mjs";
import { Server } from "../server.mjs";
import { deadlineOfPart } from "../waiting.mjs";

/** Each history has an unused processor. */
const PROCESSORS = 4000;

/** An answer that is not the model's. */
class Difference extends Error {
  constructor(transcript, expected, got) {
    super(`an answer to ${transcript.at(-1).split(" ", 2).join(" ").replace(/\/.*/, "/...")} is not the model's`);
    this.transcript = transcript;
    this.expected = expected;
    this.got = got;
  }
}

/** JSON in the order of its members, metadata as it is. */
function jsonText(value) {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${jsonText(one)}`).join(",")}}`;
}

/** Plays histories, one after the other, each on a processor of its own. */
class Player {
  #server;
  #client;
  #next = 0;
  #report;

  constructor(report) {
    this.#report = report;
  }

  async start(stateDir) {
    const isNew = stateDir === undefined;
    this.#server = await Server.start(isNew ? {} : { stateDir });
    this.#client = this.#server.client({ connections: 1 });
    const ids = Array.from({ length: PROCESSORS }, (_, at) => ({ id: `h${at}` }));
    if (isNew) await this.#client.askAt("POST", "/genome/hotswap", genome("histories", ids));
  }

  /** Throws a Difference. */
  async play(steps) {
    const at = this.#next++ % PROCESSORS;
    const [id, model] = [`h${at}`, new ModelProcessor(`h${at}`, `P${at + 1}`)];
    const transcript = [];
    for (const step of [...steps, ...READINGS]) await this.#take(step, id, model, transcript);
    this.#report.count("histories");
  }

  async #take(step, id, model, transcript) {
    if (step.call === "kill") {
      transcript.push("kill");
      return this.#kill();
    }
    const { knowledge } = model;
    const call = typeof step.call === "function" ? step.call(knowledge) : step.call;
    const [method, operation] = call.split(" ");
    const body = step.body(knowledge);
    const path = `/${id}/${operation}`;
    const text = body === undefined ? undefined : jsonText(body);
    transcript.push(`${call} ${text ?? ""}`);
    // Before the model changes what the body refers to.
    const got = comparable(await this.#client.exchange({ method, path, body: text }));
    const outcome = answer(model, { method, path, body });
    const expected = `${outcome.status} ${envelope(id, outcome)}`;
    this.#report.count("operations compared");
    if (got !== expected) throw new Difference(transcript, expected, got);
  }

  async #kill() {
    await this.#server.kill();
    this.#client.close();
    await this.start(this.#server.stateDir);
    this.#report.count("kills");
  }

  async end() {
    this.#client.close();
    await this.#server.discard();
  }
}

/** Where two texts part. */
function parting(expected, got) {
  const at = [...expected].findIndex((char, index) => char !== got[index]);
  const from = Math.max(0, at - 60);
  return [expected, got].map((text) => text.slice(from, from + 160));
}

/** Plays histories of one kind until one fails. */
async function playAll(part, { report, sizes, seed, deadline }) {
  const player = new Player(report);
  await player.start();
  const steps = history(sizes.steps, sizes.kills, part === "persistence");
  const property = fc.asyncProperty(steps, (taken) => player.play(taken));
  const outcome = await fc.check(property, {
    seed,
    numRuns: sizes.rounds,
    interruptAfterTimeLimit: Math.max(1000, deadline - performance.now()),
    markInterruptAsFailure: false,
  });
  const { failed, numShrinks, errorInstance: error } = outcome;
  if (failed && error instanceof Difference) {
    const [expected, got] = parting(error.expected, error.got);
    const shrunk = `after ${numShrinks} shrinks:\n${error.transcript.join("\n")}`;
    report.fail(`${part}: ${error.message}`, `model:  ...${expected}\nserver: ...${got}\n${shrunk}`);
  } else if (failed) throw error ?? new Error("a history failed without a reason");
  await player.end();
}

async function run(context) {
  for (const [at, part] of context.parts.entries()) {
    await playAll(part, { ...context, deadline: deadlineOfPart(context.deadline, context.parts.length - at) });
  }
}

/** The attack. */
export const histories = {
  name: "histories",
  about: "random histories with kills against an independent model of the wire contract: every answer to the byte",
  parts: ["operations", "persistence"],
  sizes: {
    short: { rounds: 30, steps: 80, kills: 1, seconds: 120 },
    long: { rounds: 2000, steps: 150, kills: 1, seconds: 900 },
  },
  run,
};
