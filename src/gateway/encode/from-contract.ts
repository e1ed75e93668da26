/**
 * Writes messages of the contract as canonical JSON: their fields under the names that proto/ gives them, without the
 * stamp. An event is the list of its symbols.
 */

import { type DescField, type DescMessage, getOption, type MessageShape } from "@bufbuild/protobuf";
import { type Bounds, bounds } from "../../gen/noema/v1/bounds_pb";
import { type Event, EventSchema } from "../../gen/noema/v1/gdf_pb";
import { compareCodePoints } from "../../text/code-points";
import { list, type Member, number, record, text, texts } from "../json/writer";

/** The fields of a message by the code points of their names, with the contract's options for each. */
type Plan = readonly { readonly field: DescField; readonly rules: Bounds }[];

const plans = new WeakMap<DescMessage, Plan>();

function planOf(desc: DescMessage): Plan {
  const known = plans.get(desc);
  if (known !== undefined) return known;
  const fields = desc.fields.filter(({ name }) => name !== "stamp");
  const plan = fields
    .sort((one, other) => compareCodePoints(one.name, other.name))
    .map((field) => ({ field, rules: getOption(field, bounds) }));
  plans.set(desc, plan);
  return plan;
}

/**
 * The members of a message as JSON, sorted.
 *
 * @param without names of fields that JSON does not show
 * @throws Error when a nested message is missing that JSON always shows
 */
export function membersOf<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  without: readonly string[] = [],
): Member[] {
  const members: Member[] = [];
  for (const { field, rules } of planOf(desc)) {
    const json = without.includes(field.name) ? undefined : jsonIn(message, field, rules);
    if (json !== undefined) members.push([field.name, json]);
  }
  return members;
}

/** A message as a JSON object. @throws Error as {@link membersOf} */
export function objectOf<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  without?: readonly string[],
): string {
  return record(membersOf(desc, message, without));
}

/** One field of a message as JSON; null for a nested message that is missing. */
export function fieldOf<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>, name: string): string {
  const field = desc.fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`${desc.name} has no field ${name}`);
  const value = valueIn(message as Record<string, unknown>, field);
  return value === undefined ? "null" : jsonOf(value, field.message);
}

/** A field as JSON; `undefined` if JSON omits it. */
function jsonIn(message: object, field: DescField, { nullable, optional }: Bounds): string | undefined {
  const value = valueIn(message as Record<string, unknown>, field);
  const isAbsent = value === undefined || ((nullable || optional) && isEmpty(value));
  if (!isAbsent) return jsonOf(value, field.message);
  if (nullable) return "null";
  if (optional || field.oneof !== undefined || field.fieldKind !== "message") return undefined;
  throw new Error(`a ${field.parent.name} came without its ${field.name}`);
}

function valueIn(message: Record<string, unknown>, { localName, oneof }: DescField): unknown {
  if (oneof === undefined) return message[localName];
  const { case: given, value } = message[oneof.localName] as { readonly case?: string; readonly value?: unknown };
  return given === localName ? value : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

function jsonOf(value: unknown, message: DescMessage | undefined): string {
  if (Array.isArray(value)) return list(value.map((one) => jsonOf(one, message)));
  if (message === EventSchema) return texts((value as Event).symbols);
  if (message !== undefined) return objectOf(message, value as MessageShape<DescMessage>);
  if (typeof value === "string") return text(value);
  return typeof value === "number" ? number(value) : String(value);
}
