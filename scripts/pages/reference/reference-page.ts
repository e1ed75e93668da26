/** The page at /docs: the reference of all operations, genes and schemas, made from the OpenAPI document. */

import type { Schema } from "../../openapi/reference/entry";
import { failures, situation } from "../../openapi/reference/page";
import { codeBlock, escaped } from "../html";
import { layout } from "../layout";
import { type LinkTarget, markdown, slug } from "../markdown";
import { type Document, operationsOf, type ReferenceOperation } from "./document";
import { failureItem, methodAndPath, operationSection, type Tools } from "./operation";
import { SchemaWriter, schemaId, schemasToShow } from "./schema";
import type { ClientCall } from "./snippets";

/** What the page is made from. */
export interface ReferenceSources {
  readonly document: Document;
  /** The calls of `noema/client` by operation. */
  readonly calls: { readonly [operationId: string]: ClientCall };
  /** Where links of the descriptions lead. */
  readonly target: LinkTarget;
}

/** The page as HTML. */
export function referencePage({ document, calls, target }: ReferenceSources): string {
  const writer = markdown(target);
  const operations = operationsOf(document);
  const { schemas } = document.components;
  const tools: Tools = {
    markdown: writer,
    schemas: new SchemaWriter(writer, schemas, schemasToShow(schemas, operations)),
    calls,
  };
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: slug(tag.name),
    operations: operations.filter(({ tags: [first] }) => first === tag.name),
  }));
  const text = [
    introduction(document, tools),
    ...groups.map(
      (group) =>
        `<h2 id="${group.id}">${escaped(group.name)}</h2>\n<p>${writer.inline(group.description)}</p>\n${group.operations.map((one) => operationSection(one, tools)).join("")}`,
    ),
    genes(document, tools),
    schemaSections(document, tools),
  ].join("\n");
  return layout({
    title: "Reference · Noema",
    description: "Every operation of Noema, to read and to try.",
    place: "/docs",
    contents: [
      contentsOf("Basics", [
        ["how-to-call", "How to call"],
        ["failures", "Failures"],
        ["examples", "The examples"],
      ]),
      ...groups.map((group) => operationList(group.name, group.operations)),
      contentsOf("Data", [
        ["all-genes", "All genes"],
        ["schemas", "Schemas"],
      ]),
    ].join("\n"),
    text,
    version: document.info.version,
  });
}

function contentsOf(title: string, entries: readonly (readonly [id: string, text: string])[]): string {
  const items = entries.map(([id, text]) => `<li><a href="#${id}">${text}</a>`);
  return `<h2>${title}</h2><ul>${items.join("")}</ul>`;
}

function operationList(title: string, operations: readonly ReferenceOperation[]): string {
  const shorts = operations.map(({ path }) => path.replace(/^\/\{id\}\//, "").replace(/^\/(?=.)/, ""));
  const items = operations.map(({ operationId, method, path }, at) => {
    // Some operations are at two paths, of the agent and of a processor.
    const isTwice =
      path.startsWith("/{id}/") &&
      shorts.indexOf(shorts[at] ?? "") < at &&
      operations.some((one) => one.path === `/${shorts[at]}`);
    return `<li><a href="#${operationId}">${methodAndPath({ method, path: (isTwice ? path.slice(1) : shorts[at]) ?? path })}</a>`;
  });
  return `<h2>${escaped(title)}</h2><ul>${items.join("")}</ul>`;
}

function introduction({ info: { description } }: Document, tools: Tools): string {
  const { markdown: writer } = tools;
  // Each paragraph begins with what it is about: operations link to it.
  const about = writer
    .document(description)
    .replace(/<p>(<strong>(.*?)<\/strong>)/g, (_, strong, words) => `<p id="about-${slug(words)}">${strong}`);
  const calls = situation.map(
    ({ method, path, body }) => `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`,
  );
  return `<h1>Reference</h1>
<p class="lead">Every operation, to read and to try. <a href="/docs/guides">Guides</a> explain the ideas behind them; programs read the
<a href="/openapi.json">OpenAPI document</a>.</p>
<h2 id="how-to-call">How to call</h2>
${about}
<h2 id="failures">Failures</h2>
<p>A <a href="#schema-Failure">failure</a> is an answer with <code>status</code> <code>"failed"</code> and a sentence as its message.</p>
<ul class="members">${failures.map(({ status, when }) => failureItem(String(status), when, tools)).join("")}</ul>
<h2 id="examples">The examples</h2>
<p>Before each example, a new processor has answered these calls:</p>
${codeBlock(calls.join("\n"), "")}
<p><code>ABCD-1234</code> is the key of a server on your own machine; a deployment has keys of its own.</p>`;
}

/** The schemas of the genes: the page has one list of genes for them. */
const GENE_SCHEMAS: readonly string[] = ["Genes", "GeneChanges"];

function genes({ components: { schemas } }: Document, { schemas: writer }: Tools): string {
  const all = Object.entries((schemas.GeneChanges?.properties ?? {}) as { readonly [name: string]: Schema });
  const item = ([name, schema]: (typeof all)[number]) => writer.member(name, schema, true, ` id="gene-${name}"`);
  const [used, idle] = [false, true].map((isIdle) =>
    all.filter(([, schema]) => (schema["x-no-effect"] === true) === isIdle),
  );
  return `<h2 id="all-genes">All genes</h2>
<p>The settings of a processor. <a href="#getAllGenes">Read</a> them, <a href="#changeGenes">change</a> them, or set them in a genome for
new processors; there, <code>SORT</code> is called <code>sort</code>.</p>
<ul class="members">${used?.map(item).join("")}</ul>
<h3>Genes without an effect</h3>
<p>Programs written for the original agent set them. They are kept and checked.</p>
<ul class="members">${idle?.map(([name, schema]) => item([name, { ...schema, description: "" }])).join("")}</ul>`;
}

function schemaSections({ components: { schemas } }: Document, { schemas: writer }: Tools): string {
  const names = new Set(Object.keys((schemas.GeneChanges?.properties ?? {}) as object));
  const others = Object.entries(schemas).filter(([name]) => !writer.isShown(name));
  const sections = others.map(([name, schema]) => {
    const shown = GENE_SCHEMAS.includes(name) || name === "Primitive" ? withoutGenes(schema, names) : schema;
    const more = shown === schema ? "" : '<p>Its other members are the <a href="#all-genes">genes</a>.</p>';
    return `<section id="${schemaId(name)}" class=schema><h3><a href="#${schemaId(name)}">${name}</a></h3>${writer.block(shown, name)}${more}</section>`;
  });
  return `<h2 id="schemas">Schemas</h2>
<p>What several operations take or answer. Answers may gain members: ignore those that you do not know.</p>
${sections.join("\n")}`;
}

/** A schema without the members that are genes, in requests and in genomes. */
function withoutGenes(schema: Schema, names: ReadonlySet<string>): Schema {
  const members = Object.entries((schema.properties ?? {}) as { readonly [name: string]: Schema });
  const properties = Object.fromEntries(members.filter(([name]) => !names.has(name) && name !== "sort"));
  return { ...schema, properties };
}
