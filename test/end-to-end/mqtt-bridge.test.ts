/**
 * `noema mqtt --broker` between a mosquitto and `npm start`: kills of each of the three lose nothing that was acknowledged, and double
 * nothing of QoS 2. Where mosquitto is not installed its tests are left out; `.ci/run` installs it. Takes 45 s: three kills, and
 * connections that are made again.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  connect,
  deleteMqttRoute,
  getWorkingMemory,
  type Noema,
  observeSequence,
  processor,
  putMqttRoute,
  session,
  setAlert,
} from "../../src/client";
import { NOEMA, noema, type Started, start } from "../support/cli/noema";
import { freePort } from "../support/server/free-port";
import { Server } from "../support/server/server";

const KEY = "ABCD-1234";
const PASSWORD = "a secret of the broker";
const BROKER = ["mosquitto", "/usr/sbin/mosquitto"].find((path) => spawnSync(path, ["-h"]).error === undefined);
if (BROKER === undefined && process.env.NOEMA_MOSQUITTO === "required") throw new Error("mosquitto is not installed");

/** Stands in the report where it is left out. */
const TITLE = BROKER === undefined ? "a bridge (left out: mosquitto is not installed)" : "a bridge";

let server: Server;
let folder: string;
let port: number;
let tlsPort: number;
let broker: ChildProcess;
let agent: Noema;
let device: MqttClient;
const bridges: Started[] = [];

async function startBroker(): Promise<void> {
  broker = spawn(BROKER ?? "", ["-c", join(folder, "mosquitto.conf")], { stdio: "ignore" });
  await vi.waitFor(async () => expect(await connectable()).toBe(true), { timeout: 30_000, interval: 100 });
}

