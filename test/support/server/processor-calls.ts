/** Calls of the default processor, and everything that can be read of it, to compare before and after. */

import type { Server } from "./server";

/** The path of the default genome's processor. */
export const PROCESSOR = "/p46b6b076c";

const READINGS = [
  "GET sessions",
  "GET status",
  "GET working-memory",
  "GET percept-data",
  "GET cognition-data",
  "POST predictions",
  "GET all-genes",
  "GET get_kb",
  "GET list-blacklisted-symbols",
  "GET name",
  "GET time",
  "GET info",
];

/** Makes a call such as `"GET status"` that must succeed. Returns the envelope's message. */
export async function ask(server: Server, call: string, body?: unknown): Promise<unknown> {
  const { message } = await server.okay(call.replace(" ", ` ${PROCESSOR}/`), body);
  return message;
}

/**
 * The answers to all reading calls, by call. Leaves out `memory_bytes` of info: how much memory the same knowledge takes depends on
 * whether it was learned or read from the rows.
 */
export async function readEverything(server: Server): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const call of READINGS) answers[call] = await ask(server, call);
  const { memory_bytes: _, ...info } = answers["GET info"] as Record<string, unknown>;
  answers["GET info"] = info;
  return answers;
}
