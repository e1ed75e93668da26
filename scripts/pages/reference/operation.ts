/** The section of one operation: what it does, takes and answers, its roles and failures, and its example as code. */

import pretty from "json-stringify-pretty-compact";
import { CALLS, SAME } from "../../openapi/operation-calls";
import type { Call, Json, Schema } from "../../openapi/reference/entry";
import { codeBlock, escaped, inlineCode, quoted } from "../html";
import type { Markdown } from "../markdown";
import { nameIn, type Parameter, type ReferenceOperation } from "./document";
import { type SchemaWriter, schemaId } from "./schema";
import { snippetsOf } from "./snippets";

const JSON_TYPE = "application/json";

/** How long lines of JSON may be, in characters. */
const WIDTH = 68;

/** What the section of an operation is made with. */
export interface Tools {
  readonly markdown: Markdown;
  readonly schemas: SchemaWriter;
}

/** The method and the path of an operation, for a heading or a line of a list. */
export function methodAndPath({ method, path }: Pick<ReferenceOperation, "method" | "path">): string {
  // So that a long path is broken where people would break it.
  return `<em class="${method.toLowerCase()}">${method}</em> <code>${escaped(path).replaceAll("/", "<wbr>/")}</code>`;
}

/** @returns a section with the operation's identifier as its id */
export function operationSection(operation: ReferenceOperation, tools: Tools): string {
  const { operationId, summary, description } = operation;
  const about = description === undefined ? "" : `<p>${tools.markdown.inline(description)}</p>`;
  return `<section id="${operationId}" class=operation${dataOf(operation)}>
<div><h3><a href="#${operationId}">${methodAndPath(operation)}</a></h3>
<p class=summary>${tools.markdown.inline(summary)}.</p>${about}
${marks(operation)}${parameters(operation, tools)}${request(operation, tools)}${answer(operation, tools)}${failures(operation)}</div>
<div class=code>${example(operation)}</div>
</section>
`;
}

/** What the form to try the operation needs to know. */
function dataOf({ sessionPath, requestBody, example: shown }: ReferenceOperation): string {
  const sent = shown?.request.body ?? requestBody?.content[JSON_TYPE]?.example;
  const started = sent === undefined ? "" : pretty(sent, { maxLength: WIDTH });
  const body = requestBody === undefined ? "" : attribute("data-body", started);
  return attribute("data-session-path", sessionPath) + body;
}

/** An attribute with a blank before it; nothing if it has no value. */
function attribute(name: string, value: string | number | undefined): string {
  return value === undefined ? "" : ` ${name}=${quoted(String(value))}`;
}

function marks(operation: ReferenceOperation): string {
  const { security, sessionPath, deprecated } = operation;
  const roles = operation["x-roles"] ?? [];
  const items = [
    security?.length === 0 ? "Needs no key" : rolesText(roles),
    ...(sessionPath === undefined ? [] : ['<a href="#about-sessions">In sessions, too</a>']),
    ...(operation.parameters.some(({ name }) => name === "Idempotency-Key")
      ? ['<a href="#about-repeating">Repeatable</a>']
      : []),
    ...(operation["x-strict"] ? ['<a href="#about-requests">Strict</a>'] : []),
    ...(deprecated ? ["Not available: always fails"] : []),
  ];
  return `<p class=marks>${items.join(" · ")}</p>\n`;
}

function rolesText(roles: readonly string[]): string {
  const names = roles.map((role) => inlineCode(role)).join(", ");
  return names === "" ? 'Any <a href="#about-roles">key</a>' : `<a href="#about-roles">Role</a> ${names}`;
}

const PLACES: readonly { readonly in: Parameter["in"]; readonly title: string }[] = [
  { in: "path", title: "Path" },
  { in: "query", title: "Query" },
  { in: "header", title: "Headers" },
];

function parameters({ parameters: all }: ReferenceOperation, { schemas }: Tools): string {
  const lists = PLACES.map(({ in: place, title }) => {
    const own = all.filter((one) => one.in === place);
    const items = own.map(({ name, required, description, schema, example: shown }) =>
      schemas.member(name, { ...plainText(schema), description }, required, attribute("data-example", shown)),
    );
    return own.length === 0 ? "" : `<h4>${title}</h4><ul class=members data-in=${place}>${items.join("")}</ul>\n`;
  });
  return lists.join("");
}

/** A name in a path is any text: that it is not empty goes without saying. */
function plainText({ minLength, ...schema }: Schema): Schema {
  return minLength === undefined || minLength === 1 ? schema : { ...schema, minLength };
}

function request({ requestBody, method }: ReferenceOperation, { schemas }: Tools): string {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  if (requestBody === undefined || schema === undefined) return "";
  const optional = requestBody.required ? "" : " <i>optional</i>";
  return `<h4>Body${optional}</h4>${body(schema, schemas)}${method === "GET" ? "<p>Browsers cannot send a body with GET.</p>" : ""}\n`;
}

