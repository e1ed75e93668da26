/** Devices that publish numbered records with MQTT.js, over sessions that are kept, and what a server must hold of them. */

import mqtt from "mqtt";
import { LOCAL_KEY } from "../../../src/serve/settings.mjs";

/** How many messages of each QoS a device has under way at a time. */
const UNDER_WAY = 8;

/** The session in which a device's messages of one QoS are observed: each has its own, so that each has an order of its own. */
export function memoryOf(device, qos) {
  return `d${device} q${qos}`;
}

/** The processor of a device. */
export function processorOf(device, processors) {
  return `p${device % processors}`;
}

/**
 * Publishes the messages 0, 1, 2, … of a device with each QoS, and resolves when all of QoS 1 and 2 are acknowledged.
 *
 * @param {{ url: string, version: 4 | 5, device: number, processor: string, count: number }} options
 * @returns {Promise<{ connections: number, refused: string[] }>} what of QoS 1 and 2 was refused, which nothing may be
 */
export async function publishAll({ url, version, device, processor, count }) {
  const client = mqtt.connect(url, {
    protocolVersion: version,
    clientId: `device ${device}`,
    clean: false,
    ...(version === 5 ? { properties: { sessionExpiryInterval: 3600 } } : {}),
    username: "device",
    password: LOCAL_KEY,
    reconnectPeriod: 50,
    connectTimeout: 10_000,
    keepalive: 5,
    resubscribe: false,
  });
  const found = { connections: 0, refused: [] };
  client.on("connect", () => found.connections++);
  // It connects again by itself.
  client.on("error", () => {});
  const all = [0, 1, 2].map((qos) => {
    const topic = `noema/${processor}/sessions/${memoryOf(device, qos)}/observe`;
    return publishNumbers(client, topic, qos, count, found.refused);
  });
  await Promise.all(all);
  await client.endAsync();
  return found;
}

/** Publishes the numbers below `count` in order, and resolves when all are acknowledged. Refusals are added to `refused`. */
async function publishNumbers(client, topic, qos, count, refused) {
  const underWay = new Set();
  const again = [];
  let next = 0;
  while (next < count || again.length > 0 || underWay.size > 0) {
    if (underWay.size >= UNDER_WAY || (next === count && again.length === 0)) {
      await Promise.race(underWay);
      continue;
    }
    const number = again.shift() ?? next++;
    const sent = client.publishAsync(topic, String(number), { qos }).catch((error) => {
      // MQTT.js gives back what it was to send behind messages that it repeated when the connection was lost: it has not sent it.
      if (error.message === "Connection closed") again.push(number);
      else if (qos > 0) refused.push(`${topic} ${number}: ${error.message}`);
    });
    const done = sent.then(() => underWay.delete(done));
    underWay.add(done);
  }
}

/**
 * Why a memory does not hold what was published.
 *
 * @param {readonly (readonly string[])[]} events of the memory, in order
 * @param {0 | 1 | 2} qos 0: nothing twice; 1: nothing lost; 2: nothing lost, nothing twice, and in order
 * @param {number} count how many messages were published
 * @returns {string | undefined}
 */
export function faultOf(events, qos, count) {
  const numbers = events.map((event) => Number(event.join()));
  const alien = numbers.findIndex((number) => !Number.isInteger(number) || number < 0 || number >= count);
  if (alien >= 0) return `the record ${alien} is ${JSON.stringify(events[alien])}`;
  const there = new Set(numbers);
  for (let number = 0; number < count && qos > 0; number++) if (!there.has(number)) return `${number} is lost`;
  if (qos !== 1 && there.size < numbers.length)
    return `of ${numbers.length} records only ${there.size} differ: ${numbers}`;
  // Messages of QoS 0 that MQTT.js holds back while it is not connected are not sent in order.
  const at = qos < 2 ? -1 : numbers.findIndex((number, place) => number !== place);
  return at < 0 ? undefined : `${numbers[at]} comes after ${numbers[at - 1]}`;
}
