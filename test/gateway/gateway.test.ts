import { Code } from "@connectrpc/connect";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createGateway } from "../../src/gateway/gateway";
import { InspectionService } from "../../src/gen/noema/v1/inspection_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { Fault, type FaultKind } from "../../src/processor/ports/fault";
import { toConnectError } from "../../src/rpc/services/connect-error";
import { ALL_REQUESTS, P1, requestOf, TestGateway, timeless } from "../support/gateway/test-gateway";

const PING_BYTES = '{"message":"okay","status":"okay"}';

afterEach(() => {
  vi.restoreAllMocks();
});

describe("answers", () => {
  it.each([
    [undefined, "application/json; charset=utf-8"],
    ["*/*", "application/json; charset=utf-8"],
    ["application/json, text/javascript", "application/json; charset=utf-8"],
    ["text/javascript, application/json;q=0.1", "application/json; charset=utf-8"],
    ["text/javascript", "text/javascript; charset=utf-8"],
    ["Text/JavaScript;q=0.5, */*;q=0.1", "text/javascript; charset=utf-8"],
    ["text/javascript, application/json;q=0", "text/javascript; charset=utf-8"],
    ["text/javascript;q=0", "application/json; charset=utf-8"],
    ["text/javascript-x", "application/json; charset=utf-8"],
  ])("to Accept %j are %s, failed ones too", async (accept, type) => {
    const gateway = new TestGateway();
    const asking = accept === undefined ? {} : { accept };
    expect((await gateway.ask("GET", "/agent/ping", asking)).headers.get("content-type")).toBe(type);
    expect((await gateway.ask("GET", "/no/such/path", asking)).headers.get("content-type")).toBe(type);
  });

  it("are the same for a path that ends in slashes, and for the processor's name or escaped identifier", async () => {
    const gateway = new TestGateway();
    for (const path of [`/${P1}/ping`, `/${P1}/ping/`, "/P1/ping", "/%701/../P1/ping", "/%50%31/ping?x=1"]) {
      expect((await gateway.ask("GET", path)).text).toBe(PING_BYTES);
    }
    expect(new Set(gateway.calls.filter(({ rpc }) => rpc === "Ping").map(({ to }) => to))).toEqual(
      new Set([`simple/${P1}`]),
    );
  });

  it("carry the time in whole epoch seconds", async () => {
    vi.spyOn(Date, "now").mockReturnValue(1_700_000_000_999);
    const answer = await new TestGateway().ask("POST", `/${P1}/working-memory/clear`);
    expect(answer.text).toBe(
      `{"id":"${P1}","interval":7,"message":"wm-cleared","status":"okay","time_stamp":1700000000}`,
    );
  });
});

