/**
 * Ends streams whose key was removed or has expired. A stream's key is checked when it opens, but no later request
 * would check it again; so the object's alarm asks the agent for its keys while a stream with an issued key is open.
 */

import { createClient, type Transport } from "@connectrpc/connect";
import { KeyService } from "../../gen/noema/v1/key_service_pb";
import type { ScheduledTask } from "../object-alarm";
import { CLOSE, type Link } from "./link";

/** Interval between queries of the agent, in milliseconds. A removed key ends its streams within 30 s. */
const ASK_EVERY_MS = 20_000;

/** The first pause after a query that failed, in milliseconds. Each pause is twice the previous one. */
const ASK_AGAIN_MS = 2_000;

/** Valid keys: the identifier, and the expiry in epoch milliseconds. */
export type ValidKeys = ReadonlyMap<string, number>;

/** Watches the keys of one processor's streams. */
export class KeyWatch implements ScheduledTask {
  readonly #links: () => Iterable<Link>;
  readonly #validKeys: () => Promise<ValidKeys>;
  #pauseMs = ASK_EVERY_MS;
  /** Number of queries in a row that have failed. */
  #failures = 0;

  /**
   * @param links the open streams
   * @param validKeys asks the agent for its keys
   */
  constructor(links: () => Iterable<Link>, validKeys: () => Promise<ValidKeys>) {
    this.#links = links;
    this.#validKeys = validKeys;
  }

  /** Ends the streams whose key is no longer valid. While the agent cannot be reached, they stay open. */
  async wake(): Promise<void> {
    const watched = this.#watched();
    if (watched.length === 0) return;
    let keys: ValidKeys;
    try {
      keys = await this.#validKeys();
      this.#pauseMs = ASK_EVERY_MS;
      this.#failures = 0;
    } catch (error) {
      this.#pauseMs = Math.min(ASK_EVERY_MS, ASK_AGAIN_MS * 2 ** this.#failures++);
      console.error(`the keys of open streams could not be checked: ${error}`);
      return;
    }
    const now = Date.now();
    for (const link of watched) {
      const until = keys.get(link.about.keyId ?? "");
      if (until === undefined || until <= now) link.close(CLOSE.key, "the key is no longer valid");
    }
  }

  nextWake(): number | undefined {
    return this.#watched().length === 0 ? undefined : Date.now() + this.#pauseMs;
  }

  #watched(): Link[] {
    return [...this.#links()].filter(({ about, isClosed }) => about.keyId !== undefined && !isClosed);
  }
}

/** Asks an agent for the keys that it has issued. @param agent the transport to it */
export async function validKeys(agent: Transport): Promise<ValidKeys> {
  const { keys } = await createClient(KeyService, agent).getKeys({});
  return new Map(
    keys.map(({ id, rights }) => [
      id,
      rights?.expires === undefined ? Number.POSITIVE_INFINITY : rights.expires * 1000,
    ]),
  );
}
