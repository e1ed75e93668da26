/** Turns the JSON of models into messages. The processor checks the models. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EventSchema } from "../../gen/noema/v1/gdf_pb";
import type { AddModelRequestSchema, UpdateModelRequestSchema } from "../../gen/noema/v1/knowledge_service_pb";
import type { EmotiveValuesSchema } from "../../gen/noema/v1/model_pb";
import { isJsonObject, type JsonObject, memberPath } from "../../text/located";
import { MODEL_PREFIX, withoutPrefix } from "../../text/names";
import type { Body, LocatedInBody } from "../json/body";
import type { Address } from "../request-context";
import { metadataOf } from "./memory";
import { asList, asNumber, asNumbers, asObject, asStrings, dataOf, memberOf, noteAll, UNIQUE_ID, wrong } from "./value";

/** The members of a model that can be replaced. */
const MODEL_MEMBERS = ["emotives", "frequency", "metadata", "sequence"];

/** The members of a model that are derived from others. The official client sends them back as it read them. */
const DERIVED_MEMBERS = ["length", "name", "predecessor_model", ...UNIQUE_ID];

/** The members of a model to add. */
const ADDED_MEMBERS = ["sequence", "vector", "frequency", "emotives", "metadata"];

const ACCEPTED = "an object {model: {emotives?, frequency?, metadata?, sequence?}}";

/** Reads the name of the model from the path, with or without its prefix. */
export function decodeModelName(body: Body, address: Address): { name: string } {
  noteAll(body);
  return { name: modelNameIn(address) };
}

function modelNameIn({ params }: Address): string {
  return withoutPrefix(params.model ?? "", MODEL_PREFIX);
}

/**
 * Reads the body of PUT model: `{model: M}`, also inside `data`, or a model alone. Ignores the other members of a model
 * record, such as its name, and notes unknown members.
 *
 * @throws Refusal 400 naming the wrong member
 */
export function decodeUpdateModel(body: Body, address: Address): MessageInitShape<typeof UpdateModelRequestSchema> {
  const data = asObject(dataOf(body), ACCEPTED);
  const model = Object.hasOwn(data.value, "model") ? asObject(memberOf(data, "model"), "an object") : data;
  if (model === data && !MODEL_MEMBERS.some((name) => Object.hasOwn(data.value, name))) {
    throw wrong(data.path, ACCEPTED, data.value);
  }
  if (model !== data) body.unknown.note(data, ["model"], UNIQUE_ID);
  body.unknown.note(model, MODEL_MEMBERS, DERIVED_MEMBERS);
  return {
    name: modelNameIn(address),
    ...(given(model.value, "sequence") ? { sequence: { events: eventsOf(memberOf(model, "sequence")) } } : {}),
    ...optionalMembersOf(body, model),
  };
}

/**
 * Reads the body of add-model: `{sequence, vector?, frequency?, emotives?, metadata?}`, also inside `data`. An empty
 * vector counts as none, because the official client sends it.
 *
 * @throws Refusal 400 naming the wrong member
 */
export function decodeAddModel(body: Body): MessageInitShape<typeof AddModelRequestSchema> {
  const data = asObject(dataOf(body), "an object {sequence, vector?, frequency?, emotives?, metadata?}");
  body.unknown.note(data, ADDED_MEMBERS, UNIQUE_ID);
  const vector = given(data.value, "vector") ? asNumbers(data.value.vector, memberPath(data.path, "vector")) : [];
  return {
    sequence: { events: eventsOf(memberOf(data, "sequence")) },
    ...optionalMembersOf(body, data),
    ...(vector.length === 0 ? {} : { vector: { components: vector } }),
  };
}

/** Reads a sequence: a list of events, each a list of symbols. */
export function eventsOf({ value, path }: LocatedInBody): MessageInitShape<typeof EventSchema>[] {
  const events = asList(value, path, "a list of events, each a list of symbols");
  return events.map((symbols, i) => ({ symbols: asStrings(symbols, `${path}[${i}]`) }));
}

/** Reads emotives of a model: an object of lists of finite numbers; a single number counts as a list of one. */
export function emotiveValuesOf({ value, path }: LocatedInBody): MessageInitShape<typeof EmotiveValuesSchema>[] {
  if (!isJsonObject(value)) throw wrong(path, "an object of lists of finite numbers by name", value);
  return Object.entries(value).map(([name, values]) => {
    const at = memberPath(path, name);
    return { name, values: typeof values === "number" ? [asNumber(values, at)] : asNumbers(values, at) };
  });
}

/** Reads metadata of a model: a list of objects, each kept as compact text in the sender's order. */
export function metadataListOf(body: Body, { value, way, path }: LocatedInBody): string[] {
  const all = asList(value, path, "a list of objects");
  return all.map((one, i) => metadataOf(body, { value: one, way: [...way, i], path: `${path}[${i}]` }) || "{}");
}

/** Whether an object has a member that is not null; the official client sends null for absent members. */
export function given(object: JsonObject, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== null;
}

function optionalMembersOf(body: Body, model: LocatedInBody<JsonObject>) {
  const { value, path } = model;
  return {
    ...(given(value, "frequency") ? { frequency: asNumber(value.frequency, memberPath(path, "frequency")) } : {}),
    ...(given(value, "emotives") ? { emotives: { emotives: emotiveValuesOf(memberOf(model, "emotives")) } } : {}),
    ...(given(value, "metadata")
      ? { metadata: { metadataJson: metadataListOf(body, memberOf(model, "metadata")) } }
      : {}),
  };
}
