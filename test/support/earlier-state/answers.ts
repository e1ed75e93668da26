/** Answers of a server to calls, in a form that compares: as they were recorded, and as they are now. */

import { createHash } from "node:crypto";
import type { Server } from "../server/server";

/** A call, in most cases one that reads. */
export interface Reading {
  /** Method and path: `"GET /p1/status"`. */
  call: string;
  /** The host that names the agent; the server's own address when absent. */
  host?: string;
  /** An issued key; the local one when absent. */
  key?: string;
  body?: unknown;
}

/** A call with its answer. */
export interface Recorded extends Reading {
  /** The HTTP status. */
  status: number;
  /** The answer without the members of {@link IGNORED}; its {@link Digest} where it is long. */
  answer: unknown;
}

/** Stands for a long answer. */
interface Digest {
  characters: number;
  sha256: string;
}

/** Longer answers are kept as digests. */
const MAX_CHARACTERS = 4000;

/** The members that may differ, at any depth of any answer, each with the reason. Members that a later release adds are named here, too. */
export const IGNORED: { readonly [member: string]: string } = {
  time_stamp: "the time of the answer",
  build_date: "of the release, not of the state",
  build_number: "of the release, not of the state",
  version: "of the release, not of the state",
  last_delivery: "what waits for a webhook is tried again, and given up after a day",
  waiting: "the same",
  format: "of an alert; added by a later release",
  threshold: "the same",
  memory_bytes: "how the kernel lays out its memory is the release's own",
};

/** An answer's text in the sender's order of members, without those of {@link IGNORED}. Throws when it is not JSON. */
function comparable(text: string): string {
  return JSON.stringify(JSON.parse(text), (name, value) => (Object.hasOwn(IGNORED, name) ? undefined : value));
}

function digestOf(text: string): Digest {
  return { characters: text.length, sha256: createHash("sha256").update(text).digest("hex") };
}

/** Makes the call. Throws when the answer is not JSON. */
export async function read(server: Server, reading: Reading): Promise<Recorded> {
  const { call, host, key, body } = reading;
  const [method = "", path = ""] = call.split(" ");
  const headers = host === undefined ? {} : { host };
  const { status, text } = await server.send({ method, path, body, headers, ...(key === undefined ? {} : { key }) });
  const answer = comparable(text);
  return { ...reading, status, answer: answer.length > MAX_CHARACTERS ? digestOf(answer) : JSON.parse(answer) };
}

/**
 * An answer as it must stay. What a forecast says is the release's own, because later ones forecast better; that there
 * is one is not.
 */
function lasting(recorded: Recorded): string {
  const isForecast = recorded.call.split(" ")[1]?.endsWith("/forecast") === true;
  // As text, because the order of members counts.
  return JSON.stringify(isForecast ? { ...recorded, answer: undefined } : recorded);
}

/** The answers that are not as they were recorded, each with what it is now. */
export async function differences(server: Server, answers: readonly Recorded[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const recorded of answers) {
    const now = await read(server, recorded);
    if (lasting(now) !== lasting(recorded)) found.push({ recorded, now });
  }
  return found;
}
