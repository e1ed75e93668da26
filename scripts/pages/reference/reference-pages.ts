/**
 * The reference, made from the OpenAPI document: a list of everything at /docs, and below /docs/reference a page for
 * each group of operations, with the schemas that it is the first to mention.
 */

import type { Schema } from "../../openapi/reference/entry";
import { escaped, quoted } from "../html";
import { layout } from "../layout";
import { type LinkTarget, markdown, slug } from "../markdown";
import { type Document, operationsOf } from "./document";
import { type Group, groupPath, REFERENCE_PATH } from "./group";
import { indexText } from "./index-text";
import { methodAndPath, operationSection, type Tools } from "./operation";
import { SchemaWriter, schemaId, schemasToShow, sharedByAll } from "./schema";

/** What the pages are made from. */
export interface ReferenceSources {
  readonly document: Document;
  /** Where links of the descriptions lead. */
  readonly target: LinkTarget;
}

/** The reference as pages, and where on them everything is. */
export interface Reference {
  /** HTML by path. */
  readonly pages: { readonly [path: string]: string };
  readonly groups: readonly Group[];
  /** The path of the page that has an element of this id. */
  readonly places: ReadonlyMap<string, string>;
}

/** Makes the pages. Throws Error when a link leads to nothing. */
export function referencePages({ document, target }: ReferenceSources): Reference {
  const writer = markdown(target);
  const operations = operationsOf(document);
  const { schemas } = document.components;
  const tools: Tools = {
    markdown: writer,
    schemas: new SchemaWriter(writer, schemas, schemasToShow(schemas, operations)),
  };
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ tags: [first] }) => first === tag.name),
  }));
  const sections = new SchemaSections(document, tools.schemas);
  const texts = new Map(groups.map((group) => [group, groupText(group, document, tools, sections)]));
  const places = new Map(groups.flatMap((group) => idsIn(texts.get(group) ?? "").map((id) => [id, groupPath(group)])));
  const index = indexText({ document, tools, groups, places, schemaSections: sections.others() });
  for (const id of idsIn(index)) if (!places.has(id)) places.set(id, REFERENCE_PATH);
  const pages = groups.map((group) => [
    groupPath(group),
    page(document, groups, places, { group, text: texts.get(group) ?? "" }),
  ]);
  return {
    pages: { [REFERENCE_PATH]: page(document, groups, places, { text: index }), ...Object.fromEntries(pages) },
    groups,
    places,
  };
}

interface PageText {
  /** Absent on the list of everything. */
  readonly group?: Group;
  readonly text: string;
}

function page(
  { info }: Document,
  groups: readonly Group[],
  places: ReadonlyMap<string, string>,
  { group, text }: PageText,
): string {
  const title = group === undefined ? "Reference" : `${group.name} · Reference`;
  const about = group === undefined ? "Every operation" : `${group.name}: operations`;
  const path = group === undefined ? REFERENCE_PATH : groupPath(group);
  return layout({
    title: `${title} · Noema`,
    description: `${about} of Noema, to read and to try.`,
    place: REFERENCE_PATH,
    contents: linked(contents(groups, group), { path, text, places }),
    text: linked(text, { path, text, places }),
    version: info.version,
  });
}

function idsIn(html: string): string[] {
  return [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => id);
}

/** Has links to what is on another page lead there. They are written as if everything were on one page. */
function linked(
  html: string,
  here: { readonly path: string; readonly text: string; readonly places: ReadonlyMap<string, string> },
): string {
  const own = new Set(idsIn(here.text));
  return html.replace(/href="#([^"]+)"/g, (link, id: string) => {
    if (own.has(id)) return link;
    const place = here.places.get(id);
    if (place === undefined) throw new Error(`${here.path} has a link to #${id}, which no page of the reference has`);
    return `href=${quoted(`${place}#${id}`)}`;
  });
}

/** The basics and all groups, and below the group that is shown its operations. */
function contents(groups: readonly Group[], shown?: Group): string {
  const items = groups.map((group) => {
    const current = group === shown ? ' aria-current="page"' : "";
    const link = `<a href="${groupPath(group)}"${current}>${escaped(group.name)}</a>`;
    return `<li>${link}${group === shown ? operationList(group) : ""}`;
  });
  return `<h2>Basics</h2><ul><li><a href="#how-to-call">How to call</a><li><a href="#failures">Failures</a><li><a href="#examples">The examples</a></ul>
<h2>Operations</h2><ul>${items.join("")}</ul>
<h2>Data</h2><ul><li><a href="#all-genes">All genes</a><li><a href="#schemas">Schemas</a></ul>`;
}

