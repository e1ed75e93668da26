/** Records that come from a sender which repeats itself until it is answered: each is taken once. */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { Store } from "../ports/store";
import { assertWellFormed } from "../text/well-formed";

/** Which of a sender's records this is. */
export interface Delivery {
  /** Identifies the sender for all time; not empty. */
  source: string;
  /** Grows with every record of this sender for this observer; at least 1. */
  number: number;
}

/** @throws Fault `invalid` when it identifies nothing */
function assertDelivery({ source, number }: Delivery): void {
  assertWellFormed(source, "the source of a delivery");
  if (source === "") throw new Fault("invalid", "the source of a delivery is empty; it must identify the sender");
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new Fault("invalid", `the number of a delivery must be a whole number of 1 or more, got ${excerpt(number)}`);
  }
}

/**
 * Whether a delivery was taken before; if not, it counts as taken from now on, unless the verb fails.
 *
 * @throws Fault `invalid` when it identifies nothing
 */
export function isRepeated(store: Store, delivery: Delivery): boolean {
  assertDelivery(delivery);
  if (delivery.number <= store.lastTaken(delivery.source)) return true;
  store.record({ kind: "delivery-taken", source: delivery.source, number: delivery.number });
  return false;
}
