/** Writes lists of models, symbols and vectors as JSON text: a page, and its place in the list. */

import {
  type ListedVector,
  type ListModelsResponse,
  type ListPlace,
  ListPlaceSchema,
  type ListSymbolsResponse,
  type ListVectorsResponse,
} from "../../gen/noema/v1/knowledge_service_pb";
import type { Model } from "../../gen/noema/v1/model_pb";
import { VECTOR_PREFIX } from "../../text/names";
import { list, type Member, number, object, record, text } from "../json/writer";
import { events, okay } from "./envelope";
import { membersOf } from "./from-contract";
import { orderMember, symbolMembers } from "./knowledge";

/** A page as a message. @throws Error when the processor leaves out its place */
function page(noun: string, rows: readonly string[], place: ListPlace | undefined): string {
  if (place === undefined) throw new Error("a processor answered a list without its place");
  return object([...membersOf(ListPlaceSchema, place), [noun, list(rows)]]);
}

function modelRow(model: Model): string {
  const { frequency, learnedAt, name, sequence } = model;
  return record([
    ["frequency", number(frequency)],
    ["learned_at", learnedAt === undefined ? "null" : number(learnedAt)],
    ["length", number(sequence.reduce((sum, event) => sum + event.symbols.length, 0))],
    ["name", text(name)],
    ...orderMember(model),
    ["sequence", events(sequence)],
  ]);
}

/** @throws Error when the processor leaves out the vector or its counters */
function vectorRow({ vector, symbol }: ListedVector): string {
  if (vector === undefined || symbol === undefined) throw new Error("a processor listed a vector without its parts");
  const members: Member[] = symbolMembers(symbol).filter(([name]) => name === "features");
  return record([
    ...members,
    ["hash", text(vector.name)],
    ["length", number(vector.length)],
    ["name", text(VECTOR_PREFIX + vector.name)],
    ...orderMember(vector),
  ]);
}

/** The answer of GET models. */
export function encodeListModels(reply: ListModelsResponse): string {
  return okay(reply, page("models", reply.models.map(modelRow), reply.place));
}

/** The answer of GET symbols. */
export function encodeListSymbols(reply: ListSymbolsResponse): string {
  const rows = reply.symbols.map((symbol) => record(symbolMembers(symbol)));
  return okay(reply, page("symbols", rows, reply.place));
}

/** The answer of GET vectors. */
export function encodeListVectors(reply: ListVectorsResponse): string {
  return okay(reply, page("vectors", reply.vectors.map(vectorRow), reply.place));
}
