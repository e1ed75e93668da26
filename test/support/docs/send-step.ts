/** Sends to a test's server what a document tells the reader to send. */

import type { JsonAnswer, Server } from "../server/server";
import type { Step } from "./blocks";

/** The address in the documents, where the reader's server is. */
export const ADDRESS = "http://127.0.0.1:8787";

/** Sends a step, byte for byte as curl would. Throws when its address is not that of the documents. */
export function sendStep(server: Server, { method, url, headers, body }: Step): Promise<JsonAnswer> {
  if (!url.startsWith(`${ADDRESS}/`)) throw new Error(`the documents call ${ADDRESS}, not ${url}`);
  return server.send({ method, path: url.slice(ADDRESS.length), body, headers: { ...headers }, key: null });
}
