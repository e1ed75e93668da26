/**
 * Declares every kind of encoder once: its members, their types, ranges and defaults, and a sentence for each. Checks,
 * texts and documents are derived from it.
 */

/** The members that every kind of declaration has. */
interface Declared {
  /** What it means, for documents. */
  readonly says: string;
}

/** A finite number. */
export interface NumberMember extends Declared {
  readonly type: "number";
  /** The value when it is left out; it must be given when there is none. */
  readonly default?: number;
  /** The smallest value; any number when there is none. */
  readonly least?: number;
  /** The value must be greater than this; any number when there is none. */
  readonly above?: number;
  /** The greatest value; given only with `least`, and then the value is a whole number. */
  readonly most?: number;
}

/** A list of finite numbers, each greater than the one before. */
export interface RisingMember extends Declared {
  readonly type: "rising";
  /** Maximum length; the minimum is one. */
  readonly most: number;
  /** Whether it may be absent. There is no default then. */
  readonly isOptional?: true;
}

/** True or false. */
interface FlagMember extends Declared {
  readonly type: "flag";
  readonly default: boolean;
}

/** The declaration of one member of an encoder. */
export type MemberDeclaration = NumberMember | RisingMember | FlagMember;

/** Members by name. */
export type MemberDeclarations = { readonly [name: string]: MemberDeclaration };

/** The declaration of one kind. */
export interface KindDeclaration extends Declared {
  /** The members that only this kind has. */
  readonly members: MemberDeclarations;
}

/** The members that encoders of every kind have. */
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
    says: "Whether only a number in another bin than the one before makes a symbol.",
  },
} as const satisfies MemberDeclarations;

/** The kinds by name. */
export const KINDS = {
  step: {
    says: "Bins of one size.",
    members: {
      size: { type: "number", above: 0, says: "The distance from one edge to the next, in the number's unit." },
      origin: { type: "number", default: 0, says: "One of the edges; the others lie whole sizes from it." },
    },
  },
  edges: {
    says: "Bins between edges of your own.",
    members: {
      edges: { type: "rising", most: 1_000, says: "The edges, each greater than the one before." },
    },
  },
  auto: {
    says: "Bins between edges that the encoder finds in the first 200 numbers. These make no symbol.",
    members: {
      bins: {
        type: "number",
        default: 8,
        least: 2,
        most: 100,
        says: "How many bins the range of the first 200 numbers is divided into, at most.",
      },
      edges: {
        type: "rising",
        most: 1_000,
        isOptional: true,
        says: "The edges that it has found; absent before the 200 numbers. Leave them out to have them found.",
      },
    },
  },
} as const satisfies { readonly [kind: string]: KindDeclaration };

/** The name of a kind. */
export type KindName = keyof typeof KINDS;

/** All names, in the order of their declaration. */
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

type ValueOf<M> = M extends { type: "number" } ? number : M extends { type: "flag" } ? boolean : readonly number[];

type OptionalOf<Members> = {
  [Name in keyof Members]: Members[Name] extends { isOptional: true } ? Name : never;
}[keyof Members];

type ValuesOf<Members> = {
  readonly [Name in Exclude<keyof Members, OptionalOf<Members>>]: ValueOf<Members[Name]>;
} & { readonly [Name in OptionalOf<Members>]?: ValueOf<Members[Name]> };

/** An encoder with all its members, by kind. */
type DefinitionOf<Kind extends KindName> = Kind extends KindName
  ? { readonly kind: Kind } & ValuesOf<(typeof KINDS)[Kind]["members"]> & ValuesOf<typeof COMMON_MEMBERS>
  : never;

/** What an encoder is: its kind and all its members. */
export type Definition = DefinitionOf<KindName>;

/** Whether there is a kind of this name. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(KINDS, name);
}

/** All members of a kind but `kind`, its own first. */
export function membersOf(kind: KindName): MemberDeclarations {
  return { ...KINDS[kind].members, ...COMMON_MEMBERS };
}

/** What a member accepts, to follow "must be". */
export function acceptedBy(member: MemberDeclaration): string {
  switch (member.type) {
    case "flag":
      return "true or false";
    case "rising":
      return `a list of 1 to ${member.most} finite numbers, each greater than the one before`;
    case "number":
      if (member.above !== undefined) return `a number greater than ${member.above}`;
      if (member.most !== undefined) return `a whole number from ${member.least} to ${member.most}`;
      return member.least === undefined ? "a finite number" : `a number of ${member.least} or more`;
  }
}
