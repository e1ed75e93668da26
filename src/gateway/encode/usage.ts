/** Writes as canonical JSON how much processors have learned, how full they are, and what they have sent each other. */

import { type GetLinksResponse, type GetUsageResponse, LinkSchema } from "../../gen/noema/v1/inspection_service_pb";
import { list, number, text } from "../json/writer";
import { objectOf } from "./from-contract";

/** Maximum storage of one Durable Object on Cloudflare, in bytes. */
const STORAGE_LIMIT_BYTES = 10_000_000_000;

/** A processor of an agent, and its answer. */
export interface Answered<Answer> {
  readonly id: string;
  /** The friendly name. */
  readonly name: string;
  /** `unused`: it was never called, so it has no data. `failed`: it did not answer. */
  readonly status: "failed" | "okay" | "unused";
  /** `undefined` unless it answered. */
  readonly answer: Answer | undefined;
}

/** A processor as an item of the list. Unknown values are null. */
export function encodeProcessor({ id, name, status, answer: usage }: Answered<GetUsageResponse>): string {
  const count = (value: number | undefined) => (status === "unused" ? "0" : orNull(value));
  const { memoryBytes, memoryLimitBytes, maxModels, storageBytes } = usage ?? {};
  return (
    `{"id":${text(id)},"max_models":${orNull(maxModels)},"memory_bytes":${orNull(memoryBytes)},` +
    `"memory_limit_bytes":${orNull(memoryLimitBytes)},"models":${count(usage?.models)},"name":${text(name)},` +
    `"percent_full":${count(usage && percentFull(usage))},"sessions":${count(usage?.sessions)},` +
    `"status":${text(status)},` +
    `"storage_bytes":${orNull(storageBytes)},"storage_limit_bytes":${STORAGE_LIMIT_BYTES},` +
    `"symbols":${count(usage?.symbols)},"vectors":${count(usage?.vectors)}}`
  );
}

/** The percentage used of a processor's memory or storage, whichever is greater, with one decimal, rounded up. */
function percentFull({ memoryBytes = 0, memoryLimitBytes, storageBytes = 0 }: GetUsageResponse): number {
  const share = Math.max(memoryLimitBytes > 0 ? memoryBytes / memoryLimitBytes : 0, storageBytes / STORAGE_LIMIT_BYTES);
  return Math.ceil(share * 1000) / 10;
}

/** A processor that sends to others, as an item of the list. Unknown values are null. */
export function encodeToldOthers({ id, name, status, answer }: Answered<GetLinksResponse>): string {
  const { countedSince, links = [], waiting = status === "unused" ? 0 : undefined, waitsFor = "" } = answer ?? {};
  return (
    `{"counted_since":${orNull(countedSince && Math.floor(countedSince))},"id":${text(id)},` +
    `"links":${list(links.map((link) => objectOf(LinkSchema, link)))},` +
    `"name":${text(name)},"status":${text(status)},"waiting":${orNull(waiting)},` +
    `"waits_for":${waitsFor === "" ? "null" : text(waitsFor)}}`
  );
}

function orNull(value: number | undefined): string {
  return value === undefined ? "null" : number(value);
}
