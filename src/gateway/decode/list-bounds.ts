/**
 * Bounds of the lists in a message, checked before the message is created or carried: creating half a million symbols
 * takes half a second on each side of a call, counting them takes some milliseconds. One table serves both the
 * operations, which have the message as an object, and the services, whose body is JSON or binary.
 */

import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { ChangeGenesRequestSchema } from "../../gen/noema/v1/gene_service_pb";
import {
  AddBlacklistedSymbolsRequestSchema,
  AddModelRequestSchema,
  FindModelsRequestSchema,
  ListModelsRequestSchema,
  ListSymbolsRequestSchema,
  RemoveBlacklistedSymbolsRequestSchema,
  RemoveSymbolsRequestSchema,
  UpdateModelRequestSchema,
} from "../../gen/noema/v1/knowledge_service_pb";
import {
  CountMatchingModelsRequestSchema,
  ExplainForecastRequestSchema,
  ExplainPredictionRequestSchema,
  ExplainSurpriseRequestSchema,
  GetForecastRequestSchema,
  GetPredictionsRequestSchema,
  GetSequenceSurpriseRequestSchema,
  ObserveRequestSchema,
  ObserveSequenceRequestSchema,
} from "../../gen/noema/v1/memory_service_pb";
import type { Budgets } from "../../text/budgets";
import {
  MAX_COMPONENTS,
  MAX_JUDGED_EVENTS,
  MAX_LISTED,
  MAX_METADATA_BYTES,
  MAX_NAMED,
  MAX_RECORD_NUMBERS,
  MAX_SEQUENCE,
  tooMany,
} from "../../text/request-limits";

/** One bound: what counts towards it, its maximum, and the words of its refusal. */
interface Bound {
  /** Fields, as paths of `proto/` names from the message. Their items count together. */
  readonly fields: readonly string[];
  /** Whether the bytes of the texts count, and not their number. */
  readonly isOfBytes?: true;
  /** The field whose items are each counted separately; absent if all of a message counts together. */
  readonly each?: string;
  readonly most: number | ((budgets: Budgets) => number);
  /** @param place the item of the message's first list in which the bound was exceeded, such as `sequence[7]` */
  told(most: number, got: number, place: string): string;
}

/** The bounds of records. @param field the path of a record, or of each of several */
function recordBounds(field: string): Bound[] {
  const inRecord = (name: string) => ({ fields: [`${field}.${name}`], each: field });
  return [
    { ...inRecord("strings"), most: ({ memorySymbols }) => memorySymbols, told: tooMany.strings },
    { ...inRecord("emotives"), most: MAX_NAMED, told: tooMany.emotives },
    { ...inRecord("numbers"), most: MAX_NAMED, told: tooMany.numbers },
    { ...inRecord("vectors.components"), most: MAX_COMPONENTS, told: tooMany.components },
    {
      ...inRecord("metadata_json"),
      isOfBytes: true,
      most: MAX_METADATA_BYTES,
      told: (most) => tooMany.metadata(most, "metadata"),
    },
  ];
}

/** For the sequence of a query. */
const ASKED: Bound = {
  fields: ["sequence.events.symbols"],
  most: ({ memorySymbols }) => memorySymbols,
  told: tooMany.asked,
};

/** For the events and symbols of a model. */
const LEARNED: Bound = {
  fields: ["sequence.events", "sequence.events.symbols"],
  most: MAX_SEQUENCE,
  told: (most, got) => `the model: ${tooMany.learned(most, got)}`,
};

const METADATA: Bound = {
  fields: ["metadata.metadata_json"],
  isOfBytes: true,
  most: MAX_METADATA_BYTES,
  told: (most) => tooMany.metadata(most, "metadata"),
};

/** For a list of texts. */
function listed(field: string, what = field): Bound {
  return { fields: [field], most: MAX_LISTED, told: (most, got) => tooMany.listed(most, got, what) };
}

