/**
 * Packets of MQTT clients with one fault each, and how a server must answer: written from the documents of MQTT 5 and 3.1.1, and from
 * nothing of the server. Tests attack the codec and the served endpoint with them.
 */

import { text, two } from "./packets.mjs";

/** A packet with one fault. */
export interface Mutant {
  /** What is wrong, for the report of a test. */
  readonly what: string;
  readonly version: 4 | 5;
  readonly bytes: Buffer;
  /** The reason code with which the connection ends; `undefined` where it ends without one. */
  readonly code: number | undefined;
}

const MALFORMED = 0x81;
const PROTOCOL = 0x82;
const VERSION = 0x84;
const TOPIC = 0x90;
const TOO_LARGE = 0x95;

/** How the value of a property is written. */
type Form = "byte" | "data" | "four" | "pair" | "text" | "two" | "variable";

/** Whose properties they are. */
type Owner = "ack" | "connect" | "disconnect" | "publish" | "subscribe" | "unsubscribe" | "will";

/** All properties of MQTT 5 (2.2.2.2), and which packets of a client may have them. */
const PROPERTIES: readonly (readonly [id: number, form: Form, owners: readonly Owner[]])[] = [
  [0x01, "byte", ["publish", "will"]],
  [0x02, "four", ["publish", "will"]],
  [0x03, "text", ["publish", "will"]],
  [0x08, "text", ["publish", "will"]],
  [0x09, "data", ["publish", "will"]],
  [0x0b, "variable", ["subscribe"]],
  [0x11, "four", ["connect", "disconnect"]],
  [0x12, "text", []],
  [0x13, "two", []],
  [0x15, "text", ["connect"]],
  [0x16, "data", ["connect"]],
  [0x17, "byte", ["connect"]],
  [0x18, "four", ["will"]],
  [0x19, "byte", ["connect"]],
  [0x1a, "text", []],
  [0x1c, "text", []],
  [0x1f, "text", ["ack", "disconnect"]],
  [0x21, "two", ["connect"]],
  [0x22, "two", ["connect"]],
  [0x23, "two", ["publish"]],
  [0x24, "byte", []],
  [0x25, "byte", []],
  [0x26, "pair", ["connect", "will", "publish", "ack", "subscribe", "unsubscribe", "disconnect"]],
  [0x27, "four", ["connect"]],
  [0x28, "byte", []],
  [0x29, "byte", []],
  [0x2a, "byte", []],
];

/** Identifiers that are none of a property. */
const STRANGE = [0x00, 0x04, 0x14, 0x1d, 0x2b, 0x7f];

/** Properties that must be 0 or 1, and those that must not be 0. */
const FLAGS = [0x01, 0x17, 0x19];
const POSITIVE = [0x0b, 0x21, 0x23, 0x27];

/** User properties may come more than once. */
const USER = 0x26;

const SUBSCRIPTION_ID = 0x0b;
const ALIAS = 0x23;
const AUTH_METHOD = 0x15;
const AUTH_DATA = 0x16;
const RESPONSE_TOPIC = 0x08;

/** Bytes that are no text of MQTT (1.5.4). */
const NO_TEXTS: readonly (readonly [what: string, bytes: readonly number[]])[] = [
  ["a byte that no UTF-8 has", [0x61, 0xff]],
  ["U+0000", [0x61, 0x00]],
  ["U+0000 in two bytes", [0xc0, 0x80]],
  ["half of a character", [0xe2, 0x82]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["more than U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
  ["a byte that only goes on", [0x80]],
];

/** A field of a packet. */
interface Field {
  readonly kind: "byte" | "data" | "id" | "properties" | "rest" | "text";
  readonly bytes: Buffer;
  readonly owner?: Owner;
}

/** A packet without a fault. */
export interface Sound {
  readonly name: string;
  readonly version: 4 | 5;
  readonly first: number;
  readonly fields: readonly Field[];
  /** At how many fields it may end, besides at all of them, and where that is another fault than a malformed packet. */
  readonly ends?: Readonly<Record<number, "sound" | number>>;
}

function variable(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  do {
    const low = left % 128;
    left = Math.floor(left / 128);
    bytes.push(left > 0 ? low + 128 : low);
  } while (left > 0);
  return Buffer.from(bytes);
}

function written({ kind, bytes }: Field): Buffer {
  if (kind === "text" || kind === "data") return text(bytes);
  return kind === "properties" ? Buffer.concat([variable(bytes.length), bytes]) : bytes;
}

function whole(first: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([first]), variable(body.length), body]);
}

