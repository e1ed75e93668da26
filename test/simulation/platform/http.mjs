/** Requests and responses, as much of them as the Worker uses. Node's own are slow, and refuse the status 101. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

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
    this.headers = new Headers(headers);
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
    this.headers = new Headers(headers);
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
