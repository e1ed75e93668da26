/**
 * One request from its arrival to its answer, as an operator sees it: its identifier, its duration, its outcome. Counts
 * it, logs it if it failed or was slow, remembers it for a while if it failed, was refused or was slow, and adds the
 * headers that tell its client the same. Never holds its body.
 */

import { metrics, type OperationMetrics } from "./metrics";
import { type RecentRequest, recentRequests } from "./recent-requests";
import { REQUEST_ID_HEADER, requestIdOf } from "./request-id";
import { type Failure, RequestLog } from "./request-log";

/** The agent of a request. */
interface NamedAgent {
  readonly name: string;
  /** The identifier of a processor that the agent has; `undefined` for any other text. */
  idOf(idOrName: string): string | undefined;
}

/** The used part of a dataset of Workers Analytics Engine. */
interface AnalyticsDataset {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void;
}

/** The part of the Worker's environment for watching requests. */
export interface WatchingEnv {
  /** Gets a data point for each request, if bound. */
  readonly NOEMA_ANALYTICS?: AnalyticsDataset | undefined;
  /**
   * The identifier of the requests with which the process that started the runtime finds out whether it answers. They
   * are neither logged nor counted: that process reports what is wrong.
   */
  readonly NOEMA_START_ID?: string | null | undefined;
}

/** Settings for watching the requests of one gateway. */
export interface WatchingSettings extends WatchingEnv {
  /** Duration from which a request is slow, in milliseconds. */
  readonly slowMs: number;
}

/** Details of a failure that its answer does not tell. */
interface FailureDetails {
  /** The HTTP status of the failure, if the answer may have another. */
  readonly status?: number;
  /** Whether the server refused it only because of overload. */
  readonly isOverload: boolean;
  /** Whether its key is missing or not accepted. */
  readonly isOfKey?: boolean | undefined;
}

/** Forbids caches to keep an answer: it needs a key, and backups hold secrets. */
export const NO_STORE = "no-store";

/** The header with the server's processing time. */
const TIMING_HEADER = "server-timing";

/** Stands for the requests that have no operation. */
const NO_OPERATION = metrics.of({}, () => "none");

const log = new RequestLog();

/** A watched request. Create it when the request arrives, and pass it the answer. */
export class WatchedRequest {
  /** Its name in the answer and in the log: 1 to 128 visible ASCII characters. */
  readonly id: string;
  /** The name of the agent that its host refers to, even if there is no such agent. */
  host = "";
  /** The agent of its processor; absent until its key is accepted. */
  agent: NamedAgent | undefined;
  /** The processor that it names, by identifier or friendly name. */
  processor: string | undefined;
  readonly #settings: WatchingSettings;
  readonly #begunMs = Date.now();
  #operation: OperationMetrics = NO_OPERATION;
  #failure: Failure | undefined;
  /** The HTTP status of its outcome, if the answer has another. */
  #status: number | undefined;
  #isNamed = false;
  /** Whether its key is missing or not accepted, which is not a failure of the server, whatever the status. */
  #isOfKey = false;

  constructor(request: Request, settings: WatchingSettings) {
    this.id = requestIdOf(request);
    if (metrics.startedMs === 0) metrics.startedMs = this.#begunMs;
    this.#settings = settings;
  }

  /**
   * Sets the requested operation.
   *
   * @param operation the row of the table, or another object that stands for it
   * @param name returns its name when it is first requested
   */
  asksFor(operation: object, name: () => string): void {
    this.#operation = metrics.of(operation, name);
  }

  /**
   * Notes why it failed.
   *
   * @param reason what was thrown
   * @param message the sentence for the client
   */
  failed(reason: unknown, message: string, { status, isOverload, isOfKey = false }: FailureDetails): void {
    this.#failure = { message, reason, isOverload };
    this.#isOfKey = isOfKey;
    this.#status = status;
  }

