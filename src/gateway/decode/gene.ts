/**
 * Turns the JSON of gene changes, and of the target class, into messages. The processor decides what a gene accepts.
 */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GeneChangeSchema, GeneValueSchema } from "../../gen/noema/v1/gene_pb";
import type { GetGenesRequestSchema, IncrementRecallThresholdRequestSchema } from "../../gen/noema/v1/gene_service_pb";
import type { SetTargetClassRequestSchema } from "../../gen/noema/v1/mode_service_pb";
import { memberPath } from "../../text/located";
import type { Body } from "../json/body";
import type { Address } from "../request-context";
import { asNumber, asObject, asString, dataOf, describe, noteAll, UNIQUE_ID, wrong } from "./value";

const ACCEPTED = "an object {data: {gene: value, ...}}";

/** The changes that a body requests, or why no gene can have one of the values. */
interface GeneChanges {
  readonly changes: MessageInitShape<typeof GeneChangeSchema>[];
  /** Empty if every value has a type that some gene accepts. */
  readonly refusal: string;
}

/**
 * Reads the body of genes/change: `{data: {gene: value, …}}`, or that object alone.
 *
 * @throws Refusal 400 when the body is something else, or a number is not finite
 */
export function decodeChangeGenes(body: Body): GeneChanges {
  const data = asObject(dataOf(body), ACCEPTED);
  const changes: MessageInitShape<typeof GeneChangeSchema>[] = [];
  let refusal = "";
  for (const [name, given] of Object.entries(data.value)) {
    const path = memberPath(data.path, name);
    const value = geneValueOf(given, path);
    if (value !== undefined) changes.push({ name, value });
    else refusal ||= `${path} must be true, false, a number or a string, got ${describe(given)}`;
  }
  if (data.path === "" && changes.length === 0 && refusal === "") throw wrong("", ACCEPTED, data.value);
  return { changes, refusal };
}

function geneValueOf(value: unknown, path: string): MessageInitShape<typeof GeneValueSchema> | undefined {
  switch (typeof value) {
    case "boolean":
      return { value: { case: "flag", value } };
    case "number":
      return { value: { case: "number", value: asNumber(value, path) } };
    case "string":
      return { value: { case: "text", value } };
    default:
      return undefined;
  }
}

/**
 * Reads the body of gene/increment-recall-threshold: `{increment: number}`, also inside `data`.
 *
 * @throws Refusal 400 when increment is not a finite number
 */
export function decodeIncrement(body: Body): MessageInitShape<typeof IncrementRecallThresholdRequestSchema> {
  const data = asObject(dataOf(body), "an object {increment: number}");
  body.unknown.note(data, ["increment"], UNIQUE_ID);
  return { increment: asNumber(data.value.increment, memberPath(data.path, "increment")) };
}

/** Reads the name of the gene from the path. */
export function decodeGetGene(body: Body, { params }: Address): MessageInitShape<typeof GetGenesRequestSchema> {
  noteAll(body);
  return { name: params.gene ?? "" };
}

/**
 * Reads the body of set-target-class: `{data: symbol}`, or the string alone.
 *
 * @throws Refusal 400 when it is not a string
 */
export function decodeSetTargetClass(body: Body): MessageInitShape<typeof SetTargetClassRequestSchema> {
  const data = dataOf(body);
  return { target: asString(data.value, data.path) };
}