/** The bytes of a packet. */
export function bytesOf({ first, fields }: Pick<Sound, "fields" | "first">): Buffer {
  return whole(first, Buffer.concat(fields.map(written)));
}

const byte = (value: number): Field => ({ kind: "byte", bytes: Buffer.from([value]) });
const id = (value: number): Field => ({ kind: "id", bytes: two(value) });
const words = (value: string): Field => ({ kind: "text", bytes: Buffer.from(value) });
const data = (value: string): Field => ({ kind: "data", bytes: Buffer.from(value) });
const rest = (value: string): Field => ({ kind: "rest", bytes: Buffer.from(value) });
const properties = (owner: Owner, ...each: Buffer[]): Field => ({
  kind: "properties",
  bytes: Buffer.concat(each),
  owner,
});

/** A property with a value that it may have. */
function property(identifier: number, form: Form, value?: Buffer): Buffer {
  const values: Readonly<Record<Form, Buffer>> = {
    byte: Buffer.from([1]),
    data: text("d"),
    four: Buffer.from([0, 0, 4, 0]),
    pair: Buffer.concat([text("k"), text("v")]),
    text: text("t"),
    two: two(8),
    variable: Buffer.from([5]),
  };
  return Buffer.concat([variable(identifier), value ?? values[form]]);
}

/** Everything that an owner may have, once, but what needs something else: an alias that replaces nothing, authentication. */
function allOf(owner: Owner): Buffer[] {
  return PROPERTIES.filter(
    ([identifier, , owners]) => owners.includes(owner) && identifier !== AUTH_METHOD && identifier !== AUTH_DATA,
  ).map(([identifier, form]) => property(identifier, form));
}

/** Packets without a fault that a client may send when it is connected. @param topic to publish to @param filter to subscribe to */
export function soundPackets(version: 4 | 5, topic: string, filter: string): Sound[] {
  const isFive = version === 5;
  const its = (owner: Owner) => (isFive ? [properties(owner, ...allOf(owner))] : []);
  const acks = [
    ["PUBACK", 0x40],
    ["PUBREC", 0x50],
    ["PUBREL", 0x62],
    ["PUBCOMP", 0x70],
  ] as const;
  const ackEnds = { 1: "sound", 2: "sound" } as const;
  return [
    { name: "PUBLISH of QoS 0", version, first: 0x30, fields: [words(topic), ...its("publish"), rest("p")] },
    { name: "PUBLISH of QoS 1", version, first: 0x32, fields: [words(topic), id(1), ...its("publish"), rest("p")] },
    { name: "PUBLISH of QoS 2", version, first: 0x34, fields: [words(topic), id(1), ...its("publish"), rest("p")] },
    ...acks.map(([name, first]) => ({
      name,
      version,
      first,
      fields: [id(9), ...(isFive ? [byte(0), ...its("ack")] : [])],
      ...(isFive ? { ends: ackEnds } : {}),
    })),
    {
      name: "SUBSCRIBE",
      version,
      first: 0x82,
      fields: [id(3), ...its("subscribe"), words(filter), byte(1)],
      ends: isFive ? { 2: PROTOCOL } : { 1: PROTOCOL },
    },
    {
      name: "UNSUBSCRIBE",
      version,
      first: 0xa2,
      fields: [id(4), ...its("unsubscribe"), words(filter)],
      ends: isFive ? { 2: PROTOCOL } : { 1: PROTOCOL },
    },
    { name: "PINGREQ", version, first: 0xc0, fields: [] },
    isFive
      ? {
          name: "DISCONNECT",
          version,
          first: 0xe0,
          fields: [byte(0), ...its("disconnect")],
          ends: { 0: "sound", 1: "sound" },
        }
      : { name: "DISCONNECT", version, first: 0xe0, fields: [] },
  ];
}

/** A CONNECT without a fault, with a will, a user and a key. */
export function soundConnect(version: 4 | 5, topic: string, key: string, clientId = "mutant"): Sound {
  const its = (owner: Owner) => (version === 5 ? [properties(owner, ...allOf(owner))] : []);
  return {
    name: "CONNECT",
    version,
    first: 0x10,
    fields: [
      words("MQTT"),
      byte(version),
      byte(0xce),
      id(60),
      ...its("connect"),
      words(clientId),
      ...its("will"),
      words(topic),
      data("w"),
      words("user"),
      data(key),
    ],
  };
}

