/** What the gateway refuses of MQTT messages before it makes a message for the processor of them. */

import { expect, test } from "vitest";
import { AgentPort } from "../../../src/gateway/mqtt/agent-port";
import { REASON } from "../../../src/mqtt/packets/packet";
import { P1, TestGateway } from "../../support/gateway/test-gateway";

const symbols = (count: number) => ({ strings: Array(count).fill("a") });
const emotives = (count: number) => ({
  emotives: Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 1])),
});

const prepared = (payload: unknown) => preparedText(JSON.stringify(payload));

async function preparedText(payload: string) {
  const port = new AgentPort({ API_KEYS: "a-key" }, new TestGateway().transports, "simple");
  const holder = await port.admit("localhost", "a-key");
  return port.prepare(holder, `noema/${P1}/observe`, new TextEncoder().encode(payload));
}

test.each([
  [symbols(100_001), /^a record may have at most 100000 strings, the symbols of a full working memory .*, got 100001$/],
  [[symbols(1), symbols(200_000)], /^a record may have at most 100000 strings.*, got 200000$/],
  [emotives(70_000), /^a record may have 10000 emotives, got 70000$/],
  [{ vectors: [Array(300_000).fill(1)] }, /^the vectors of a record may have 262144 components together, got 300000$/],
])("a list that is too long is refused before it is carried: %#", async (payload, message) => {
  await expect(prepared(payload)).rejects.toMatchObject({ code: REASON.quota, isFinal: true });
  await expect(prepared(payload)).rejects.toThrow(message);
});

test.each([
  [symbols(100_000)],
  [[symbols(60_000), symbols(60_000)]],
  [emotives(10_000)],
])("what a processor may take is passed on: %#", async (payload) => {
  const { processorId, work } = await prepared(payload);
  expect(processorId).toBe(P1);
  expect(work).toMatchObject({ observe: { gdfs: Array.isArray(payload) ? [{}, {}] : [{}] } });
});

test.each([
  ['{"metadata": {"b": 1, "10": {"z": 2, "2": 3}}}', '{"b":1,"10":{"z":2,"2":3}}'],
  ['[{"metadata": {"b": 1, "10": 2}}]', '{"b":1,"10":2}'],
])("metadata keep the order that the device gave them: %s", async (payload, metadataJson) => {
  expect((await preparedText(payload)).work).toMatchObject({ observe: { gdfs: [{ metadataJson }] } });
});

test.each([
  ['{"emotives": {"joy": 1e400}}', /^emotives\.joy must be a finite number, got a number too large for a double$/],
  [
    '[{"strings": ["a"]}, {"emotives": {"joy": 1e400}}]',
    /^\[1\]\.emotives\.joy must be a finite number, got a number too large for a double$/,
  ],
  ['{"strings": ["a", 1]}', /^strings\[1\] must be a string, got 1$/],
  ['{"strings": ["\\ud800"]}', /^strings\[0\] holds half of a surrogate pair/],
  ['{"temperature": 21}', /^the record must be /],
])("a refusal names the value as the device sent it: %s", async (payload, message) => {
  await expect(preparedText(payload)).rejects.toMatchObject({ code: REASON.badPayload });
  await expect(preparedText(payload)).rejects.toThrow(message);
});

test("a wrong password is refused as what it is", async () => {
  const port = new AgentPort({ API_KEYS: "a-key" }, new TestGateway().transports, "simple");
  await expect(port.admit("localhost", "another")).rejects.toMatchObject({
    code: REASON.badPassword,
    message: "the password of CONNECT does not hold an accepted API key",
  });
});
