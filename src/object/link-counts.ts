/** Events that have left one outbox, counted by link. Kept only in memory, so that it adds no row to an observe. */

import { manipulativeIn } from "../processor/prediction/manipulative";
import type { OutboxEvent } from "../store/tables/outbox-table";

/** Counts of a link, from a manipulative to one of its targets. */
interface LinkCount {
  readonly delivered: number;
  readonly givenUp: number;
}

/** The counts of one outbox. */
export class LinkCounts {
  /** When counting began, epoch seconds. */
  readonly since = Date.now() / 1000;
  readonly #counts = new Map<string, LinkCount>();

  /** Counts an event that has left the outbox. @param wasTaken whether its target has it; false if it was given up */
  add({ path, target }: OutboxEvent, wasTaken: boolean): void {
    const key = keyOf(manipulativeIn(path), target);
    const { delivered, givenUp } = this.#counts.get(key) ?? NONE;
    this.#counts.set(key, wasTaken ? { delivered: delivered + 1, givenUp } : { delivered, givenUp: givenUp + 1 });
  }

  /** The counts of a link so far. */
  of(manipulative: string, target: string): LinkCount {
    return this.#counts.get(keyOf(manipulative, target)) ?? NONE;
  }
}

const NONE: LinkCount = { delivered: 0, givenUp: 0 };

function keyOf(manipulative: string, target: string): string {
  return JSON.stringify([manipulative, target]);
}