function changed(sound: Sound, at: number, field: Field): Buffer {
  return bytesOf({ ...sound, fields: sound.fields.map((each, place) => (place === at ? field : each)) });
}

/** Cut at every byte, with a length that says so. */
function cuts(sound: Sound): Mutant[] {
  const { name, version, first, fields, ends = {} } = sound;
  const all = Buffer.concat(fields.map(written));
  const payload = fields.at(-1)?.kind === "rest" ? (fields.at(-1)?.bytes.length ?? 0) : 0;
  let at = 0;
  const boundaries = new Map<number, "sound" | number>();
  for (const [place, field] of fields.entries()) {
    const end = ends[place];
    if (end !== undefined) boundaries.set(at, end);
    at += written(field).length;
  }
  const mutants: Mutant[] = [];
  for (let size = 0; size < all.length - payload; size++) {
    const code = boundaries.get(size) ?? MALFORMED;
    if (code === "sound") continue;
    mutants.push({ what: `${name} cut at ${size}`, version, bytes: whole(first, all.subarray(0, size)), code });
  }
  return mutants;
}

/** More bytes than it has fields, lengths in too many bytes, and lengths that do not end. */
function lengths({ name, version, first, fields }: Sound): Mutant[] {
  const body = Buffer.concat(fields.map(written));
  const endless = Buffer.from([first, 0xff, 0xff, 0xff, 0xff, 0x01]);
  const mutants: Mutant[] = [{ what: `${name} with a length of five bytes`, version, bytes: endless, code: MALFORMED }];
  if (version === 5 && body.length < 128) {
    const long = Buffer.concat([Buffer.from([first, body.length | 0x80, 0x00]), body]);
    mutants.push({ what: `${name} with a length in too many bytes`, version, bytes: long, code: MALFORMED });
  }
  // Of a PUBLISH, more bytes are payload; of SUBSCRIBE and UNSUBSCRIBE, the beginning of another filter.
  if (fields.at(-1)?.kind === "rest") return mutants;
  for (const more of [[0], [0, 1], [0, 0, 0, 0, 0]]) {
    const isFilter = /SUBSCRIBE/.test(name) && more.length !== 1 && more.length !== 2;
    if (isFilter) continue;
    const bytes = whole(first, Buffer.concat([body, Buffer.from(more)]));
    mutants.push({ what: `${name} with ${more.length} bytes too many`, version, bytes, code: MALFORMED });
  }
  return mutants;
}

/** All flags but the right ones. */
function flags(sound: Sound): Mutant[] {
  const { name, version, first } = sound;
  const wrong = Array.from({ length: 16 }, (_, each) => (first & 0xf0) | each).filter((each) => each !== first);
  // PUBLISH has flags: QoS 3 there is none, and QoS 0 is not sent twice.
  const isPublish = first >> 4 === 3;
  const none = isPublish ? wrong.filter((each) => (each & 0x06) === 0x06 || (each & 0x0e) === 0x08) : wrong;
  return none.map((each) => ({
    what: `${name} with the first byte ${each.toString(16)}`,
    version,
    bytes: bytesOf({ ...sound, first: each }),
    code: MALFORMED,
  }));
}

/** Texts that are none. */
function texts(sound: Sound): Mutant[] {
  const mutants: Mutant[] = [];
  for (const [at, field] of sound.fields.entries()) {
    // Another name of the protocol is another protocol.
    if (field.kind !== "text" || (sound.name === "CONNECT" && at === 0)) continue;
    for (const [what, bytes] of NO_TEXTS) {
      mutants.push({
        what: `${sound.name}: ${what} in the field ${at}`,
        version: sound.version,
        bytes: changed(sound, at, { ...field, bytes: Buffer.from(bytes) }),
        code: MALFORMED,
      });
    }
  }
  return mutants;
}

/** What is wrong, the bytes of all properties, and the reason code. */
type PropertyFault = readonly [what: string, bytes: Buffer, code: number];

