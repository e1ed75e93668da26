/**
 * Reads the packets of a client, exactly as MQTT 3.1.1 and 5 require: any error ends the connection with its reason.
 */

import { Cursor, forbidden, malformed } from "./cursor";
import {
  type AckType,
  type ClientPacket,
  type Connect,
  type Disconnect,
  ProtocolFault,
  type Publish,
  type Qos,
  REASON,
  type Subscribe,
  type Unsubscribe,
  type Version,
  type Will,
  type Wish,
} from "./packet";
import { Properties } from "./properties";

/** An expiry for sessions without end: MQTT 5 uses this number, and kept sessions of MQTT 3.1.1 have it. */
export const ENDLESS_S = 0xffff_ffff;

/** The flags of packets whose flags are fixed, by type. */
const FIXED_FLAGS: Readonly<Record<number, number>> = {
  1: 0,
  4: 0,
  5: 0,
  6: 2,
  7: 0,
  8: 2,
  10: 2,
  12: 0,
  14: 0,
  15: 0,
};

/** Maximum number of topic filters in a SUBSCRIBE, and in an UNSUBSCRIBE. */
export const MAX_FILTERS = 1000;

/** Receive maximum of a client that does not set one. */
const DEFAULT_RECEIVE_MAXIMUM = 65_535;

const ACKS: Readonly<Record<number, AckType>> = { 4: "puback", 5: "pubrec", 6: "pubrel", 7: "pubcomp" };

/** The reason codes that a client may give, by packet. */
const CODES: Readonly<Record<AckType | "disconnect", readonly number[]>> = {
  puback: [0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99],
  pubrec: [0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99],
  pubrel: [0x00, 0x92],
  pubcomp: [0x00, 0x92],
  disconnect: [0x00, 0x04, 0x80, 0x81, 0x82, 0x83, 0x90, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99],
};

/** The type of a packet, the upper half of its first byte. */
function typeOf(bytes: Uint8Array): number {
  return (bytes[0] ?? 0) >> 4;
}

/** The content of a packet after its length. */
function bodyOf(bytes: Uint8Array): Cursor {
  const cursor = new Cursor(bytes, 1);
  // The length was checked when the packet was cut out.
  while (cursor.byte() >= 0x80);
  return cursor;
}

/**
 * @throws ProtocolFault when the length of a packet has more bytes than it needs, which MQTT 5 does not allow (1.5.5)
 */
function checkLength(bytes: Uint8Array, version: Version): void {
  if (version === 5) new Cursor(bytes, 1).variable();
}

/**
 * Reads the first packet of a client.
 *
 * @param bytes a whole packet
 * @throws ProtocolFault when it is not a CONNECT of MQTT 3.1.1 or 5
 */
export function readConnect(bytes: Uint8Array): Connect {
  if (typeOf(bytes) !== 1) throw forbidden("the first packet must be CONNECT");
  checkFlags(bytes);
  const body = bodyOf(bytes);
  const name = body.text();
  const level = body.byte();
  if (name !== "MQTT" && name !== "MQIsdp") {
    throw new ProtocolFault(REASON.unsupportedVersion, "the protocol must be MQTT", level);
  }
  if (name !== "MQTT" || (level !== 4 && level !== 5)) {
    throw new ProtocolFault(
      REASON.unsupportedVersion,
      `the protocol level must be 4 (MQTT 3.1.1) or 5, got ${level}`,
      level,
    );
  }
  try {
    checkLength(bytes, level);
    return connectIn(body, level);
  } catch (error) {
    if (error instanceof ProtocolFault) throw new ProtocolFault(error.code, error.message, level);
    throw error;
  }
}

function connectIn(body: Cursor, version: Version): Connect {
  const { hasWill, willQos, hasName, hasPassword, isClean } = flagsIn(body.byte(), version);
  const keepAliveS = body.two();
  const properties = new Properties(version === 5 ? body : undefined, "connect");
  if (properties.has("authData") && !properties.has("authMethod")) {
    throw forbidden("authentication data need an authentication method");
  }
  const clientId = body.text();
  const will = hasWill ? willIn(body, version, willQos) : undefined;
  if (hasName) body.text();
  const password = hasPassword ? body.data() : undefined;
  body.end("CONNECT");
  const endless = isClean ? 0 : ENDLESS_S;
  return {
    type: "connect",
    version,
    clientId,
    isClean,
    keepAliveS,
    password,
    will,
    expiryS: version === 5 ? (properties.number("sessionExpiry") ?? 0) : endless,
    receiveMaximum: properties.number("receiveMaximum") ?? DEFAULT_RECEIVE_MAXIMUM,
    maximumPacketSize: properties.number("maximumPacketSize") ?? Number.POSITIVE_INFINITY,
    wantsReasons: version === 5 && (properties.number("requestProblem") ?? 1) === 1,
    authMethod: properties.text("authMethod"),
  };
}

