/** Renders docs/http.md from the table of operations and its reference. Pure: reads no file and asks no server. */

import pretty from "json-stringify-pretty-compact";
import { keyUseOf } from "../src/gateway/idempotency";
import { MAX_BODY_BYTES } from "../src/gateway/json/body";
import type { Operation } from "../src/gateway/operations/operation";
import type { Call, Json } from "../src/gateway/operations/reference/entry";
import { type Failure, failures, situation } from "../src/gateway/operations/reference/page";
import { MAX_JSON_DEPTH } from "../src/text/json-depth";
import { entryOf, rowName, sections } from "./sections";

const MIB = 1024 * 1024;

const HEAD = `# The HTTP interface

<!-- Written by \`npm run docs\` from src/gateway/operations; a test compares them. Edit the rows and their reference, not this page. -->

Every operation with its request, its answer and an example. A test runs every example. A server has the same at \`GET /docs\`, to read,
to search and to try, and for programs, with schemas, as an OpenAPI 3.1 document: \`GET /openapi.json\`.

## How to call

- **Path**: \`/<id>/<operation>\`. The id is a processor's identifier (\`p46b6b076c\`) or its friendly name (\`P1\`). Percent-encode what
  is special in a path.
- **Key**: the header \`X-API-KEY\`, or \`Authorization: Bearer <key>\`. Keys that an agent has issued open what their *roles* allow:
  [keys.md](keys.md). These paths need none: \`GET /\`, a page for people, or its JSON if the client does not ask for HTML;
  \`GET /openapi.json\`; \`GET /docs\`; and \`GET /health\`, which says whether storage works ([watching.md](watching.md)).
- **Request**: JSON in UTF-8, at most ${MAX_BODY_BYTES / MIB} MiB (load_kb takes more) and ${MAX_JSON_DEPTH} levels deep. The
  content type does not matter. GET and DELETE may have a body.
- **Answer**: JSON without spaces, members sorted by name but for genomes and metadata; the examples are broken into lines. Most answers are an
  envelope \`{id, interval, message, status, time_stamp}\`: the processor's identifier, its time (how many observations it has taken), the
  result, \`"okay"\` or \`"failed"\`, and the seconds since 1970. *Returns* describes the message.
- **Unknown members**: an operation of the interface specification ignores members of the body that it does not know, and the envelope
  names them in \`detail\`. The operations marked *strict*, which the specification does not have, refuse them with HTTP 400, and unknown
  parameters of the query too.
- **\`Idempotency-Key\`**: the answers of operations marked *repeatable* are kept under the key in this header. The same request
  with the same key gets the same answer, with the header \`Idempotency-Replayed: true\`, and has no further effect:
  [guides/unreliable-links.md](guides/unreliable-links.md). Operations that change nothing ignore the header; the others refuse it with HTTP 400.
- **Sessions**: operations marked *in sessions, too* are also served at \`/<id>/sessions/<session>/<operation>\`, with the memory of that session:
  [sessions.md](sessions.md). Bodies and answers are the same.
- **RPC**: the calls that the gateway makes for the operation. Generated clients can make most of them directly: [clients.md](clients.md).

Words used below:

- A **GDF** is one record: \`{strings?, vectors?, emotives?, metadata?, unique_id?, command?}\`. Strings are a list of
  symbols, vectors a list of lists of numbers, emotives an object of numbers by name, metadata any object.
- A **hash** is the name of a model or a vector, 40 hex digits. Paths take a model's hash with \`MODEL|\` before it or without.
- A **genome** is the description of an agent: [agents.md](agents.md).
- A **pattern** is a regular expression, written as for Python's \`re\`. It must match a whole symbol.

## Failures

A failure is the same envelope with \`status\` \`"failed"\` and a sentence as its message.
`;

function code(text: string, language = ""): string {
  return `\`\`\`${language}\n${text}\n\`\`\`\n`;
}

function json(value: Json): string {
  return code(pretty(value, { maxLength: 120 }), "json");
}

