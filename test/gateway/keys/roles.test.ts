/**
 * Every operation and every call of the services, with a key of every role, at its own and at another processor, session and agent: what the
 * gateway lets through is what `role-oracle.ts` says.
 */

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { EncoderService } from "../../../src/gen/noema/v1/encoder_service_pb";
import { GeneService } from "../../../src/gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { KeyService } from "../../../src/gen/noema/v1/key_service_pb";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { ModeService } from "../../../src/gen/noema/v1/mode_service_pb";
import { FILE_ROWS, ROWS } from "../../support/conformance/interface-rows";
import { keep, type TestKey, type TestRights, testKey } from "../../support/gateway/issued";
import { STAMP, TestGateway } from "../../support/gateway/test-gateway";
import { CALLS, CALLS_IN_SESSIONS, IN_SESSIONS, LIMITING_ITSELF, OPERATIONS } from "../../support/keys/role-oracle";

const ROLES = ["read", "observe", "learn", "manage", "admin"];

const GENOME = JSON.stringify({
  agent: "a",
  elements: { nodes: ["p1", "p2"].map((id) => ({ data: { type: "primitive", id, name: id.toUpperCase() } })) },
});

const GENE = { name: "x", value: { value: { case: "number", value: 0.1 } as const }, text: "0.100000" };

/** A request as the matrix makes it. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `accepted`: the gateway goes on with it, however it ends. */
type Outcome = "accepted" | "forbidden" | "no valid key";

interface Result {
  readonly outcome: Outcome;
  /** The processors that were called. */
  readonly called: readonly string[];
  readonly text: string;
}

/** The gateway of each key, whose agent has two processors and this key alone. */
const gateways = new WeakMap<TestKey, TestGateway>();

function gatewayOf(key: TestKey): TestGateway {
  const former = gateways.get(key);
  if (former !== undefined) return former;
  const gateway = new TestGateway({ API_KEYS: "configured", NOEMA_AGENTS: "lab" } as never);
  gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME });
  keep(gateway, "simple", key);
  gateway.answer(MemoryService.method.observe, { stamp: STAMP, observed: {} });
  gateway.answer(InspectionService.method.getStatus, { stamp: STAMP, status: {} });
  gateway.answer(KnowledgeService.method.exportKnowledge, { stamp: STAMP, totals: {} });
  gateway.answer(GeneService.method.getGenes, { stamp: STAMP, genes: [GENE] });
  gateway.answer(KeyService.method.createKey, { key: key.kept });
  gateways.set(key, gateway);
  return gateway;
}

