/** Bad input over a real socket: the status is right, a sentence names the value and what is accepted, and nothing changes. */

import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outgoing } from "../support/server/http-exchange";
import { ask, PROCESSOR, readEverything } from "../support/server/processor-calls";
import { type JsonAnswer, Server } from "../support/server/server";

const BODY_LIMIT_BYTES = 25 * 1024 * 1024;

/** What no client may see: stack traces, SQL, pointers, and names from the code. */
const LEAK = /\n\s*at |\.(ts|js|wasm)\b|SQLITE|SELECT |INSERT |0x[0-9a-f]{4,}|TypeError|RangeError|\[object /;

let server: Server;

beforeAll(async () => {
  server = await Server.start();
  await ask(server, "POST observe", { data: { strings: ["a", "b"], vectors: [[1, 2]] } });
  await ask(server, "POST learn");
  await ask(server, "POST observe", { data: { strings: ["a"], emotives: { joy: 1 } } });
});

afterAll(() => server.discard());

async function sendWithoutEffect(outgoing: Outgoing): Promise<JsonAnswer> {
  const before = await readEverything(server);
  const answer = await server.send(outgoing);
  expect(answer.text).not.toMatch(LEAK);
  expect(await readEverything(server)).toEqual(before);
  return answer;
}

/** Sends a request that must be refused, and returns the sentence. */
async function refusal(http: number, outgoing: Outgoing): Promise<string> {
  const { status, headers, json } = await sendWithoutEffect(outgoing);
  expect(status).toBe(http);
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(Object.keys(json)).toEqual(["id", "interval", "message", "status", "time_stamp"]);
  expect(json.status).toBe("failed");
  return json.message;
}

const post = (path: string, body: unknown): Outgoing => ({ method: "POST", path: `${PROCESSOR}/${path}`, body });

describe("a wrong body is refused with 400", () => {
  test.each<[what: string, outgoing: Outgoing, said: string[]]>([
    ["cut short", post("observe", '{"data":{"strings":["a"]'), ["not valid JSON", "position 24"]],
    ["two values", post("observe", "{} {}"), ["not valid JSON", "position 3"]],
    ["blank", post("observe", " "), ["blank", "JSON"]],
    ["none at all", post("observe", undefined), ["body", "{data: GDF}", "nothing"]],
    ["not UTF-8", post("observe", new Uint8Array([0x22, 0xff, 0x22])), ["UTF-8"]],
    ["a lone surrogate", post("observe", '{"data":{"strings":["\\ud800"]}}'), ["data.strings[0]", "surrogate"]],
    ["a list", post("observe", []), ["body", "object", "empty list"]],
    ["text for a list", post("observe", { data: { strings: "a" } }), ["data.strings", '"a"', "list"]],
    ["a number for a string", post("observe", { data: { strings: ["a", 7] } }), ["data.strings[1]", "7", "string"]],
    [
      "a string for a number",
      post("observe", { data: { vectors: [[1, "2"]] } }),
      ["data.vectors[0][1]", '"2"', "number"],
    ],
    ["a flat vector", post("observe", { data: { vectors: [1, 2] } }), ["data.vectors[0]", "1", "list"]],
    ["an empty vector", post("observe", { data: { vectors: [[]] } }), ["vector", "one comp", "[]"]],
    ["another dimensionality", post("observe", { data: { vectors: [[1, 2, 3]] } }), ["3", "2"]],
    ["vectors that differ", post("observe", { data: { vectors: [[1, 2], [1]] } }), ["2", "1"]],
    ["a list for emotives", post("observe", { data: { emotives: [1] } }), ["data.emotives", "object"]],
    ["text for an emotive", post("observe", { data: { emotives: { joy: "much" } } }), ["joy", '"much"', "number"]],
    ["text for metadata", post("observe", { data: { metadata: "m" } }), ["data.metadata", '"m"', "object"]],
    ["NaN", post("observe", '{"data":{"vectors":[[1,NaN]]}}'), ["NaN", "finite"]],
    ["Infinity", post("observe", '{"data":{"emotives":{"joy":Infinity}}}'), ["Infinity", "finite"]],
    ["an infinite number", post("observe", '{"data":{"vectors":[[1,1e999]]}}'), ["data.vectors[0][1]", "finite"]],
    ["an infinite emotive", post("observe", '{"data":{"emotives":{"joy":-1e999}}}'), ["joy", "finite"]],
    [
      "an increment of text",
      post("gene/increment-recall-threshold", { increment: "0.1" }),
      ["increment", '"0.1"', "number"],
    ],
    ["no increment", post("gene/increment-recall-threshold", {}), ["increment", "number"]],
    [
      "a sequence with one bad record",
      post("sequence-observe", { data: { sequence: [{ strings: ["ok"] }, { strings: [1] }] } }),
      ["sequence[1].strings[0]", "1", "string"],
    ],
    ["genes that are no object", post("genes/change", { data: ["persistence"] }), ["data", "object"]],
    ["a number as target class", post("set-target-class", { data: 5 }), ["data", "5", "string"]],
  ])("%s", async (_, outgoing, said) => {
    const message = await refusal(400, outgoing);
    for (const word of said) expect(message).toContain(word);
  });

  test("an increment that would leave the range", async () => {
    const { status, json } = await sendWithoutEffect(post("gene/increment-recall-threshold", { increment: 0.95 }));
    expect([status, json.status]).toEqual([400, "failed"]);
    expect(json.message).toMatch(/from 0 to 1, got 1\.05/);
  });
});

describe("impossible genes are answered with okay, the word faulty and the reason", () => {
  test.each<[changes: Record<string, unknown>, said: string[]]>([
    [{ courage: 1 }, ["courage"]],
    [{ persistence: 2, courage: 1 }, ["courage"]],
    [{ persistence: 0 }, ["persistence", "0", "1"]],
    [{ persistence: 2.5 }, ["persistence", "2.5", "whole"]],
    [{ recall_threshold: 1.5, persistence: 2 }, ["recall_threshold", "1.5"]],
    [{ max_predictions: "many" }, ["max_predictions", '"many"']],
    [{ SORT: 1 }, ["SORT", "1"]],
    [{ prediction_sort_metric: "beauty" }, ["prediction_sort_metric", '"beauty"', "potential"]],
    [{ classifier: ["CVC"] }, ["classifier"]],
  ])("%j", async (data, said) => {
    const { status, json } = await sendWithoutEffect(post("genes/change", { data }));
    expect([status, json.status, json.message]).toEqual([200, "okay", "faulty-genes-provided"]);
    for (const word of said) expect(json.detail).toContain(word);
  });

  test("so is reading an unknown gene", async () => {
    const { status, json } = await sendWithoutEffect({ method: "GET", path: `${PROCESSOR}/gene/courage` });
    expect([status, json.status, json.message]).toEqual([200, "okay", "faulty-genes-provided"]);
    expect(json.detail).toContain("courage");
  });
});

describe("an address that leads nowhere", () => {
  test("an unknown processor is 404, and the request creates none", async () => {
    const outgoing = { method: "POST", path: "/p00000000/observe", body: { data: { strings: ["a"] } } };
    expect(await refusal(404, outgoing)).toContain('"p00000000"');
    expect(await refusal(404, { method: "GET", path: "/p00000000/status" })).toContain('"p00000000"');
  });

  test.each(["//", "/p46b6b076c", "/p46b6b076c/dance", "/p46b6b076c/status/now"])("%s is 404", async (path) => {
    expect(await refusal(404, { method: "GET", path, body: { data: 1 } })).toContain(`"${path}"`);
  });

  test("a broken escape is 400", async () => {
    expect(await refusal(400, { method: "GET", path: `${PROCESSOR}/gene/%zz` })).toContain("%zz");
  });

  test.each([
    ["GET", "observe", "POST"],
    ["PUT", "learn", "POST"],
    ["POST", "status", "GET"],
    ["DELETE", "working-memory", "GET"],
  ])("%s %s is 405, and the header Allow says %s", async (method, path, allow) => {
    const outgoing = { method, path: `${PROCESSOR}/${path}`, body: { data: {} } };
    expect(await refusal(405, outgoing)).toContain(method);
    expect((await server.send(outgoing)).headers.allow).toBe(allow);
  });
});

test("a body over the limit is 413, and the connection stays in order", async () => {
  const body = new Uint8Array(BODY_LIMIT_BYTES + 1).fill(0x20);
  expect(await refusal(413, post("observe", body))).toContain(`${BODY_LIMIT_BYTES}`);
});

describe("without an accepted key every operation is 500", () => {
  const operations = [
    ["GET", "/agent/ping"],
    ["GET", "/connect"],
    ["GET", `${PROCESSOR}/status`],
    ["POST", `${PROCESSOR}/observe`],
    ["GET", "/nowhere"],
    ["PATCH", `${PROCESSOR}/status`],
  ] as const;
  const keys = [null, "", "abcd-1234", "ABCD-123", "ABCD-12345"];

  test.each(
    operations.flatMap((operation) => keys.map((key) => [...operation, key] as const)),
  )("%s %s with key %j", async (method, path, key) => {
    const outgoing = { method, path, key, body: { data: { strings: ["a"] } } };
    expect(await refusal(500, outgoing)).toContain("X-API-KEY");
  });
});

describe("a path that would lead from a session to another memory is refused with 400", () => {
  test.each([
    "sessions/../observe",
    "sessions/./../observe",
    "sessions/%2e%2e/observe",
    "sessions/.%2E/observe",
    "sessions/s/../../observe",
    "sessions/s/%2e%2e/t/observe",
    "sessions\\..\\observe",
    "sessions/s\\observe",
  ])("%s", async (path) => {
    const sentence = await refusal(400, post(path, { data: { strings: ["a"] } }));
    expect(sentence).toMatch(
      /^the path has the segment |^a session's name must stand in the path as percent-encoded UTF-8/,
    );
  });

  test("other paths are read as URLs are", async () => {
    for (const path of ["x/../time", "x/%2e%2e/time", "./time"]) {
      const answer = await server.send({ method: "GET", path: `${PROCESSOR}/${path}` });
      expect([path, answer.status, answer.json.status]).toEqual([path, 200, "okay"]);
    }
  });
});

describe("a request without a URL is refused with 400", () => {
  test.each([
    ["no host", "GET /p1/time HTTP/1.1"],
    ["a host that is none", "GET /p1/time HTTP/1.1\r\nHost: a b"],
    ["a host with a path", "GET /p1/time HTTP/1.1\r\nHost: localhost/p1/status?"],
    ["no path", "GET * HTTP/1.1\r\nHost: localhost"],
  ])("%s", async (_, head) => {
    const answer = await rawAnswer(`${head}\r\nX-API-KEY: ABCD-1234\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("the request must name a host and a path that make a URL");
  });

  test("one with all of its URL in the first line is answered", async () => {
    const answer = await rawAnswer(
      `GET ${server.address}${PROCESSOR}/ping HTTP/1.1\r\nHost: x\r\nX-API-KEY: ABCD-1234\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

/** What the server answers to bytes on a socket. */
function rawAnswer(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answer = "";
    socket.on("data", (part) => {
      answer += part;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}
