/**
 * What all attacks on bytes share: a server with a processor to attack and another one, others who ask meanwhile, workerd's memory, and a
 * bound of time. Judges each attack by all of them.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { LOCAL_KEY } from "../../../../src/serve/settings.mjs";
import { genome, PROCESSOR } from "../../client.mjs";
import { Server } from "../../server.mjs";
import { slowness, Wait } from "../../waiting.mjs";

/** The longest that others may wait, in milliseconds. */
export const WAIT_MS = 1000;

/** How long a call may take on a busy machine, in milliseconds. */
export const LIMIT_MS = 60_000;

/** How much memory workerd may take besides what it had: V8 collects late. */
const GROWTH_MEBIBYTES = 600;

/** The processor of those who are not attacked. */
const OTHER = "o1";
/** A session of the attacked processor, for its other users. */
const SESSION = `/${PROCESSOR}/sessions/others`;

const PAUSE_MS = 20;
const MEMORY_LOOK_MS = 20;
/** After this number of observes a memory that has no bound is cleared. */
const CLEAR_EVERY = 100;
/** After this number of refused calls in a row a kind counts as full. */
const REFUSED = 3;

/** Those who ask while an attack goes on, each on a connection of its own. Notes how long they wait, and what is not answered. */
class Others {
  #server;
  #going = true;
  #done;
  #recent = [];
  /** The longest wait of all: by the clock, what counts of it, and whose it was. */
  most = { clock: 0, counts: 0, name: "" };
  failures = [];

  constructor(server, key, withSession) {
    this.#server = server;
    const body = { data: { strings: ["o"] } };
    const asked = [
      { name: "GET /health", path: "/health" },
      { name: "another processor", path: `/${OTHER}/observe`, body },
      { name: "another processor, another key", path: `/${OTHER}/observe`, body, key },
    ];
    if (withSession)
      asked.push({ name: "another session and key", path: `${SESSION}/observe`, body, key, clears: true });
    this.#done = Promise.all(asked.map((one) => this.#ask(one)));
  }

  async #ask({ name, path, body, key = { "x-api-key": LOCAL_KEY }, clears = false }) {
    const client = this.#server.client({ connections: 1, timeoutMs: LIMIT_MS });
    const send = (to, sent) =>
      client
        .exchange({
          method: sent === undefined && to === "/health" ? "GET" : "POST",
          path: to,
          body: sent,
          headers: key,
        })
        .catch((error) => ({ status: 0, text: error.message }));
    for (let count = 1; this.#going; count++) {
      const wait = new Wait(this.#server);
      const { status, text } = await send(path, body);
      const { clock, counts } = wait.end();
      this.#recent.push({ clock, counts });
      if (counts > this.most.counts) this.most = { clock, counts, name };
      if (status !== 200) this.failures.push(`${name}: ${status} ${text.slice(0, 300)}`);
      if (clears && count % CLEAR_EVERY === 0) await send(`${SESSION}/working-memory/clear`);
      await sleep(PAUSE_MS);
    }
    client.close();
  }

  /** The longest wait since the last question, by the clock and as it counts, in milliseconds. */
  longest() {
    const waits = this.#recent.splice(0);
    const most = (member) => waits.reduce((longest, wait) => Math.max(longest, wait[member]), 0);
    return { clock: most("clock"), counts: most("counts") };
  }

  async end() {
    this.#going = false;
    await this.#done;
  }
}

/** What an attack is on: a server, calls to it, and where its findings go. */
class Target {
  server;
  client;
  report;
  sizes;
  name;
  /** The others; undefined while the attack is prepared. */
  others;
  statuses = {};

  constructor({ report, sizes }, name, server) {
    this.report = report;
    this.sizes = sizes;
    this.name = name;
    this.server = server;
    this.client = server.client({ timeoutMs: LIMIT_MS });
  }

  /** Notes a figure of this attack. */
  figure(name, value) {
    this.report.figure(`${this.name}: ${name}`, value);
  }

  /** Notes a failure of this attack unless something holds. */
  expect(holds, signature, detail) {
    return this.report.expect(holds, `${this.name}: ${signature}`, detail);
  }

  /** Calls the processor, or a whole path. It must be answered, and not with 500; without an answer the status is 0. */
  async call(method, path, body, headers) {
    const whole = path.startsWith("/") ? path : `/${PROCESSOR}/${path}`;
    const { status, text } = await this.client
      .exchange({ method, path: whole, body, headers })
      .catch((error) => ({ status: 0, text: error.message }));
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    const isServed = status !== 0 && status !== 500;
    this.expect(isServed, `${method} ${path.slice(0, 40)} is answered with ${status}`, text.slice(0, 300));
    return { status, text };
  }

