/** Which refusals of a target end an event's way, and which make it wait. The target is a service in this process. */

import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { OverLimitSchema } from "../../src/gen/noema/v1/over_limit_pb";
import { relay } from "../../src/object/outbox-relay";

afterEach(() => {
  vi.restoreAllMocks();
});

const OVER_LIMIT = [{ desc: OverLimitSchema, value: {} }];

/** Sends one event to a target that refuses it. */
function relayTo(refusal: ConnectError): Promise<number | undefined> {
  const transport = createRouterTransport(({ rpc }) => {
    rpc(MemoryService.method.observe, () => {
      throw refusal;
    });
  });
  const manipulatives = [{ id: "m", fields: [], targets: [{ id: "p2", endpoint: "" }] }];
  const sender = {
    id: "p1",
    name: "P1",
    inService: true,
    agent: "a",
    incarnation: "i",
    tuned: false,
    parts: 1,
    manipulatives,
  };
  const event = { number: 7, target: "p2", session: "s", symbols: ["x"], emotives: [], uniqueId: "u", path: ["P1"] };
  return relay(
    event,
    sender,
    {
      agent: () => transport,
      processor: () => transport,
      openStream: () => Promise.reject(new Error("there are no streams here")),
      mqtt: () => expect.fail(),
      health: () => transport,
    },
    10,
  );
}

test("an event for one session more than the target may have is given up", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const refusal = new ConnectError("too many sessions", Code.ResourceExhausted, undefined, OVER_LIMIT);
  expect(await relayTo(refusal)).toBeUndefined();
  expect(log).toHaveBeenCalledWith("p1 gives up event 7: p2 refuses it with ResourceExhausted");
});

test("an event waits for a target that has no memory left", async () => {
  await expect(relayTo(new ConnectError("no memory", Code.ResourceExhausted))).rejects.toThrow("no memory");
});
