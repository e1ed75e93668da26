/** Calls for operators. */

import type { ProcessorUsage, RecentRequests, ToldOthers } from "./gen/operations";
import { type Answer, message } from "./transport/call";
import type { Noema } from "./transport/connection";
import { type CallOptions, exchange, textOf } from "./transport/exchange";

/**
 * Resolves if the server's storage works. Needs no key. Never retried, because the point is the state at this moment.
 *
 * @throws NoemaError 503 if it does not
 */
export function getHealth(noema: Noema, options: CallOptions = {}): Promise<Answer<"getHealth">> {
  const outgoing = { operation: "getHealth", method: "GET", path: "/health", repeats: "once" } as const;
  return exchange(noema, outgoing, { retries: 0, ...options }, async (response, watch) => {
    const answer = JSON.parse(await textOf(response, watch)) as Answer<"getHealth">;
    watch.end();
    return answer;
  });
}

/** The server's counters since it started, as text in Prometheus' format. docs/watching.md explains each metric. */
export function getMetrics(noema: Noema, options: CallOptions = {}): Promise<string> {
  const outgoing = { operation: "getMetrics", method: "GET", path: "/metrics", repeats: "read" } as const;
  return exchange(noema, outgoing, options, async (response, watch) => {
    const text = await textOf(response, watch);
    watch.end();
    return text;
  });
}

/**
 * The newest requests to the agent that failed, were refused or were slow, as far as the server remembers them: they
 * are not stored.
 */
export function getRecentRequests(noema: Noema, options?: CallOptions): Promise<RecentRequests> {
  const path = "requests/recent";
  return message(noema, { operation: "getRecentRequests", method: "GET", path, repeats: "read" }, options);
}

/**
 * How much each processor of the agent has learned and how full it is, in the order of the genome. Loads no processor
 * into memory, but queries each: do not call it every second.
 */
export function getProcessors(noema: Noema, options?: CallOptions): Promise<readonly ProcessorUsage[]> {
  return message(noema, { operation: "getProcessors", method: "GET", path: "processors", repeats: "read" }, options);
}

/**
 * The number of events sent from processor to processor since each began to count, and the number waiting: one item for
 * each processor that has manipulatives, in the order of the genome. Cheap enough to be called every few seconds.
 */
export function getLinks(noema: Noema, options?: CallOptions): Promise<readonly ToldOthers[]> {
  return message(noema, { operation: "getLinks", method: "GET", path: "links", repeats: "read" }, options);
}
