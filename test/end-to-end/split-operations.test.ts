/**
 * Every operation, in a random history over HTTP, and messages over MQTT: a processor of parts answers as one that is not split, byte for
 * byte.
 */

import mqtt from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations } from "../../src/gateway/operations/table";
import { type Call, send, timeless } from "../support/backup/agent-life";
import { type DrawnCall, RandomCalls } from "../support/operations/random-calls";
import { Random } from "../support/random";
import { Server } from "../support/server/server";

const STEPS = 500;
const [WHOLE, SPLIT] = ["whole", "split"] as const;
const ID = "p1";

let server: Server;

beforeAll(async () => {
  server = await Server.start(undefined, { NOEMA_AGENTS: `${WHOLE} ${SPLIT}` });
  for (const [name, parts] of [
    [WHOLE, 1],
    [SPLIT, 7],
  ] as const) {
    const nodes = [{ data: { type: "primitive", id: ID, name: "P1", ...(parts > 1 && { parts }) } }];
    await call(name, ["POST /genome/hotswap", JSON.stringify({ agent: "a", elements: { nodes } })]);
  }
});

afterAll(() => server.discard());

const call = (name: string, made: Call) => send({ server, name }, made);

/** What an answer says apart from times, bytes and the number of parts. */
function comparable(text: string): string {
  return timeless(text)
    .replaceAll(/"(?:learned_at|last_delivered_at)":\d+/g, "")
    .replaceAll(/,"parts":(?:\d+|\[[^\]]*\])/g, "")
    .replaceAll(/"[a-z_]*bytes[a-z_]*":\d+/g, "");
}

async function expectSame(drawn: DrawnCall): Promise<{ status: number; message: unknown }> {
  const [whole, split] = [await call(WHOLE, drawn.call), await call(SPLIT, drawn.call)];
  expect([split.status, comparable(split.text)], JSON.stringify(drawn.call)).toEqual([
    whole.status,
    comparable(whole.text),
  ]);
  return { status: whole.status, message: whole.json.message };
}

test("every operation of a processor", async () => {
  const calls = new RandomCalls(new Random(23), ID);
  // Streams have a test of their own, and hotswaps are about agents.
  const apart = new Set(["GET /:id/stream", "POST /:id/genome/hotswap"]);
  const all = operations
    .filter(({ path }) => path.startsWith("/:id/"))
    .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
    .filter((operation) => !apart.has(operation));
  expect(new Set(calls.operations)).toEqual(new Set(all));

  const succeeded = new Set<string>();
  const make = async (drawn: DrawnCall) => {
    const { status, message } = await expectSame(drawn);
    if (status === 200) succeeded.add(drawn.operation);
    calls.note(drawn, message);
  };
  for (let step = 0; step < STEPS; step++) await make(calls.next());
  // The rare ones, and those that are not drawn because nothing would be left.
  for (const operation of all) if (!succeeded.has(operation)) await make(calls.drawn(operation));
  const failed = all.filter((operation) => !succeeded.has(operation));
  // An alert without a url sends no test.
  expect(failed).toEqual(["POST /:id/alerts/:alert/test"]);
});

/** What a client over MQTT hears of a processor that devices observe and teach. */
async function heardFrom(name: string): Promise<string[]> {
  const random = new Random(31);
  const client = await mqtt.connectAsync(`${server.address.replace("http", "ws")}/mqtt`, {
    protocolVersion: 5,
    username: "device",
    password: "ABCD-1234",
    reconnectPeriod: 0,
    wsOptions: { headers: { host: `${name}.localhost` } },
  });
  const heard: string[] = [];
  client.on("message", (topic, payload) => heard.push(`${topic} ${timeless(payload.toString())}`));
  const events = ["observed", "learned", "surprise", "forecast", "incident"];
  await client.subscribeAsync(
    events.map((event) => `noema/P1/sessions/+/${event}`),
    { qos: 1 },
  );
  const publish = async (session: string, verb: string, record: object) => {
    await client.publishAsync(`noema/P1/sessions/${session}/${verb}`, JSON.stringify(record), {
      qos: random.pick([1, 2]),
    });
  };
  for (let n = 0; n < 60; n++) {
    const session = random.pick(["d1", "d2"]);
    const strings = [random.below(4) > 0 ? `s${n % 5}` : `s${random.below(9)}`];
    await publish(session, "observe", { strings, time: 1_950_000_000 + 60 * n });
    if (n % 6 === 5) await publish(session, "learn", {});
  }
  await publish("last", "observe", { strings: ["end"], time: 1_960_000_000 });
  await expect.poll(() => heard.some((one) => one.includes("sessions/last/forecast"))).toBe(true);
  await client.endAsync(true);
  return heard;
}

test("messages over MQTT", async () => {
  for (const name of [WHOLE, SPLIT]) {
    await call(name, ["POST /p1/clear-all-memory"]);
    await call(name, ["POST /p1/sleeping/stop"]);
    await call(name, ["POST /p1/predicting/start"]);
    await call(name, ["PUT /p1/alerts/odd", { data: { when: { surprise_above: 1 } } }]);
  }
  const whole = byTopic(await heardFrom(WHOLE));
  for (const event of ["learned", "surprise", "forecast", "incident"]) {
    expect([...whole.keys()].some((topic) => topic.endsWith(`/${event}`))).toBe(true);
  }
  const split = byTopic(await heardFrom(SPLIT));
  expect(new Set(split.keys())).toEqual(new Set(whole.keys()));
  for (const [topic, heard] of whole) {
    // Where events come fast, one forecast may stand for several.
    const from = topic.endsWith("/forecast") ? -1 : 0;
    expect(split.get(topic)?.slice(from)).toEqual(heard.slice(from));
  }
});

/** What was heard on each topic, in order: those of one topic may overtake those of another. */
function byTopic(heard: readonly string[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const one of heard) {
    const [topic = ""] = one.split(" ");
    all.set(topic, [...(all.get(topic) ?? []), one]);
  }
  return all;
}