/** The flags of CONNECT. */
function flagsIn(flags: number, version: Version) {
  if ((flags & 0x01) !== 0) throw malformed("the reserved flag of CONNECT must be 0");
  const hasWill = (flags & 0x04) !== 0;
  const willQos = (flags >> 3) & 0x03;
  if (willQos === 3) throw malformed("the QoS of the will must be 0, 1 or 2, got 3");
  if (!hasWill && (flags & 0x38) !== 0) throw malformed("without a will, its QoS and RETAIN must be 0");
  const hasName = (flags & 0x80) !== 0;
  const hasPassword = (flags & 0x40) !== 0;
  if (version === 4 && hasPassword && !hasName) throw malformed("a password needs a user name in MQTT 3.1.1");
  return { hasWill, willQos: willQos as Qos, hasName, hasPassword, isClean: (flags & 0x02) !== 0 };
}

function willIn(body: Cursor, version: Version, qos: Qos): Will {
  const properties = new Properties(version === 5 ? body : undefined, "will");
  const topic = topicOf(body.text());
  if (topic === "") throw new ProtocolFault(REASON.badTopic, "the topic of the will must not be empty");
  const payload = body.data().slice();
  checkMessage(properties, payload);
  return { topic, payload, qos, delayS: properties.number("willDelay") ?? 0 };
}

