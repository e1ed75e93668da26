/** Deliveries: a sender that repeats a record until it gets an answer numbers its records, and each number is observed once. */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { Store } from "../ports/store";
import { assertWellFormed } from "../text/well-formed";

/** Identifies one record of one sender. */
export interface Delivery {
  /** Identifies the sender, forever; not empty. */
  source: string;
  /** Grows with every record of this sender for this observer; at least 1. */
  number: number;
}

/** @throws Fault `invalid` when it identifies no record */
function assertDelivery({ source, number }: Delivery): void {
  assertWellFormed(source, "the source of a delivery");
  if (source === "") throw new Fault("invalid", "the source of a delivery is empty; it must identify the sender");
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new Fault("invalid", `the number of a delivery must be a whole number of 1 or more, got ${excerpt(number)}`);
  }
}

/**
 * Whether a delivery came before. If not, records it as taken.
 *
 * @throws Fault `invalid` when it identifies no record
 */
export function isRepeated(store: Store, delivery: Delivery): boolean {
  assertDelivery(delivery);
  if (delivery.number <= store.lastTaken(delivery.source)) return true;
  store.record({ kind: "delivery-taken", source: delivery.source, number: delivery.number });
  return false;
}
