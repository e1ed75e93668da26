/** Calls to the agent as a whole, and the time of a memory. */

import type { Genome } from "./gen/operations";
import { type Answer, envelope, message } from "./transport/call";
import type { Memory, Noema } from "./transport/connection";
import { type CallOptions, checkedOptions, exchange } from "./transport/exchange";

/** Options of a hotswap. */
export interface HotswapOptions extends CallOptions {
  /** Also deletes the data of removed processors, and of those removed earlier. */
  readonly purge?: boolean;
  /** Changes nothing; the answer says what would happen. */
  readonly dryRun?: boolean;
}

/**
 * Resolves if the server answers. Asks no processor.
 *
 * @throws NoemaError 500 if the key is not accepted
 */
export function pingAgent(noema: Noema, options: CallOptions = {}): Promise<Answer<"pingAgent">> {
  const outgoing = { operation: "pingAgent", method: "GET", path: "/agent/ping", repeats: "read" } as const;
  return exchange(noema, outgoing, options, async (response, watch) => {
    const answer = (await response.json()) as Answer<"pingAgent">;
    watch.end();
    return answer;
  });
}

/** Options of {@link getConnection}. */
export interface ConnectionOptions extends CallOptions {
  /** Whether the answer has `rights`, those of the connection's key. */
  readonly rights?: boolean;
}

/** The agent's name and its genome, with the current genes; with `rights`, also the rights of the key. */
export async function getConnection(noema: Noema, options: ConnectionOptions = {}): Promise<Answer<"connect">> {
  const { rights = false, ...others } = checkedOptions("getConnection", options, { rights: 1 });
  const path = rights ? "connect?rights=true" : "connect";
  return envelope(noema, { operation: "connect", method: "GET", path, repeats: "read" }, others);
}

/**
 * Replaces the agent's genome: adds and removes processors. Those that stay keep their memory and genes. Never retried:
 * check with {@link getConnection} if no answer came.
 *
 * @returns the envelope: the processors taken out of service, those whose data was deleted, and the places of new ones;
 *   with `dryRun`, its message says what would happen
 * @throws NoemaError 400 if the genome is wrong; the message says where
 */
export async function hotswapGenome(
  noema: Noema,
  genome: Genome,
  options: HotswapOptions = {},
): Promise<Answer<"hotswapGenome">> {
  const { purge, dryRun, ...others } = checkedOptions("hotswapGenome", options, { purge: 1, dryRun: 1 });
  const query = new URLSearchParams();
  if (purge !== undefined) query.set("purge", String(purge));
  if (dryRun !== undefined) query.set("dry_run", String(dryRun));
  const path = query.size === 0 ? "genome/hotswap" : `genome/hotswap?${query}`;
  const call = { operation: "hotswapGenome", method: "POST", path, body: genome } as const;
  return envelope(noema, { ...call, repeats: dryRun === true ? "read" : "once" }, others);
}

/** The time of a memory: how many observations it has taken. */
export async function getTime(memory: Memory, options?: CallOptions): Promise<number> {
  return Number(await message(memory, { operation: "getTime", method: "GET", path: "time", repeats: "read" }, options));
}
