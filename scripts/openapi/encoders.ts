/** Schemas of encoders, made from the table of kinds, so that no kind and no member is forgotten. */

import {
  COMMON_MEMBERS,
  KIND_NAMES,
  KINDS,
  type KindDeclaration,
  type KindName,
  type MemberDeclaration,
  type MemberDeclarations,
} from "../../src/processor/encoding/kinds";
import type { Schema } from "./reference/entry";
import { byName, closed, double, either, flag, list, open, ref, type Schemas, word } from "./reference/schemas/schema";

/** The schemas `Encoder`, which answers hold, `NewEncoder`, which requests hold, and `Encoders`. */
export function encoderSchemas(): Schemas {
  return {
    Encoder: either("An encoder with all its members.", ...KIND_NAMES.map(shown)),
    NewEncoder: either("An encoder. Members that have a default may be left out.", ...KIND_NAMES.map(accepted)),
    Encoders: byName("Encoders by the name of the numbers that they turn into symbols.", ref("Encoder")),
  };
}

function membersOf(kind: KindName): MemberDeclarations {
  const { members }: KindDeclaration = KINDS[kind];
  return { ...members, ...COMMON_MEMBERS };
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
    case "number":
      return double(member.says, {
        ...(member.least === undefined ? {} : { minimum: member.least }),
        ...(member.above === undefined ? {} : { exclusiveMinimum: member.above }),
        ...(member.most === undefined ? {} : { maximum: member.most, multipleOf: 1 }),
      });
  }
}
