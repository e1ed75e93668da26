/**
 * Messages to bytes and back, with the errors that the library's transports give for a message they cannot carry; and
 * the number of values in bytes, before they are decoded.
 */

import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { withPackedDoubles } from "./packed-doubles";
import { useFastTextEncoding } from "./text-encoding";
import { decodeQuickly, decodeText } from "./wire/decode";
import { encodeAsText, encodeQuickly } from "./wire/encode";
import { planOf } from "./wire/plan";

useFastTextEncoding();

/**
 * Maximum size of a message in either direction, in bytes. The runtime carries at most 32 MiB in a native call,
 * including its own overhead.
 */
export const MAX_MESSAGE_BYTES = 31 * 1024 * 1024;

/** How the error of bytes begins that are not a message of a type. */
export const UNREAD = "parse binary: ";

/**
 * The bytes of a message.
 *
 * @throws ConnectError `ResourceExhausted` above {@link MAX_MESSAGE_BYTES}; `Internal` when a field's
 *   value has the wrong type
 */
export function messageToBytes<Desc extends DescMessage>(desc: Desc, message: MessageInitShape<Desc>): Uint8Array {
  const bytes = encoded(desc, message);
  if (bytes.byteLength <= MAX_MESSAGE_BYTES) return bytes;
  const size = bytes.byteLength;
  const reason = `message size ${size} is larger than the ${MAX_MESSAGE_BYTES} bytes that one call may carry`;
  throw new ConnectError(reason, Code.ResourceExhausted);
}

/**
 * The message of some bytes.
 *
 * @throws ConnectError `Internal` when the bytes are not a message of this type
 */
export function messageFromBytes<Desc extends DescMessage>(desc: Desc, bytes: Uint8Array): MessageShape<Desc> {
  const plan = planOf(desc);
  const message = plan && decodeQuickly(plan, bytes);
  if (message !== undefined) return message as MessageShape<Desc>;
  try {
    return fromBinary(desc, bytes);
  } catch (error) {
    throw new ConnectError(`${UNREAD}${reasonOf(error)}`, Code.Internal);
  }
}

/** The bytes of a message: as text, with one character, U+0000 to U+00FF, for each byte, where that is faster. */
export type Carried = Uint8Array | string;

/** The number of bytes of a carried message. */
export function sizeOfCarried(carried: Carried): number {
  return carried.length;
}

/**
 * The bytes of a message for a native call, see {@link encodeAsText}.
 *
 * @throws ConnectError as {@link messageToBytes}
 */
export function messageToCarried<Desc extends DescMessage>(desc: Desc, message: MessageInitShape<Desc>): Carried {
  const plan = planOf(desc);
  return (plan && encodeAsText(plan, message)) ?? messageToBytes(desc, message);
}

/**
 * The message of carried bytes.
 *
 * @throws ConnectError as {@link messageFromBytes}
 */
export function messageFromCarried<Desc extends DescMessage>(desc: Desc, carried: Carried): MessageShape<Desc> {
  if (typeof carried !== "string") return messageFromBytes(desc, carried);
  const plan = planOf(desc);
  const message = plan && decodeText(plan, carried);
  if (message !== undefined) return message as MessageShape<Desc>;
  return messageFromBytes(
    desc,
    Uint8Array.from(carried, (character) => character.charCodeAt(0)),
  );
}

