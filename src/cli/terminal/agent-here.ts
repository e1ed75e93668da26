/**
 * Reaches an agent of a server on this machine. The agent's host is `<agent>.localhost`, which many systems cannot
 * resolve, and Node's fetch cannot send another Host header than the one of its connection. So these requests use
 * node:http.
 */

import { request } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Fetch } from "../../client";

/**
 * A fetch that connects to `origin`, whatever the host in the URL; the server sees the URL's host.
 *
 * @param origin the scheme, host and port of a server on this machine, such as `http://127.0.0.1:8787`
 */
export function fetchAt(origin: string): Fetch {
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const { host, pathname, search } = new URL(url);
      const outgoing = request(origin + pathname + search, { method, headers: { ...headers, host }, signal });
      outgoing.once("error", reject);
      outgoing.once("response", (incoming) => {
        const { statusCode: status = 0, headersDistinct } = incoming;
        const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        resolve(new Response(Readable.toWeb(incoming) as BodyInit, { status, headers: pairs }));
      });
      if (body === undefined || typeof body === "string") outgoing.end(body);
      else
        Readable.fromWeb(new Response(body).body as ReadableStream)
          .once("error", reject)
          .pipe(outgoing);
    });
}
