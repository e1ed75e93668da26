/** What the gateway tells the transports of where processors live, and what it answers when the agent lives elsewhere. */

import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it, vi } from "vitest";
import { createGateway } from "../../../src/gateway/gateway";
import type { KeyEnv } from "../../../src/gateway/keys/configured-keys";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import type { ProcessorAddress } from "../../../src/rpc/transport/transports";
import { requestOf, STAMP, TestGateway } from "../../support/gateway/test-gateway";
import { genomeText, primitive } from "../../support/object/genomes";

const GENOME = genomeText(
  primitive("hinted"),
  primitive("restricted"),
  primitive("plain", { location_hint: "unread" }),
);
const PLACED = [
  { id: "hinted", locationHint: "oc" },
  { id: "restricted", jurisdiction: "eu" },
  { id: "left", locationHint: "sam" },
];

/** Pings each processor through a gateway, and says at which places the gateway called them. */
async function placesOf(env: KeyEnv & { NOEMA_LOCATION_HINT?: string }, ...ids: string[]) {
  const places: ProcessorAddress["place"][] = [];
  const transport = createRouterTransport((router) => {
    router.service(AgentService, { getGenome: () => ({ genomeJson: GENOME, revision: 1, placed: PLACED }) });
    router.rpc(InspectionService.method.ping, () => ({ stamp: STAMP }));
  });
  const gateway = createGateway(
    { NOEMA_LOCAL: "true", ...env },
    {
      agent: () => transport,
      processor: (_agent, _id, { place }) => {
        places.push(place);
        return transport;
      },
      openStream: () => Promise.reject(new Error("there are no streams here")),
      mqtt: () => expect.fail(),
      health: () => transport,
    },
  );
  for (const id of ids) expect((await gateway(requestOf("GET", `/${id}/ping`))).status).toBe(200);
  return places;
}

describe("a processor is called", () => {
  it("where its agent says, and not where a member of the genome says that was no wish yet", async () => {
    expect(await placesOf({}, "hinted", "restricted", "plain")).toEqual([
      { locationHint: "oc", jurisdiction: "" },
      { locationHint: "", jurisdiction: "eu" },
      { locationHint: "", jurisdiction: "" },
    ]);
  });

  it("near the deployment's region when its agent says nothing of one", async () => {
    expect(await placesOf({ NOEMA_LOCATION_HINT: "weur" }, "hinted", "restricted", "plain")).toEqual([
      { locationHint: "oc", jurisdiction: "" },
      { locationHint: "weur", jurisdiction: "eu" },
      { locationHint: "weur", jurisdiction: "" },
    ]);
  });
});

describe("a deployment", () => {
  it("answers 500 with the agent's sentence when the agent lives elsewhere", async () => {
    // A 500 is logged, so that the operator sees it.
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const gateway = new TestGateway();
    gateway.answerWith(AgentService.method.getGenome, () => {
      throw new ConnectError("the agent lives elsewhere", Code.FailedPrecondition);
    });
    for (const path of ["/P1/ping", "/connect"]) {
      const { status, json } = await gateway.ask("GET", path);
      expect([status, json.message]).toEqual([500, "the agent lives elsewhere"]);
    }
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });

  it("answers 500 with what is wrong with the variables that place objects", async () => {
    const gateway = createGateway(
      { NOEMA_LOCAL: "true" },
      {
        refusal: "a variable is wrong",
        agent: () => expect.fail(),
        processor: () => expect.fail(),
        openStream: () => Promise.reject(new Error("there are no streams here")),
        mqtt: () => expect.fail(),
        health: () => expect.fail(),
      },
    );
    const response = await gateway(requestOf("GET", "/P1/ping"));
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      500,
      "a variable is wrong",
    ]);
  });
});