describe("failures", () => {
  it("answer 404 to an unknown path, and name it", async () => {
    const gateway = new TestGateway();
    for (const path of ["//", "/nowhere", `/${P1}`, `/${P1}/observe/x`, `//${P1}/ping`, "/agent/status/x"]) {
      const answer = await gateway.ask("GET", path);
      expect(answer.status).toBe(404);
      expect(answer.json.message).toContain(`there is no operation at ${JSON.stringify(path)}; a path is `);
      // The time of the processor that the path names stands in every envelope.
      expect(answer.json.interval).toBe(path.startsWith(`/${P1}/`) ? 7 : 0);
    }
    expect(gateway.calls.filter(({ rpc }) => rpc !== "Ping" && rpc !== "GetGenome")).toEqual([]);
  });

  it("answer 404 to an unknown processor, and create nothing", async () => {
    const gateway = new TestGateway();
    for (const word of ["p2", "agent", "P1x", "__proto__", "constructor"]) {
      const answer = await gateway.ask("POST", `/${word}/learn`);
      expect([answer.status, answer.json.id, answer.json.interval]).toEqual([404, word, 0]);
      expect(answer.json.message).toContain(`there is no processor "${word}"`);
    }
    expect(gateway.calls.map(({ rpc }) => rpc)).not.toContain("Learn");
  });

  it("answer 405 to a method that the path does not have, with its methods in Allow", async () => {
    const gateway = new TestGateway();
    const wrong = await gateway.ask("PUT", `/${P1}/observe`, { body: "{}" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    expect(wrong.json.message).toBe(`the method PUT is not known at "/${P1}/observe"; accepted: POST`);
    const both = await gateway.ask("DELETE", `/${P1}/gene/increment-recall-threshold`);
    expect([both.status, both.headers.get("allow")]).toEqual([405, "GET, POST"]);
    expect((await gateway.ask("HEAD", `/${P1}/observe`)).headers.get("allow")).toBe("POST");
  });

  it("answer 426 to a stream that is no WebSocket, with the protocol in Upgrade", async () => {
    const gateway = new TestGateway();
    const plain = await gateway.ask("GET", `/${P1}/stream`);
    expect([plain.status, plain.headers.get("upgrade")]).toEqual([426, "websocket"]);
    expect(plain.json.message).toMatch(/^a stream is a WebSocket: connect with one/);
  });

  it("answer 400 to broken percent-encoding", async () => {
    const gateway = new TestGateway();
    for (const path of ["/%E0%A4%A/ping", "/%ff/ping", `/${P1}/gene/%`]) {
      expect((await gateway.ask("GET", path)).status).toBe(400);
    }
  });

  it.each(
    ALL_REQUESTS.filter(([, path]) => path !== "/restore"),
  )("answer 400 to a body that is not JSON at %s %s", async (method, path) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask(method, path, { body: '{"data":' });
    expect([answer.status, answer.json.status]).toEqual([400, "failed"]);
    expect(answer.json.message).toMatch(/not valid JSON at position 8/);
    expect(gateway.calls.filter(({ rpc }) => rpc !== "GetGenome" && rpc !== "Ping")).toEqual([]);
  });

  it.each([
    ['{"data":', "line 1 is cut short: it does not end with a line feed"],
    ['{"data":\n', /^line 1/],
  ])("answer 400 to the line %j of POST /restore", async (body, message) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask("POST", "/restore", { body });
    expect([answer.status, answer.json.status]).toEqual([400, "failed"]);
    expect(answer.json.message).toMatch(message);
    expect(gateway.calls.filter(({ rpc }) => rpc !== "GetGenome" && rpc !== "Ping")).toEqual([]);
  });

  it.each([
    ["POST", "/observe", "{", 400],
    ["POST", "/observe", "[]", 400],
    ["PUT", "/observe", "{}", 405],
    ["POST", "/observe", " ".repeat(26 * 1024 * 1024), 413],
  ])("of the gateway at %s %s carry the processor's identifier and time", async (method, path, body, status) => {
    const answer = await new TestGateway().ask(method, `/P1${path}`, { body });
    expect([answer.status, answer.json.id, answer.json.interval]).toEqual([status, P1, 7]);
  });

  it("carry the first segment of the path and no time when the processor is unknown or does not answer", async () => {
    const gateway = new TestGateway();
    gateway.fail(InspectionService.method.ping, Code.Unavailable, "gone");
    for (const word of ["nobody", "P1"]) {
      const answer = await gateway.ask("POST", `/${word}/observe`, { body: "{" });
      expect([answer.status, answer.json.id, answer.json.interval]).toEqual([400, word, 0]);
    }
  });

  it.each([
    [Code.InvalidArgument, 400],
    [Code.NotFound, 404],
    [Code.OutOfRange, 413],
    [Code.Aborted, 409],
    [Code.ResourceExhausted, 503],
    [Code.Unimplemented, 200],
  ])("of a processor with code %i answer %i, with its sentence, identifier and time", async (code, status) => {
    const gateway = new TestGateway();
    gateway.fail(MemoryService.method.learn, code, "because of 3");
    const answer = await gateway.ask("POST", "/P1/learn");
    expect(answer.status).toBe(status);
    expect(timeless(answer.text)).toBe(
      `{"id":"${P1}","interval":7,"message":"because of 3","status":"failed","time_stamp":T}`,
    );
  });

  it.each([
    Code.Unavailable,
    Code.DeadlineExceeded,
  ])("to reach a processor (code %i) are 503 in our words", async (code) => {
    const gateway = new TestGateway();
    gateway.fail(MemoryService.method.learn, code, "at 0x1234: SELECT");
    const answer = await gateway.ask("POST", "/P1/learn");
    expect(answer.status).toBe(503);
    expect(answer.json.message).toMatch(/cannot be reached/);
    expect(answer.text).not.toContain("SELECT");
  });

  it("of a processor that cannot reach its parts are 503 in its words", async () => {
    const gateway = new TestGateway();
    gateway.answerWith(MemoryService.method.learn, () => {
      throw toConnectError(new Fault("unavailable", "part 3 cannot be reached"), "/learn", () => ({ id: P1, time: 7 }));
    });
    const answer = await gateway.ask("POST", "/P1/learn");
    expect([answer.status, answer.json.message]).toEqual([503, "part 3 cannot be reached"]);
  });

  it.each<[FaultKind, number, string | null]>([
    ["unavailable", 503, "5"],
    ["exhausted", 503, null],
    ["over-limit", 429, null],
  ])("of a processor that is %s are %i, and say when to try again if that helps: %s", async (kind, status, after) => {
    const gateway = new TestGateway();
    gateway.answerWith(MemoryService.method.learn, () => {
      throw toConnectError(new Fault(kind, "why"), "/learn", () => ({ id: P1, time: 7 }));
    });
    const answer = await gateway.ask("POST", "/P1/learn");
    expect([answer.status, answer.json.message, answer.headers.get("retry-after")]).toEqual([status, "why", after]);
  });

  it("of storage (code 15) are 500, say so in our words and are logged", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const gateway = new TestGateway();
    gateway.fail(MemoryService.method.learn, Code.DataLoss, "at 0x1234: SELECT");
    const answer = await gateway.ask("POST", "/P1/learn");
    expect(answer.status).toBe(500);
    expect(answer.json.message).toMatch(/^this processor's storage is damaged, .* docs\/damage.md how to restore it$/);
    expect(log).toHaveBeenCalledOnce();
  });

  it.each([
    Code.Internal,
    Code.Unknown,
    Code.PermissionDenied,
    Code.Canceled,
  ])("inside a processor (code %i) answer 500 with a fixed sentence, and the log holds no key", async (code) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const gateway = new TestGateway();
    gateway.fail(MemoryService.method.learn, code, "at 0x1234: SELECT");
    const answer = await gateway.ask("POST", "/P1/learn");
    expect([answer.status, answer.json.status]).toEqual([500, "failed"]);
    expect(answer.text).not.toMatch(/SELECT|0x|\bat \//);
    expect(log).toHaveBeenCalledOnce();
    expect(JSON.stringify(log.mock.calls)).not.toContain("ABCD");
  });

  it("answer 500 to a reply without a stamp, and log it", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const gateway = new TestGateway();
    gateway.answer(InspectionService.method.getStatus, {});
    expect((await gateway.ask("GET", "/P1/status")).status).toBe(500);
    expect(log).toHaveBeenCalledOnce();
  });

  it("read every body to its end", async () => {
    const gateway = new TestGateway();
    for (const [key, path] of [
      [null, "/P1/learn"],
      ["ABCD-1234", "/nowhere"],
      ["ABCD-1234", "/P1/status"],
    ] as const) {
      const request = requestOf("POST", path, { key, body: '{"data":1}' });
      await gateway.handle(request);
      expect(request.bodyUsed).toBe(true);
    }
  });

  it("answer when the connection breaks while a body is read", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("gone")) });
    const request = new Request("http://127.0.0.1/P1/learn", {
      method: "POST",
      body,
      duplex: "half",
      headers: { "x-api-key": "ABCD-1234" },
    } as RequestInit);
    const gateway = createGateway(
      { NOEMA_LOCAL: "true" },
      {
        agent: unused,
        processor: unused,
        openStream: () => Promise.reject(new Error("there are no streams here")),
        mqtt: unused,
        health: unused,
      },
    );
    const answer = await gateway(request);
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      400,
      "the body is cut short: it is shorter than its content-length says, or its chunks are malformed",
    ]);
  });
});

function unused(): never {
  throw new Error("no request is made as ALL_REQUESTS");
}
