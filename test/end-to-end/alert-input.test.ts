/** Every field of an alert refuses what is wrong, with a sentence that names the value and what is accepted, and changes nothing. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SECRET } from "../support/alerts/webhook";
import { PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

let server: Server;

const URL = "https://hooks.example.org/noema";

/** Private addresses are listed, too: that must not help. */
const LISTED = [
  "hooks.example.org",
  "hooks.example.org:8443",
  "xn--bcher-kva.example",
  "10.0.0.1",
  "127.0.0.1",
  "[::1]",
  "localhost",
  "169.254.169.254",
  "8.8.8.8",
];

beforeAll(async () => {
  server = await Server.start(undefined, { NOEMA_ALERT_HOSTS: LISTED.join(" ") });
});

afterEach(async () => {
  expect((await server.okay(`GET ${PROCESSOR}/alerts`)).message).toEqual({});
});

afterAll(() => server.discard());

/** What is answered to an alert. A text is sent as it is. */
async function put(data: unknown, name = "a"): Promise<[number, string]> {
  const body = typeof data === "string" ? data : JSON.stringify({ data });
  const { status, json } = await server.send({ method: "PUT", path: `${PROCESSOR}/alerts/${name}`, body });
  return [status, typeof json.message === "string" ? json.message : JSON.stringify(json.message)];
}

const bytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString("base64")}`;

describe("when", () => {
  test.each<[unknown, string]>([
    [
      undefined,
      "data.when must be an object with one of the members surprise_above, surprise, forecast, silent_for and learned",
    ],
    [null, "data.when must be an object with one of the members"],
    [
      "learned",
      'data.when must be an object with one of the members surprise_above, surprise, forecast, silent_for and learned, got "learned"',
    ],
    [[], "data.when must be an object with one of the members"],
    [
      {},
      "data.when must be an object with one of the members surprise_above, surprise, forecast, silent_for and learned, got an empty object",
    ],
    [{ learned: true, surprise_above: 1 }, "data.when must have one condition, got surprise_above and learned"],
    [{ rained: true }, 'got the member "rained"'],
    [{ learned: true, rained: true }, "rained"],
    [{ learned: false }, "data.when.learned must be true, got false"],
    [{ learned: "true" }, 'data.when.learned must be true, got "true"'],
    [{ learned: null }, "data.when.learned must be true, got null"],
    [{ surprise_above: -0.5 }, "data.when.surprise_above must be a number of bits, 0 or more, got -0.5"],
    [{ surprise_above: "8" }, "data.when.surprise_above must be a"],
    [{ surprise_above: null }, "data.when.surprise_above must be a"],
    [{ surprise_above: [8] }, "data.when.surprise_above must be a"],
    [{ forecast: true }, "data.when.forecast must be an object such as"],
    [{ forecast: { above: 0.5 } }, "data.when.forecast.symbol must be"],
    [{ forecast: { symbol: "", above: 0.5 } }, "data.when.forecast.symbol must be a string that is not empty"],
    [{ forecast: { symbol: 7, above: 0.5 } }, "data.when.forecast.symbol must be a string, got 7"],
    [{ forecast: { symbol: "x".repeat(4_097), above: 0.5 } }, "1 to 4096 characters, got 4097"],
    [{ forecast: { symbol: "s" } }, "data.when.forecast.above must be"],
    [
      { forecast: { symbol: "s", above: 1.01 } },
      "data.when.forecast.above must be a probability from 0 to 1, got 1.01",
    ],
    [
      { forecast: { symbol: "s", above: -0.1 } },
      "data.when.forecast.above must be a probability from 0 to 1, got -0.1",
    ],
    [{ forecast: { symbol: "s", above: "0.5" } }, "data.when.forecast.above must be a"],
    [{ forecast: { symbol: "s", above: 0.5, horizon: 0 } }, "data.when.forecast.horizon must be"],
    [{ forecast: { symbol: "s", above: 0.5, horizon: 11 } }, "got 11"],
    [{ forecast: { symbol: "s", above: 0.5, horizon: 1.5 } }, "got 1.5"],
    [{ forecast: { symbol: "s", above: 0.5, horizon: "1" } }, 'got "1"'],
    [{ forecast: { symbol: "s", above: 0.5, horizon: null } }, "got null"],
    [{ forecast: { symbol: "s", above: 0.5, width: 2 } }, "width"],
  ])("%j is refused", async (when, message) => {
    expect(await put({ when, url: URL })).toEqual([400, expect.stringContaining(message)]);
  });

  test.each(["NaN", "Infinity", "1e999", "-1e999"])("a number that is none is refused: %s", async (number) => {
    for (const when of [`{"surprise_above": ${number}}`, `{"forecast": {"symbol": "s", "above": ${number}}}`]) {
      const [status, message] = await put(`{"data": {"when": ${when}, "url": "${URL}"}}`);
      expect([status, message]).toEqual([400, expect.stringMatching(/\S{5}/)]);
    }
  });
});

describe("the url", () => {
  test.each<[unknown, string]>([
    [null, "data.url must be"],
    [7, "data.url must be a string, got 7"],
    ["", "data.url must be a string that is not empty"],
    ["hooks.example.org", "it must be a URL such as"],
    ["https://", "it must be a URL such as"],
    ["https://hooks.example.org:99999/", "it must be a URL such as"],
    ["https://hooks.example.org/a b", "it must be a URL such as"],
    ["http://hooks.example.org/", "it must begin with https://"],
    ["ftp://hooks.example.org/", "it must begin with https://"],
    ["https://user@hooks.example.org/", "without user and fragment"],
    ["https://:word@hooks.example.org/", "without user and fragment"],
    ["https://hooks.example.org/#here", "without user and fragment"],
    ["https://hooks.example.org:0/", "its host hooks.example.org:0 is not listed in"],
    ["https://hooks.example.org:8444/", "its host hooks.example.org:8444 is not listed in"],
    ["https://hooks.example.org./", "its host hooks.example.org. is not listed in"],
    ["https://hooks.example.org.evil.example/", "is not listed in"],
    ["https://evil.example/hooks.example.org", "its host evil.example is not listed in"],
    ["https://büche.example/", "its host xn--bche-0ra.example is not listed in"],
    ["https://hooks。example。org.evil.example/", "is not listed in"],
    ["https://10.0.0.1/", "its host 10.0.0.1 is a private address"],
    ["https://0x0a000001/", "its host 10.0.0.1 is a private address"],
    ["https://127.1/", "its host 127.0.0.1 is a private address"],
    ["https://2130706433/", "its host 127.0.0.1 is a private address"],
    ["https://127.0.0.1./", "is a private address"],
    ["https://169.254.169.254/latest/meta-data", "its host 169.254.169.254 is a private address"],
    ["https://[::1]/", "its host [::1] is a private address"],
    ["https://[::ffff:7f00:1]/", "is a private address"],
    ["https://localhost/", "its host localhost is a private address"],
    ["http://10.0.0.1/", "it must begin with https://"],
    ["https://1.1.1.1/", "its host 1.1.1.1 is not listed in"],
    [`https://hooks.example.org/${"x".repeat(2_048)}`, "it must have at most 2048 characters, got 2074"],
  ])("%j is refused", async (url, message) => {
    const [status, answered] = await put({ when: { learned: true }, url });
    expect([status, answered]).toEqual([400, expect.stringContaining(message)]);
    // A path or a user may be a secret.
    expect(answered).not.toMatch(/word|meta-data|xxxx/);
  });

  test("may be left out: then nothing is sent", async () => {
    expect(await put({ when: { learned: true } })).toEqual([200, "{}"]);
    expect((await server.okay(`GET ${PROCESSOR}/alerts/a`)).message).toMatchObject({ url: null });
    await server.okay(`DELETE ${PROCESSOR}/alerts/a`);
  });

  test.each([
    "https://hooks.example.org:8443/",
    "https://bücher.example/",
    "https://8.8.8.8/",
    URL,
  ])("%s is taken", async (url) => {
    expect((await put({ when: { learned: true }, url, secret: SECRET }))[0]).toBe(200);
    await server.okay(`DELETE ${PROCESSOR}/alerts/a`);
  });
});