/** Values that a property cannot have. */
function valueFaults(identifier: number, form: Form): PropertyFault[] {
  const name = `the property 0x${identifier.toString(16)}`;
  const given = (what: string, value: Buffer, code: number) => [what, property(identifier, form, value), code] as const;
  const size = property(identifier, form).length - 1;
  const faults: PropertyFault[] = [];
  if (FLAGS.includes(identifier)) faults.push(given(`${name} of 2`, Buffer.from([2]), PROTOCOL));
  if (POSITIVE.includes(identifier)) {
    faults.push(given(`${name} of 0`, Buffer.alloc(size), identifier === ALIAS ? 0x94 : PROTOCOL));
  }
  if (form === "variable") {
    faults.push(given(`${name} in too many bytes`, Buffer.from([0x85, 0x00]), MALFORMED));
    faults.push(given(`${name} of five bytes`, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x01]), MALFORMED));
  }
  if (identifier === RESPONSE_TOPIC) {
    for (const topic of ["", "a/+", "a/#"]) faults.push(given(`the response topic ${topic}`, text(topic), PROTOCOL));
  }
  for (const [what, bytes] of NO_TEXTS) {
    const no = text(Buffer.from(bytes));
    if (form === "text") faults.push(given(`${what} in ${name}`, no, MALFORMED));
    if (form !== "pair") continue;
    faults.push(given(`${what} in a name of ${name}`, Buffer.concat([no, text("v")]), MALFORMED));
    faults.push(given(`${what} in a value of ${name}`, Buffer.concat([text("k"), no]), MALFORMED));
  }
  return faults;
}

/** Faults of the properties of one owner. */
function propertyFaults(owner: Owner): PropertyFault[] {
  const faults: PropertyFault[] = STRANGE.map((each) => [`the property ${each}`, property(each, "byte"), MALFORMED]);
  faults.push(["the property 0x80", Buffer.from([0x80, 0x01, 0x01]), MALFORMED]);
  for (const [identifier, form, owners] of PROPERTIES) {
    const name = `the property 0x${identifier.toString(16)}`;
    const sound = property(identifier, form);
    if (!owners.includes(owner)) {
      // A PUBLISH may have it (2.2.2.2), but not one from a client (3.3.4).
      const isOfServer = identifier === SUBSCRIPTION_ID && owner === "publish";
      faults.push([`${name}, which is of other packets`, sound, isOfServer ? PROTOCOL : MALFORMED]);
      continue;
    }
    const method = identifier === AUTH_DATA ? [property(AUTH_METHOD, "text")] : [];
    if (identifier !== USER) faults.push([`${name} twice`, Buffer.concat([...method, sound, sound]), PROTOCOL]);
    faults.push([`${name} cut short`, sound.subarray(0, -1), MALFORMED]);
    const long = Buffer.concat([Buffer.from([identifier | 0x80, 0x00]), sound.subarray(1)]);
    faults.push([`${name} with an identifier in two bytes`, long, MALFORMED], ...valueFaults(identifier, form));
  }
  if (owner === "connect") faults.push(["authentication data alone", property(AUTH_DATA, "data"), PROTOCOL]);
  return faults;
}

function ofProperties(sound: Sound): Mutant[] {
  const { name, version, first, fields } = sound;
  const mutants: Mutant[] = [];
  for (const [at, field] of fields.entries()) {
    if (field.kind !== "properties" || field.owner === undefined) continue;
    for (const [what, bytes, code] of propertyFaults(field.owner)) {
      mutants.push({ what: `${name} with ${what}`, version, bytes: changed(sound, at, { ...field, bytes }), code });
    }
    const before = Buffer.concat(fields.slice(0, at).map(written));
    const after = Buffer.concat(fields.slice(at + 1).map(written));
    const put = (length: Buffer) => whole(first, Buffer.concat([before, length, field.bytes, after]));
    const size = field.bytes.length;
    const beyond = variable(size + after.length + 1);
    mutants.push({ what: `${name} with properties beyond its end`, version, bytes: put(beyond), code: MALFORMED });
    const endless = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x01]);
    mutants.push({ what: `${name} with properties of five bytes`, version, bytes: put(endless), code: MALFORMED });
    if (size >= 128) continue;
    const long = Buffer.from([size | 0x80, 0x00]);
    mutants.push({
      what: `${name} with the length of properties in two bytes`,
      version,
      bytes: put(long),
      code: MALFORMED,
    });
  }
  return mutants;
}