/** The bounds of each message that has any, in the order in which they are reported. */
const BOUNDS: readonly (readonly [DescMessage, readonly Bound[]])[] = [
  [ObserveRequestSchema, [...recordBounds("gdf"), { ...listed("path"), told: tooMany.path }]],
  [
    ObserveSequenceRequestSchema,
    [
      { fields: ["sequence"], most: ({ sequenceRecords }) => sequenceRecords, told: tooMany.records },
      ...recordBounds("sequence"),
      {
        fields: ["sequence.emotives", "sequence.numbers"],
        most: MAX_RECORD_NUMBERS,
        told: (most, _, place) => tooMany.named(most, place),
      },
    ],
  ],
  [ChangeGenesRequestSchema, [{ fields: ["changes"], most: MAX_NAMED, told: tooMany.genes }]],
  [GetPredictionsRequestSchema, [ASKED, listed("fields")]],
  [GetForecastRequestSchema, [ASKED]],
  [ExplainPredictionRequestSchema, [ASKED]],
  [ExplainForecastRequestSchema, [ASKED]],
  [CountMatchingModelsRequestSchema, [ASKED]],
  [ExplainSurpriseRequestSchema, [ASKED, listed("event.symbols", "symbols")]],
  [
    GetSequenceSurpriseRequestSchema,
    [ASKED, { fields: ["sequence.events"], most: MAX_JUDGED_EVENTS, told: tooMany.judged }],
  ],
  [AddModelRequestSchema, [LEARNED, METADATA]],
  [UpdateModelRequestSchema, [LEARNED, METADATA]],
  [FindModelsRequestSchema, [listed("symbols"), listed("patterns")]],
  [ListModelsRequestSchema, [listed("symbols"), listed("patterns")]],
  [ListSymbolsRequestSchema, [listed("patterns")]],
  [RemoveSymbolsRequestSchema, [listed("symbols"), listed("patterns")]],
  [AddBlacklistedSymbolsRequestSchema, [listed("symbols")]],
  [RemoveBlacklistedSymbolsRequestSchema, [listed("symbols")]],
];

/** A bound being counted. */
interface Count {
  readonly bound: Bound;
  most: number;
  /** Counted since the last reset. */
  got: number;
  /** The first count above the maximum; 0 for none. */
  excess: number;
  place: string;
}

/** A field of a message, or the message itself, as far as it matters for bounds. */
interface Place {
  readonly field: DescField | undefined;
  /** The bounds that count its items. */
  readonly items: Count[];
  /** The bounds that count the bytes of its texts. */
  readonly texts: Count[];
  /** The bounds that restart at each of its items. */
  readonly resets: Count[];
  readonly fields: Map<number, Place>;
}

interface Plan {
  readonly root: Place;
  readonly counts: readonly Count[];
}

const plans = new Map(BOUNDS.map(([message, bounds]) => [message, planOf(message, bounds)]));

function planOf(message: DescMessage, bounds: readonly Bound[]): Plan {
  const root: Place = { field: undefined, items: [], texts: [], resets: [], fields: new Map() };
  const counts = bounds.map((bound): Count => ({ bound, most: 0, got: 0, excess: 0, place: "" }));
  for (const count of counts) {
    for (const names of count.bound.fields) {
      const place = placeAt(root, message, names);
      (count.bound.isOfBytes ? place.texts : place.items).push(count);
    }
    if (count.bound.each !== undefined) placeAt(root, message, count.bound.each).resets.push(count);
  }
  return { root, counts };
}

/** The place at the end of a path, created if necessary. */
function placeAt(root: Place, message: DescMessage, names: string): Place {
  let place = root;
  let desc: DescMessage | undefined = message;
  for (const name of names.split(".")) {
    const field: DescField | undefined = desc?.fields.find((one) => one.name === name);
    if (field === undefined) throw new Error(`${message.typeName} has no ${names}`);
    const known = place.fields.get(field.number);
    const next: Place = known ?? { field, items: [], texts: [], resets: [], fields: new Map() };
    place.fields.set(field.number, next);
    place = next;
    desc = field.message;
  }
  return place;
}

/**
 * What exceeds a bound in a message given as an object: one to be created, or one in the JSON of `proto/`. Ignores
 * other members, and does not check the type of the message.
 *
 * @returns a sentence; `undefined` for nothing
 */
export function objectExcess(desc: DescMessage, message: unknown, budgets: Budgets): string | undefined {
  const plan = begun(desc, budgets);
  if (plan === undefined) return undefined;
  countObject(plan.root, message, "");
  return told(plan);
}

