/** Reads the packets of MQTT 3.1.1 and 5 that a server sends: from the MQTT documents, and not from the server. */

import { TYPE } from "../../support/mqtt/packets.mjs";

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
