/** Single calls of the default processor, for calls that take long or whose time does not matter. */

import { PROCESSOR } from "../../scripts/project.mjs";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";

/** The headers of a JSON client with the local key. */
export const HEADERS = { "x-api-key": LOCAL_KEY, "content-type": "application/json" };

/** Calls an operation and returns the text of the answer. Throws unless the answer is HTTP 200. */
export function call(address, operation, body = "", method = "POST") {
  return callAt(address, `${PROCESSOR}/${operation}`, body, method);
}

/** The same for any path, such as `p2/observe`. */
export async function callAt(address, operation, body = "", method = "POST") {
  const init = method === "GET" ? { method, headers: HEADERS } : { method, headers: HEADERS, body };
  const response = await fetch(`${address}/${operation}`, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${text}`);
  return text;
}