  /** Makes a call that must succeed, and returns the text of its answer. */
  async succeed(method, path, body, headers) {
    const { status, text } = await this.call(method, path, body, headers);
    this.expect(status === 200, `${method} ${path} is answered with ${status}`, text.slice(0, 300));
    return text;
  }

  /** Repeats calls until they are refused for good. Returns how many were taken, and the last refusal. */
  async fill(most, make) {
    let taken = 0;
    let refused = 0;
    let last;
    for (let at = 0; at < most && refused < REFUSED; at++) {
      const { status, text } = await make(at);
      if (status === 200) taken++;
      else last = { status, text };
      refused = status === 200 ? 0 : refused + 1;
    }
    this.expect(refused === REFUSED, `${taken} of ${most} calls were taken, and none was refused for good`);
    return { taken, ...last };
  }

  /** A key of the agent with these roles, as headers. */
  async keyOf(roles, sessions) {
    const named = sessions === undefined ? {} : { sessions };
    const data = { name: `key of ${roles}`, roles, ...named };
    const { key } = await this.client.askAt("POST", "/keys", { data });
    return { "x-api-key": key };
  }
}

/** Lets others ask and looks at memory while an attack goes on, for as long as it may take. */
async function watched(target, { attack, growth = GROWTH_MEBIBYTES, waitMs = WAIT_MS, withSession = false }) {
  const { server, sizes } = target;
  const workerd = String(server.workerds());
  const others = new Others(server, await target.keyOf(["observe"]), withSession);
  target.others = others;
  const slow = slowness();
  await sleep(200);
  const before = server.memory();
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, server.memory());
  }, MEMORY_LOOK_MS);
  const began = performance.now();
  const attacked = (async () => {
    await attack(target);
    await others.end();
    await target.succeed("GET", "status");
    return true;
  })();
  // What is still under way when the time is up fails with the server.
  attacked.catch(() => {});
  try {
    const inTime = await Promise.race([attacked, sleep(sizes.each * 1000, false, { ref: false })]);
    target.expect(inTime, "does not end in time", `${sizes.each} s`);
  } catch (error) {
    target.expect(false, "breaks off", String(error.stack));
  }
  clearInterval(look);
  const seconds = (performance.now() - began) / 1000;
  const memory = [before, most, server.memory()].map((mebibytes) => mebibytes.toFixed(0)).join(", ");
  const bound = waitMs * Math.max(slow, slowness());
  const { clock, counts, name } = others.most;
  target.expect(String(server.workerds()) === workerd, "workerd ended", server.output.slice(-500));
  target.expect(most < before + growth, "memory is not bounded", `${memory} MiB, of ${growth} more`);
  target.expect(others.failures.length === 0, "others are not served", others.failures[0]);
  target.expect(counts <= bound, "others wait", `${name}: ${counts.toFixed(0)} ms, of ${bound.toFixed(0)}`);
  return `memory ${memory} MiB, others waited ${clock.toFixed(0)} ms, ${seconds.toFixed(1)} s`;
}

/**
 * Serves an agent with two processors, attacks one, and judges what that did: workerd lives on, its memory is bounded, others are served in
 * time, nothing is answered with 500, and the processor still answers.
 *
 * @param {{ report: import("../../report.mjs").Report, sizes: { each: number } }} context `each` is the time of one attack, in seconds
 * @param {object} attack
 * @param {string} attack.name
 * @param {(target: Target) => Promise<void>} attack.attack
 * @param {(target: Target) => Promise<void>} [attack.prepare] before others ask, and before memory is looked at
 * @param {number} [attack.growth] how many MiB of memory workerd may take besides what it had
 * @param {number} [attack.waitMs] how long others may wait
 * @param {boolean} [attack.withSession] whether others use a session of the attacked processor, too
 * @param {Record<string, unknown>[][]} [attack.nodes] primitives and manipulatives of the agent besides the other processor
 */
export async function judge(context, attack) {
  const { name, prepare, nodes: [primitives, manipulatives] = [[{ id: PROCESSOR }]] } = attack;
  const known = context.report.failures;
  const server = await Server.start();
  const target = new Target(context, name, server);
  try {
    await target.client.askAt(
      "POST",
      "/genome/hotswap",
      genome("bytes", [...primitives, { id: OTHER }], manipulatives),
    );
    await target.client.askAt("POST", `/${OTHER}/genes/change`, { data: { max_sequence_length: 5 } });
    await prepare?.(target);
    const shown = await watched(target, attack);
    const held = context.report.failures === known;
    context.report.figure(name, `${held ? "passed" : "FAILED"}: ${shown}, answers ${JSON.stringify(target.statuses)}`);
  } finally {
    target.client.close();
    await server.discard();
  }
}
