/** Streams of issued keys, when nothing else goes wrong any more: each is open for as long as its key is valid. */

import { send } from "./clients.mjs";
import { SimulatedRequest } from "./platform/http.mjs";

/** After this a key that was made works everywhere, in simulated milliseconds. */
const MADE_MS = 1_000;

/** How long the key that expires is valid, in seconds. */
const VALID_S = 10;

/** The streams of a key that is no longer valid are closed within this time; and with which code. */
const CLOSED_MS = 30_500;
const KEY_ENDED = 1008;

/** How long what a stream is sent may take until it is answered, in simulated milliseconds. */
const ANSWERED_MS = 10_000;

/** A stream with a key of its own. */
class KeyStream {
  #world;
  #connection;
  #sent = 0;
  #answered = 0;
  /** The code with which it was closed, and when, in simulated milliseconds. */
  code;
  closedAt;

  /** @param {{ id: string, key: string }} key */
  constructor(world, name, { id, key }) {
    this.#world = world;
    this.name = name;
    this.id = id;
    this.key = key;
  }

  /** Opens it. @returns {Promise<boolean>} whether the server has let it */
  async open() {
    const headers = { "x-api-key": this.key, upgrade: "websocket", "sec-websocket-protocol": "noema.v1" };
    const url = `http://127.0.0.1/p1/sessions/s1/stream?source=${this.name}`;
    const about = { call: "GET stream", client: this.name };
    const { webSocket } = await this.#world.request(about, () => new SimulatedRequest(url, { method: "GET", headers }));
    if (!webSocket) return false;
    this.#connection = webSocket.connection;
    this.#connection.listen({
      message: (text) => {
        if (JSON.parse(text).n === this.#sent) this.#answered = this.#sent;
      },
      closed: (code) => {
        this.code = code;
        this.closedAt = this.#world.scheduler.now;
      },
    });
    return true;
  }

  /** Observes something. @returns {Promise<boolean>} whether it was answered */
  async observe() {
    this.#connection.sendUp(JSON.stringify({ n: ++this.#sent, observe: [{ strings: [this.name] }], brief: true }));
    await this.#world.pause(ANSWERED_MS);
    return this.#answered === this.#sent;
  }
}

async function makeKey(stage, name, rights) {
  const body = { data: { name, roles: ["observe"], ...rights } };
  const step = { id: `key ${name}`, call: "POST keys", path: "/keys", body };
  const { status, text } = await stage.until(send(stage.world, step));
  if (status !== 200) throw new Error(`a key of the simulation was answered ${status}: ${text}`);
  return new KeyStream(stage.world, name, JSON.parse(text).message);
}

/** What is wrong with a stream whose key has ended, at a simulated time; `undefined` for nothing. */
function wrongEnd({ name, code, closedAt }, endedAt) {
  if (code === undefined) return `the stream of a key that is ${name} was not closed within ${CLOSED_MS} ms`;
  if (code !== KEY_ENDED) return `the stream of a key that is ${name} was closed with ${code}`;
  return closedAt < endedAt ? `the stream of a key that is ${name} was closed before` : undefined;
}

/**
 * Opens streams with three keys, of which one is deleted and one expires while their processor is not in memory.
 *
 * @param {import("./stage.mjs").Stage} stage
 * @returns {Promise<string[]>} what is wrong
 */
export async function judgeKeyStreams(stage) {
  const { world } = stage;
  const { scheduler } = world;
  const expiresS = Math.ceil(world.clock / 1_000) + ANSWERED_MS / 1_000 + VALID_S;
  const valid = await makeKey(stage, "valid", {});
  const deleted = await makeKey(stage, "deleted", {});
  const expired = await makeKey(stage, "expired", { expires: expiresS });
  const expiresAt = scheduler.now + 1_000 * expiresS - world.clock;
  await world.runUntil(scheduler.now + MADE_MS);
  const wrong = [];
  const all = [valid, deleted, expired];
  const opened = await stage.until(
    Promise.all(all.map(async (stream) => (await stream.open()) && (await stream.observe()))),
  );
  for (const [at, { name }] of all.entries())
    if (!opened[at]) wrong.push(`a stream of a valid key, ${name}, was refused`);
  if (wrong.length > 0) return wrong;
  world.evict();
  const deletedAt = scheduler.now;
  const deletion = { id: "no key", call: "DELETE keys", path: `/keys/${deleted.id}` };
  const { status } = await stage.until(send(world, deletion));
  if (status !== 200) wrong.push(`a key could not be deleted: ${status}`);
  await world.runUntil(Math.max(scheduler.now, expiresAt) + CLOSED_MS);
  wrong.push(wrongEnd(deleted, deletedAt), wrongEnd(expired, expiresAt));
  for (const stream of [deleted, expired])
    if (await stage.until(stream.open())) wrong.push(`a stream was opened with a key that is ${stream.name}`);
  if (valid.code !== undefined || !(await stage.until(valid.observe())))
    wrong.push(`the stream of a valid key was closed with ${valid.code}, or is not answered`);
  return wrong.filter((sentence) => sentence !== undefined);
}
