/**
 * Carries one event from a processor's outbox to the processor that is to observe it, and knows
 * which failures are final.
 */

import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { MemoryService } from "../gen/noema/v1/memory_service_pb";
import { OverLimitSchema } from "../gen/noema/v1/over_limit_pb";
import { RosterService } from "../gen/noema/v1/provisioning_service_pb";
import type { ProcessorAddress, Transports } from "../rpc/transport/transports";
import type { Identity } from "../store/tables/identity";
import type { OutboxEvent } from "../store/tables/outbox-table";
import { outboxes } from "./counts/counts";

/** Refusals by the target of the event itself: another attempt would fail the same way. */
const FINAL_CODES: ReadonlySet<Code> = new Set([Code.InvalidArgument, Code.OutOfRange, Code.Unimplemented]);

/**
 * Whether a refusal is final. That includes a target with its maximum number of sessions: this may last for a week, and
 * later events must not wait for it.
 */
function isFinal(error: ConnectError): boolean {
  return FINAL_CODES.has(error.code) || error.findDetails(OverLimitSchema).length > 0;
}

/**
 * Delivers one event. Resolves when the target has it, or when it can never be delivered; that is logged.
 *
 * @param sender the processor that sends it
 * @param mostDeliveries the maximum number of deliveries to other processors that it may cause
 * @returns the number it caused; `undefined` if it can never be delivered
 * @throws ConnectError when it must be tried again later
 */
export async function relay(
  event: OutboxEvent,
  sender: Identity,
  transports: Transports,
  mostDeliveries: number,
): Promise<number | undefined> {
  const address = knownAddress(sender, event.target) ?? (await findAddress(event, sender, transports));
  if (address === undefined) return undefined;
  try {
    return await observe(event, sender, transportTo(event, sender, address, transports), mostDeliveries);
  } catch (error) {
    const refusal = ConnectError.from(error);
    if (isFinal(refusal)) {
      console.error(
        `${sender.id} gives up event ${event.number}: ${event.target} refuses it with ${Code[refusal.code]}`,
      );
      return undefined;
    }
    if (refusal.code !== Code.FailedPrecondition) throw error;
    // The target is out of service. The agent knows whether it has left; if not, asking puts it into service.
    const current = await findAddress(event, sender, transports);
    if (current === undefined) return undefined;
    return observe(event, sender, transportTo(event, sender, current, transports), mostDeliveries);
  }
}

/** The target's address in the sender's manipulatives; `undefined` when none of them names the target any more. */
function knownAddress({ manipulatives }: Identity, target: string): ProcessorAddress | undefined {
  const known = manipulatives.flatMap(({ targets }) => targets).find(({ id }) => id === target);
  if (known === undefined) return undefined;
  const { endpoint, locationHint = "", jurisdiction = "" } = known;
  return { endpoint, place: { locationHint, jurisdiction } };
}

/** The target's address from the agent; `undefined`, which is logged, when the agent has no such processor. */
async function findAddress(
  event: OutboxEvent,
  sender: Identity,
  { agent }: Transports,
): Promise<ProcessorAddress | undefined> {
  const roster = createClient(RosterService, agent(sender.agent));
  const { found, endpoint, ...place } = await roster.findProcessor({ id: event.target });
  if (found) return { endpoint, place };
  console.error(`${sender.id} gives up event ${event.number}: ${event.target} has left the agent`);
  return undefined;
}

/** The target observes in the session of the same name. */
function transportTo(
  { target, session }: OutboxEvent,
  { agent }: Identity,
  address: ProcessorAddress,
  transports: Transports,
): Transport {
  return transports.processor(agent, target, address, session === "" ? undefined : { session });
}

/** @returns the number of deliveries that the observation caused */
async function observe(
  event: OutboxEvent,
  { id, incarnation }: Identity,
  transport: Transport,
  mostDeliveries: number,
): Promise<number> {
  const { symbols, emotives, uniqueId, time, path, number, target } = event;
  const { deliveries, redelivered, untold } = await createClient(MemoryService, transport).observe({
    gdf: { strings: symbols, emotives, uniqueId, ...(time !== undefined && { time }) },
    path,
    delivery: { source: incarnation, number, mostDeliveries },
  });
  if (redelivered) outboxes.redeliveries++;
  if (untold) {
    console.error(
      `${target} does not forward event ${number} of ${id}: one observe would cause more deliveries than its ` +
        "budget (NOEMA_DELIVERIES)",
    );
  }
  return deliveries;
}
