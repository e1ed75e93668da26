/** Writes how much processors have learned, how full they are and what they have told each other, as canonical JSON. */

import { type GetLinksResponse, type GetUsageResponse, LinkSchema } from "../../gen/noema/v1/inspection_service_pb";
import { list, number, text } from "../json/writer";
import { objectOf } from "./from-contract";

/** The storage that one Durable Object may have on Cloudflare, in bytes. */
const STORAGE_LIMIT_BYTES = 10_000_000_000;

/** A processor of an agent, and what it said. */
export interface Answered<Answer> {
  readonly id: string;
  /** The friendly name. */
  readonly name: string;
  /** `unused`: it was never called, so it holds nothing. `failed`: it did not answer. */
  readonly status: "failed" | "okay" | "unused";
  /** `undefined` unless it answered. */
  readonly answer: Answer | undefined;
}

/** A processor as an item of the list. What is not known is null. */
export function encodeProcessor({ id, name, status, answer: usage }: Answered<GetUsageResponse>): string {
  const count = (value: number | undefined) => (status === "unused" ? "0" : orNull(value));
  const { memoryBytes, memoryLimitBytes, maxModels, storageBytes } = usage ?? {};
  return (
    `{"id":${text(id)},"max_models":${orNull(maxModels)},"memory_bytes":${orNull(memoryBytes)},` +
    `"memory_limit_bytes":${orNull(memoryLimitBytes)},"models":${count(usage?.models)},"name":${text(name)},` +
    `"percent_full":${count(usage && percentFull(usage))},"sessions":${count(usage?.sessions)},"status":${text(status)},` +
    `"storage_bytes":${orNull(storageBytes)},"storage_limit_bytes":${STORAGE_LIMIT_BYTES},"symbols":${count(usage?.symbols)},"vectors":${count(usage?.vectors)}}`
  );
}

/** The greater share of what limits a processor, memory if it is there and storage, with one decimal, rounded up. */
function percentFull({ memoryBytes = 0, memoryLimitBytes, storageBytes = 0 }: GetUsageResponse): number {
  const share = Math.max(memoryLimitBytes > 0 ? memoryBytes / memoryLimitBytes : 0, storageBytes / STORAGE_LIMIT_BYTES);
  return Math.ceil(share * 1000) / 10;
}

/** A processor that tells others, as an item of the list. What is not known is null. */
export function encodeToldOthers({ id, name, status, answer }: Answered<GetLinksResponse>): string {
  const { countedSince, links = [], waiting = status === "unused" ? 0 : undefined, waitsFor = "" } = answer ?? {};
  return (
    `{"counted_since":${orNull(countedSince && Math.floor(countedSince))},"id":${text(id)},"links":${list(links.map((link) => objectOf(LinkSchema, link)))},` +
    `"name":${text(name)},"status":${text(status)},"waiting":${orNull(waiting)},` +
    `"waits_for":${waitsFor === "" ? "null" : text(waitsFor)}}`
  );
}

function orNull(value: number | undefined): string {
  return value === undefined ? "null" : number(value);
}
