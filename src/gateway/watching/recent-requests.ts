/**
 * The newest requests that failed, were refused or were slow, for operators. Kept only in the isolate's memory, and
 * bounded, because anyone can make requests fail. Holds nothing from users except the identifiers of requests.
 */

import { metrics } from "./metrics";

/** A request that failed, was refused or was slow. */
export interface RecentRequest {
  /** When its answer began, in milliseconds since 1970. */
  readonly ms: number;
  /**
   * `failed`: status 500 or more. `key-refused`: its key is missing or not accepted, whatever the status. `refused`:
   * status 400 to 499. `slow`: answered, but late.
   */
  readonly event: "failed" | "key-refused" | "refused" | "slow";
  readonly requestId: string;
  /** The agent that its host refers to, whether or not its key was accepted. */
  readonly host: string;
  /** Whether its key was accepted. */
  readonly isKnown: boolean;
  /** Methods and path as in the OpenAPI document; `undefined` for none. */
  readonly operation: string | undefined;
  /** The processor's identifier; `undefined` if the request is not about an existing one. */
  readonly processor: string | undefined;
  readonly milliseconds: number;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** Why it failed: the sentence sent to the client. Absent below 500, where the sentence may quote the request. */
  readonly message: string | undefined;
}

/** Maximum number of requests kept of each kind. */
export const MAX_OF_A_KIND = 100;

/** The newest requests to all agents of one isolate. */
export class RecentRequests {
  readonly #kinds = new Map<string, RecentRequest[]>();
  #overloadSecond = 0;

  /**
   * Keeps a request, replacing the oldest of its kind. Requests without an accepted key are a separate kind, so that
   * strangers cannot push out others.
   *
   * @param isOverload whether the server was overloaded. Only one of these a second is kept, because there can be
   *   thousands.
   */
  add(request: RecentRequest, isOverload: boolean): void {
    if (isOverload && !this.#isFirstOverload(Math.floor(request.ms / 1000))) return;
    const kind = `${request.event} ${request.isKnown}`;
    const kept = this.#kinds.get(kind);
    if (kept === undefined) this.#kinds.set(kind, [request]);
    else {
      if (kept.length === MAX_OF_A_KIND) kept.shift();
      kept.push(request);
    }
  }

  /** The requests to the host of an agent, newest first, and since when they are kept, in milliseconds since 1970. */
  of(host: string): { readonly requests: readonly RecentRequest[]; readonly sinceMs: number } {
    const own = [...this.#kinds.values()].flat().filter((request) => request.host === host);
    return { requests: own.sort((one, other) => other.ms - one.ms), sinceMs: metrics.startedMs };
  }

  #isFirstOverload(second: number): boolean {
    if (second === this.#overloadSecond) return false;
    this.#overloadSecond = second;
    return true;
  }
}

/** The newest requests of this isolate. */
export const recentRequests = new RecentRequests();
