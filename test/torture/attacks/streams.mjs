/**
 * A thousand devices send frames through a link that cuts connections anywhere, while workerd is killed again and again: once with
 * `noema/client`, once with a client of sixty lines. Then every frame must be in what the server stores, once and in order.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { LOCAL_KEY } from "../../../src/serve/settings.mjs";
import { genome } from "../client.mjs";
import { signal } from "../processes.mjs";
import { quantile } from "../report.mjs";
import { Server } from "../server.mjs";
import { sendAll } from "../streams/bare-client.mjs";
import { CuttingProxy } from "../streams/cutting-proxy.mjs";
import { frameOf, judge } from "../streams/history.mjs";

const PROCESSORS = 4;
/** Of each processor; the first is its own memory. */
const MEMORIES = 5;

/** Every memory, with the devices that send to it. */
function memoriesOf(devices) {
  const memories = Array.from({ length: PROCESSORS * MEMORIES }, (_, at) => {
    const processor = `p${at % PROCESSORS}`;
    const number = Math.floor(at / PROCESSORS);
    const session = number === 0 ? undefined : `room ${number}`;
    const path = session === undefined ? `/${processor}` : `/${processor}/sessions/${encodeURIComponent(session)}`;
    return { processor, session, path, devices: [] };
  });
  for (let device = 0; device < devices; device++) memories[device % memories.length].devices.push(device);
  return memories.filter(({ devices }) => devices.length > 0);
}

/** Kills workerd as often as said, while the devices send. */
async function killAgainAndAgain(server, sizes, random, isOver, report) {
  for (let kill = 0; kill < sizes.kills; kill++) {
    await sleep(400 + random.below(sizes.pause));
    if (isOver()) return;
    for (const pid of server.workerds()) signal(pid, "SIGKILL");
    report.count("kills of workerd");
  }
}

/** Sends the frames of one device with the client of this project. */
async function sendWithClient(noema, address, { processor: id, session: name }, device, frames) {
  const own = noema.processor(noema.connect({ address, key: LOCAL_KEY }), id);
  const memory = name === undefined ? own : noema.session(own, name);
  let lost = 0;
  const onLost = () => lost++;
  const link = noema.stream(memory, { source: `device ${device}`, batch: 1, frames: 64, webSocket: WebSocket, onLost });
  const answers = await Promise.all(frames.map(({ observe, learn }) => link.observe(observe, { learn, brief: true })));
  await link.close();
  return { connections: lost + 1, redelivered: answers.filter(({ redelivered }) => redelivered).length };
}

async function part(name, { report, sizes, load, random, seed }) {
  const { Random } = await load("/test/support/random.ts");
  const noema = name === "client" ? await load("/src/client/index.ts") : undefined;
  const server = await Server.start();
  const client = server.client({ timeoutMs: 60_000 });
  const ids = Array.from({ length: PROCESSORS }, (_, at) => ({ id: `p${at}` }));
  await client.askAt("POST", "/genome/hotswap", genome("streams", ids));
  for (const { id } of ids) await client.askAt("POST", `/${id}/predicting/stop`);
  const proxy = new CuttingProxy(new Random(random.below(2 ** 31)), sizes.bytes);
  const address = await proxy.listen(server.address);
  const memories = memoriesOf(sizes.devices);
  const count = Math.ceil(sizes.frames / sizes.devices);
  const times = [];
  const send = async (memory, device) => {
    const began = performance.now();
    const frames = Array.from({ length: count }, (_, at) => frameOf(device, at + 1, device === memory.devices[0]));
    const url = `${address.replace("http", "ws")}${memory.path}/stream?source=${encodeURIComponent(`device ${device}`)}`;
    const own = new Random(seed + device);
    const { connections, redelivered } = await (noema === undefined
      ? sendAll({ url, key: LOCAL_KEY, frames, random: own, drops: 100 })
      : sendWithClient(noema, address, memory, device, frames));
    times.push(performance.now() - began);
    report.count(`${name}: connections`, connections);
    report.count(`${name}: frames sent again that were taken before`, redelivered);
  };
  let isOver = false;
  const began = performance.now();
  const kills = killAgainAndAgain(server, sizes, random, () => isOver, report);
  try {
    await Promise.all(memories.flatMap((memory) => memory.devices.map((device) => send(memory, device))));
  } finally {
    isOver = true;
  }
  report.figure(`${name}: seconds`, (performance.now() - began) / 1000);
  report.figure(`${name}: slowest device, s`, quantile(times, 1) / 1000);
  report.count("frames", count * sizes.devices);
  for (const [how, ends] of proxy.ends) report.count(`connections cut: ${how}`, ends);
  await kills;
  proxy.close();
  report.figure(`${name}: memory of workerd, MiB`, server.memory());
  await judgeAll(server, memories, count, report);
  await server.discard();
}

/** Judges what is on the disk: the server is killed and started again before. */
async function judgeAll(server, memories, count, report) {
  await server.kill();
  const again = await Server.start({ stateDir: server.stateDir });
  const client = again.client({ timeoutMs: 60_000 });
  for (const processor of new Set(memories.map((memory) => memory.processor))) {
    const { models_kb } = await client.askAt("GET", `/${processor}/get_kb?order=true`);
    const models = Object.values(models_kb).sort((a, b) => a.order - b.order);
    for (const memory of memories.filter((each) => each.processor === processor)) {
      await judge(client, memory.path, models, memory.devices, count, report);
    }
  }
  client.close();
  await again.stop();
}

async function run(context) {
  for (const name of context.parts) await part(name, context);
}

/** The attack. */
export const streams = {
  name: "streams",
  about: "devices on streams that are cut anywhere, and SIGKILL of workerd: every frame counts once, in order",
  parts: ["client", "bare"],
  sizes: {
    short: { devices: 30, frames: 1500, kills: 2, pause: 400, bytes: 3000, seconds: 120 },
    long: { devices: 1000, frames: 100_000, kills: 12, pause: 5000, bytes: 10_000, seconds: 900 },
  },
  run,
};
