/**
 * Fills what a processor keeps, one kind after the other, with a key that may do no more than that: up to the bound, and on. Each kind has one,
 * workerd takes no more memory than it allows, and every way out answers.
 */

import { PROCESSOR } from "../../client.mjs";
import { Server } from "../../server.mjs";

/** About as much as a row holds. */
const LARGE = 1_900_000;

/** A memory of 12 MB is in the heap as text, as rows and as what was received; V8 collects late. */
const GROWTH_MEBIBYTES = 450;

/** How long a call may take on a busy machine, in milliseconds. */
const LIMIT_MS = 60_000;

const MEMORY_LOOK_MS = 20;

/** After so many calls in a row that are refused, a kind counts as full. */
const REFUSED = 3;

let made = 0;

/** A text that is like no other. */
function fresh(length = LARGE) {
  made++;
  return `${made} `.padEnd(length, "x");
}

/** A key with these roles, as headers. */
async function keyOf(client, roles, sessions) {
  const { status, text } = await client.exchange({
    method: "POST",
    path: "/keys",
    body: { data: { name: `held ${roles}`, roles, ...(sessions === undefined ? {} : { sessions }) } },
  });
  if (status !== 200) throw new Error(`no key was made: ${text}`);
  return { "x-api-key": JSON.parse(text).message.key };
}

/** Calls a server, and judges each answer. */
class Caller {
  statuses = {};
  #client;
  #report;
  #name;

  constructor(client, report, name) {
    this.#client = client;
    this.#report = report;
    this.#name = name;
  }

  async call(method, path, body, headers) {
    const { status, text } = await this.#client.exchange({ method, path: `/${PROCESSOR}/${path}`, body, headers });
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    this.#report.expect(status !== 500, `${this.#name}: ${method} ${path} is answered with 500`, text.slice(0, 300));
    return { status, text };
  }

  /** Makes a call that must succeed. */
  async succeed(method, path, body, headers) {
    const { status, text } = await this.call(method, path, body, headers);
    this.#report.expect(
      status === 200,
      `${this.#name}: ${method} ${path} is answered with ${status}`,
      text.slice(0, 300),
    );
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
    this.#report.expect(
      refused === REFUSED,
      `${this.#name}: ${taken} of ${most} calls were taken, and none was refused for good`,
    );
    return { taken, ...last };
  }
}

/** Serves, does something, and judges what it took. */
async function attacked({ report }, name, attack) {
  const server = await Server.start();
  const client = server.client({ timeoutMs: LIMIT_MS });
  const caller = new Caller(client, report, name);
  try {
    await caller.succeed("POST", "observe", { data: { strings: ["first"] } });
    const workerd = String(server.workerds());
    const before = server.memory();
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, server.memory());
    }, MEMORY_LOOK_MS);
    await attack(caller, client);
    clearInterval(timer);
    const shown = [before, most, server.memory()].map((mebibytes) => mebibytes.toFixed(0)).join(", ");
    report.figure(`${name}: memory before, at most, after (MiB)`, shown);
    report.figure(`${name}: answers by status`, JSON.stringify(caller.statuses));
    report.expect(String(server.workerds()) === workerd, `${name}: workerd ended`, server.output.slice(-500));
    report.expect(most < before + GROWTH_MEBIBYTES, `${name}: memory is not bounded`, `${shown} MiB`);
    await caller.succeed("GET", "status");
  } finally {
    client.close();
    await server.discard();
  }
}

