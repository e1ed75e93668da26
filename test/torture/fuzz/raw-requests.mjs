/** Bytes that are no HTTP, or barely: what a socket can send and no client library would. Sends nothing. */

import fc from "fast-check";
import { LOCAL_KEY } from "../../../src/serve/settings.mjs";

const KEY = `x-api-key: ${LOCAL_KEY}`;
const HOST = "host: localhost";

/** Hosts that no URL can have. */
const ODD_HOSTS = ["host: [", "host: a b", "host: \u00ff", "host: a:b:c", "host: %", "host:", "host: a@b", "host: /x"];

const head = (line, ...fields) => `${[line, ...fields].join("\r\n")}\r\n\r\n`;

const POST = "POST /p1/observe HTTP/1.1";

const TEMPLATES = [
  "\r\n\r\n",
  "GET\r\n\r\n",
  "\u0000\u0001\u0002",
  head("GET /p1/status HTTP/1.0", KEY),
  head("GET /p1/status HTTP/1.1", KEY),
  head("GET /p1/status HTTP/9.9", HOST, KEY),
  head("get /p1/status HTTP/1.1", HOST, KEY),
  head("GET  /p1/status  HTTP/1.1", HOST, KEY),
  head("GET http://localhost/p1/status HTTP/1.1", HOST, KEY),
  head("GET //localhost/p1/status HTTP/1.1", HOST, KEY),
  head("GET p1/status HTTP/1.1", HOST, KEY),
  head("GET * HTTP/1.1", HOST, KEY),
  head("OPTIONS * HTTP/1.1", HOST, KEY),
  head("CONNECT localhost:80 HTTP/1.1", HOST, KEY),
  head("GET /p1/\u00ff\u00fe HTTP/1.1", HOST, KEY),
  head("GET /p1/%ff HTTP/1.1", HOST, KEY),
  head("GET /p1/status#x HTTP/1.1", HOST, KEY),
  head("GET /p1/status HTTP/1.1", HOST, KEY, "no colon"),
  head("GET /p1/status HTTP/1.1", HOST, KEY, ": no name"),
  head("GET /p1/status HTTP/1.1", HOST, KEY, "x: a\u0000b"),
  head("GET /p1/status HTTP/1.1", HOST, KEY, " folded: x"),
  head("GET /p1/status HTTP/1.1", HOST, HOST, KEY, KEY),
  head("GET /p1/status HTTP/1.1", HOST, `x-api-key: \u00ff\u00fe`),
  head("GET /p1/status HTTP/1.1", HOST, KEY, `x: ${"y".repeat(200_000)}`),
  head(`GET /${"x".repeat(100_000)} HTTP/1.1`, HOST, KEY),
  head("GET /p1/status HTTP/1.1", HOST, KEY, ...Array.from({ length: 2000 }, (_, at) => `x${at}: y`)),
  `${head(POST, HOST, KEY, "content-length: 5")}{}`,
  `${head(POST, HOST, KEY, "content-length: -1")}{}`,
  `${head(POST, HOST, KEY, "content-length: x")}{}`,
  `${head(POST, HOST, KEY, "content-length: 2", "content-length: 3")}{}`,
  `${head(POST, HOST, KEY, "content-length: 99999999999999999999")}{}`,
  `${head(POST, HOST, KEY, "content-length: 2", "transfer-encoding: chunked")}2\r\n{}\r\n0\r\n\r\n`,
  `${head(POST, HOST, KEY, "transfer-encoding: chunked")}zz\r\n{}\r\n0\r\n\r\n`,
  `${head(POST, HOST, KEY, "transfer-encoding: chunked")}-2\r\n{}\r\n0\r\n\r\n`,
  `${head(POST, HOST, KEY, "transfer-encoding: chunked")}2\r\n{}0\r\n\r\n`,
  `${head(POST, HOST, KEY, "transfer-encoding: chunked")}ffffffffffffffff\r\n{}`,
  `${head(POST, HOST, KEY, "transfer-encoding: chunked")}5\r\n{}`,
  `${head(POST, HOST, KEY, "transfer-encoding: gzip")}{}`,
  `${head(POST, HOST, KEY, "transfer-encoding: chunked")}2;x=y\r\n{}\r\n0\r\nt: x\r\n\r\n`,
  `${head(POST, HOST, KEY, "expect: 100-continue", "content-length: 2")}{}`,
  head("GET /p1/ping HTTP/1.1", HOST, KEY).repeat(20),
];

/**
 * Whether the first request has a target and a Host that make a URL, and says a length that is one. workerd answers others itself.
 *
 * @param {string} bytes what is written to the socket
 */
export function isPassedOn(bytes) {
  const [, lineEnd = ""] = /^[A-Z-]+ \/[!-~]*( HTTP\/1\.1)\r\n/.exec(bytes) ?? [];
  const hosts = [...bytes.matchAll(/^host:/gim)].length;
  const hasHost = hosts === 1 && bytes.includes(`\r\n${HOST}\r\n`) && !bytes.startsWith("CONNECT");
  const lengths = [...bytes.matchAll(/^content-length:(.*)$/gim)].map(([, length = ""]) => length.trim());
  // workerd knows no coding but chunked.
  const hasCoding = [...bytes.matchAll(/^transfer-encoding:(.*)$/gim)].some(
    ([, coding = ""]) => coding.trim() !== "chunked",
  );
  return (
    lineEnd !== "" &&
    hasHost &&
    !hasCoding &&
    lengths.length <= 1 &&
    lengths.every((length) => /^\d{1,15}$/.test(length))
  );
}

/**
 * What is written to a socket, in latin-1.
 *
 * @type {import("fast-check").Arbitrary<string>}
 */
export const rawRequest = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEMPLATES) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...ODD_HOSTS).map((host) => head("GET /p1/status HTTP/1.1", host, KEY)),
  },
  {
    // One byte of something that was right is another one.
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...TEMPLATES), fc.nat(), fc.nat({ max: 255 })).map(([bytes, place, by]) => {
      const at = place % Math.min(bytes.length, 400);
      return bytes.slice(0, at) + String.fromCharCode(by) + bytes.slice(at + 1);
    }),
  },
);
