/** What has left one outbox, by link. It is kept in memory alone, so that it costs no observe a row. */

import { manipulativeIn } from "../processor/prediction/manipulative";
import type { OutboxEvent } from "../store/tables/outbox-table";

/** What has gone over a link: from a manipulative to one of its targets. */
interface LinkCount {
  readonly delivered: number;
  readonly givenUp: number;
}

/** The counts of one outbox. */
export class LinkCounts {
  /** Since when it counts, in seconds since 1970. */
  readonly since = Date.now() / 1000;
  readonly #counts = new Map<string, LinkCount>();

  /** Counts an event that has left the outbox. @param wasTaken whether its target has it; else it was given up */
  add({ path, target }: OutboxEvent, wasTaken: boolean): void {
    const key = keyOf(manipulativeIn(path), target);
    const { delivered, givenUp } = this.#counts.get(key) ?? NONE;
    this.#counts.set(key, wasTaken ? { delivered: delivered + 1, givenUp } : { delivered, givenUp: givenUp + 1 });
  }

  /** What has gone over a link so far. */
  of(manipulative: string, target: string): LinkCount {
    return this.#counts.get(keyOf(manipulative, target)) ?? NONE;
  }
}

const NONE: LinkCount = { delivered: 0, givenUp: 0 };

function keyOf(manipulative: string, target: string): string {
  return JSON.stringify([manipulative, target]);
}
