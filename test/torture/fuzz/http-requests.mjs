/** Requests for every operation of the table, right and wrong in method, path, headers and body. Sends nothing. */

import { METHODS } from "node:http";
import fc from "fast-check";
import { anyBody, anyText } from "./values.mjs";

/** Methods that a client can send with a body and read an answer to. */
const OTHER_METHODS = METHODS.filter((method) => method !== "CONNECT");

const MEDIA_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json; charset=utf-16",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "application/proto",
  "*/*",
  "",
  "x",
  ";;;",
];

/** What may stand in a path in the place of a parameter. */
const WORDS = {
  id: ["p1", "P1", "p2", "agent", "nobody", "p1%20"],
  gene: ["recall_threshold", "SORT", "courage"],
};

const KNOWN_SEGMENTS = fc.constantFrom("a", "MODEL%7C7d0678ba6305341ce0d25133ab086208656a562f", "VECTOR|x");

function segmentOf(parameter) {
  const words = WORDS[parameter];
  const known = words === undefined ? KNOWN_SEGMENTS : fc.constantFrom(...words);
  const odd = fc.oneof(
    anyText.map(encoded),
    fc.constantFrom("..", ".", "%2e%2e", "\\..\\..", "%zz", "%", "%ff", "%00", "a%2Fb", "x".repeat(8000)),
  );
  return fc.oneof({ weight: 12, arbitrary: known }, { weight: 1, arbitrary: odd });
}

/** Percent-encoded; text with half a surrogate pair has no encoding. */
function encoded(text) {
  return encodeURIComponent(text.toWellFormed());
}

/** A path for a row of the table, most of them one that the row takes. */
function pathOf(row) {
  const segments = row.path
    .split("/")
    .slice(1)
    .map((segment) => {
      if (!segment.startsWith(":")) return fc.constant(segment);
      const name = segment.replace(/^:|[+*?]$/g, "");
      // A processor that exists, nearly always: a request for another is only told so.
      return name === "id" ? fc.oneof({ weight: 9, arbitrary: fc.constant("p1") }, segmentOf(name)) : segmentOf(name);
    });
  const query = fc.oneof(
    { weight: 9, arbitrary: fc.constant("") },
    fc.constantFrom(
      "?",
      "?data=a",
      "?data=VECTOR%7Cx",
      "?purge=true",
      "?purge=perhaps",
      "?dry_run=true",
      "?__proto__=1",
    ),
    anyText.map((text) => `?data=${encoded(text)}&data=${encoded(text)}`),
  );
  // Most operations about one memory are asked for in the processor's own, as ever.
  const inSession = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    segmentOf("session").map((session) => ["sessions", session]),
  );
  const end = fc.oneof(
    { weight: 20, arbitrary: fc.constant("") },
    fc.constantFrom("/", "//", "/..", "/%2e%2e", "/x/y"),
  );
  return fc
    .tuple(fc.tuple(...segments), row.inSessions ? inSession : fc.constant([]), end, query)
    .map(([[id, ...parts], session, last, rest]) => `/${[id, ...session, ...parts].join("/")}${last}${rest}`);
}

const headers = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc.record({ "content-type": fc.constantFrom(...MEDIA_TYPES) }),
  fc.record({ accept: fc.constantFrom("text/javascript", ...MEDIA_TYPES) }),
  fc.record({ "content-encoding": fc.constantFrom("gzip", "br", "identity", "x") }),
  fc.record({ range: fc.constant("bytes=0-1"), "if-none-match": fc.constant("*") }),
  fc.record({ "x-processor-id": anyText.map(encoded), "x-session": anyText.map(encoded) }),
  fc.record({ "idempotency-key": fc.constantFrom("", "k", "k".repeat(300)) }),
  fc.record({ cookie: fc.constant("a=b; ".repeat(200)), "x-forwarded-for": fc.constant("::1") }),
  fc.record({ upgrade: fc.constant("websocket"), connection: fc.constant("upgrade") }),
  fc.record({ origin: fc.constantFrom("null", "https://a.example", "x") }),
);

/** A key that is not accepted; most requests bring the right one. */
const key = fc.oneof(
  { weight: 30, arbitrary: fc.constant({}) },
  fc.record({ "x-api-key": fc.constantFrom("", "x", "ABCD-12345", "A".repeat(10_000)) }),
);

/**
 * A request for an operation.
 *
 * @param {{ methods: readonly string[], path: string }} row of the table
 * @returns an arbitrary of what the client sends, with `hasKey`
 */
export function requestFor(row) {
  const method = fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom(...row.methods) },
    fc.constantFrom(...OTHER_METHODS),
  );
  return fc
    .record({ method, path: pathOf(row), body: anyBody, headers, key })
    .map(({ key: keys, headers: others, ...outgoing }) => ({
      ...outgoing,
      headers: { ...others, ...keys },
      hasKey: Object.keys(keys).length === 0,
      row: `${row.methods[0]} ${row.path}`,
    }));
}
