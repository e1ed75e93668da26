/**
 * Records of a backup to JSON and back. A long list is converted in pieces, between which others are served: a memory
 * may have 250,000 events.
 */

import { type DescField, type DescMessage, fromJson, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { type BackupRecord, BackupRecordSchema } from "../../gen/noema/v1/backup_pb";
import { yieldToEventLoop } from "../../rpc/transport/yield-to-event-loop";

/** Number of values in a piece. Converting it takes some milliseconds. */
const PIECE_VALUES = 5_000;

/** A field with a list of messages. */
type ListField = DescField & { readonly fieldKind: "list"; readonly message: DescMessage };

type JsonMembers = { [name: string]: JsonValue };
type Members = { readonly [name: string]: unknown };

const OPTIONS = { useProtoFieldName: true };

/** A record as JSON text, as protobuf's JSON has it. */
export async function recordToJson(message: BackupRecord): Promise<string> {
  const { case: kind, value } = message.record;
  const lists = kind === undefined ? [] : longLists(kind, value as unknown as Members);
  if (kind === undefined || lists.length === 0) return textOf(toJson(BackupRecordSchema, message, OPTIONS));
  const short: { [name: string]: unknown } = { ...value };
  const texts = new Map<string, string>();
  for (const { field, list } of lists) {
    // The first one shows where the list belongs.
    short[field.localName] = list.slice(0, 1);
    texts.set(field.name, await listText(field, list as readonly Message[]));
  }
  const record = { case: kind, value: short } as unknown as BackupRecord["record"];
  const json = toJson(BackupRecordSchema, { ...message, record }, OPTIONS) as JsonMembers;
  const [[name, members] = ["", {}]] = Object.entries(json);
  const parts = Object.entries(members as JsonMembers).map(([each, of]) => {
    return `${JSON.stringify(each)}:${texts.get(each) ?? textOf(of)}`;
  });
  return `{${JSON.stringify(name)}:{${parts.join(",")}}}`;
}

/** A list that is converted by itself. */
interface TakenList {
  readonly field: ListField;
  readonly list: readonly unknown[];
}

/** The record in a parsed line. @throws Error when it is not one */
export async function recordFromJson(line: JsonValue): Promise<BackupRecord> {
  if (!isMembers(line)) return fromJson(BackupRecordSchema, line);
  const taken: TakenList[] = [];
  const short = Object.entries(line).map(([kind, record]) => [kind, withoutLong(kind, record, taken)]);
  const message = fromJson(BackupRecordSchema, Object.fromEntries(short));
  // A line has one record, or is refused by now.
  const made = message.record.value as { [name: string]: unknown } | undefined;
  for (const { field, list } of taken) {
    const messages = await messagesFrom(field, list);
    if (made !== undefined) made[field.localName] = messages;
  }
  return message;
}

/** A record with its long lists empty. @param taken gets these lists */
function withoutLong(kind: string, record: JsonValue, taken: TakenList[]): JsonValue {
  const lists = isMembers(record) ? longLists(kind, record) : [];
  if (lists.length === 0) return record;
  taken.push(...lists);
  return { ...(record as JsonMembers), ...Object.fromEntries(lists.map(({ name }) => [name, []])) };
}

async function messagesFrom(field: ListField, list: readonly unknown[]): Promise<Message[]> {
  const messages: Message[] = [];
  for (const piece of piecesOf(list)) {
    for (const one of piece) messages.push(fromJson(field.message, one as JsonValue));
    await yieldToEventLoop();
  }
  return messages;
}

/** The long lists of messages of a record, whose members have the names of the contract, or those of JSON. */
function longLists(kind: string, record: Members) {
  const { message } = BackupRecordSchema.fields.find(({ name }) => name === kind) ?? {};
  return Object.entries(record).flatMap(([name, list]) => {
    if (!Array.isArray(list) || !isLong(list)) return [];
    const field = message?.fields.find((each) => each.name === name || each.jsonName === name);
    if (field === undefined || !isListField(field)) return [];
    return [{ name, field, list: list as readonly unknown[] }];
  });
}

function isListField(field: DescField): field is ListField {
  return field.fieldKind === "list" && field.message !== undefined;
}

function isMembers(value: JsonValue): value is JsonMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function listText(field: ListField, list: readonly Message[]): Promise<string> {
  const texts: string[] = [];
  for (const piece of piecesOf(list)) {
    texts.push(piece.map((one) => textOf(toJson(field.message, one as Message, OPTIONS))).join(","));
    await yieldToEventLoop();
  }
  return `[${texts.join(",")}]`;
}

function isLong(list: readonly unknown[]): boolean {
  let values = 0;
  for (const one of list) {
    values += valuesIn(one);
    if (values > PIECE_VALUES) return true;
  }
  return false;
}

/** The list in pieces of that many values, or of one member that has more. */
function* piecesOf(list: readonly unknown[]): Generator<readonly unknown[]> {
  let from = 0;
  let values = 0;
  for (const [at, one] of list.entries()) {
    values += valuesIn(one);
    if (values < PIECE_VALUES) continue;
    yield list.slice(from, at + 1);
    from = at + 1;
    values = 0;
  }
  if (from < list.length) yield list.slice(from);
}

/** One, and one for each member of a list in it. */
function valuesIn(one: unknown): number {
  if (typeof one !== "object" || one === null) return 1;
  let values = 1;
  for (const member of Object.values(one)) if (Array.isArray(member)) values += member.length;
  return values;
}

/** `JSON.stringify` drops the sign of zero; protobuf's JSON also accepts numbers as texts, which keep it. */
function signedZero(_: string, value: unknown): unknown {
  return Object.is(value, -0) ? "-0" : value;
}

function textOf(json: JsonValue): string {
  return JSON.stringify(json, signedZero);
}
