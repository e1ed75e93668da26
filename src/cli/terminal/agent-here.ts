/**
 * Reaches an agent of a server on this machine. Its host is `<agent>.localhost`, which many systems do not find, and
 * Node's fetch sends no other host than the one it connects to. So these requests go out by node:http.
 */

import { request } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Fetch } from "../../client";

/**
 * What sends requests to where a server listens, whatever the host in their URL; the server gets to see that host.
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
