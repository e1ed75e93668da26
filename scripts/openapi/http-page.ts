/** Renders build/http.md, every operation in one file, from the table of operations and its reference. Pure: reads no file and asks no server. */

import pretty from "json-stringify-pretty-compact";
import { keyUseOf } from "../../src/gateway/idempotency";
import type { Operation } from "../../src/gateway/operations/operation";
import type { Call, Json } from "./reference/entry";
import { type Failure, failures, situation } from "./reference/page";
import { entryOf, rowName, sections } from "./sections";

const HEAD = `# Every operation of the HTTP interface

<!-- Written by \`npm run pages\` from the table of operations and its reference. -->

Every operation with its request, its answer and an example. Examples are broken into lines. [How to call](interface.md) says what all have in common.

## Failures

A failure is the usual envelope with \`status\` \`"failed"\` and a sentence as its message.
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

function contents(): string {
  return sections.map(({ title, rows }) => `**${title}**\n\n${rows.map(entryLine).join("\n")}\n`).join("\n");
}

/** Links between documents, as a file beside docs/ has them. */
function fromBuild(text: string): string {
  return text.replace(/\]\((?!https?:|#)/g, "](../docs/");
}

/** @returns build/http.md. Throws Error when a row has no entry in the reference */
export function httpPage(): string {
  const page = [
    HEAD,
    failuresTable(),
    ...failures.flatMap(failureExample),
    "## All operations\n",
    contents(),
    "## The examples\n",
    `Before each example, a new processor has answered these calls:\n\n${code(situation.map(call).join("\n\n"))}`,
    "`unique_id` (when the request has none), `time_stamp`, `learned_at`, `order`, the build, `memory_bytes` and `storage_bytes` differ from run to run.\n",
    ...sections.flatMap(({ title, rows }) => [`## ${title}\n`, ...rows.map(operationText)]),
  ];
  return fromBuild(page.join("\n"));
}