/** Fills the memory of one session, and tries each way out. */
function memory(context, name, record, expected = 413) {
  return attacked(context, name, async (caller, client) => {
    const key = await keyOf(client, ["observe"], ["s"]);
    const fill = async (most = 800) =>
      caller.fill(most, () => caller.call("POST", "sessions/s/observe", { data: record() }, key));
    const { taken, status, text } = await fill();
    context.report.figure(`${name}: taken, then refused`, `${taken}, ${status} ${text?.slice(0, 200)}`);
    context.report.expect(
      status === expected && /clear/.test(text ?? ""),
      `${name}: the refusal says how to go on`,
      `${status} ${text}`,
    );
    await caller.succeed("GET", "sessions/s/status");
    await caller.succeed("GET", "sessions/s/time");
    await caller.succeed("POST", "sessions/s/working-memory/clear", undefined, key);
    await caller.succeed("POST", "sessions/s/observe", { data: record() }, key);
    await fill();
    await caller.succeed("DELETE", "sessions/s");
    await fill();
    await caller.succeed("POST", "sleeping/start");
    await caller.succeed("POST", "sleeping/stop");
    await caller.succeed("POST", "clear-all-memory");
    await caller.succeed("POST", "sessions/s/observe", { data: record() }, key);
  });
}

const symbols = (context) => memory(context, "symbols", () => ({ strings: [fresh()] }));

const metadata = (context) =>
  memory(context, "metadata", () => ({ strings: ["a"], metadata: { text: fresh(LARGE / 2) } }));

const vectors = (context) =>
  memory(context, "vectors", () => ({ vectors: [Array.from({ length: 20_000 }, () => Math.random())] }));

const emotives = (context) =>
  memory(context, "emotives", () => ({
    emotives: Object.fromEntries(Array.from({ length: 100 }, () => [fresh(1000), 1])),
  }));

/** Last observations that are in no memory any more: of many sessions, each with one. */
const sessions = (context) =>
  attacked(context, "sessions", async (caller, client) => {
    const key = await keyOf(client, ["observe", "learn"]);
    for (let at = 0; at < 400; at++) {
      await caller.succeed(
        "POST",
        `sessions/s${at}/observe`,
        { data: { strings: ["a"], unique_id: fresh(LARGE / 2) } },
        key,
      );
    }
    await caller.succeed("GET", "sessions?limit=1000");
    await caller.succeed("POST", "clear-all-memory");
  });

const blacklist = (context) =>
  attacked(context, "blacklist", async (caller, client) => {
    const key = await keyOf(client, ["manage"]);
    const add = () => caller.call("POST", "blacklisted-symbols/add", [fresh()], key);
    const { taken, status, text } = await caller.fill(70, add);
    context.report.figure("blacklist: taken, then refused", `${taken}, ${status} ${text?.slice(0, 200)}`);
    const { message } = JSON.parse(await caller.succeed("GET", "list-blacklisted-symbols", undefined, key));
    await caller.succeed("DELETE", "blacklisted-symbols/remove", message.slice(0, 1), key);
    const { status: again } = await add();
    context.report.expect(again === 200, `blacklist: what was removed makes no room: ${again}`);
    await caller.succeed("POST", "clear-all-memory");
  });

/** Symbols that are learned: their texts stay in the heap. */
const learned = (context) =>
  attacked(context, "learned symbols", async (caller, client) => {
    const key = await keyOf(client, ["observe", "learn"], ["s"]);
    const learn = async () => {
      await caller.call("POST", "sessions/s/observe", { data: { strings: [fresh(LARGE / 2)] } }, key);
      await caller.call("POST", "sessions/s/observe", { data: { strings: [fresh(LARGE / 2)] } }, key);
      const answer = await caller.call("POST", "sessions/s/learn", undefined, key);
      if (answer.status !== 200) await caller.succeed("POST", "sessions/s/working-memory/clear", undefined, key);
      return answer;
    };
    const { taken, status, text } = await caller.fill(100, learn);
    context.report.figure("learned symbols: models, then refused", `${taken}, ${status} ${text?.slice(0, 200)}`);
    await caller.succeed("POST", "clear-all-memory");
    const { status: again } = await learn();
    context.report.expect(again === 200, `learned symbols: a clear makes no room: ${again}`);
  });

/** The attacks of this file. */
export const HELD = [
  { name: "symbols", run: symbols },
  { name: "metadata", run: metadata },
  { name: "vectors", run: vectors },
  { name: "emotives", run: emotives },
  { name: "sessions", run: sessions },
  { name: "blacklist", run: blacklist },
  { name: "learned", run: learned },
];
