/**
 * The log of requests: one line of JSON for each request that failed or was slow, or whose answer broke off, and never
 * user data. Limits the number of lines, because anyone can make requests fail.
 */

import { metrics } from "./metrics";

/** A request that failed or was slow, or whose answer broke off. */
export interface LoggedRequest {
  readonly event: "broken" | "failed" | "key-refused" | "slow";
  readonly requestId: string;
  /** `undefined` when the key was not accepted, or there is no such agent. */
  readonly agent: string | undefined;
  /** Methods and path as in the OpenAPI document; `undefined` for none. */
  readonly operation: string | undefined;
  /** The processor's identifier; `undefined` if the request is not about an existing one. */
  readonly processor: string | undefined;
  readonly milliseconds: number;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** Why it failed: what was thrown, and the sentence sent to the client. */
  readonly failure?: Failure | undefined;
}

/** Why a request failed. */
export interface Failure {
  /** The sentence for the client. It does not quote the request if the status is 500 or more. */
  readonly message: string;
  /** What was thrown. */
  readonly reason: unknown;
  /** Whether the server refused it only because of overload: there can be thousands of these a second. */
  readonly isOverload: boolean;
}

/** Maximum number of lines in a second. */
const MAX_PER_SECOND = 100;

/** Maximum number of these about overload: one suffices, and the metrics count the others. */
const MAX_OVERLOADS_PER_SECOND = 1;

/**
 * The lines of a stack that name a place in the code. The lines before them repeat the message,
 * which may quote user data.
 */
const FRAME = /^\s+at /;

/** Writes the log of one isolate. */
export class RequestLog {
  readonly #now: () => number;
  /** The second in which the last line was written. */
  #second = 0;
  #lines = 0;
  #overloads = 0;
  #unlogged = 0;

  /** @param now the time in milliseconds since 1970 */
  constructor(now = () => Date.now()) {
    this.#now = now;
  }

  /**
   * Writes a line, unless there were too many of its kind in this second. Then the next line counts the omitted ones in
   * `unlogged`.
   */
  write({ event, requestId, failure, ...request }: LoggedRequest): void {
    const ms = this.#now();
    if (!this.#takes(Math.floor(ms / 1000), failure?.isOverload === true)) return;
    const { agent = null, operation = null, processor = null, milliseconds, status } = request;
    const line = JSON.stringify({
      time: new Date(ms).toISOString(),
      event,
      request_id: requestId,
      agent,
      operation,
      processor,
      milliseconds,
      status,
      ...(failure === undefined ? {} : { message: failure.message, ...causeOf(failure.reason) }),
      ...(this.#unlogged === 0 ? {} : { unlogged: this.#unlogged }),
    });
    this.#unlogged = 0;
    console.error(line);
  }

  #takes(second: number, isOverload: boolean): boolean {
    if (second !== this.#second) {
      this.#second = second;
      this.#lines = 0;
      this.#overloads = 0;
    }
    if (this.#lines < MAX_PER_SECOND && !(isOverload && this.#overloads >= MAX_OVERLOADS_PER_SECOND)) {
      this.#lines++;
      if (isOverload) this.#overloads++;
      return true;
    }
    this.#unlogged++;
    metrics.unlogged++;
    return false;
  }
}

/** The cause: nothing for a refusal, whose sentence suffices; for a defect, its kind and its place in the code. */
function causeOf(reason: unknown): { error?: string; stack?: string[] } {
  if (!(reason instanceof Error)) return { error: typeof reason };
  if (EXPECTED.has(reason.name)) return {};
  const stack = (reason.stack ?? "").split("\n").filter((line) => FRAME.test(line));
  return { error: reason.name, stack: stack.map((line) => line.trim()) };
}

/** The names of errors that a sentence explains. */
const EXPECTED: ReadonlySet<string> = new Set(["Refusal", "ConnectError"]);