/** @throws ProtocolFault when the payload or the response topic of a message does not fit its properties */
function checkMessage(properties: Properties, payload: Uint8Array): void {
  const response = properties.text("responseTopic");
  if (response !== undefined && (response === "" || /[+#]/.test(response))) {
    throw forbidden("a response topic must not be empty, and have no + and no #");
  }
  if (properties.number("payloadFormat") === 1 && !isText(payload)) {
    throw new ProtocolFault(REASON.badPayload, "a payload that is declared as text must be UTF-8");
  }
}

/**
 * Reads any later packet of a client.
 *
 * @param bytes a whole packet
 * @throws ProtocolFault when a client may not send it
 */
export function readPacket(bytes: Uint8Array, version: Version): ClientPacket {
  const type = typeOf(bytes);
  if (type !== 3) checkFlags(bytes);
  checkLength(bytes, version);
  const body = bodyOf(bytes);
  const ack = ACKS[type];
  if (ack !== undefined) return ackIn(body, ack, version);
  switch (type) {
    case 1:
      throw forbidden("a second CONNECT");
    case 3:
      return publishIn(body, bytes[0] ?? 0, version);
    case 8:
      return subscribeIn(body, version);
    case 10:
      return unsubscribeIn(body, version);
    case 12:
      body.end("PINGREQ");
      return { type: "pingreq" };
    case 14:
      return disconnectIn(body, version);
    case 15:
      if (version === 4) throw malformed("MQTT 3.1.1 has no packet of the type 15");
      throw forbidden("AUTH without an authentication method in CONNECT");
    default:
      if (type === 0) throw malformed("there is no packet of the type 0");
      throw forbidden(`a packet of the type ${type}, which only a server sends`);
  }
}

function checkFlags(bytes: Uint8Array): void {
  const fixed = FIXED_FLAGS[typeOf(bytes)];
  const flags = (bytes[0] ?? 0) & 0x0f;
  if (fixed !== undefined && flags !== fixed) {
    throw malformed(`the flags of a packet of the type ${typeOf(bytes)} must be ${fixed}, got ${flags}`);
  }
}

function identifierIn(body: Cursor): number {
  const id = body.two();
  if (id === 0) throw forbidden("a packet identifier must not be 0");
  return id;
}

/** @throws ProtocolFault when the topic of a message holds + or # */
function topicOf(topic: string): string {
  if (!/[+#]/.test(topic)) return topic;
  throw new ProtocolFault(REASON.badTopic, "the topic of a message must have no + and no #");
}

function publishIn(body: Cursor, first: number, version: Version): Publish {
  const qos = (first >> 1) & 0x03;
  if (qos === 3) throw malformed("the QoS of a message must be 0, 1 or 2, got 3");
  const isRepeated = (first & 0x08) !== 0;
  if (isRepeated && qos === 0) throw malformed("a message of QoS 0 must not have DUP");
  const topic = topicOf(body.text());
  const id = qos === 0 ? 0 : identifierIn(body);
  const properties = new Properties(version === 5 ? body : undefined, "publish");
  const alias = properties.number("alias");
  if (alias === 0) throw new ProtocolFault(REASON.badAlias, "a topic alias must not be 0");
  if (topic === "" && alias === undefined) {
    throw version === 5 ? forbidden("a message needs a topic or an alias") : malformed("a message needs a topic");
  }
  const payload = body.rest();
  checkMessage(properties, payload);
  return {
    type: "publish",
    topic,
    payload,
    qos: qos as Qos,
    isRepeated,
    isRetained: (first & 0x01) !== 0,
    id,
    alias,
  };
}

function isText(payload: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(payload);
    return true;
  } catch {
    // The only possible error: it is not UTF-8.
    return false;
  }
}

function ackIn(body: Cursor, type: AckType, version: Version): ClientPacket {
  const id = identifierIn(body);
  let code: number = REASON.success;
  if (version === 5 && body.left > 0) {
    code = body.byte();
    if (!CODES[type].includes(code)) throw malformed(`${type} cannot have the reason code ${code}`);
    if (body.left > 0) new Properties(body, "ack");
  }
  body.end(type);
  return { type, id, code };
}

function subscribeIn(body: Cursor, version: Version): Subscribe {
  const id = identifierIn(body);
  const properties = new Properties(version === 5 ? body : undefined, "subscribe");
  const wishes: Wish[] = [];
  while (body.left > 0) {
    assertFilters(wishes);
    wishes.push(wishIn(body, version));
  }
  if (wishes.length === 0) throw forbidden("SUBSCRIBE needs a topic filter");
  return { type: "subscribe", id, wishes, subscriptionId: properties.number("subscriptionId") };
}

/** @throws ProtocolFault when there are too many filters */
function assertFilters({ length }: readonly unknown[]): void {
  if (length < MAX_FILTERS) return;
  throw new ProtocolFault(REASON.quota, `a packet may have ${MAX_FILTERS} topic filters, and this one has more`);
}

function wishIn(body: Cursor, version: Version): Wish {
  const filter = body.text();
  const options = body.byte();
  const qos = options & 0x03;
  if (qos === 3) throw version === 5 ? forbidden("a subscription's QoS must be 0, 1 or 2, got 3") : badOptions(options);
  const retainHandling = (options >> 4) & 0x03;
  if (version === 4 && (options & 0xfc) !== 0) throw badOptions(options);
  if ((options & 0xc0) !== 0) throw badOptions(options);
  if (retainHandling === 3) throw forbidden("retain handling must be 0, 1 or 2, got 3");
  const isNoLocal = (options & 0x04) !== 0;
  if (isNoLocal && filter.startsWith("$share/")) throw forbidden("a shared subscription cannot have No Local");
  return {
    filter,
    qos: qos as Qos,
    isNoLocal,
    isRetainAsPublished: (options & 0x08) !== 0,
    retainHandling: retainHandling as 0 | 1 | 2,
  };
}

function badOptions(options: number): ProtocolFault {
  return malformed(`the options of a subscription cannot be ${options}`);
}

function unsubscribeIn(body: Cursor, version: Version): Unsubscribe {
  const id = identifierIn(body);
  new Properties(version === 5 ? body : undefined, "unsubscribe");
  const filters: string[] = [];
  while (body.left > 0) {
    assertFilters(filters);
    filters.push(body.text());
  }
  if (filters.length === 0) throw forbidden("UNSUBSCRIBE needs a topic filter");
  return { type: "unsubscribe", id, filters };
}

function disconnectIn(body: Cursor, version: Version): Disconnect {
  if (version === 4 || body.left === 0) {
    body.end("DISCONNECT");
    return { type: "disconnect", code: REASON.success, expiryS: undefined };
  }
  const code = body.byte();
  if (!CODES.disconnect.includes(code)) throw malformed(`DISCONNECT of a client cannot have the reason code ${code}`);
  const properties = new Properties(body.left > 0 ? body : undefined, "disconnect");
  body.end("DISCONNECT");
  return { type: "disconnect", code, expiryS: properties.number("sessionExpiry") };
}
