/** The properties of MQTT 5: their identifiers, the packets that may have them, and how to read them. */

import { type Cursor, forbidden, malformed } from "./cursor";

/** The encodings of properties' values. */
type Form = "byte" | "data" | "four" | "pair" | "text" | "two" | "variable";

/** Properties by identifier: the encoding of the value, and the packets of a client that may have it. */
const PROPERTIES: Readonly<Record<number, readonly [name: string, form: Form, packets: string]>> = {
  1: ["payloadFormat", "byte", "publish will"],
  2: ["messageExpiry", "four", "publish will"],
  3: ["contentType", "text", "publish will"],
  8: ["responseTopic", "text", "publish will"],
  9: ["correlationData", "data", "publish will"],
  11: ["subscriptionId", "variable", "subscribe"],
  17: ["sessionExpiry", "four", "connect disconnect"],
  21: ["authMethod", "text", "connect auth"],
  22: ["authData", "data", "connect auth"],
  23: ["requestProblem", "byte", "connect"],
  24: ["willDelay", "four", "will"],
  25: ["requestResponse", "byte", "connect"],
  31: ["reason", "text", "ack disconnect auth"],
  33: ["receiveMaximum", "two", "connect"],
  34: ["aliasMaximum", "two", "connect"],
  35: ["alias", "two", "publish"],
  38: ["user", "pair", "connect will publish ack subscribe unsubscribe disconnect auth"],
  39: ["maximumPacketSize", "four", "connect"],
};

/** The subscription identifier, which a PUBLISH has only if it comes from a server. */
const SUBSCRIPTION_ID = 11;

/** Properties that must be 0 or 1. */
const FLAGS: readonly string[] = ["payloadFormat", "requestProblem", "requestResponse"];

/** Properties that must not be 0. */
const POSITIVE: readonly string[] = ["subscriptionId", "receiveMaximum", "maximumPacketSize"];

/** What may have properties. */
export type PropertyOwner =
  | "ack"
  | "auth"
  | "connect"
  | "disconnect"
  | "publish"
  | "subscribe"
  | "unsubscribe"
  | "will";

/** The properties of a packet by name. User properties are read, but not kept. */
export class Properties {
  readonly #values = new Map<string, number | string | Uint8Array>();

  /**
   * @param cursor at their length; `undefined` for none
   * @throws ProtocolFault when they are malformed, or not allowed in such a packet
   */
  constructor(cursor: Cursor | undefined, owner: PropertyOwner) {
    if (cursor === undefined) return;
    const part = cursor.part(cursor.variable());
    while (part.left > 0) {
      const identifier = part.variable();
      if (identifier === SUBSCRIPTION_ID && owner === "publish") {
        throw forbidden("a client's message must not have a subscription identifier");
      }
      const [name, form, packets] = PROPERTIES[identifier] ?? [];
      if (name === undefined || form === undefined || !packets?.split(" ").includes(owner)) {
        throw malformed(`the property 0x${identifier.toString(16)} is none of ${owner}`);
      }
      this.#add(name, read(part, form));
    }
  }

  #add(name: string, value: number | string | Uint8Array): void {
    if (name === "user") return;
    if (this.#values.has(name)) throw forbidden(`the property ${name} may occur once, got it twice`);
    if (FLAGS.includes(name) && value !== 0 && value !== 1) {
      throw forbidden(`the property ${name} must be 0 or 1, got ${value}`);
    }
    if (POSITIVE.includes(name) && value === 0) throw forbidden(`the property ${name} must not be 0`);
    this.#values.set(name, value);
  }

  /** A number; `undefined` if absent. */
  number(name: string): number | undefined {
    return this.#values.get(name) as number | undefined;
  }

  /** A text; `undefined` if absent. */
  text(name: string): string | undefined {
    return this.#values.get(name) as string | undefined;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }
}

function read(part: Cursor, form: Form): number | string | Uint8Array {
  if (form !== "pair") return part[form]();
  part.text();
  return part.text();
}
