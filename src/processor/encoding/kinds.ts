/**
 * Declares every kind of encoder once: its members, their types, ranges and defaults, and a sentence for each. Checks,
 * texts and documents are derived from it.
 */

import { CLOCK_PARTS } from "../../text/time-zones";

/** The members that every kind of declaration has. */
interface Declared {
  /** What it does, for the documentation. */
  readonly says: string;
}

/** A finite number. */
export interface NumberMember extends Declared {
  readonly type: "number";
  /** The default; a member without one is required. */
  readonly default?: number;
  /** Minimum, inclusive; unbounded if absent. */
  readonly least?: number;
  /** Minimum, exclusive; unbounded if absent. */
  readonly above?: number;
  /** Maximum, inclusive. Given only together with `least`, for members that are whole numbers. */
  readonly most?: number;
}

/** A list of finite numbers, in rising order. */
export interface RisingMember extends Declared {
  readonly type: "rising";
  /** Maximum length; the minimum is one. */
  readonly most: number;
  /** The default; a member without one is required. */
  readonly default?: readonly number[];
  /** Whether it may be absent. It has no default then. */
  readonly isOptional?: true;
}

/** True or false. */
interface FlagMember extends Declared {
  readonly type: "flag";
  readonly default: boolean;
}

/** One of several words. */
export interface ChoiceMember extends Declared {
  readonly type: "choice";
  readonly choices: readonly string[];
}

/** The name of an IANA time zone. */
export interface ZoneMember extends Declared {
  readonly type: "zone";
  readonly default: string;
}

/** The declaration of one member of an encoder. */
export type MemberDeclaration = NumberMember | RisingMember | FlagMember | ChoiceMember | ZoneMember;

/** Members by name. */
export type MemberDeclarations = { readonly [name: string]: MemberDeclaration };

/** The declaration of one kind. */
export interface KindDeclaration extends Declared {
  /** Its input: the number of its name, or the time of each event. */
  readonly reads: "number" | "time";
  /** The members that only this kind has. */
  readonly members: MemberDeclarations;
}

/** The members that encoders of every kind that reads numbers have. */
export const COMMON_MEMBERS = {
  hysteresis: {
    type: "number",
    default: 0,
    least: 0,
    says: "How far a number must go beyond an edge of its bin to leave the bin, in the number's unit.",
  },
  on_change: {
    type: "flag",
    default: false,
    says: "Whether a number makes a symbol only when its bin is not that of the previous number.",
  },
} as const satisfies MemberDeclarations;

/** The kinds by name. */
export const KINDS = {
  step: {
    says: "Bins of equal size.",
    reads: "number",
    members: {
      size: { type: "number", above: 0, says: "The distance from one edge to the next, in the number's unit." },
      origin: { type: "number", default: 0, says: "One of the edges; the others are multiples of size away from it." },
    },
  },
  edges: {
    says: "Bins between edges that you choose.",
    reads: "number",
    members: {
      edges: { type: "rising", most: 1_000, says: "The edges, in ascending order." },
    },
  },
  auto: {
    says: "Bins between edges that the encoder finds in the first 200 numbers. These make no symbol.",
    reads: "number",
    members: {
      bins: {
        type: "number",
        default: 8,
        least: 2,
        most: 100,
        says: "The maximum number of bins into which the range of the first 200 numbers is divided.",
      },
      edges: {
        type: "rising",
        most: 1_000,
        isOptional: true,
        says: "The edges that it has found; absent before the 200 numbers. Leave them out to have them found.",
      },
    },
  },
  clock: {
    says: "What a clock or a calendar shows when an event happens. Each record that makes another symbol gets one.",
    reads: "time",
    members: {
      of: {
        type: "choice",
        choices: CLOCK_PARTS,
        says: "What is read: month 1 to 12, day 1 to 31, weekday 1 (Monday) to 7, hour 0 to 23, minute 0 to 59.",
      },
      step: {
        type: "number",
        default: 1,
        least: 1,
        most: 60,
        says:
          "The value is rounded down to a multiple of it, counted from the least one: with 6, " +
          "hours are 0, 6, 12, 18.",
      },
      zone: { type: "zone", default: "UTC", says: "The IANA time zone of the clock, such as Europe/Berlin." },
    },
  },
  elapsed: {
    says:
      "Bins of the seconds since the event before. Each record that makes another symbol gets one, " +
      "but a memory's first.",
    reads: "time",
    members: {
      edges: {
        type: "rising",
        most: 1_000,
        default: [1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400, 604_800],
        says: "The edges in seconds, in ascending order.",
      },
    },
  },
} as const satisfies { readonly [kind: string]: KindDeclaration };

/** The name of a kind. */
export type KindName = keyof typeof KINDS;

/** All names, in the order of their declaration. */
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

/** The value of a member by its type. */
interface Values {
  readonly number: number;
  readonly flag: boolean;
  readonly rising: readonly number[];
  readonly zone: string;
}

type ValueOf<M> = M extends { type: "choice"; choices: readonly (infer Choice)[] }
  ? Choice
  : M extends { type: keyof Values }
    ? Values[M["type"]]
    : never;

type OptionalOf<Members> = {
  [Name in keyof Members]: Members[Name] extends { isOptional: true } ? Name : never;
}[keyof Members];

type ValuesOf<Members> = {
  readonly [Name in Exclude<keyof Members, OptionalOf<Members>>]: ValueOf<Members[Name]>;
} & { readonly [Name in OptionalOf<Members>]?: ValueOf<Members[Name]> };

/** An encoder with all its members, by kind. */
type DefinitionOf<Kind extends KindName> = Kind extends KindName
  ? { readonly kind: Kind } & ValuesOf<(typeof KINDS)[Kind]["members"]> &
      ((typeof KINDS)[Kind]["reads"] extends "number" ? ValuesOf<typeof COMMON_MEMBERS> : unknown)
  : never;

/** A complete encoder definition: its kind and all its members. */
export type Definition = DefinitionOf<KindName>;

/** An encoder that reads the time of events. */
export type TimeDefinition = DefinitionOf<"clock" | "elapsed">;

/** An encoder that reads numbers. */
export type NumberDefinition = Exclude<Definition, TimeDefinition>;

/** Whether an encoder reads the time of events. */
export function isTimeDefinition(definition: Definition): definition is TimeDefinition {
  return KINDS[definition.kind].reads === "time";
}

/** Whether there is a kind of this name. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(KINDS, name);
}

/** All members of a kind except `kind`; the kind's own come first. */
export function membersOf(kind: KindName): MemberDeclarations {
  const { members, reads }: KindDeclaration = KINDS[kind];
  return reads === "time" ? members : { ...members, ...COMMON_MEMBERS };
}

/** The accepted values of a member, worded to follow "must be". */
export function acceptedBy(member: MemberDeclaration): string {
  switch (member.type) {
    case "flag":
      return "true or false";
    case "rising":
      return `a list of 1 to ${member.most} finite numbers, each greater than the one before`;
    case "choice":
      return `one of ${member.choices.join(", ")}`;
    case "zone":
      return "the name of an IANA time zone, such as Europe/Berlin";
    case "number":
      if (member.above !== undefined) return `a number greater than ${member.above}`;
      if (member.most !== undefined) return `a whole number from ${member.least} to ${member.most}`;
      return member.least === undefined ? "a finite number" : `a number of ${member.least} or more`;
  }
}
