/** Requests and responses, as much of them as the Worker uses. Node's own are slow, and refuse the status 101. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What no value of a header may have. */
const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** The headers of a request or a response. */
export class SimulatedHeaders {
  /** By name, in lower case. */
  #values = new Map();

  /** @param {SimulatedHeaders | Record<string, string> | Iterable<[string, string]>} init */
  constructor(init = {}) {
    if (init instanceof SimulatedHeaders) this.#values = new Map(init.#values);
    else for (const [name, value] of Symbol.iterator in init ? init : Object.entries(init)) this.append(name, value);
  }

  get(name) {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name) {
    return this.#values.has(name.toLowerCase());
  }

  set(name, value) {
    const text = String(value).trim();
    if (NO_VALUE.test(text)) throw new TypeError(`${JSON.stringify(text)} is no value of a header`);
    this.#values.set(name.toLowerCase(), text);
  }

  append(name, value) {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  delete(name) {
    this.#values.delete(name.toLowerCase());
  }

  forEach(hear) {
    for (const [name, value] of this) hear(value, name);
  }

  /** In the order of their names. */
  [Symbol.iterator]() {
    return [...this.#values].sort(([one], [other]) => (one < other ? -1 : 1)).values();
  }
}

/** A request as it arrives. */
export class SimulatedRequest {
  bodyUsed = false;
  #bytes;
  #body;

  /** @param {{ method: string, headers: Record<string, string>, body?: string }} init */
  constructor(url, { method, headers, body }) {
    this.url = url;
    this.method = method;
    this.#bytes = body === undefined ? undefined : encoder.encode(body);
    this.headers = new SimulatedHeaders(headers);
    if (this.#bytes !== undefined) this.headers.set("content-length", String(this.#bytes.length));
  }

  get body() {
    if (this.#bytes === undefined) return null;
    this.#body ??= new Response(this.#bytes).body;
    return this.#body;
  }

  async arrayBuffer() {
    this.bodyUsed = true;
    return this.#bytes?.slice().buffer ?? new ArrayBuffer(0);
  }
}

/** A response, which may hand a socket over. */
export class SimulatedResponse {
  status;
  headers;
  webSocket;
  #body;

  constructor(body = null, { status = 200, headers = {}, webSocket = null } = {}) {
    this.status = status;
    this.headers = new SimulatedHeaders(headers);
    this.webSocket = webSocket;
    this.#body = body;
  }

  get ok() {
    return this.status >= 200 && this.status < 300;
  }

  get body() {
    return this.#body instanceof ReadableStream ? this.#body : null;
  }

  async text() {
    const body = this.#body;
    if (body === null || typeof body === "string") return body ?? "";
    return body instanceof ReadableStream ? new Response(body).text() : decoder.decode(body);
  }
}
