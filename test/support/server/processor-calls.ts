/** Everything that can be read of a processor over HTTP, for comparing before and after. */

import type { Server } from "./server";

/** The processor of the default genome. */
export const PROCESSOR = "/p46b6b076c";

const READINGS = [
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

/** Sends a request that must succeed, and returns the envelope's message. */
export async function ask(server: Server, call: string, body?: unknown): Promise<unknown> {
  const [method = "", path = ""] = call.split(" ");
  const { status, json, text } = await server.send({ method, path: `${PROCESSOR}/${path}`, body });
  if (status !== 200 || json.status !== "okay") throw new Error(`${call} answered HTTP ${status}: ${text}`);
  return json.message;
}

/** The answers to all that can be read, by the call. */
export async function readMind(server: Server): Promise<Record<string, unknown>> {
  const mind: Record<string, unknown> = {};
  for (const call of READINGS) mind[call] = await ask(server, call);
  return mind;
}