/**
 * What exceeds a bound in a message given as bytes; see {@link objectExcess}. Malformed bytes count up to the error.
 */
export function binaryExcess(desc: DescMessage, bytes: Uint8Array, budgets: Budgets): string | undefined {
  const plan = begun(desc, budgets);
  if (plan === undefined) return undefined;
  try {
    countBytes(plan.root, new BinaryReader(bytes), bytes.byteLength, "");
  } catch {
    // The library reports the error when it decodes them.
  }
  return told(plan);
}

/** Whether a message has bounds. */
export function hasBounds(desc: DescMessage): boolean {
  return plans.has(desc);
}

function begun(desc: DescMessage, budgets: Budgets): Plan | undefined {
  const plan = plans.get(desc);
  for (const count of plan?.counts ?? []) {
    const { most } = count.bound;
    Object.assign(count, { most: typeof most === "number" ? most : most(budgets), got: 0, excess: 0, place: "" });
  }
  return plan;
}

function told({ counts }: Plan): string | undefined {
  for (const count of counts) settle(count);
  const first = counts.find(({ excess }) => excess > 0);
  return first?.bound.told(first.most, first.excess, first.place);
}

/** Completes a count, at the end of an item or of the message. */
function settle(count: Count): void {
  if (count.got > count.most && count.excess === 0) count.excess = count.got;
  count.got = 0;
}

/** Counts items of a list. @param at the item of the message's first list that they are in */
function add({ items }: Place, more: number, at: string): void {
  for (const count of items) {
    count.got += more;
    if (count.place === "" && count.got > count.most) count.place = at;
  }
}

/** Counts the bytes of one text, or a lower bound of them. */
function measure({ texts }: Place, bytes: number): void {
  for (const count of texts) count.got = Math.max(count.got, bytes);
}

/** Whether any bound counts within the items of a list. */
function looksInto({ texts, resets, fields }: Place): boolean {
  return texts.length + resets.length + fields.size > 0;
}

function countObject(place: Place, message: unknown, at: string): void {
  if (typeof message === "string") measure(place, message.length);
  if (typeof message !== "object" || message === null) return;
  const members = message as { readonly [name: string]: unknown };
  for (const next of place.fields.values()) {
    const { field } = next;
    if (field === undefined) continue;
    const value = members[field.localName] ?? members[field.jsonName] ?? members[field.name];
    if (Array.isArray(value)) countItems(next, field, value, at);
    else countObject(next, value, at);
  }
}

function countItems(place: Place, field: DescField, items: readonly unknown[], at: string): void {
  add(place, items.length, at);
  if (!looksInto(place)) return;
  for (let i = 0; i < items.length; i++) {
    for (const count of place.resets) settle(count);
    countObject(place, items[i], at === "" ? `${field.name}[${i}]` : at);
  }
}

/** Bytes of a number in a packed list of doubles. */
const DOUBLE_BYTES = 8;

/** Counts the content up to a position. @param at as in {@link add} */
function countBytes(place: Place, reader: BinaryReader, end: number, at: string): void {
  // Number of list items so far.
  let index = 0;
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const next = place.fields.get(number);
    if (next === undefined || wireType !== WireType.LengthDelimited) {
      if (next !== undefined) add(next, 1, at);
      reader.skip(wireType, number);
      continue;
    }
    const after = reader.uint32() + reader.pos;
    if (next.field?.fieldKind !== "list") countContent(next, reader, after, at);
    else countItem(next, reader, after, at === "" ? `${next.field.name}[${index++}]` : at);
    reader.pos = after;
  }
}

/** Counts an item of a list, or all numbers packed into one field. */
function countItem(place: Place, reader: BinaryReader, end: number, at: string): void {
  const { field } = place;
  const isPacked = field?.fieldKind === "list" && field.listKind === "scalar" && field.scalar === ScalarType.DOUBLE;
  add(place, isPacked ? (end - reader.pos) / DOUBLE_BYTES : 1, at);
  for (const count of place.resets) settle(count);
  if (looksInto(place)) countContent(place, reader, end, at);
}

/** Counts the content of a field that ends at a position: a message, or a text. */
function countContent(place: Place, reader: BinaryReader, end: number, at: string): void {
  if (place.fields.size > 0) countBytes(place, reader, end, at);
  else measure(place, end - reader.pos);
}
