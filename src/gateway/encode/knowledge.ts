/** Writes models, symbols, vectors and the results of changing them as JSON text. */

import type { ForecastRecord } from "../../gen/noema/v1/forecast_pb";
import type {
  FindModelsResponse,
  GetModelResponse,
  GetSymbolResponse,
  GetVectorResponse,
  KnowledgeTotals,
  RemoveSymbolsResponse,
  UpdateModelResponse,
} from "../../gen/noema/v1/knowledge_service_pb";
import type { Model, SymbolRecord, VectorRecord } from "../../gen/noema/v1/model_pb";
import { excerpt } from "../../text/excerpt";
import { VECTOR_PREFIX } from "../../text/names";
import { list, type Member, number, numbers, object, record, text, texts } from "../json/writer";
import { Refusal } from "../refusal";
import { events, metadata, okay } from "./envelope";

/** A model record as members, sorted. With `order` and `times` if the model has them. */
export function modelMembers(model: Model): Member[] {
  return [
    ["emotives", object(model.emotives.map(({ name, values }) => [name, numbers(values)]))],
    ["frequency", number(model.frequency)],
    ["length", number(model.sequence.reduce((sum, event) => sum + event.symbols.length, 0))],
    ["metadata", list(model.metadataJson.map(metadata))],
    ["name", text(model.name)],
    ...orderMember(model),
    ["sequence", events(model.sequence)],
    ...timesMember(model),
  ];
}

/** The member `times`, if a record has the times of its events. */
function timesMember({ runs }: Model): Member[] {
  return runs.length === 0 ? [] : [["times", list(runs.map(({ times }) => numbers(times)))]];
}

/** A symbol record as members, sorted. */
export function symbolMembers({ name, frequency, modelMemberFrequency }: SymbolRecord): Member[] {
  const features = `{"frequency":${number(frequency)},"model_member_frequency":${number(modelMemberFrequency)}}`;
  return [
    ["features", features],
    ["name", text(name)],
  ];
}

/** The member `order`, if a record has it. */
export function orderMember({ order }: Model | VectorRecord): Member[] {
  return order === undefined ? [] : [["order", number(order)]];
}

/** A vector record as members, sorted. With `order` if the vector has it. */
export function vectorMembers(vector: VectorRecord): Member[] {
  const { name, components, length } = vector;
  return [
    ["hash", text(name)],
    ["length", number(length)],
    ["name", text(VECTOR_PREFIX + name)],
    ...orderMember(vector),
    ["vector", numbers(components)],
  ];
}

/** The totals of a knowledge base as members, sorted. */
export function totalsMembers(totals: KnowledgeTotals): Member[] {
  return [
    ["total_model_frequencies", number(totals.totalModelFrequencies)],
    ["total_symbol_frequencies", number(totals.totalSymbolFrequencies)],
    ["total_symbols_in_models_frequencies", number(totals.totalSymbolsInModelsFrequencies)],
  ];
}

/** The record of past forecasts as a member of the metadata; none if the processor does not send it. */
export function forecastRecordMember(told: ForecastRecord | undefined): Member[] {
  return told === undefined ? [] : [["forecast_record", list(told.horizons.map((each) => numbers(each.numbers)))]];
}

/** The answer of GET model: the record, or an empty object. */
export function encodeModel(reply: GetModelResponse): string {
  if (reply.model === undefined) return okay(reply, "{}");
  const { model } = reply;
  return okay(reply, object([...modelMembers(model), ["predecessor_model", "[]"]]));
}

/** The answer of PUT model: the new name of the model, or the message that the official client expects. */
export function encodeUpdateModel(reply: UpdateModelResponse): string {
  return okay(reply, text(reply.name === "" ? "failed-to-update-model" : reply.name));
}

/** The answer of get-models-with-symbols and get-models-with-patterns. */
export function encodeFindModels(reply: FindModelsResponse): string {
  return okay(reply, `{"model_list":${texts(reply.names)}}`);
}

/** The answer of symbol: the record, or null. */
export function encodeSymbol(reply: GetSymbolResponse): string {
  return okay(reply, reply.symbol === undefined ? "null" : record(symbolMembers(reply.symbol)));
}

/**
 * The answer of vector.
 *
 * @throws Refusal 200, as the interface specification asks, if there is no such vector
 */
export function encodeVector(reply: GetVectorResponse, asked: { readonly name?: string }): string {
  if (reply.vector !== undefined) return okay(reply, record(vectorMembers(reply.vector)));
  const message =
    `there is no vector ${excerpt(VECTOR_PREFIX + (asked.name ?? ""))}; ` +
    "learned vectors are named in the symbols of models";
  throw new Refusal(200, message, { stamp: reply.stamp });
}

/** The answer of symbols/remove and patterns/remove: the new name of each model that changed. */
export function encodeRemoveSymbols(reply: RemoveSymbolsResponse): string {
  if (reply.renames.length === 0) return okay(reply, "{}");
  const renames = reply.renames.map(
    ({ oldName, newName }): Member => [oldName, text(newName === "" ? "deleted" : newName)],
  );
  return okay(reply, `{"models":${object(renames)}}`);
}
