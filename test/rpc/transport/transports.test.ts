/** Which objects the transports call, and with which hint: over namespaces that write down what they are asked for. */

import { createClient } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { createTransports, jurisdictionRefusal, type TransportsEnv } from "../../../src/rpc/transport/transports";
import { ANYWHERE } from "../../../src/text/placement";

/** What workerd says; miniflare runs workerd. */
const REFUSAL = "Jurisdiction restrictions are not implemented in workerd.";

type Namespace = TransportsEnv["AGENTS"];

/** A namespace as Cloudflare has it, or as workerd has it, where there are no jurisdictions. */
function namespace(asked: string[], name: string, hasJurisdictions: boolean): Namespace {
  return {
    getByName: (object, options) => {
      asked.push(`${name} ${object}${options === undefined ? "" : ` near ${options.locationHint}`}`);
      return { unary: async () => new Uint8Array() };
    },
    idFromName: (object) => `${name} ${object}`,
    jurisdiction: (jurisdiction) => {
      if (!hasJurisdictions) throw new Error(REFUSAL);
      return namespace(asked, `${name} in ${jurisdiction}`, true);
    },
  };
}

function envOf(variables: Partial<TransportsEnv>, hasJurisdictions = true) {
  const asked: string[] = [];
  const env: TransportsEnv = {
    PROCESSORS: namespace(asked, "processor", hasJurisdictions),
    AGENTS: namespace(asked, "agent", hasJurisdictions),
    ...variables,
  };
  return { asked, env };
}

/** Calls an agent, the object of its name in no jurisdiction, and a processor with each place. */
async function called(variables: Partial<TransportsEnv>) {
  const { asked, env } = envOf(variables);
  const transports = createTransports(env);
  await createClient(AgentService, transports.agent("simple")).getGenome({});
  await createClient(AgentService, transports.agent("simple", "")).getGenome({});
  for (const place of [
    ANYWHERE,
    { locationHint: "oc", jurisdiction: "" },
    { locationHint: "", jurisdiction: "us" },
    { locationHint: "enam", jurisdiction: "us" },
  ]) {
    const transport = transports.processor("simple", "p1", { endpoint: "", place });
    await createClient(InspectionService, transport).ping({});
  }
  return asked;
}

describe("an object is asked for", () => {
  test("without a hint and in no jurisdiction, when no variable says otherwise", async () => {
    expect(await called({})).toEqual([
      "agent simple",
      "agent simple",
      "processor simple/p1",
      "processor simple/p1 near oc",
      "processor in us simple/p1",
      "processor in us simple/p1 near enam",
    ]);
  });

  test("near the deployment's region when it is an agent, whose processors land beside it", async () => {
    expect(await called({ NOEMA_LOCATION_HINT: "weur" })).toEqual([
      "agent simple near weur",
      "agent simple near weur",
      "processor simple/p1",
      "processor simple/p1 near oc",
      "processor in us simple/p1",
      "processor in us simple/p1 near enam",
    ]);
  });

  test("in the deployment's jurisdiction, unless it is meant in none", async () => {
    expect((await called({ NOEMA_JURISDICTION: "eu", NOEMA_LOCATION_HINT: null })).slice(0, 4)).toEqual([
      "agent in eu simple",
      "agent simple",
      "processor in eu simple/p1",
      "processor in eu simple/p1 near oc",
    ]);
  });
});

describe("variables that place objects", () => {
  test.each([
    [{ NOEMA_LOCATION_HINT: "weur", NOEMA_JURISDICTION: "eu" }],
    [{ NOEMA_LOCATION_HINT: "", NOEMA_JURISDICTION: "" }],
    [{ NOEMA_LOCATION_HINT: null, NOEMA_JURISDICTION: null }],
    [{ NOEMA_JURISDICTION: "us" }],
  ])("may be %j", (variables) => {
    expect(createTransports(envOf(variables).env).refusal).toBeUndefined();
  });

  test.each([
    [
      { NOEMA_LOCATION_HINT: "europe" },
      'the variable NOEMA_LOCATION_HINT is "europe"; it must be one of afr, apac, eeur, enam, me, oc, sam, weur, wnam',
    ],
    [
      { NOEMA_JURISDICTION: "EU" },
      'the variable NOEMA_JURISDICTION is "EU"; it must be one of eu, fedramp, fedramp-high, us',
    ],
  ])("may not be %j", (variables, sentence) => {
    expect(createTransports(envOf(variables).env).refusal).toBe(sentence);
  });

  test("may name no jurisdiction where the platform has none", () => {
    const { env } = envOf({ NOEMA_JURISDICTION: "eu" }, false);
    expect(createTransports(env).refusal).toBe(
      `the variable NOEMA_JURISDICTION is "eu"; the platform refuses it: ${REFUSAL}`,
    );
    expect(jurisdictionRefusal("us", env)).toBe(`the platform refuses it: ${REFUSAL}`);
    expect(createTransports(envOf({ NOEMA_LOCATION_HINT: "weur" }, false).env).refusal).toBeUndefined();
  });
});
