/** Schemas of encoders, made from the table of kinds, so that no kind and no member is forgotten. */

import {
  KIND_NAMES,
  KINDS,
  type KindName,
  type MemberDeclaration,
  membersOf,
} from "../../src/processor/encoding/kinds";
import type { Schema } from "./reference/entry";
import {
  byName,
  choice,
  closed,
  double,
  either,
  flag,
  list,
  open,
  ref,
  type Schemas,
  text,
  word,
} from "./reference/schemas/schema";

/** The schemas `Encoder`, which answers hold, `NewEncoder`, which requests hold, and `Encoders`. */
export function encoderSchemas(): Schemas {
  return {
    Encoder: either("An encoder with all its members.", ...KIND_NAMES.map(shown)),
    NewEncoder: either("An encoder. Members that have a default may be left out.", ...KIND_NAMES.map(accepted)),
    Encoders: byName(
      "Encoders by name: that of the numbers that they turn into symbols, or one of their own where they read the time.",
      ref("Encoder"),
    ),
  };
}

function shown(kind: KindName): Schema {
  const members = Object.entries(membersOf(kind)).map(([name, member]) => {
    return [member.type === "rising" && member.isOptional ? `${name}?` : name, schemaOf(member)] as const;
  });
  return open(KINDS[kind].says, { kind: word(kind, "The kind."), ...Object.fromEntries(members) });
}

function accepted(kind: KindName): Schema {
  const members = Object.entries(membersOf(kind)).map(([name, member]) => {
    if (member.type === "rising" && member.isOptional) return [`${name}?`, schemaOf(member)] as const;
    if (!("default" in member)) return [name, schemaOf(member)] as const;
    return [`${name}?`, { ...schemaOf(member), default: member.default }] as const;
  });
  return closed(KINDS[kind].says, { kind: word(kind, "The kind."), ...Object.fromEntries(members) });
}

function schemaOf(member: MemberDeclaration): Schema {
  switch (member.type) {
    case "flag":
      return flag(member.says);
    case "rising":
      return list(member.says, double("An edge."), { minItems: 1, maxItems: member.most });
    case "choice":
      return choice(member.choices, member.says);
    case "zone":
      return text(member.says);
    case "number":
      if (member.most !== undefined) {
        return { type: "integer", description: member.says, minimum: member.least ?? 0, maximum: member.most };
      }
      return double(member.says, {
        ...(member.least === undefined ? {} : { minimum: member.least }),
        ...(member.above === undefined ? {} : { exclusiveMinimum: member.above }),
        ...(member.most === undefined ? {} : { maximum: member.most, multipleOf: 1 }),
      });
  }
}
