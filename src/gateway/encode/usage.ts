/** Writes how much processors have learned and how full they are, as canonical JSON. */

import type { GetUsageResponse } from "../../gen/noema/v1/inspection_service_pb";
import { number, text } from "../json/writer";

/** The storage that one Durable Object may have on Cloudflare, in bytes. */
const STORAGE_LIMIT_BYTES = 10_000_000_000;

/** A processor of an agent, and what it said. */
interface Processor {
  readonly id: string;
  /** The friendly name. */
  readonly name: string;
  /** `unused`: nobody has used it, so it holds nothing. `failed`: it did not answer. */
  readonly status: "failed" | "okay" | "unused";
  /** Absent unless it answered. */
  readonly usage: GetUsageResponse | undefined;
}

/** A processor as an item of the list. What nobody knows is null. */
export function encodeProcessor({ id, name, status, usage }: Processor): string {
  const count = (value: number | undefined) => (status === "unused" ? "0" : orNull(value));
  const { memoryBytes, storageBytes } = usage ?? {};
  return (
    `{"id":${text(id)},"memory_bytes":${orNull(memoryBytes)},"models":${count(usage?.models)},"name":${text(name)},` +
    `"percent_full":${count(usage && percentFull(usage))},"sessions":${count(usage?.sessions)},"status":${text(status)},` +
    `"storage_bytes":${orNull(storageBytes)},"symbols":${count(usage?.symbols)},"vectors":${count(usage?.vectors)}}`
  );
}

/** The greater share of what limits a processor, memory if it is there and storage, with one decimal, rounded up. */
function percentFull({ memoryBytes = 0, memoryLimitBytes, storageBytes = 0 }: GetUsageResponse): number {
  const share = Math.max(memoryLimitBytes > 0 ? memoryBytes / memoryLimitBytes : 0, storageBytes / STORAGE_LIMIT_BYTES);
  return Math.ceil(share * 1000) / 10;
}

function orNull(value: number | undefined): string {
  return value === undefined ? "null" : number(value);
}
