/** Writes the packets of a server. */

import { type AckType, type Publish, REASON, type Version } from "./packet";

const encoder = new TextEncoder();

/** A growing list of bytes. */
class Writer {
  readonly #parts: (number | Uint8Array)[] = [];
  length = 0;

  byte(value: number): this {
    this.#parts.push(value);
    this.length += 1;
    return this;
  }

  two(value: number): this {
    return this.byte(value >> 8).byte(value & 0xff);
  }

  four(value: number): this {
    return this.two(Math.floor(value / 65_536)).two(value % 65_536);
  }

  variable(value: number): this {
    let left = value;
    do {
      const low = left % 128;
      left = Math.floor(left / 128);
      this.byte(left > 0 ? low + 128 : low);
    } while (left > 0);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    this.length += bytes.length;
    return this;
  }

  text(text: string): this {
    const bytes = encoder.encode(text);
    return this.two(bytes.length).bytes(bytes);
  }

  /** Bytes after their length. */
  sized(inner: Writer): this {
    return this.variable(inner.length).bytes(inner.whole());
  }

  whole(): Uint8Array {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.#parts) {
      if (typeof part === "number") all[at++] = part;
      else {
        all.set(part, at);
        at += part.length;
      }
    }
    return all;
  }
}

function packet(first: number, body: Writer): Uint8Array {
  return new Writer().byte(first).sized(body).whole();
}

/** Maximum length of a reason string, in UTF-16 units. */
const MAX_REASON_UNITS = 1000;

/** @param reason empty for none */
function reasonProperty(reason: string): Writer {
  const properties = new Writer();
  if (reason !== "") properties.byte(0x1f).text(reason.slice(0, MAX_REASON_UNITS));
  return properties;
}

/** The server's properties of an accepted connection in MQTT 5. */
export interface Accepted {
  /** Absent if it is as the client requested. */
  readonly expiryS?: number | undefined;
  readonly receiveMaximum: number;
  readonly maximumPacketSize: number;
  readonly aliasMaximum: number;
  /** The identifier that the server has assigned to the client; absent if the client has one. */
  readonly clientId?: string | undefined;
  /** Absent if it is as the client requested. */
  readonly keepAliveS?: number | undefined;
}

/** Accepts a connection. */
export function connack(version: Version, isPresent: boolean, accepted: Accepted): Uint8Array {
  const body = new Writer().byte(isPresent ? 1 : 0).byte(0);
  if (version === 4) return packet(0x20, body);
  const properties = new Writer();
  if (accepted.expiryS !== undefined) properties.byte(0x11).four(accepted.expiryS);
  properties.byte(0x21).two(accepted.receiveMaximum);
  properties.byte(0x27).four(accepted.maximumPacketSize);
  if (accepted.clientId !== undefined) properties.byte(0x12).text(accepted.clientId);
  properties.byte(0x22).two(accepted.aliasMaximum);
  // No shared subscriptions.
  properties.byte(0x2a).byte(0);
  if (accepted.keepAliveS !== undefined) properties.byte(0x13).two(accepted.keepAliveS);
  return packet(0x20, body.sized(properties));
}

/** The return codes of MQTT 3.1.1 by reason code; other refusals are `server unavailable`. */
const RETURN_CODES: Readonly<Record<number, number>> = {
  [REASON.unsupportedVersion]: 1,
  [REASON.badIdentifier]: 2,
  [REASON.badPassword]: 4,
  [REASON.notAuthorized]: 5,
  [REASON.badAuthMethod]: 5,
};

/** Refuses a connection. @param reason a sentence; empty for none */
export function connackRefused(version: Version, code: number, reason: string): Uint8Array {
  const body = new Writer().byte(0).byte(version === 4 ? (RETURN_CODES[code] ?? 3) : code);
  return packet(0x20, version === 4 ? body : body.sized(reasonProperty(reason)));
}

/** A message for a client. */
export function publish(version: Version, message: Omit<Publish, "alias" | "type">): Uint8Array {
  const { topic, payload, qos, isRepeated, isRetained, id, subscriptionIds = [] } = message;
  const body = new Writer().text(topic);
  if (qos > 0) body.two(id);
  if (version === 5) {
    const properties = new Writer();
    for (const each of subscriptionIds) properties.byte(0x0b).variable(each);
    body.sized(properties);
  }
  return packet(0x30 + (isRepeated ? 8 : 0) + qos * 2 + (isRetained ? 1 : 0), body.bytes(payload));
}

const ACK_BYTES: Readonly<Record<AckType, number>> = { puback: 0x40, pubrec: 0x50, pubrel: 0x62, pubcomp: 0x70 };

/** Acknowledges a message. @param reason a sentence; empty for none */
export function ack(
  version: Version,
  type: AckType,
  id: number,
  code: number = REASON.success,
  reason = "",
): Uint8Array {
  const body = new Writer().two(id);
  if (version === 5 && code !== REASON.success) {
    body.byte(code);
    if (reason !== "") body.sized(reasonProperty(reason));
  }
  return packet(ACK_BYTES[type], body);
}

/**
 * Answers SUBSCRIBE.
 *
 * @param codes for each filter the granted QoS, or a reason code
 * @param reason a sentence; empty for none
 */
export function suback(version: Version, id: number, codes: readonly number[], reason = ""): Uint8Array {
  const body = new Writer().two(id);
  if (version === 5) body.sized(reasonProperty(reason));
  for (const code of codes) body.byte(version === 4 && code > 2 ? REASON.unspecified : code);
  return packet(0x90, body);
}

/** Answers UNSUBSCRIBE. @param codes a reason code for each filter */
export function unsuback(version: Version, id: number, codes: readonly number[]): Uint8Array {
  const body = new Writer().two(id);
  if (version === 5) {
    body.sized(new Writer());
    for (const code of codes) body.byte(code);
  }
  return packet(0xb0, body);
}

/** Answers PINGREQ. */
export const PINGRESP: Uint8Array = new Uint8Array([0xd0, 0]);

/** Ends a connection of MQTT 5. @param reason a sentence; empty for none */
export function disconnect(code: number, reason: string): Uint8Array {
  return packet(0xe0, new Writer().byte(code).sized(reasonProperty(reason)));
}