function operationList({ operations }: Group): string {
  const shorts = operations.map(({ path }) => path.replace(/^\/\{id\}\//, "").replace(/^\/(?=.)/, ""));
  const items = operations.map(({ operationId, method, path }, at) => {
    // Some operations are at two paths, of the agent and of a processor.
    const isTwice =
      path.startsWith("/{id}/") &&
      shorts.indexOf(shorts[at] ?? "") < at &&
      operations.some((one) => one.path === `/${shorts[at]}`);
    return `<li><a href="#${operationId}">${methodAndPath({ method, path: (isTwice ? path.slice(1) : shorts[at]) ?? path })}</a>`;
  });
  return `<ul>${items.join("")}</ul>`;
}

/** The text of a group's page: its operations, the genes where they belong, and the schemas that come first here. */
function groupText(group: Group, document: Document, tools: Tools, sections: SchemaSections): string {
  const own = group.operations.map((one) => operationSection(one, tools)).join("");
  const more = group.operations.some(({ operationId }) => operationId === "changeGenes") ? genes(document, tools) : "";
  const schemas = sections.mentionedIn(own + more);
  const heading = schemas === "" ? "" : `<h2 id="schemas-of-${slug(group.name)}">Schemas</h2>\n${schemas}`;
  return `<h1>${escaped(group.name)}</h1>
<p class="lead">${tools.markdown.inline(group.description)}</p>
<h2 class=hidden>Operations</h2>
${own}${more}${heading}`;
}

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
<ul class="members">${idle?.map(([name, schema]) => item([name, { ...schema, description: "" }])).join("")}</ul>
`;
}

/** The schemas of the genes: there is one list of genes for them. */
const GENE_SCHEMAS: readonly string[] = ["Genes", "GeneChanges", "Primitive"];

/** The schemas with sections of their own. Each is written once: on the first page that mentions it. */
class SchemaSections {
  readonly #named: { readonly [name: string]: Schema };
  readonly #writer: SchemaWriter;
  readonly #geneNames: ReadonlySet<string>;
  readonly #written = new Set<string>(sharedByAll);

  constructor({ components: { schemas } }: Document, writer: SchemaWriter) {
    this.#named = schemas;
    this.#writer = writer;
    this.#geneNames = new Set(Object.keys((schemas.GeneChanges?.properties ?? {}) as object));
  }

  /** The sections of schemas that a text mentions and that have no place yet, and of those that they mention. */
  mentionedIn(html: string): string {
    const sections: string[] = [];
    for (let text = html; text !== ""; ) {
      const due = new Set([...text.matchAll(/href="#schema-(\w+)"/g)].map(([, name = ""]) => name));
      const own = [...due].filter((name) => this.#isDue(name)).map((name) => this.#section(name));
      sections.push(...own);
      text = own.join("\n");
    }
    return sections.join("\n");
  }

  /** The sections of what answers have in common, and of schemas that no operation mentions. */
  others(): string {
    const shared = sharedByAll.map((name) => this.#section(name));
    const others = Object.keys(this.#named).filter((name) => this.#isDue(name));
    return [...shared, ...others.map((name) => this.#section(name))].join("\n");
  }

  #isDue(name: string): boolean {
    return !this.#written.has(name) && !this.#writer.isShown(name);
  }

  #section(name: string): string {
    this.#written.add(name);
    const schema = this.#named[name];
    if (schema === undefined) throw new Error(`the document has no schema ${name}`);
    const hasGenes = GENE_SCHEMAS.includes(name);
    const more = hasGenes ? '<p>Its other members are the <a href="#all-genes">genes</a>.</p>' : "";
    const text = this.#writer.block(hasGenes ? withoutGenes(schema, this.#geneNames) : schema, name);
    return `<section id="${schemaId(name)}" class=schema><h3><a href="#${schemaId(name)}">${name}</a></h3>${text}${more}</section>`;
  }
}

/** A schema without the members that are genes, in requests and in genomes. */
function withoutGenes(schema: Schema, names: ReadonlySet<string>): Schema {
  const members = Object.entries((schema.properties ?? {}) as { readonly [name: string]: Schema });
  const properties = Object.fromEntries(members.filter(([name]) => !names.has(name) && name !== "sort"));
  return { ...schema, properties };
}
