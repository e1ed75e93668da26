/**
 * Where a decoder and the schema of its request may differ: every case, with its reason. There is none for our own operations but rules of
 * genomes and of keys that no schema can state.
 */

/** A body on which the two differ. */
export interface Difference {
  /** Method and path of the row. */
  readonly name: string;
  readonly body: unknown;
  /** Why the schema refuses it; empty when it does not. */
  readonly bySchema: string;
  /** Why the decoder refuses it; empty when it does not. */
  readonly byDecoder: string;
  /** The answer's member `detail`; empty when there is none. */
  readonly detail: string;
}

/** A kind of difference. */
interface Allowance {
  /** The rows that it is about; all when absent. */
  readonly rows?: RegExp;
  /** Who takes the body that the other one refuses. */
  readonly taker: "decoder" | "schema";
  readonly why: string;
  applies(difference: Difference): boolean;
}

function hasUniqueId(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return "unique_id" in body || ("data" in body && hasUniqueId(body.data));
}

const ALLOWANCES: readonly Allowance[] = [
  {
    rows: /^POST \/keys$/,
    taker: "schema",
    why: "No schema knows the time, which processors there are, or how many bytes a text has; and the role admin takes no limits.",
    applies: ({ byDecoder }) =>
      /^data\.expires must be a time in the future|must be the id of a processor|must be a name of 1 to 128 bytes|^a key with the role admin/.test(
        byDecoder.replace(/^(?=expires|processors|sessions|name)/, "data."),
      ),
  },
  {
    rows: /^PUT \/mqtt\/routes\/:route$/,
    taker: "schema",
    why: "No schema knows which processors there are, how many bytes a text has, or how many levels a filter has.",
    applies: ({ byDecoder }) =>
      /must be the id or name of a processor|a name of 1 to 128 bytes|and the levels of/.test(byDecoder),
  },
  {
    rows: /\/encoders\/:encoder$/,
    taker: "schema",
    why: "No schema can say that each number of a list is greater than the one before.",
    applies: ({ byDecoder }) => byDecoder.includes("each greater than the one before, got"),
  },
  {
    rows: /\/encoders\/:encoder$/,
    taker: "schema",
    why: "No schema has the list of time zones, which grows with each release of the IANA's database.",
    applies: ({ byDecoder }) => byDecoder.includes("zone must be the name of an IANA time zone"),
  },
  {
    taker: "decoder",
    why: "The interface specification's operations ignore unknown members, and say so in detail.",
    applies: ({ detail }) => detail.startsWith("ignored: "),
  },
  {
    taker: "decoder",
    why: "The original agent's client sends a unique_id with some calls, in data or beside it. It means nothing there, so the schemas leave it out.",
    applies: ({ body }) => hasUniqueId(body),
  },
  {
    rows: /\/gene\/increment-recall-threshold$/,
    taker: "decoder",
    why: "An increment of more than 1 can lead nowhere; the processor says so when it has added it.",
    applies: ({ body }) => Math.abs(incrementIn(body)) > 1,
  },
  {
    rows: /\/genes\/change$/,
    taker: "decoder",
    why: "The original agent answers okay to genes and values that it does not accept, and so do we.",
    applies: () => true,
  },
  {
    rows: /^PUT .*\/(?:add-model|model\/:model)$|\/load_kb$/,
    taker: "decoder",
    why: "The processor decides whether a model or a vector is possible. Null stands for nothing, because the original agent's client sends it.",
    applies: () => true,
  },
  {
    rows: /\/load_kb$/,
    taker: "schema",
    why: "No schema can compare a record's name with the key under which it stands.",
    applies: ({ byDecoder }) => byDecoder.includes("the name under which the record stands"),
  },
  {
    rows: /\/load_kb$/,
    taker: "schema",
    why: "No schema can say that either all records of a kind have an order or none has.",
    applies: ({ byDecoder }) => byDecoder.includes("give an order to every"),
  },
  {
    rows: /\/load_kb$/,
    taker: "schema",
    why: "No schema can say that only one of many lines has a part.",
    applies: ({ byDecoder }) => byDecoder.endsWith("is given twice; a knowledge base has one of each part"),
  },
];

function incrementIn(body: unknown): number {
  if (typeof body !== "object" || body === null) return 0;
  if ("data" in body) return incrementIn(body.data);
  return "increment" in body && typeof body.increment === "number" ? body.increment : 0;
}

/** Why a difference is right; empty when it is not. */
export function differenceAllowed(difference: Difference): string {
  const taker = difference.byDecoder === "" ? "decoder" : "schema";
  const allowance = ALLOWANCES.find(
    ({ rows, taker: wanted, applies }) =>
      wanted === taker && (rows === undefined || rows.test(difference.name)) && applies(difference),
  );
  return allowance?.why ?? "";
}