function encoded<Desc extends DescMessage>(desc: Desc, message: MessageInitShape<Desc>): Uint8Array {
  const plan = planOf(desc);
  const bytes = plan && encodeQuickly(plan, message);
  if (bytes !== undefined) return bytes;
  try {
    return toBinary(desc, withPackedDoubles(desc, create(desc, message)));
  } catch (error) {
    throw new ConnectError(`serialize binary: ${reasonOf(error)}`, Code.Internal);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the count needs from a type of message. */
interface Shape {
  /** The number of values of a message: the library creates all of its fields, even those missing in the bytes. */
  readonly cost: number;
  /** Fields by number, if they are messages or may be packed. */
  readonly fields: readonly (FieldShape | undefined)[];
}

interface FieldShape {
  readonly message?: Shape;
  /** The bytes of each number of a packed list; 0 if they vary. */
  readonly packed?: number;
}

/** Maximum nesting of groups, and of messages in messages, in levels. */
const MAX_LEVELS = 100;

const shapes = new WeakMap<DescMessage, Shape>();

/**
 * A lower bound for the number of values in the bytes of a message, including nested messages. Every field, known or
 * not, is a value, and so is every number of a packed list; a message counts as the number of fields of its type. Takes
 * time that is linear in the bytes, and no memory.
 *
 * @param most number above which the count may stop
 * @returns a number above `most` for bytes nested deeper than 100 levels. Malformed bytes count up to the error
 */
export function messageValues(desc: DescMessage, bytes: Uint8Array, most: number): number {
  const scan = new Scan(bytes, most);
  scan.message(shapeOf(desc), bytes.length, 0);
  return scan.values;
}

function shapeOf(desc: DescMessage): Shape {
  const known = shapes.get(desc);
  if (known !== undefined) return known;
  const fields: (FieldShape | undefined)[] = [];
  const shape = { cost: Math.max(1, desc.fields.length), fields };
  // Before its fields, because a type may contain itself.
  shapes.set(desc, shape);
  for (const field of desc.fields) fields[field.number] = fieldShape(field);
  return shape;
}

function fieldShape(field: DescField): FieldShape | undefined {
  if (field.fieldKind === "map") {
    // An entry is a message of a name and a value.
    const value = field.message === undefined ? undefined : { message: shapeOf(field.message) };
    return { message: { cost: 2, fields: [undefined, undefined, value] } };
  }
  if (field.message !== undefined) return { message: shapeOf(field.message) };
  if (field.fieldKind !== "list") return undefined;
  if (field.listKind === "enum") return { packed: 0 };
  switch (field.scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return undefined;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return { packed: 8 };
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return { packed: 4 };
    default:
      return { packed: 0 };
  }
}

/** One pass over the bytes of a message. */
class Scan {
  readonly #bytes: Uint8Array;
  readonly #most: number;
  #at = 0;
  /** Number of open groups. */
  #groups = 0;
  values = 0;

  constructor(bytes: Uint8Array, most: number) {
    this.#bytes = bytes;
    this.#most = most;
  }

  /** Counts a message that begins here and ends at a position. */
  message(shape: Shape, end: number, level: number): void {
    this.values += shape.cost;
    if (level > MAX_LEVELS) this.values = Number.POSITIVE_INFINITY;
    while (this.#at < end && this.values <= this.#most) {
      const tag = this.#varint();
      const wireType = tag % 8;
      if (wireType === 2) this.#delimited(shape.fields[Math.floor(tag / 8)], end, level);
      else this.#single(wireType);
    }
  }

  /** Counts a length-delimited field. */
  #delimited(field: FieldShape | undefined, end: number, level: number): void {
    const length = this.#varint();
    const after = this.#at + length;
    if (after > end) this.#stop();
    else if (field?.message !== undefined) this.message(field.message, after, level + 1);
    else if (field?.packed === undefined) this.values += 1;
    else this.values += 1 + (field.packed > 0 ? length / field.packed : this.#varintsUntil(after));
    if (this.#at <= after) this.#at = after;
  }

  /** Counts a field that is a number, or the beginning or end of a group. */
  #single(wireType: number): void {
    this.values += 1;
    if (wireType === 0) this.#varint();
    else if (wireType === 1) this.#at += 8;
    else if (wireType === 5) this.#at += 4;
    else if (wireType === 3) this.#groups += 1;
    else if (wireType === 4) this.#groups -= 1;
    else this.#stop();
    if (this.#groups > MAX_LEVELS) this.values = Number.POSITIVE_INFINITY;
  }

  /** The number of varints that end before a position: each ends with a byte below 128. */
  #varintsUntil(end: number): number {
    let count = 0;
    for (let at = this.#at; at < end; at++) if ((this.#bytes[at] ?? 0) < 128) count += 1;
    return count;
  }

  /** Reads a varint. Only the lower bits count if it is too large for a tag or a length. */
  #varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) return value;
      if (factor < 2 ** 35) value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** Stops at malformed bytes, which the library will report. */
  #stop(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }
}
