/** Turns the records of a knowledge base file into messages. Whether a record is true to its key is the processor's to say. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ModelSchema, VectorRecordSchema } from "../../gen/noema/v1/model_pb";
import { excerpt } from "../../text/excerpt";
import { type JsonObject, memberPath } from "../../text/located";
import type { Body, LocatedInBody } from "../json/body";
import { Refusal } from "../refusal";
import { bareVectorName } from "./knowledge";
import { bareModelName, emotiveValuesOf, eventsOf, given, metadataListOf } from "./model";
import { asNumber, asNumbers, asObject, asString, memberOf } from "./value";

type ObjectPart = LocatedInBody<JsonObject>;

/**
 * Reads a model record. Its length is not looked at: it follows from the sequence.
 *
 * @param key the name under which the record stands
 * @throws Refusal 400 naming the member that is wrong
 */
export function modelOf(record: Body, key: string, path: string): MessageInitShape<typeof ModelSchema> {
  const part = asObject(
    { value: record.value, way: [], path },
    "a model {emotives, frequency, metadata, name, sequence}",
  );
  const { value } = part;
  const name = bareModelName(key);
  checkName(part, "name", name, bareModelName);
  return {
    name,
    sequence: eventsOf(memberOf(part, "sequence")),
    frequency: given(value, "frequency") ? asNumber(value.frequency, memberPath(path, "frequency")) : 1,
    emotives: given(value, "emotives") ? emotiveValuesOf(memberOf(part, "emotives")) : [],
    metadataJson: given(value, "metadata") ? metadataListOf(record, memberOf(part, "metadata")) : [],
  };
}

/**
 * Reads a vector record. Its length is not looked at: it follows from the components.
 *
 * @param key the name under which the record stands
 * @throws Refusal 400 naming the member that is wrong
 */
export function vectorOf(record: Body, key: string, path: string): MessageInitShape<typeof VectorRecordSchema> {
  const part = asObject({ value: record.value, way: [], path }, "a vector {hash, length, name, vector}");
  const name = bareVectorName(key);
  checkName(part, "hash", name, bareVectorName);
  checkName(part, "name", name, bareVectorName);
  return { name, components: asNumbers(part.value.vector, memberPath(path, "vector")) };
}

/**
 * Looks at a symbol record, which says nothing that the models do not.
 *
 * @throws Refusal 400 when it is no record
 */
export function checkSymbol(record: Body, path: string): void {
  asObject({ value: record.value, way: [], path }, "a symbol {features, name}");
}

function checkName(part: ObjectPart, name: string, expected: string, bare: (word: string) => string): void {
  if (!given(part.value, name)) return;
  const path = memberPath(part.path, name);
  const found = asString(part.value[name], path);
  if (bare(found) === expected) return;
  throw new Refusal(
    400,
    `${path} must be ${excerpt(expected)}, the name under which the record stands, got ${excerpt(found)}`,
  );
}
