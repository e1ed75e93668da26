/**
 * Writes the lists of doubles of a message before the protobuf library does, which creates an object for each double:
 * for a vector of 784 components it takes fifteen times as long. The library copies these bytes as unknown fields, and
 * readers get the same message (docs/decisions/001).
 */

import { type DescField, type DescMessage, type Message, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** The fields of a type that are or contain lists of doubles. */
interface Fields {
  /** Lists of doubles. */
  readonly lists: readonly DescField[];
  /** Messages, and lists of messages, that contain some. */
  readonly messages: readonly { readonly field: DescField; readonly fields: Fields }[];
}

/** The fields of a message by name, and the unknown ones. */
type Values = Readonly<Record<string, unknown>> & Pick<Message, "$unknown">;

/** The fields of each type seen so far; `undefined` for a type without any. */
const known = new WeakMap<DescMessage, Fields | undefined>();

/**
 * The message with its lists of doubles written.
 *
 * @returns a message only for the library's writer, with empty lists; `message` itself if there is nothing to write
 */
export function withPackedDoubles<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
): MessageShape<Desc> {
  const fields = fieldsOf(desc);
  return fields === undefined ? message : packed(fields, message);
}

function fieldsOf(desc: DescMessage): Fields | undefined {
  if (known.has(desc)) return known.get(desc);
  // Do not follow a type that contains itself a second time.
  known.set(desc, undefined);
  const lists = desc.fields.filter(
    (field) => field.fieldKind === "list" && field.scalar === ScalarType.DOUBLE && field.packed,
  );
  const messages = desc.fields.flatMap((field) => {
    const inner = field.oneof === undefined ? field.message : undefined;
    const fields = inner === undefined ? undefined : fieldsOf(inner);
    return fields === undefined ? [] : [{ field, fields }];
  });
  const fields = lists.length + messages.length === 0 ? undefined : { lists, messages };
  known.set(desc, fields);
  return fields;
}

function packed<Shape extends Message>({ lists, messages }: Fields, message: Shape): Shape {
  let after: Values = message as unknown as Values;
  // Copy on write: the message belongs to the caller.
  const set = (name: string, value: unknown) => {
    after = { ...after, [name]: value };
  };
  for (const { localName, number } of lists) {
    const list = after[localName];
    if (!isNumbers(list) || list.length === 0) continue;
    const bytes = new Uint8Array(Float64Array.from(list).buffer);
    const data = new BinaryWriter().bytes(bytes).finish();
    set("$unknown", [...(after.$unknown ?? []), { no: number, wireType: WireType.LengthDelimited, data }]);
    set(localName, []);
  }
  for (const { field, fields } of messages) {
    const before = after[field.localName];
    const value = packedValue(fields, before);
    if (value !== before) set(field.localName, value);
  }
  return after as unknown as Shape;
}

/** @param value a message, a list of messages, or nothing */
function packedValue(fields: Fields, value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0) return value;
    const after = value.map((one) => packed(fields, one));
    return after.every((one, at) => one === value[at]) ? value : after;
  }
  return value === undefined ? value : packed(fields, value as Message);
}

/** Whether a value is a list of numbers only. Other lists are left to the library. */
function isNumbers(list: unknown): list is number[] {
  return Array.isArray(list) && list.every((one) => typeof one === "number");
}
