/** Writes the packets of MQTT 3.1.1 and 5 as a client does: from the MQTT documents, and not from the server. */

import { LOCAL_KEY } from "../../../src/serve/settings.mjs";

/** The types of packets. */
export const TYPE = /** @type {const} */ ({
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
});

/** A number of two bytes. @param {number} value */
export const two = (value) => Buffer.of(value >> 8, value & 255);

/** A number of four bytes. @param {number} value */
export const four = (value) => Buffer.of(value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255);

/** A number of variable length, as packets and properties have before them. @param {number} value */
export function variable(value) {
  const bytes = [];
  for (let left = value; ; ) {
    const low = left % 128;
    left = Math.floor(left / 128);
    bytes.push(left > 0 ? low + 128 : low);
    if (left === 0) return Buffer.from(bytes);
  }
}

/** A text, or bytes, with its length. @param {string | Uint8Array} value */
export const text = (value) => {
  const bytes = Buffer.from(/** @type {string} */ (value));
  return Buffer.concat([two(bytes.length), bytes]);
};

/** Properties of version 5 with their length. @param {...(Uint8Array | readonly number[])} parts */
export const properties = (...parts) => {
  const bytes = joined(parts);
  return Buffer.concat([variable(bytes.length), bytes]);
};

/**
 * A packet.
 *
 * @param {number} first its first byte
 * @param {...(Uint8Array | readonly number[])} parts what stands behind the length
 */
export function packet(first, ...parts) {
  const body = joined(parts);
  return Buffer.concat([Buffer.of(first), variable(body.length), body]);
}

/** @param {readonly (Uint8Array | readonly number[])[]} parts */
const joined = (parts) => Buffer.concat(parts.map((part) => Buffer.from(/** @type {Uint8Array} */ (part))));

/** Properties where a version has them. @param {4 | 5} version @param {...(Uint8Array | readonly number[])} parts */
const ofVersion = (version, ...parts) => (version === 5 ? properties(...parts) : Buffer.alloc(0));

/**
 * What a CONNECT says.
 *
 * @typedef {object} Hello
 * @property {4 | 5} [version] 5 if absent
 * @property {string} [clientId]
 * @property {boolean} [isClean] true if absent
 * @property {number} [keepAlive] in seconds; 60 if absent
 * @property {number} [expiry] the session expiry interval of version 5, in seconds; 0 if absent
 * @property {number} [receiveMaximum] of version 5
 * @property {Uint8Array} [own] further properties of version 5
 * @property {{ topic: string, payload: string, qos: number, delayS: number }} [will]
 * @property {string} [key] the server's own if absent
 */

/** A CONNECT with a key. @param {Hello} hello */
export function connect({
  version = 5,
  clientId = "raw",
  isClean = true,
  keepAlive = 60,
  expiry = 0,
  receiveMaximum,
  own = Buffer.alloc(0),
  will,
  key = LOCAL_KEY,
} = {}) {
  const flags = 0xc0 | (isClean ? 2 : 0) | (will === undefined ? 0 : 0x04 | (will.qos << 3));
  const most = receiveMaximum === undefined ? [] : [0x21, ...two(receiveMaximum)];
  const ofWill =
    will === undefined ? [] : [ofVersion(version, [0x18], four(will.delayS)), text(will.topic), text(will.payload)];
  return packet(
    0x10,
    text("MQTT"),
    [version, flags],
    two(keepAlive),
    ofVersion(version, [0x11], four(expiry), most, own),
    text(clientId),
    ...ofWill,
    text("u"),
    text(key),
  );
}

/**
 * A PUBLISH.
 *
 * @param {4 | 5} version
 * @param {string} topic
 * @param {string} payload
 * @param {number} qos
 * @param {number} id left out of QoS 0
 * @param {boolean} isRepeated
 */
export function publish(version, topic, payload, qos = 0, id = 0, isRepeated = false) {
  const first = 0x30 | (isRepeated ? 8 : 0) | (qos << 1);
  return packet(first, text(topic), qos > 0 ? two(id) : [], ofVersion(version), Buffer.from(payload));
}

/** PUBACK, PUBREC, PUBREL or PUBCOMP. @param {number} type one of {@link TYPE} @param {number} id */
export const acknowledge = (type, id) => packet((type << 4) | (type === TYPE.pubrel ? 2 : 0), two(id));

/** A PUBREL. @param {number} id */
export const pubrel = (id) => acknowledge(TYPE.pubrel, id);

/** A SUBSCRIBE with one QoS for all filters. @param {4 | 5} version @param {number} id @param {number} qos @param {...string} filters */
export const subscribe = (version, id, qos, ...filters) =>
  packet(0x82, two(id), ofVersion(version), ...filters.flatMap((filter) => [text(filter), [qos]]));

/** An UNSUBSCRIBE. @param {4 | 5} version @param {number} id @param {...string} filters */
export const unsubscribe = (version, id, ...filters) =>
  packet(0xa2, two(id), ofVersion(version), ...filters.map((filter) => text(filter)));

/** A PINGREQ. */
export const ping = () => packet(0xc0);

/** A DISCONNECT. */
export const disconnect = () => packet(0xe0);
