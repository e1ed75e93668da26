/** Carries events to the processors that are to observe them, wherever they are, and knows which failures are final. */

import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { MemoryService } from "../gen/noema/v1/memory_service_pb";
import { RosterService } from "../gen/noema/v1/provisioning_service_pb";
import type { Transports } from "../rpc/transport/transports";
import type { OutboxEvent } from "../store/tables/delivery-tables";
import type { Identity } from "../store/tables/identity";

/** Failures after which another attempt would fail the same way: the target was reached, and refused the event itself. */
const FINAL: ReadonlySet<Code> = new Set([Code.InvalidArgument, Code.OutOfRange, Code.Unimplemented]);

/**
 * Delivers one event, and resolves when it was taken or never can be.
 *
 * @param sender who sends it
 * @throws ConnectError when it has to be tried again
 */
export async function post(event: OutboxEvent, sender: Identity, transports: Transports): Promise<void> {
  const endpoint = endpointIn(sender, event.target) ?? (await find(event, sender, transports));
  if (endpoint === undefined) return;
  try {
    await observe(event, sender, transports.processor(sender.agent, event.target, { endpoint }));
  } catch (error) {
    const { code } = ConnectError.from(error);
    if (FINAL.has(code)) {
      console.error(`${sender.id} gives up event ${event.number}: ${event.target} refuses it with ${Code[code]}`);
      return;
    }
    if (code !== Code.FailedPrecondition) throw error;
    // Out of service: for good, when the agent does not know it any more, else not yet, and by now it is.
    const again = await find(event, sender, transports);
    if (again !== undefined)
      await observe(event, sender, transports.processor(sender.agent, event.target, { endpoint: again }));
  }
}

/** Where a target is served, as the sender's manipulatives say; `undefined` when none of them names it any longer. */
function endpointIn({ outlets }: Identity, target: string): string | undefined {
  return outlets.flatMap(({ targets }) => targets).find(({ id }) => id === target)?.endpoint;
}

/** Where a target is served, as the agent says; `undefined`, and it is logged, when it has none of this identifier. */
async function find(event: OutboxEvent, sender: Identity, { agent }: Transports): Promise<string | undefined> {
  const roster = createClient(RosterService, agent(sender.agent));
  const { found, endpoint } = await roster.findProcessor({ id: event.target });
  if (found) return endpoint;
  console.error(`${sender.id} gives up event ${event.number}: ${event.target} has left the agent`);
  return undefined;
}

async function observe(event: OutboxEvent, { incarnation }: Identity, transport: Transport): Promise<void> {
  const { symbols, emotives, uniqueId, path, number } = event;
  await createClient(MemoryService, transport).observe({
    gdf: { strings: symbols, emotives, uniqueId },
    path,
    delivery: { source: incarnation, number },
  });
}