/** Asks the gateway of a key. */
async function ask(key: TestKey, { method, path, body, headers }: Asked, host = "localhost"): Promise<Result> {
  const gateway = gatewayOf(key);
  const before = gateway.calls.length;
  const request = new Request(`http://${host}${path}`, {
    method: body === undefined ? method : "POST",
    headers: { "x-api-key": key.text, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  Object.defineProperty(request, "method", { value: method });
  const response = await gateway.handle(request);
  const text = await response.text();
  const called = gateway.calls
    .slice(before)
    .map(({ to }) => to)
    .filter((to) => to.includes("/"));
  return { outcome: outcomeOf(response, text), called: [...new Set(called)], text };
}

function outcomeOf({ status }: Response, text: string): Outcome {
  if (status === 403) return "forbidden";
  if (/does not hold an accepted API key/.test(text) && [401, 500].includes(status)) return "no valid key";
  return "accepted";
}

/** Whether the oracle lets a role do something. */
function may(roles: string | undefined, role: string): boolean {
  return role === "admin" || roles === "any" || (roles ?? "").split(" ").includes(role);
}

const STREAM = "GET /<primitive_id>/stream";

const bodies = new Map<string, unknown>([
  ...ROWS.map(({ method, path, body }) => [`${method} ${path}`, body] as const),
  ...FILE_ROWS.map(({ method, path }) => [`${method} ${path}`, undefined] as const),
  [STREAM, undefined],
]);

const UPGRADE = { upgrade: "websocket", "sec-websocket-protocol": "noema.v1" };

function requestFor(operation: string, processor: string, session?: string): Asked {
  const [method = "", path = ""] = operation.split(" ");
  const filled = path
    .replace("/<primitive_id>/", session === undefined ? `/${processor}/` : `/${processor}/sessions/${session}/`)
    .replace("<key>", "5f1d7a0c93be2468")
    .replace("<incident>", "1")
    .replace(/<\w+>/g, "x");
  return { method, path: filled, body: bodies.get(operation), ...(operation === STREAM && { headers: UPGRADE }) };
}

const isOfProcessor = (operation: string) => operation.includes("/<primitive_id>/");

/** Expects an outcome, and of a refusal that it names the role and has asked no processor. */
function expectOutcome(result: Result, expected: boolean, roles: string | undefined): void {
  expect(result.outcome).toBe(expected ? "accepted" : "forbidden");
  if (expected) return;
  expect(result.called).toEqual([]);
  if (roles !== "any") expect(result.text).toContain(`a key with the role ${roles?.replaceAll(" ", " or ")}`);
}

const OPERATION_ROLES = Object.entries(OPERATIONS).flatMap(([operation, roles]) =>
  ROLES.map((role) => [operation, role, roles] as const),
);

/** Whether a key that is limited to sessions opens an operation outside of them. */
function isOpenOutside(operation: string, role: string): boolean {
  const roles = OPERATIONS[operation];
  return roles === "any" || (LIMITING_ITSELF.includes(operation) && may(roles, role));
}

describe("an operation", () => {
  it("is in the oracle, and nothing else is", () => {
    expect(Object.keys(OPERATIONS).sort()).toEqual([...bodies.keys()].sort());
    expect(IN_SESSIONS.filter((operation) => !(operation in OPERATIONS))).toEqual([]);
  });

  it.each(OPERATION_ROLES)("%s with the role %s", async (operation, role, roles) => {
    const key = testKey({ roles: [role] });
    for (const processor of ["p1", "P1", "p2"]) {
      expectOutcome(await ask(key, requestFor(operation, processor)), may(roles, role), roles);
    }
    if (IN_SESSIONS.includes(operation)) {
      expectOutcome(await ask(key, requestFor(operation, "p1", "any")), may(roles, role), roles);
    }
  });

  it.each(
    OPERATION_ROLES,
  )("%s of another agent with the role %s is asked without a valid key", async (operation, role) => {
    const result = await ask(testKey({ roles: [role] }), requestFor(operation, "p1"), "lab.localhost");
    expect([result.outcome, result.called]).toEqual(["no valid key", []]);
  });

  it.each(
    OPERATION_ROLES.filter(([, role]) => role !== "admin"),
  )("%s with the role %s, limited to a processor", async (operation, role, roles) => {
    const key = testKey({ roles: [role], processors: ["p1"] });
    const isOfAgent = !isOfProcessor(operation);
    for (const [processor, isOwn] of [
      ["p1", true],
      ["P1", true],
      ["p2", false],
      ["P2", false],
      ["p9", false],
    ] as const) {
      const result = await ask(key, requestFor(operation, processor));
      expectOutcome(
        result,
        may(roles, role) && (isOfAgent ? roles === "any" || LIMITING_ITSELF.includes(operation) : isOwn),
        roles,
      );
      expect(result.called.filter((to) => to !== "simple/p1" && operation !== "GET /connect")).toEqual([]);
    }
  });

  it.each(
    OPERATION_ROLES.filter(([, role]) => role !== "admin"),
  )("%s with the role %s, limited to sessions", async (operation, role, roles) => {
    const key = testKey({ roles: [role], sessions: ["own", "a*"] });
    // Outside of sessions, only what any key may do.
    const isEnding = operation.endsWith("/sessions/<session>");
    if (!isEnding) expectOutcome(await ask(key, requestFor(operation, "p1")), isOpenOutside(operation, role), roles);
    const sessions = {
      own: true,
      "%6Fwn": true,
      a: true,
      "a%2Fb": true,
      "%61%00b": undefined,
      other: false,
      ow: false,
      owner: false,
      A: false,
    };
    for (const [session, isOwn] of Object.entries(sessions)) {
      if (isOwn === undefined) continue;
      const asked = isEnding
        ? { method: "DELETE", path: `/p1/sessions/${session}` }
        : IN_SESSIONS.includes(operation) && requestFor(operation, "p1", session);
      if (asked) expectOutcome(await ask(key, asked), may(roles, role) && isOwn, roles);
    }
  });
});

describe("learning in a sequence", () => {
  const sequence = (learn: boolean) => ({ data: { sequence: [{ strings: ["a"] }], learn } });

  it.each([
    [["observe"], false, true],
    [["observe"], true, false],
    [["learn"], true, false],
    [["observe", "learn"], true, true],
    [["admin"], true, true],
  ] as const)("with the roles %j and learn: %s", async (roles, learn, expected) => {
    const key = testKey({ roles });
    for (const path of ["/p1/sequence-observe", "/p1/sessions/s/sequence-observe"]) {
      const result = await ask(key, { method: "POST", path, body: sequence(learn) });
      expect([result.outcome, result.called.length > 0]).toEqual([expected ? "accepted" : "forbidden", expected]);
    }
    const result = await ask(key, rpc("MemoryService/ObserveSequence", { "x-processor-id": "p1" }, { learn }));
    expect([result.outcome, result.called.length > 0]).toEqual([expected ? "accepted" : "forbidden", expected]);
  });
});

function rpc(call: string, headers: Readonly<Record<string, string>>, body: object = {}): Asked {
  return {
    method: "POST",
    path: `/noema.v1.${call}`,
    headers: { "content-type": "application/json", ...headers },
    body,
  };
}

const CALL_ROLES = Object.entries(CALLS).flatMap(([call, roles]) => ROLES.map((role) => [call, role, roles] as const));

const isOfAgentService = (call: string) => call.startsWith("AgentService/");

describe("a call of a service", () => {
  it("is in the oracle, and nothing else is", () => {
    const services = [
      AgentService,
      EncoderService,
      GeneService,
      InspectionService,
      KnowledgeService,
      MemoryService,
      ModeService,
    ];
    const calls = services.flatMap(({ name, methods }) => methods.map((method) => `${name}/${method.name}`));
    expect(Object.keys(CALLS).sort()).toEqual(calls.sort());
  });

  it.each(CALL_ROLES)("%s with the role %s", async (call, role, roles) => {
    const key = testKey({ roles: [role] });
    for (const processor of ["p1", "P2"]) {
      expectOutcome(await ask(key, rpc(call, { "x-processor-id": processor })), may(roles, role), roles);
    }
    const other = await ask(key, rpc(call, { "x-processor-id": "p1" }), "lab.localhost");
    expect([other.outcome, other.called]).toEqual(["no valid key", []]);
  });

  it.each(
    CALL_ROLES.filter(([, role]) => role !== "admin"),
  )("%s with the role %s, limited to a processor", async (call, role, roles) => {
    const key = testKey({ roles: [role], processors: ["p1"] });
    for (const [processor, isOwn] of [
      ["p1", true],
      ["P1", true],
      ["p2", false],
      ["P2", false],
      ["p9", false],
    ] as const) {
      const result = await ask(key, rpc(call, { "x-processor-id": processor }));
      expectOutcome(result, may(roles, role) && (isOfAgentService(call) ? roles === "any" : isOwn), roles);
    }
  });

  it.each(
    CALL_ROLES.filter(([, role]) => role !== "admin"),
  )("%s with the role %s, limited to sessions", async (call, role, roles) => {
    const key = testKey({ roles: [role], sessions: ["own", "a*"] });
    const plain = { "x-processor-id": "p1" };
    expectOutcome(await ask(key, rpc(call, plain)), roles === "any" && isOfAgentService(call), roles);
    for (const [session, isOwn] of Object.entries({
      own: true,
      "%6Fwn": true,
      "a%2Fb": true,
      other: false,
      A: false,
    })) {
      if (CALLS_IN_SESSIONS.includes(call)) {
        const result = await ask(key, rpc(call, { ...plain, "x-session": session }));
        expectOutcome(result, may(roles, role) && isOwn, roles);
      }
      if (call === "MemoryService/EndSession") {
        const result = await ask(key, rpc(call, plain, { session: decodeURIComponent(session) }));
        expectOutcome(result, may(roles, role) && isOwn, roles);
      }
    }
  });
});

describe("a limited key", () => {
  const limited = (rights: Partial<TestRights>) =>
    testKey({ roles: ["read", "observe", "learn", "manage"], ...rights });

  it("calls a processor by the identifier that was checked, also when names change hands meanwhile", async () => {
    const key = limited({ processors: ["p1"] });
    const gateway = new TestGateway({ API_KEYS: "configured" });
    keep(gateway, "simple", key);
    const genome = (...names: string[]) =>
      JSON.stringify({
        agent: "a",
        elements: { nodes: names.map((name, at) => ({ data: { type: "primitive", id: `p${at + 1}`, name } })) },
      });
    gateway.answer(AgentService.method.getGenome, { genomeJson: genome("Mine", "Other"), revision: 1 });
    expect((await gateway.ask("GET", "/Mine/ping", { key: key.text })).status).toBe(200);
    gateway.answer(AgentService.method.getGenome, { genomeJson: genome("Other", "Mine"), revision: 2 });
    await gateway.ask("GET", "/Mine/ping", { key: key.text });
    expect(new Set(gateway.calls.map(({ to }) => to).filter((to) => to.includes("/")))).toEqual(new Set(["simple/p1"]));
  });

  it("does not reach a processor that has got the name of a removed one's identifier, at no moment", async () => {
    const key = limited({ processors: ["p1"] });
    const gateway = new TestGateway({ API_KEYS: "configured" });
    keep(gateway, "simple", key);
    gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME, revision: 1 });
    expect((await gateway.ask("GET", "/p1/ping", { key: key.text })).status).toBe(200);
    // A hotswap: p1 is gone, and another processor has its identifier as a name.
    const other = { data: { type: "primitive", id: "p7", name: "p1" } };
    const genomeJson = JSON.stringify({ agent: "a", elements: { nodes: [other] } });
    gateway.answer(AgentService.method.getGenome, { genomeJson, revision: 2 });
    gateway.answerWith(InspectionService.method.ping, (_, to) => {
      if (to === "simple/p1") throw new ConnectError("not in service", Code.FailedPrecondition);
      return create(InspectionService.method.ping.output, { stamp: STAMP });
    });
    for (const status of [404, 403]) {
      expect((await gateway.ask("GET", "/p1/ping", { key: key.text })).status).toBe(status);
    }
    expect(gateway.calls.filter(({ to }) => to === "simple/p7")).toEqual([]);
    // For a key without limits, the name leads to the processor that has it now.
    expect((await gateway.ask("GET", "/p1/ping", { key: "configured" })).status).toBe(200);
  });

  it("does not find out whether there is another processor, nor its time", async () => {
    const key = limited({ processors: ["p1"] });
    const [there, nowhere] = await Promise.all(
      ["p2", "p9"].map((id) => ask(key, { method: "GET", path: `/${id}/status` })),
    );
    const neutral = (text = "") => text.replace(/p[29]/g, "p?").replace(/"time_stamp":\d+/, "");
    expect(neutral(there?.text)).toBe(neutral(nowhere?.text));
    for (const path of ["/p2/nothing", "/p2/sessions/s/nothing", "/p2/learn?x"]) {
      const { called, text } = await ask(key, { method: "GET", path });
      expect([called, JSON.parse(text).interval]).toEqual([[], 0]);
    }
  });

  it("is not let out of its sessions by other spellings of a path", async () => {
    const key = limited({ sessions: ["a"] });
    for (const path of [
      "/p1/sessions/a/../b/observe",
      "/p1/sessions/a/%2e%2e/%2e%2e/observe",
      "/p1/sessions/a%2f..%2fb/observe",
      "/p1/sessions/a//observe",
      "/p1/sessions//observe",
      "/p1//sessions/a/observe",
      "/p1/%73essions/b/observe",
      "/p1/sessions%2Fa/observe",
      "/p1/sessions/a%00/observe",
      "/p1/SESSIONS/a/observe",
      "/p1/sessions/b/observe?/sessions/a/",
      "/p1/observe#/sessions/a",
      "/p1/observe/",
      "//p1/observe",
      "/p1/sessions/a;b/observe",
    ]) {
      const gateway = new TestGateway({ API_KEYS: "configured" });
      gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME });
      keep(gateway, "simple", key);
      const response = await gateway.handle({
        method: "POST",
        url: `http://localhost${path}`,
        headers: new Headers({ "x-api-key": key.text }),
        body: null,
        bodyUsed: false,
      } as never);
      expect([path, response.status >= 400]).toEqual([path, true]);
      expect(gateway.calls.filter(({ to }) => to.includes("/"))).toEqual([]);
    }
  });

  it("goes on where the session's name is spelled in another way", async () => {
    const key = limited({ sessions: ["\u00e9*", "x y"] });
    for (const session of ["%C3%A9", "%c3%a9t%C3%A9", "x%20y"]) {
      const { outcome } = await ask(key, { method: "GET", path: `/p1/sessions/${session}/time` });
      expect([session, outcome]).toEqual([session, "accepted"]);
    }
    for (const session of ["%65%CC%81", "x+y", "X%20y", "x%20y%20"]) {
      const { outcome } = await ask(key, { method: "GET", path: `/p1/sessions/${session}/time` });
      expect([session, outcome]).toEqual([session, "forbidden"]);
    }
  });
});

describe("connect with rights=true", () => {
  it.each([
    { roles: ["read", "observe"] },
    { roles: ["manage"], processors: ["p1"] },
    { roles: ["observe"], processors: ["p1"], sessions: ["door", "cart-*"] },
    { roles: ["admin"] },
  ])("says what the key allows: %o", async (rights) => {
    const { outcome, called, text } = await ask(testKey(rights), { method: "GET", path: "/connect?rights=true" });
    expect([outcome, called]).toEqual(["accepted", []]);
    expect(JSON.parse(text).rights).toEqual(rights);
  });
});
