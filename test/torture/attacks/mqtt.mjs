/**
 * Devices publish with MQTT.js over a link that cuts, repeats and delays, while workerd is killed again and again. Then the server is
 * killed once more, and what it has on disk must hold each message as its quality of service says.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { genome } from "../client.mjs";
import { BadLink } from "../mqtt/bad-link.mjs";
import { faultOf, memoryOf, processorOf, publishAll } from "../mqtt/devices.mjs";
import { signal } from "../processes.mjs";
import { quantile } from "../report.mjs";
import { Server } from "../server.mjs";

const PROCESSORS = 4;

/** Kills workerd as often as said, at times that are drawn. The last kill comes while devices still publish. */
async function killAgainAndAgain(server, { kills, pause }, random, isOver, report) {
  for (let kill = 0; kill < kills; kill++) {
    await sleep(300 + random.below(pause));
    if (isOver()) return;
    for (const pid of server.workerds()) signal(pid, "SIGKILL");
    report.count("kills of workerd");
  }
}

/** Where the server takes MQTT over TCP. */
function tcpOf({ output }) {
  return /^MQTT: (mqtt:\/\/\S+)$/m.exec(output)?.[1] ?? "";
}

async function devices({ report, sizes, random, load }) {
  const { Random } = await load("/test/support/random.ts");
  const server = await Server.start({ env: { MQTT_PORT: "0" } });
  const client = server.client({ timeoutMs: 60_000 });
  const ids = Array.from({ length: PROCESSORS }, (_, at) => ({ id: `p${at}` }));
  await client.askAt("POST", "/genome/hotswap", genome("mqtt", ids));
  const link = new BadLink(new Random(random.below(2 ** 31)), sizes.packets);
  const urls = [await link.listenWeb(server.address), await link.listenTcp(tcpOf(server))];
  const count = Math.ceil(sizes.messages / sizes.devices);
  const times = [];
  let isOver = false;
  const one = async (device) => {
    const began = performance.now();
    // Over each transport, devices of each version.
    const version = device % 4 < 2 ? 5 : 4;
    const processor = processorOf(device, PROCESSORS);
    const found = await publishAll({ url: urls[device % 2], version, device, processor, count });
    report.count("connections", found.connections);
    for (const refused of found.refused) report.fail("a message was refused", refused);
    times.push(performance.now() - began);
  };
  const began = performance.now();
  const kills = killAgainAndAgain(server, sizes, random, () => isOver, report);
  try {
    await Promise.all(Array.from({ length: sizes.devices }, (_, device) => one(device)));
  } finally {
    isOver = true;
  }
  await kills;
  report.figure("seconds", (performance.now() - began) / 1000);
  report.figure("slowest device, s", quantile(times, 1) / 1000);
  report.figure("messages of each QoS", count * sizes.devices);
  for (const [what, times] of [...link.counts].sort()) report.count(what, times);
  link.close();
  client.close();
  await judge(server, sizes.devices, count, report);
  await server.discard();
}

/** Judges what is on disk: the server is killed and started again before. */
async function judge(server, devices, count, report) {
  await server.kill();
  const again = await Server.start({ stateDir: server.stateDir });
  const client = again.client({ timeoutMs: 60_000 });
  for (let device = 0; device < devices; device++) {
    for (const qos of [0, 1, 2]) {
      const path = `/${processorOf(device, PROCESSORS)}/sessions/${encodeURIComponent(memoryOf(device, qos))}`;
      const events = await client.askAt("GET", `${path}/working-memory`);
      const fault = faultOf(events, qos, count);
      if (fault !== undefined)
        report.fail(`QoS ${qos}: a message is lost, doubled or out of order`, `${path}: ${fault}`);
      report.count(`records of QoS ${qos}`, events.length);
    }
  }
  client.close();
  await again.stop();
}

const PARTS = { devices };

async function run(context) {
  for (const part of context.parts) await PARTS[part](context);
}

/** The attack. */
export const mqtt = {
  name: "mqtt",
  about:
    "MQTT clients on links that cut, repeat and delay, and SIGKILL of workerd: QoS 1 at least once, QoS 2 once and in order",
  parts: Object.keys(PARTS),
  sizes: {
    short: { devices: 8, messages: 96, kills: 2, pause: 600, packets: 60, seconds: 60 },
    long: { devices: 100, messages: 10_000, kills: 12, pause: 5000, packets: 200, seconds: 900 },
  },
  run,
};