/** Packet identifiers of 0, where the packet must have one. */
function identifiers(sound: Sound): Mutant[] {
  if (sound.name === "CONNECT") return [];
  return sound.fields.flatMap((field, at) =>
    field.kind === "id"
      ? [
          {
            what: `${sound.name} with the identifier 0`,
            version: sound.version,
            bytes: changed(sound, at, id(0)),
            code: PROTOCOL,
          },
        ]
      : [],
  );
}

/** Topics to which nothing can be published. @param where the field of the topic */
function topics(sound: Sound, where: number, empty: number): Mutant[] {
  const { name, version } = sound;
  const none = ["a/+", "+", "#", "a/#", "a+b", "a#"].map((topic) => [topic, TOPIC] as const);
  return [...none, ["", empty] as const].map(([topic, code]) => ({
    what: `${name} to the topic ${JSON.stringify(topic)}`,
    version,
    // Without an alias, which would stand for an empty topic.
    bytes: changed(without(sound, "publish"), where, words(topic)),
    code,
  }));
}

/** A packet with no properties of one owner. */
function without(sound: Sound, owner: Owner): Sound {
  const fields = sound.fields.map((each) => (each.owner === owner ? { ...each, bytes: Buffer.alloc(0) } : each));
  return { ...sound, fields };
}

/** Reason codes that a client may not give, by packet: of other packets, and of none. */
const NO_CODES: Readonly<Record<string, readonly number[]>> = {
  PUBACK: [0x01, 0x04, 0x11, 0x7f, 0x81, 0x82, 0x92, 0x93, 0x9e, 0xff],
  PUBREC: [0x01, 0x04, 0x11, 0x7f, 0x81, 0x82, 0x92, 0x93, 0x9e, 0xff],
  PUBREL: [0x01, 0x10, 0x80, 0x91, 0x93, 0xff],
  PUBCOMP: [0x01, 0x10, 0x80, 0x91, 0x93, 0xff],
  DISCONNECT: [0x01, 0x02, 0x10, 0x7f, 0x87, 0x89, 0x8b, 0x8d, 0x8e, 0x9c, 0xff],
};

function codes(sound: Sound): Mutant[] {
  const at = sound.fields.findIndex(({ kind }) => kind === "byte");
  return (NO_CODES[sound.name] ?? []).map((code) => ({
    what: `${sound.name} with the reason code 0x${code.toString(16)}`,
    version: sound.version,
    bytes: changed(sound, at, byte(code)),
    code: MALFORMED,
  }));
}

function options(sound: Sound): Mutant[] {
  const at = sound.fields.length - 1;
  const wrong: readonly (readonly [number, number])[] =
    sound.version === 5
      ? [
          [3, PROTOCOL],
          [0x30, PROTOCOL],
          [0x40, MALFORMED],
          [0x80, MALFORMED],
          [0xc1, MALFORMED],
        ]
      : [3, 4, 8, 0x10, 0x20, 0x40, 0x80].map((each) => [each, MALFORMED] as const);
  return wrong.map(([each, code]) => ({
    what: `SUBSCRIBE with the options 0x${each.toString(16)}`,
    version: sound.version,
    bytes: changed(sound, at, byte(each)),
    code,
  }));
}

/** Packets that only a server sends, and none at all. */
function strangers(version: 4 | 5): Mutant[] {
  const all: readonly (readonly [what: string, bytes: readonly number[], code: number])[] = [
    ["the type 0", [0x00, 0], MALFORMED],
    ["the type 0 with flags", [0x0f, 2, 0, 1], MALFORMED],
    ["CONNACK", version === 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0], PROTOCOL],
    ["SUBACK", [0x90, 3, 0, 1, 0], PROTOCOL],
    ["UNSUBACK", [0xb0, 2, 0, 1], PROTOCOL],
    ["PINGRESP", [0xd0, 0], PROTOCOL],
    ["AUTH", version === 5 ? [0xf0, 2, 0x18, 0] : [0xf0, 0], version === 5 ? PROTOCOL : MALFORMED],
    ["more than 1 MiB", [0x30, 0x80, 0x80, 0x80, 0x01], TOO_LARGE],
    ["256 MiB", [0x32, 0xff, 0xff, 0xff, 0x7f], TOO_LARGE],
  ];
  return all.map(([what, bytes, code]) => ({ what, version, bytes: Buffer.from(bytes), code }));
}

