/**
 * The fields of a type of message, prepared once for the quick encoder and decoder. The protobuf library looks each
 * field up for each message, which takes most of its time for small ones. A type with fields of other kinds has no
 * plan: the library handles it.
 */

import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";

/** A type of message. */
export interface Plan {
  readonly typeName: string;
  /** In the order of writing. */
  readonly fields: readonly FieldPlan[];
  /** By number. */
  readonly byNumber: readonly (FieldPlan | undefined)[];
  /** The fields that a message has even if its bytes do not, in their order. */
  readonly always: readonly FieldPlan[];
  /** The names of its oneofs. */
  readonly oneofs: readonly string[];
}

/** The kinds of fields that have a plan. */
export type Kind =
  | "bool"
  | "double"
  | "doubles"
  | "int32"
  | "message"
  | "messages"
  | "string"
  | "strings"
  | "uint32"
  | "uint32s";

/** A field of a type. */
export interface FieldPlan {
  readonly name: string;
  /** The name of its oneof; `undefined` for a field of its own. */
  readonly oneof: string | undefined;
  readonly kind: Kind;
  /** Its number and wire type, as they stand before its value. */
  readonly tag: number;
  /** The value of a message whose bytes do not have the field; `undefined` for messages and lists. */
  readonly zero: "" | false | 0 | undefined;
  /** Whether it is written if set, even with the zero of its type. */
  readonly isOptional: boolean;
  /** The type of its messages, if it has messages. */
  readonly message: Plan | undefined;
}

const VARINT = 0;
const BIT64 = 1;
const DELIMITED = 2;

const plans = new WeakMap<DescMessage, { readonly plan: Plan | undefined }>();

/** The plan of a type; `undefined` for a type that the library must handle. */
export function planOf(desc: DescMessage): Plan | undefined {
  const known = plans.get(desc);
  if (known !== undefined) return known.plan;
  // A type that contains itself has no plan.
  plans.set(desc, { plan: undefined });
  const entry = { plan: newPlan(desc) };
  plans.set(desc, entry);
  return entry.plan;
}

function newPlan(desc: DescMessage): Plan | undefined {
  const byField = new Map<DescField, FieldPlan>();
  for (const field of desc.fields) {
    const plan = fieldPlan(field);
    if (plan === undefined) return undefined;
    byField.set(field, plan);
  }
  const byNumber: FieldPlan[] = [];
  for (const [{ number }, plan] of byField) byNumber[number] = plan;
  const always = [...byField.values()].filter(({ kind, isOptional }) => kind !== "message" && !isOptional);
  const oneofs = desc.oneofs.map(({ localName }) => localName);
  // Drop the holes.
  return { typeName: desc.typeName, fields: byNumber.filter(() => true), byNumber, always, oneofs };
}

function fieldPlan(field: DescField): FieldPlan | undefined {
  const kind = kindOf(field);
  const message = field.message === undefined ? undefined : planOf(field.message);
  if (kind === undefined || (field.message !== undefined && message === undefined)) return undefined;
  const isOptional = field.presence !== FeatureSet_FieldPresence.IMPLICIT;
  const tag = (field.number << 3) | WIRE_TYPES[kind];
  const oneof = field.oneof?.localName;
  return { name: field.localName, oneof, kind, tag, zero: ZEROS[kind], isOptional, message };
}

const WIRE_TYPES: { readonly [Each in Kind]: number } = {
  bool: VARINT,
  double: BIT64,
  doubles: DELIMITED,
  int32: VARINT,
  message: DELIMITED,
  messages: DELIMITED,
  string: DELIMITED,
  strings: DELIMITED,
  uint32: VARINT,
  uint32s: DELIMITED,
};

const ZEROS: { readonly [Each in Kind]?: FieldPlan["zero"] } = {
  bool: false,
  double: 0,
  int32: 0,
  string: "",
  uint32: 0,
};

/** `undefined` for a kind that has no plan. */
function kindOf(field: DescField): Kind | undefined {
  if (field.fieldKind === "message") return field.delimitedEncoding ? undefined : "message";
  if (field.fieldKind === "scalar") return SCALARS.get(field.scalar);
  if (field.fieldKind === "enum") return "int32";
  if (field.fieldKind !== "list") return undefined;
  if (field.listKind === "message") return field.delimitedEncoding ? undefined : "messages";
  if (field.listKind !== "scalar") return undefined;
  if (field.scalar === ScalarType.STRING) return "strings";
  return field.packed ? LISTS.get(field.scalar) : undefined;
}

const SCALARS: ReadonlyMap<ScalarType, Kind> = new Map([
  [ScalarType.BOOL, "bool"],
  [ScalarType.DOUBLE, "double"],
  [ScalarType.INT32, "int32"],
  [ScalarType.STRING, "string"],
  [ScalarType.UINT32, "uint32"],
]);

const LISTS: ReadonlyMap<ScalarType, Kind> = new Map([
  [ScalarType.DOUBLE, "doubles"],
  [ScalarType.UINT32, "uint32s"],
]);