async function connectable(): Promise<boolean> {
  try {
    await (
      await connectAsync(`mqtt://127.0.0.1:${port}`, { username: "u", password: PASSWORD, reconnectPeriod: 0 })
    ).endAsync();
    return true;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

function numberOf(symbol: string): number {
  return Number(symbol.split("=")[1] ?? 0);
}

/** Makes a certificate for localhost that vouches for itself. @returns its file; the key is beside it */
function certificate(name: string): string {
  const file = join(folder, `${name}.pem`);
  const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost";
  const names = ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
  execFileSync("openssl", [...made.split(" "), ...names, "-keyout", join(folder, `${name}.key`), "-out", file], {
    stdio: "ignore",
  });
  return file;
}

const URL_OF = () => `mqtt://127.0.0.1:${port}`;

/** Passes on what the server gets and, until it is muted, what it answers. */
async function mutedProxy() {
  let isMuted = false;
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const { hostname, port: to } = new URL(server.address);
    const upstream = connectTo(Number(to), hostname);
    sockets.push(client, upstream);
    client.pipe(upstream);
    upstream.on("data", (piece) => {
      if (!isMuted) client.write(piece);
    });
    for (const socket of [client, upstream]) socket.on("error", () => {});
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    mute() {
      isMuted = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}

/** Starts a bridge that keeps its place in a file of the folder. */
async function startBridge(args: readonly string[] = [], address = server.address): Promise<Started> {
  const bridge = beginBridge(args, address);
  await bridge.printed(/Bridging/);
  return bridge;
}

/** The same, without waiting until it is connected. Of options that come twice, the later one counts. */
function beginBridge(args: readonly string[], address = server.address): Started {
  const env = { NOEMA_ADDRESS: address, NOEMA_MQTT_PASSWORD: PASSWORD };
  const options = ["--broker", URL_OF(), "--username", "u", "--state", join(folder, "state"), ...args];
  const bridge = start(process.execPath, [NOEMA, "mqtt", ...options], { env });
  bridges.push(bridge);
  return bridge;
}

const memory = (name: string) => session(processor(agent, "P1"), name);
const symbolsOf = async (name: string) => (await getWorkingMemory(memory(name))).flat();

describe.skipIf(BROKER === undefined)(TITLE, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "noema-mqtt-"));
    port = await freePort();
    tlsPort = await freePort();
    server = await Server.start(undefined, { PORT: String(await freePort()) });
    agent = connect({ address: server.address, key: KEY });
    spawnSync("mosquitto_passwd", ["-b", "-c", join(folder, "passwords"), "u", PASSWORD]);
    writeFileSync(
      join(folder, "mosquitto.conf"),
      [
        `listener ${port} 127.0.0.1`,
        "allow_anonymous false",
        `password_file ${join(folder, "passwords")}`,
        "persistence true",
        `persistence_location ${folder}/`,
        "autosave_interval 1",
        "autosave_on_changes true",
        "user root",
        "max_queued_messages 100000",
        `listener ${tlsPort} 127.0.0.1`,
        `certfile ${certificate("broker")}`,
        `keyfile ${join(folder, "broker.key")}`,
      ].join("\n"),
    );
    await startBroker();
    device = await connectAsync(URL_OF(), { username: "u", password: PASSWORD, reconnectPeriod: 200 });
    device.on("error", () => {});
    await putMqttRoute(agent, "devices", { topic: "devices/+", processor: "P1", session: "{2}", strings: ["at"] });
  });

  // Two bridges observe twice: what a failed test leaves must not fail the next one.
  afterEach(async () => {
    for (const { child } of bridges.splice(0)) await end(child, "SIGKILL");
  });

  afterAll(async () => {
    await device?.endAsync(true);
    await end(broker, "SIGKILL");
    await server.discard();
    rmSync(folder, { recursive: true });
  });

  const publish = (topic: string, payload: unknown, qos: 0 | 1 | 2 = 2, retain = false) =>
    device.publishAsync(topic, JSON.stringify(payload), { qos, retain });

  test("observes what routes take and no retained message, follows changes of routes, and hides the password", async () => {
    await publish("devices/retained", { at: 0 }, 1, true);
    const bridge = await startBridge();
    for (const qos of [0, 1, 2] as const) await publish("devices/plain", { at: qos }, qos);
    await publish("devices/plain", { at: [] });
    await publish("other/plain", { at: 3 });
    await publish("devices/plain", { at: 4 });
    await expect.poll(() => symbolsOf("plain")).toEqual(["at=0", "at=1", "at=2", "at=4"]);
    expect(await symbolsOf("retained")).toEqual([]);
    await putMqttRoute(agent, "later", { topic: "later/+", processor: "P1", session: "later", strings: [""] });
    await expect
      .poll(async () => {
        await publish("later/x", "open", 1);
        return (await symbolsOf("later")).slice(0, 1);
      })
      .toEqual(["=open"]);
    await deleteMqttRoute(agent, "later");
    const line = readFileSync(`/proc/${bridge.child.pid}/cmdline`, "utf8");
    expect(line).toContain("--broker");
    expect(line).not.toContain(PASSWORD);
    await end(bridge.child, "SIGTERM");
    const { stderr } = await bridge.ended;
    expect(stderr).toContain('a message on devices/plain has no effect: the payload\'s member "at" must be');
    expect(stderr).not.toContain(PASSWORD);
  });

  test("speaks TLS to a broker whose certificate authority it is given, and to no other", async () => {
    const tls = ["--broker", `mqtts://127.0.0.1:${tlsPort}`];
    const { code, stderr } = await beginBridge([...tls, "--ca", certificate("other")]).ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/certificate/i)]);
    await startBridge([...tls, "--ca", join(folder, "broker.pem")]);
    await publish("devices/secret", { at: 1 });
    await expect.poll(() => symbolsOf("secret")).toEqual(["at=1"]);
  });

  test("has each message of QoS 2 observed once, though it and Noema are killed", async () => {
    const count = 400;
    let bridge = await startBridge();
    const kills = [
      async () => {
        await end(bridge.child, "SIGKILL");
        bridge = await startBridge();
      },
      async () => {
        await server.kill();
        server = await Server.start(server.stateDir, { PORT: new URL(server.address).port });
      },
      async () => {
        await end(bridge.child, "SIGKILL");
        bridge = await startBridge();
      },
    ];
    const all = Array.from({ length: count }, (_, at) => `at=${at}`);
    const sent = (async () => {
      for (let at = 0; at < count; at++) {
        await publish("devices/counted", { at });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    for (const [at, kill] of kills.entries()) {
      await expect.poll(async () => (await symbolsOf("counted")).length).toBeGreaterThan((at + 1) * 60);
      await kill();
    }
    await sent;
    await expect.poll(async () => (await symbolsOf("counted")).length).toBeGreaterThanOrEqual(count);
    // In order where the broker sends so: mosquitto 2.0.11 may send what it gets as a client comes back before what waited.
    const observed = await symbolsOf("counted");
    expect(observed.toSorted()).toEqual(all.toSorted());
    const displaced = observed.filter((symbol, at) => at > 0 && numberOf(symbol) < numberOf(observed[at - 1] ?? ""));
    expect(displaced.length).toBeLessThanOrEqual(20);
    await end(bridge.child, "SIGTERM");
  }, 300_000);

  test.each([
    1, 2,
  ] as const)("has a message of QoS %i observed once when it is killed before it heard so", async (qos) => {
    const name = `unheard-${qos}`;
    const proxy = await mutedProxy();
    let bridge = await startBridge([], proxy.address);
    await publish(`devices/${name}`, { at: 0 }, qos);
    await expect.poll(() => symbolsOf(name)).toEqual(["at=0"]);
    proxy.mute();
    await publish(`devices/${name}`, { at: 1 }, qos);
    await expect.poll(() => symbolsOf(name)).toEqual(["at=0", "at=1"]);
    await end(bridge.child, "SIGKILL");
    await proxy.close();
    bridge = await startBridge();
    await publish(`devices/${name}`, { at: 2 }, qos);
    await expect.poll(async () => (await symbolsOf(name)).at(-1)).toBe("at=2");
    expect(await symbolsOf(name)).toEqual(["at=0", "at=1", "at=2"]);
    await end(bridge.child, "SIGTERM");
  });

  test("observes on when the broker was away, what was published while it was away itself, too", async () => {
    const bridge = await startBridge();
    await publish("devices/away", { at: 1 });
    await expect.poll(() => symbolsOf("away")).toEqual(["at=1"]);
    await end(broker, "SIGTERM");
    await bridge.printed(/the broker cannot be reached/);
    await startBroker();
    await expect.poll(() => device.connected).toBe(true);
    await publish("devices/away", { at: 2 });
    await expect.poll(() => symbolsOf("away")).toEqual(["at=1", "at=2"]);
    await end(bridge.child, "SIGTERM");
    await publish("devices/away", { at: 3 });
    await startBridge();
    await expect.poll(() => symbolsOf("away")).toEqual(["at=1", "at=2", "at=3"]);
  });

  test("publishes what happens, and the sensors of Home Assistant", async () => {
    for (const { child } of bridges) await end(child, "SIGKILL");
    const cycle = ["idle", "heat", "press", "cool"].map((state) => ({ strings: [`at=${state}`] }));
    for (let time = 0; time < 12; time++) {
      await observeSequence(memory("press"), { sequence: cycle, clear: true, learn: true });
    }
    await setAlert(processor(agent, "P1"), "odd", { when: { surprise_above: 3 } });
    const heard: { topic: string; json: Record<string, unknown> }[] = [];
    device.on("message", (topic, payload) => {
      if (payload.length > 0 && payload[0] === 0x7b) heard.push({ topic, json: JSON.parse(String(payload)) });
    });
    await device.subscribeAsync(["noema/#", "homeassistant/#"], { qos: 1 });
    await startBridge(["--events", "observed,surprise,forecast,incident", "--home-assistant"]);
    await publish("devices/press", { at: "idle" });
    await publish("devices/press", { at: "heat" });
    const last = (topic: string) => heard.findLast((one) => one.topic === topic)?.json;
    const base = "noema/P1/sessions/press";
    await expect
      .poll(() => last(`${base}/home-assistant`))
      .toMatchObject({
        next: "at=press",
        probability: expect.any(Number),
        surprise: expect.any(Number),
        problem: "OFF",
      });
    await expect
      .poll(() => last(`${base}/observed`))
      .toMatchObject({ event: "observed", session: "press", symbols: ["at=heat"] });
    await expect.poll(() => last(`${base}/surprise`)).toMatchObject({ event: "surprise", session: "press" });
    const next = { symbols: expect.arrayContaining([expect.objectContaining({ symbol: "at=press" })]) };
    await expect.poll(() => last(`${base}/forecast`)).toMatchObject({ session: "press", forecast: { steps: [next] } });
    await publish("devices/press", { at: "broken" });
    await expect.poll(() => last(`${base}/home-assistant`)).toMatchObject({ problem: "ON" });
    await expect.poll(() => last(`${base}/incident`)).toMatchObject({ event: "incident", incident: { alert: "odd" } });
    const configs = heard.filter(({ topic }) => topic.startsWith("homeassistant/"));
    expect(new Set(configs.map(({ json }) => json.state_topic))).toEqual(new Set([`${base}/home-assistant`]));
    expect(new Set(configs.map(({ topic }) => topic.split("/").slice(-2).join("/")))).toEqual(
      new Set(["surprise/config", "next/config", "probability/config", "problem/config"]),
    );
    const [problem] = configs.filter(({ topic }) => topic.startsWith("homeassistant/binary_sensor/"));
    expect(problem?.json).toMatchObject({ device_class: "problem", value_template: "{{ value_json.problem }}" });
    expect(problem?.json.default_entity_id).toBe(`binary_sensor.${problem?.json.unique_id}`);
  });

  test("shows a problem that began before the bridge did, of a memory and of the processor's own", async () => {
    await putMqttRoute(agent, "own", { topic: "own", processor: "P1", strings: ["at"] });
    await observeSequence(processor(agent, "P1"), { sequence: [{ strings: ["at=idle"] }, { strings: ["at=odd"] }] });
    // The newest incident is one of a session.
    await observeSequence(memory("press"), { sequence: [{ strings: ["at=idle"] }, { strings: ["at=worse"] }] });
    const states = new Map<string, unknown[]>();
    device.on("message", (topic, payload, { retain }) => {
      if (!topic.endsWith("/home-assistant") || retain) return;
      states.set(topic, [...(states.get(topic) ?? []), JSON.parse(String(payload)).problem]);
    });
    await device.subscribeAsync("noema/#", { qos: 1 });
    await startBridge(["--home-assistant"]);
    await publish("devices/press", { at: "idle" });
    await publish("own", { at: "idle" });
    for (const topic of ["noema/P1/sessions/press/home-assistant", "noema/P1/home-assistant"]) {
      await expect.poll(() => states.get(topic)?.length ?? 0).toBeGreaterThan(0);
      expect(new Set(states.get(topic))).toEqual(new Set(["ON"]));
    }
  });
});

test.each([
  [["mqtt"], "noema mqtt needs --broker <url>"],
  [["mqtt", "--broker", "http://localhost"], "--broker must be a URL that begins with mqtt://"],
  [["mqtt", "--broker", "mqtt://u:hunter2@localhost"], "--broker must have no user and no password"],
  [["mqtt", "--broker", "mqtt://localhost", "--events", "observed,odd"], '--events has "odd"; accepted is a list of'],
  [["mqtt", "--broker", "mqtt://localhost", "--home-assistant", "a/+/b"], 'without + and #; got "a/+/b"'],
  [["mqtt", "--broker", "mqtt://localhost", "--home-assistant", ""], 'without + and #; got ""'],
])("%j is refused, and no password is shown", async (args, sentence) => {
  const { code, stderr } = await noema(args, { env: { NOEMA_ADDRESS: "http://127.0.0.1:9" } });
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain("hunter2");
});