describe("the secret", () => {
  test.each<[string, unknown]>([
    ["not a text", 7],
    ["null", null],
    ["empty", ""],
    ["without prefix", SECRET.slice(6)],
    ["with another prefix", SECRET.replace("whsec_", "WHSEC_")],
    ["of 23 bytes", bytes(23)],
    ["of 65 bytes", bytes(65)],
    ["not base64", `${bytes(24).slice(0, -1)}!`],
    ["in base64url", `whsec_${Buffer.alloc(24, 255).toString("base64url")}`],
    ["without padding", bytes(25).replace(/=+$/, "")],
    ["with bits left over", bytes(25).replace(/.==$/, "x==")],
    ["with a line break", `${SECRET}\n`],
  ])("%s is refused, and not repeated", async (_, secret) => {
    const [status, message] = await put({ when: { learned: true }, url: URL, secret });
    expect([status, message]).toEqual([400, "data.secret must be whsec_ and the base64 of 24 to 64 bytes"]);
  });

  test.each([24, 25, 26, 63, 64])("of %i bytes is taken, and is in no answer", async (count) => {
    expect(await put({ when: { learned: true }, url: URL, secret: bytes(count) })).toEqual([200, "{}"]);
    await server.okay(`DELETE ${PROCESSOR}/alerts/a`);
  });
});

describe("the name", () => {
  test.each(["%00", "a%0Ab", "%7f", encodeURIComponent("é".repeat(65)), "%ff"])("%s is refused", async (name) => {
    const path = `${PROCESSOR}/alerts/${name}`;
    for (const [method, body] of [
      ["PUT", JSON.stringify({ data: { when: { learned: true }, url: URL } })],
      ["GET", undefined],
      ["DELETE", undefined],
    ] as const) {
      const { status, json } = await server.send({ method, path, body });
      expect([status, json.message]).toEqual([400, expect.stringMatching(/must be|UTF-8|percent/)]);
    }
  });

  test.each([".", "..", "%2e", "%2e%2e"])("%s is none", async (name) => {
    const body = { data: { when: { learned: true }, url: URL } };
    const { status } = await server.call(`PUT ${PROCESSOR}/alerts/${name}`, body);
    expect([400, 404, 405]).toContain(status);
  });

  test.each(["é".repeat(64), "a/b", "a b", "press #3", "all"])("%j is taken", async (name) => {
    expect((await put({ when: { learned: true }, url: URL, secret: SECRET }, encodeURIComponent(name)))[0]).toBe(200);
    expect(Object.keys((await server.okay(`GET ${PROCESSOR}/alerts`)).message)).toEqual([name]);
    await server.okay(`DELETE ${PROCESSOR}/alerts/${encodeURIComponent(name)}`);
  });
});

test("a body that is no alert is refused, and so is a member that there is not", async () => {
  for (const body of ["", "[]", "{}", '{"data": null}', '{"data": []}', '{"data": {"when"', "7"]) {
    expect((await put(body))[0]).toBe(400);
  }
  const alert = { when: { learned: true }, url: URL };
  expect(await put({ ...alert, retries: 3 })).toEqual([400, expect.stringContaining("retries")]);
  expect(await put(JSON.stringify({ data: alert, secret: SECRET }))).toEqual([400, expect.stringContaining("secret")]);
});

test("an alert that is not there is not found, and its deletion is okay", async () => {
  for (const call of [`GET ${PROCESSOR}/alerts/none`, `POST ${PROCESSOR}/alerts/none/test`]) {
    const { status, json } = await server.call(call);
    expect([status, json.message]).toEqual([404, 'there is no alert named "none"']);
  }
  await server.okay(`DELETE ${PROCESSOR}/alerts/none`);
});

test("a processor has at most 100 alerts", async () => {
  const names = Array.from({ length: 100 }, (_, at) => `a${at}`);
  const alert = { when: { learned: true }, url: URL, secret: SECRET };
  for (const name of names) expect((await put(alert, name))[0]).toBe(200);
  expect(await put(alert, "one-more")).toEqual([429, "a processor may have 100 alerts; delete one first"]);
  expect((await put(alert, "a0"))[0]).toBe(200);
  for (const name of names) await server.okay(`DELETE ${PROCESSOR}/alerts/${name}`);
});
