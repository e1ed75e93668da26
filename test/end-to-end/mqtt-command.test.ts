/** `noema mqtt` against `npm start`: what a message becomes, and why it becomes nothing. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, getWorkingMemory, type Noema, processor, putEncoder, putMqttRoute } from "../../src/client";
import { noema, type RunOptions } from "../support/cli/noema";
import { Server } from "../support/server/server";

const KEY = "ABCD-1234";

let server: Server;
let options: RunOptions;
let agent: Noema;

beforeAll(async () => {
  server = await Server.start();
  options = { env: { NOEMA_ADDRESS: server.address } };
  agent = connect({ address: server.address, key: KEY });
  await putEncoder(processor(agent, "P1"), "temperature", { kind: "step", size: 0.5 });
  await putMqttRoute(agent, "zigbee", {
    topic: "zigbee2mqtt/+",
    processor: "P1",
    session: "{2}",
    strings: ["occupancy"],
    numbers: ["temperature", "power"],
  });
});

afterAll(() => server.discard());

const tried = async (...args: string[]) => {
  const { code, stdout, stderr } = await noema(["mqtt", "try", ...args], options);
  return { code, stdout, stderr };
};

test("shows the record that a message becomes, of which memory, and observes nothing", async () => {
  const payload = '{"occupancy": true, "temperature": 21.5, "linkquality": 60}';
  expect(await tried("zigbee2mqtt/kitchen", payload)).toEqual({
    code: 0,
    stdout:
      "The route zigbee takes it.\n" +
      'the session kitchen of P1 would observe {"strings":["occupancy=true"],"numbers":{"temperature":21.5}}\n',
    stderr: "",
  });
  const { stdout } = await tried("zigbee2mqtt/kitchen", payload, "--json");
  expect(JSON.parse(stdout)).toEqual({
    route: "zigbee",
    processor: "P1",
    session: "kitchen",
    records: [{ strings: ["occupancy=true"], numbers: { temperature: 21.5 } }],
    afterwards: null,
  });
  const own = await tried("noema/P1/sessions/press%207/observe", "open", "--json");
  expect(JSON.parse(own.stdout)).toMatchObject({ route: null, session: "press 7", records: [{ strings: ["open"] }] });
  expect((await tried("noema/P1/clear", "")).stdout).toBe("the memory of P1 would be cleared\n");
  expect(await getWorkingMemory(processor(agent, "P1"))).toEqual([]);
});

test("tries a route that is not kept yet", async () => {
  const route = '{"data": {"topic": "a/+", "processor": "P1", "session": "s-{2}", "strings": [""], "learn": true}}';
  const { code, stdout } = await tried("a/b", "open", "--json", "--route", route);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { route: "tried", processor: "P1", session: "s-b", records: [{ strings: ["=open"] }], afterwards: "learn" },
  ]);
  expect(await tried("a/b", "open", "--route", '{"topic": "a/+", "processor": "{3}"}')).toEqual({
    code: 2,
    stdout: "",
    stderr: 'noema: --route: processor has {3}, and the levels of "a/+" count from {1} to {2}\n',
  });
});

test.each([
  [["other/kitchen", "{}"], 'no route takes the topic "other/kitchen"; of the routes zigbee takes zigbee2mqtt/+'],
  [["zigbee2mqtt/+", "{}"], 'the topic of a message must have no + and no #, got "zigbee2mqtt/+"'],
  [
    ["zigbee2mqtt/hall", '{"temperature": "warm"}'],
    'the payload\'s member "temperature" must be a number, got "warm" (route "zigbee")',
  ],
  [["zigbee2mqtt/hall", '{"power": 5}'], 'It would be refused: the processor P1 has no encoder "power"'],
  [["noema/P9/observe", "open"], 'It would be refused: there is no processor "P9"'],
  [["noema/P1/observed", "open"], 'the topic "noema/P1/observed" is not of the form noema/<processor>/observe'],
])("%j becomes nothing", async (args, reason) => {
  const { code, stdout, stderr } = await tried(...args);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(reason);
});