/** The schema of a body. One that may stand inside `data` or by itself is shown once. */
function body(schema: Schema, schemas: SchemaWriter): string {
  const [inside, alone] = Array.isArray(schema.anyOf) ? (schema.anyOf as readonly Schema[]) : [];
  const data = (inside?.properties as Schema | undefined)?.data as Schema | undefined;
  const bare = (alone?.allOf as readonly Schema[] | undefined)?.[0] ?? alone;
  if (data === undefined || inside === undefined || JSON.stringify(bare) !== JSON.stringify(data)) {
    return schemas.block(schema);
  }
  return `${schemas.inner(inside)}<p>What is in <code>data</code> may also be the whole body.</p>`;
}

function answer({ responses }: ReferenceOperation, { schemas }: Tools): string {
  const content = responses["200"]?.content ?? {};
  const parts = Object.entries(content).map(([type, { schema }]) =>
    type === JSON_TYPE
      ? answerOf(schema, schemas)
      : `<p>${inlineCode(type)}: ${escaped(String(schema.description))}</p>`,
  );
  return `<h4>Answer</h4>${parts.join("")}\n`;
}

/** The schema of an answer; of the usual envelope only what this operation puts into it. */
function answerOf(schema: Schema, schemas: SchemaWriter): string {
  const either = (schema.anyOf ?? []) as readonly Schema[];
  if (either.some(({ allOf }) => Array.isArray(allOf) && allOf.length > 1)) {
    const items = either.map((one) => `<li>${answerOf(one, schemas)}`);
    return `<p>${escaped(String(schema.description ?? "One of these."))}</p><ul class=either>${items.join("")}</ul>`;
  }
  const [envelope, own] = Array.isArray(schema.allOf) ? (schema.allOf as readonly Schema[]) : [];
  if (envelope?.$ref === undefined || own === undefined) return schemas.block(schema);
  const link = `<a href="#${schemaId(nameIn(String(envelope.$ref)))}">envelope</a>`;
  const { message, ...others } = own.properties as { readonly [name: string]: Schema };
  const required = (own.required ?? []) as readonly string[];
  const members = Object.entries({ ...(message && { message }), ...others });
  const items = members.map(([name, member]) => schemas.member(name, member, required.includes(name)));
  return `<p>In the ${link}:</p><ul class=members>${items.join("")}</ul>`;
}

function failures({ responses }: ReferenceOperation): string {
  const links = Object.keys(responses)
    .filter((status) => Number(status) >= 400)
    .map((status) => `<a href="#failure-${status}">${status}</a>`);
  return links.length === 0 ? "" : `<p class=failures>Failures: ${links.join(" ")}</p>`;
}

/** A call in a line of text. */
function brief({ method, path, body: sent }: Call): string {
  return inlineCode(`${method} ${path}${sent === undefined ? "" : ` ${JSON.stringify(sent)}`}`);
}

function example(operation: ReferenceOperation): string {
  const { externalDocs } = operation;
  if (operation["x-stream"] && externalDocs !== undefined) {
    return `<p><a href="${escaped(externalDocs.url)}">${escaped(externalDocs.description)}</a>.</p>`;
  }
  const { operationId, method, path, responses, security } = operation;
  const { request: call = { method: method as Call["method"], path }, after } = operation.example ?? {};
  const { content = {} } = responses["200"] ?? { description: "" };
  const kind = { needsKey: security?.length !== 0, isJson: content[JSON_TYPE] !== undefined };
  const parts = snippetsOf(call, CALLS[SAME[operationId] ?? operationId], kind).map(({ title, language, code }) => {
    const block = codeBlock(code, language === "urllib" ? "python" : language);
    return `<div data-language=${language}><h4>${title}</h4>${block}</div>`;
  });
  const before = after === undefined ? "" : `<p>After ${after.map(brief).join(", then ")}:</p>`;
  const shown = operation.example?.response ?? content[JSON_TYPE]?.example;
  const result = shown === undefined ? "" : `<h4>Answer</h4>${shownAnswer(shown)}`;
  return `${before}<div class=snippets>${parts.join("")}</div>${result}`;
}

/** The answer of an example: JSON in lines, or a text as it comes. */
function shownAnswer(shown: Json): string {
  return typeof shown === "string" ? codeBlock(shown, "") : codeBlock(pretty(shown, { maxLength: WIDTH }), "json");
}

/** A failure in the list of all failures. */
export function failureItem(status: string, description: string, { markdown }: Tools): string {
  return `<li id="failure-${status}"><b>${status}</b> <p>${markdown.inline(description)}</p>`;
}
