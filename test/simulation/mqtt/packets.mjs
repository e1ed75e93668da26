/** The packets of MQTT 3.1.1 and 5 as a client writes and reads them: from the MQTT documents, and not from the server. */

/** The types of packets that a server sends. */
export const TYPE = {
  connack: 2,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  suback: 9,
  unsuback: 11,
  pingresp: 13,
  disconnect: 14,
};

const two = (value) => [value >> 8, value & 255];
const four = (value) => [...two(Math.floor(value / 65_536)), ...two(value % 65_536)];

/** Bytes with the number of them before, in two bytes. @param {string | Uint8Array} value */
const sized = (value) => {
  const bytes = Buffer.from(value);
  return [...two(bytes.length), ...bytes];
};

function variable(value) {
  const bytes = [];
  for (let left = value; ; ) {
    const low = left % 128;
    left = Math.floor(left / 128);
    bytes.push(left > 0 ? low + 128 : low);
    if (left === 0) return bytes;
  }
}

const packet = (first, ...parts) => {
  const body = parts.flat();
  return Uint8Array.from([first, ...variable(body.length), ...body]);
};

/** Properties of version 5; nothing in 3.1.1. */
const properties = (version, bytes) => (version === 5 ? [...variable(bytes.length), ...bytes] : []);

/**
 * A CONNECT.
 *
 * @param {{ version: 4 | 5, clientId: string, isClean: boolean, keepAliveS: number, expiryS: number, key: string,
 *   receiveMaximum?: number, will?: { topic: string, payload: string, qos: number, delayS: number } }} hello
 */
export function connect({ version, clientId, isClean, keepAliveS, expiryS, key, receiveMaximum, will }) {
  const willFlags = will === undefined ? 0 : 0x04 | (will.qos << 3);
  const about = [0x11, ...four(expiryS), ...(receiveMaximum === undefined ? [] : [0x21, ...two(receiveMaximum)])];
  const ofWill =
    will === undefined
      ? []
      : [...properties(version, [0x18, ...four(will.delayS)]), ...sized(will.topic), ...sized(will.payload)];
  return packet(
    0x10,
    sized("MQTT"),
    [version, 0xc0 | willFlags | (isClean ? 2 : 0)],
    two(keepAliveS),
    properties(version, about),
    sized(clientId),
    ofWill,
    sized("any"),
    sized(key),
  );
}

/** A message. */
export function publish(version, { topic, payload, qos, id, isRepeated }) {
  const flags = (isRepeated ? 8 : 0) | (qos << 1);
  const identifier = qos === 0 ? [] : two(id);
  return packet(0x30 | flags, sized(topic), identifier, properties(version, []), [...Buffer.from(payload)]);
}

/** PUBACK, PUBREC, PUBREL or PUBCOMP. @param {number} type one of {@link TYPE} */
export const acknowledge = (type, id) => packet((type << 4) | (type === TYPE.pubrel ? 2 : 0), two(id));

export const subscribe = (version, id, filter, qos) =>
  packet(0x82, two(id), properties(version, []), sized(filter), [qos]);

export const unsubscribe = (version, id, filter) => packet(0xa2, two(id), properties(version, []), sized(filter));

export const disconnect = () => packet(0xe0);

export const ping = () => packet(0xc0);

/** Reads a number of variable length. @returns `[value, at]` */
function readVariable(bytes, from) {
  let value = 0;
  let scale = 1;
  for (let at = from; ; at++) {
    value += (bytes[at] & 127) * scale;
    scale *= 128;
    if (bytes[at] < 128) return [value, at + 1];
  }
}

/** Reads what stands in a packet behind its length. */
function read(version, first, body) {
  const type = first >> 4;
  const number = (at) => body[at] * 256 + body[at + 1];
  if (type === TYPE.connack) return { type, isPresent: body[0] === 1, code: body[1] };
  if (type === TYPE.disconnect) return { type, code: body[0] ?? 0 };
  if (type === TYPE.pingresp) return { type };
  if (type !== TYPE.publish) {
    // A reason code is left out where it is 0; those of SUBACK come last.
    const code = type === TYPE.suback || type === TYPE.unsuback ? body.at(-1) : (body[2] ?? 0);
    return { type, id: number(0), code: type === TYPE.unsuback && version === 4 ? 0 : code };
  }
  const qos = (first >> 1) & 3;
  let at = 2 + number(0);
  const topic = body.subarray(2, at).toString();
  const id = qos === 0 ? 0 : number(at);
  if (qos > 0) at += 2;
  if (version === 5) {
    const [length, after] = readVariable(body, at);
    at = after + length;
  }
  const payload = body.subarray(at).toString();
  return { type, topic, payload, qos, id, isRepeated: (first & 8) !== 0, isRetained: (first & 1) !== 0 };
}

/** The packets in what a server has sent at once. @param {4 | 5} version @param {Uint8Array} message whole packets */
export function packetsIn(version, message) {
  const bytes = Buffer.from(message);
  const packets = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at];
    const [length, begin] = readVariable(bytes, at + 1);
    if (begin + length > bytes.length) throw new Error("the server has sent half a packet");
    packets.push(read(version, first, bytes.subarray(begin, begin + length)));
    at = begin + length;
  }
  return packets;
}