  /**
   * Notes that its answer broke off after the status was sent, and logs it.
   *
   * @param reason what was thrown
   * @param refusal the status and the sentence of the outcome
   */
  brokeOff(reason: unknown, { http: status, message }: { readonly http: number; readonly message: string }): void {
    const failure = status >= 500 ? { message, reason, isOverload: false } : undefined;
    const milliseconds = Math.max(0, Date.now() - this.#begunMs);
    log.write({ ...this.#known(milliseconds, status), event: "broken", agent: this.agent?.name, failure });
  }

  /** An answer that needs a key, with its media type and the headers of {@link end}. */
  answer(body: string | ReadableStream<Uint8Array>, type: string): Response {
    this.#isNamed = true;
    const ms = Date.now() - this.#begunMs;
    const response = new Response(body, { headers: sharedHeaders(type) });
    response.headers.set(REQUEST_ID_HEADER, this.id);
    if (ms > 0) response.headers.set(TIMING_HEADER, timing(ms));
    return response;
  }

  /** The headers of an answer that needs a key: its media type, and those of {@link end}. */
  headers(type: string): Record<string, string> {
    this.#isNamed = true;
    const ms = Date.now() - this.#begunMs;
    const headers: Record<string, string> = { "content-type": type, "cache-control": NO_STORE };
    headers[REQUEST_ID_HEADER] = this.id;
    if (ms > 0) headers[TIMING_HEADER] = timing(ms);
    return headers;
  }

  /** Counts the request, and logs it if it failed or was slow. @returns the answer, with the request's identifier */
  end(response: Response): Response {
    const ms = Math.max(0, Date.now() - this.#begunMs);
    if (!this.#isNamed) response.headers.set(REQUEST_ID_HEADER, this.id);
    // The pings of the process that started the runtime are not a client's.
    if (this.id === this.#settings.NOEMA_START_ID) return response;
    const status = this.#status ?? response.status;
    if (this.#isOfKey) metrics.keyRefusals++;
    else this.#operation.add(status, ms);
    if (status >= 400 || ms >= this.#settings.slowMs) this.#report(status, ms);
    this.#settings.NOEMA_ANALYTICS?.writeDataPoint({
      indexes: [this.agent?.name ?? ""],
      blobs: [this.#operation.name, this.#processorId() ?? ""],
      doubles: [status, ms],
    });
    return response;
  }

  /** Remembers a request that failed, was refused or was slow, and logs it unless its client made the mistake. */
  #report(status: number, milliseconds: number): void {
    const hasFailed = status >= 500;
    const known = this.#known(milliseconds, status);
    const failure = hasFailed ? this.#failure : undefined;
    const { agent, host } = this;
    const recent = { ...known, ms: Date.now(), host, isKnown: agent !== undefined, message: failure?.message };
    const event = this.#isOfKey ? KEY_REFUSED : eventOf(status);
    recentRequests.add({ ...recent, event }, failure?.isOverload === true);
    if (!hasFailed && milliseconds < this.#settings.slowMs) return;
    const slowOrFailed = hasFailed ? "failed" : "slow";
    log.write({ ...known, event: this.#isOfKey ? KEY_REFUSED : slowOrFailed, agent: agent?.name, failure });
  }

  #known(milliseconds: number, status: number) {
    const operation = this.#operation === NO_OPERATION ? undefined : this.#operation.name;
    return { requestId: this.id, operation, processor: this.#processorId(), milliseconds, status };
  }

  #processorId(): string | undefined {
    return this.processor === undefined ? undefined : this.agent?.idOf(this.processor);
  }
}

/** @param ms above 0: if the clock stands still while code runs, a time of 0 is meaningless */
function timing(ms: number): string {
  return `total;dur=${ms}`;
}

/** The headers that all answers of a media type have, by media type; operations have few. */
const shared = new Map<string, Headers>();

/** To copy them takes half the time of making them. */
function sharedHeaders(type: string): Headers {
  let headers = shared.get(type);
  if (headers === undefined) {
    headers = new Headers({ "content-type": type, "cache-control": NO_STORE });
    shared.set(type, headers);
  }
  return headers;
}

/** The event of a request whose key is missing or not accepted. */
const KEY_REFUSED = "key-refused";

function eventOf(status: number): RecentRequest["event"] {
  if (status >= 500) return "failed";
  return status >= 400 ? "refused" : "slow";
}