/** All packets with a fault that come when the client is connected. */
export function packetMutants(version: 4 | 5, topic: string, filter: string): Mutant[] {
  const mutants = strangers(version);
  for (const sound of soundPackets(version, topic, filter)) {
    mutants.push(
      ...cuts(sound),
      ...lengths(sound),
      ...flags(sound),
      ...texts(sound),
      ...ofProperties(sound),
      ...identifiers(sound),
    );
    if (sound.name.startsWith("PUBLISH")) mutants.push(...topics(sound, 0, version === 5 ? PROTOCOL : MALFORMED));
    if (version === 5) mutants.push(...codes(sound));
    if (sound.name === "SUBSCRIBE") mutants.push(...options(sound));
  }
  mutants.push({
    what: "a second CONNECT",
    version,
    bytes: bytesOf(soundConnect(version, topic, "key")),
    code: PROTOCOL,
  });
  // MQTT 3.1.1 says no reason: the connection ends.
  return version === 5 ? mutants : mutants.map((each) => ({ ...each, code: undefined }));
}

/** Flags of CONNECT that cannot be. The sound one has user, password, will of QoS 1, clean. */
function connectFlags(sound: Sound): Mutant[] {
  const wrong = [0xcf, 0xde, 0xca, 0xd2, 0xe2, 0xda].filter((each) => each !== 0xce);
  const none = wrong.map((each) => [each, MALFORMED] as const);
  // MQTT 3.1.1 has no password without a user.
  if (sound.version === 4) none.push([0x4e, MALFORMED]);
  return none.map(([each, code]) => ({
    what: `CONNECT with the flags 0x${each.toString(16)}`,
    version: sound.version,
    bytes: changed(sound, 2, byte(each)),
    code,
  }));
}

/** Other protocols and other versions. */
function protocols(sound: Sound): Mutant[] {
  const names = ["mqtt", "MQT", "MQTTT", "HTTP", "", "\u{feff}MQTT"];
  const named = names.map((name) => ({
    what: `CONNECT of ${JSON.stringify(name)}`,
    version: sound.version,
    bytes: changed(sound, 0, words(name)),
    code: sound.version === 5 ? VERSION : 1,
  }));
  // What another version has behind the level is not known: CONNACK is as the level says, from 5 on with reason codes.
  const levels = [0, 1, 2, 3, 6, 7, 0x84, 0x85, 0xff].map((level) => ({
    what: `CONNECT of the level ${level}`,
    version: sound.version,
    bytes: changed(sound, 1, byte(level)),
    code: level >= 5 ? VERSION : 1,
  }));
  return [...named, ...levels];
}

/** All packets with a fault that come in the place of CONNECT. `code` is that of CONNACK. */
export function connectMutants(version: 4 | 5, topic: string, key: string): Mutant[] {
  const sound = soundConnect(version, topic, key);
  const level = sound.fields
    .slice(0, 2)
    .map(written)
    .reduce((sum, each) => sum + each.length, 0);
  const willTopic = sound.fields.findIndex(({ bytes }) => bytes.toString() === topic);
  const heard = (mutant: Mutant) => (version === 5 ? mutant : { ...mutant, code: undefined });
  const silent = (mutant: Mutant) => ({ ...mutant, code: undefined });
  const faults = [
    // Before its level is known, nothing can be said.
    ...cuts(sound).map((mutant, at) => (at < level ? silent(mutant) : mutant)),
    ...lengths(sound).map((mutant) => (/five bytes/.test(mutant.what) ? silent(mutant) : mutant)),
    ...flags(sound).map(silent),
    ...texts(sound),
    ...ofProperties(sound),
    ...topics(sound, willTopic, TOPIC),
    ...connectFlags(sound),
  ].map(heard);
  const early = soundPackets(version, topic, topic).map((each) => ({
    what: `${each.name} before CONNECT`,
    version,
    bytes: bytesOf(each),
    code: undefined,
  }));
  const large = {
    what: "more than 64 KiB before CONNECT",
    version,
    bytes: Buffer.from([0x10, 0x80, 0x80, 0x04]),
    code: undefined,
  };
  return [...faults, ...protocols(sound), ...early, ...strangers(version).map(silent), large];
}
