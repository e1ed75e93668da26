/** Calls for operators. */

import type { Answer } from "./transport/call";
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
