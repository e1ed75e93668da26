/**
 * A client over node:http, which sends bodies with every method and paths as they are written. A request that takes too long fails.
 */

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";

/** The processor of the default genome. */
export const PROCESSOR = "p46b6b076c";

/** The server closes connections that idle for 5 s; a client that reuses one then fails now and then. */
const IDLE_MS = 3000;

/** A request that was not answered in time. */
export class TimedOut extends Error {}

/** Calls one server. */
export class Client {
  #url;
  #agent;
  #processor;
  #timeoutMs;

  /**
   * @param {string} address such as http://127.0.0.1:8787
   * @param {{ processor?: string, connections?: number, timeoutMs?: number }} options
   */
  constructor(address, { processor = PROCESSOR, connections = Number.POSITIVE_INFINITY, timeoutMs = 30_000 } = {}) {
    this.#url = new URL(address);
    this.#agent = new Agent({ keepAlive: true, timeout: IDLE_MS, maxSockets: connections });
    this.#processor = processor;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends a request and reads the whole answer.
   *
   * @param {{ method: string, path: string, body?: unknown, headers?: Record<string, string> | string[] }} outgoing the body
   *   goes out as it is when it is text or bytes, else as JSON; the headers go out besides, or instead of, a JSON client's
   * @returns {Promise<{ status: number, headers: import("node:http").IncomingHttpHeaders, text: string, ms: number }>} rejects
   *   when the connection breaks, and with TimedOut
   */
  async exchange(asked) {
    try {
      return await this.#send(asked);
    } catch (error) {
      // The server closed a connection that idled, while the request was on its way: it never saw it.
      if (error.code === "ECONNRESET" && error.isReused) return this.#send(asked);
      throw error;
    }
  }

  #send({ method, path, body, headers = {}, timeoutMs = this.#timeoutMs }) {
    const bytes = body === undefined ? undefined : bytesOf(body);
    const sent = { accept: "application/json", "x-api-key": LOCAL_KEY };
    if (bytes !== undefined)
      Object.assign(sent, { "content-type": "application/json", "content-length": bytes.length });
    const { hostname, port } = this.#url;
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, hostname, port, method, path, headers: { ...sent, ...headers } };
      const outgoing = request(options, (incoming) => {
        const chunks = [];
        incoming.on("data", (chunk) => chunks.push(chunk));
        incoming.on("error", fail);
        incoming.on("end", () => {
          clearTimeout(timer);
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: incoming.statusCode, headers: incoming.headers, text, ms: performance.now() - began });
        });
      });
      const fail = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      const timer = setTimeout(() => {
        outgoing.destroy(new TimedOut(`${method} ${path.slice(0, 200)} was not answered within ${timeoutMs} ms`));
      }, timeoutMs);
      outgoing.on("error", (error) => {
        fail(Object.assign(error, { isReused: outgoing.reusedSocket && outgoing.res === null }));
      });
      outgoing.end(bytes);
    });
  }

  /**
   * Calls an operation of the processor, such as "POST observe", and returns the message of the answer.
   *
   * @throws Error when it is not answered with 200 and okay; its `http` is the status
   */
  async ask(call, body) {
    const [method, ...rest] = call.split(" ");
    return this.askAt(method, `/${this.#processor}/${rest.join(" ")}`, body);
  }

  /** The same for a whole path. */
  async askAt(method, path, body) {
    const { status, text } = await this.exchange({ method, path, body });
    const answer = status === 200 ? JSON.parse(text) : undefined;
    if (answer?.status === "okay") return answer.message;
    throw Object.assign(new Error(`${method} ${path} answered HTTP ${status}: ${text.slice(0, 300)}`), {
      http: status,
    });
  }

  /**
   * The same, asked again after as long as the server says while it answers 503.
   *
   * @param {number} limitMs after which the last refusal is thrown
   */
  async askPatiently(limitMs, method, path, body) {
    for (const end = performance.now() + limitMs; ; ) {
      const { status, headers, text } = await this.exchange({ method, path, body });
      if (status === 200 && JSON.parse(text).status === "okay") return JSON.parse(text).message;
      const waitMs = Number(headers["retry-after"] ?? 1) * 1000;
      if (status !== 503 || performance.now() + waitMs > end) {
        throw Object.assign(new Error(`${method} ${path} answered HTTP ${status}: ${text}`), { http: status });
      }
      await sleep(waitMs);
    }
  }

  /** Closes its connections. */
  close() {
    this.#agent.destroy();
  }
}

function bytesOf(body) {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

/**
 * A genome of primitives.
 *
 * @param {string} agent its name
 * @param {(Record<string, unknown> & { id: string })[]} primitives
 * @param {Record<string, unknown>[]} manipulatives
 */
export function genome(agent, primitives, manipulatives = []) {
  const nodes = [
    ...primitives.map((data, at) => ({ data: { type: "primitive", name: `P${at + 1}`, ...data } })),
    ...manipulatives.map((data) => ({ data: { type: "manipulative", ...data } })),
  ];
  return { agent, description: "", elements: { nodes, edges: [] } };
}
