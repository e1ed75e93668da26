/** Single calls of the default processor, where their time is long or does not matter. */

import { LOCAL_KEY } from "../../scripts/settings.mjs";

/** The processor of the default genome. */
export const PROCESSOR = "p46b6b076c";

/** Calls an operation and reads the whole answer. Throws when it is not 200. */
export async function call(address, operation, body = "", method = "POST") {
  const headers = { "x-api-key": LOCAL_KEY, "content-type": "application/json" };
  const init = method === "GET" ? { method, headers } : { method, headers, body };
  const response = await fetch(`${address}/${PROCESSOR}/${operation}`, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${text}`);
  return text;
}