/** A call as the page prints it: one line for method and path, and the body. */
function call({ method, path, body }: Call): string {
  return `${method} ${path}${body === undefined ? "" : `\n${pretty(body, { maxLength: 120 })}`}`;
}

/** A call in a line of text. */
function brief({ method, path, body }: Call): string {
  return `\`${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}\``;
}

function failuresTable(): string {
  const rows = failures.map(({ status, when }) => `| ${status} | ${when} |`);
  return `| HTTP | when |\n|---|---|\n${rows.join("\n")}\n`;
}

function failureExample({ example }: Failure): string[] {
  if (example === undefined) return [];
  const { request, keyless, response } = example;
  return [`${keyless ? "Without a key:\n\n" : ""}${code(call(request))}\n${json(response)}`];
}

/** The same for readers: parameters in angle brackets. */
function heading(operation: Operation): string {
  return rowName(operation).replace(/:(\w+)\+?/g, "<$1>");
}

function rolesOf({ roles }: Operation): string {
  return roles.length === 0 ? "any key" : roles.map((role) => `\`${role}\``).join(" or ");
}

function rpcsOf({ rpcs }: Operation): string {
  return rpcs.map(({ parent, name }) => `\`${parent.typeName}/${name}\``).join(", ") || "none";
}

function queryOf({ query }: Operation): string {
  return query === undefined ? "" : `- Query: ${query.map((name) => `\`${name}\``).join(", ")}\n`;
}

function strictness({ isOwn }: Operation): string {
  return isOwn ? "- Strict\n" : "";
}

function sessions({ inSessions }: Operation): string {
  return inSessions ? "- In sessions, too\n" : "";
}

function repeatability(operation: Operation): string {
  return keyUseOf(operation) === "keeps" ? "- Repeatable\n" : "";
}

function operationText(operation: Operation): string {
  const { takes = "None.", returns, example } = entryOf(operation);
  const after = example.after?.map(brief).join(", then ");
  return [
    `### \`${heading(operation)}\`\n`,
    `${operation.summary}\n`,
    `- Body: ${takes}\n${queryOf(operation)}- Returns: ${returns}\n- Role: ${rolesOf(operation)}\n- RPC: ${rpcsOf(operation)}\n${strictness(operation)}${sessions(operation)}${repeatability(operation)}`,
    after === undefined ? "" : `After ${after}:\n`,
    code(call(example.request)),
    typeof example.response === "string" ? code(example.response) : json(example.response),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** The name of an operation's heading in links, as GitHub makes it. */
function anchorOf(operation: Operation): string {
  return heading(operation)
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

/** One line of the list of operations, which leads to its text. */
function entryLine(operation: Operation): string {
  return `- [\`${heading(operation)}\`](#${anchorOf(operation)}): ${operation.summary}`;
}

/** The identifier of each operation by the name of its heading in links. */
export function headingAnchors(): Map<string, string> {
  const rows = sections.flatMap((section) => section.rows);
  return new Map(rows.map((row) => [anchorOf(row), entryOf(row).operationId[0] ?? ""]));
}

function contents(): string {
  return sections.map(({ title, rows }) => `**${title}**\n\n${rows.map(entryLine).join("\n")}\n`).join("\n");
}

/** @returns docs/http.md. Throws Error when a row has no entry in the reference */
export function httpPage(): string {
  return [
    HEAD,
    failuresTable(),
    ...failures.flatMap(failureExample),
    "## All operations\n",
    contents(),
    "## The examples\n",
    `Before each example, a new processor has answered these calls:\n\n${code(situation.map(call).join("\n\n"))}`,
    "`unique_id` (when the request has none), `time_stamp`, `learned_at`, `order`, the build, `memory_bytes` and `storage_bytes` differ from run to run.\n",
    ...sections.flatMap(({ title, rows }) => [`## ${title}\n`, ...rows.map(operationText)]),
  ].join("\n");
}
