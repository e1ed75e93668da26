/**
 * Deliveries: records that a sender may repeat until it gets an answer, and that take effect once. A memory keeps the
 * number of the last delivery accepted from each source.
 */

import type { Delivery } from "../../gen/plain";
import { nameRefusal } from "../../text/chosen-names";
import { excerpt } from "../../text/excerpt";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";
import { FEW_SOURCES, type Sender, type SourceNumber } from "../ports/store";

/** The kind of sender of a record with these stations: a client if there are none, else another processor. */
export function senderOf(path: readonly string[]): Sender {
  return path.length === 0 ? "client" : "processor";
}

/** @throws Fault `invalid` when the source is not a name, or the number not a whole number of 1 to 2^53 - 1 */
export function assertDelivery({ source, number }: Delivery): void {
  // Check names from processors, too: a memory keeps them in its state, and any client can claim to be a processor.
  const refusal = nameRefusal(source);
  if (refusal !== undefined) {
    throw new Fault("invalid", `the source of a delivery must be ${refusal}, got ${excerpt(source)}`);
  }
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new Fault("invalid", `the number of a delivery must be a whole number of 1 or more, got ${excerpt(number)}`);
  }
}

function isFrom(sender: Sender, source: string): (entry: SourceNumber) => boolean {
  return (entry) => entry.sender === sender && entry.source === source;
}

/** The number of the last delivery accepted from a source; 0 for none. */
export function lastNumber(mind: Mind, sender: Sender, source: string): number {
  const known = mind.state.sources.find(isFrom(sender, source));
  if (known !== undefined) return known.number;
  return mind.isStored ? mind.store.keptSource(mind.session, sender, source) : 0;
}

/** Whether a delivery is a repetition. */
export function isRepeated(mind: Mind, sender: Sender, { source, number }: Delivery): boolean {
  return number <= lastNumber(mind, sender, source);
}

/** Keeps the number of an accepted delivery. {@link Mind.recordState} records it. */
export function keepDelivery(mind: Mind, sender: Sender, { source, number }: Delivery): void {
  const known = mind.state.sources.findIndex(isFrom(sender, source));
  const others = mind.state.sources.filter((_, at) => at !== known);
  const displaced = others.slice(0, Math.max(0, others.length - FEW_SOURCES + 1));
  if (displaced.length > 0) mind.keepAsItIs();
  for (const entry of displaced) mind.store.record({ kind: "source-kept", session: mind.session, ...entry });
  mind.update({ sources: [...others.slice(displaced.length), { sender, source, number }] });
}
