/** What the search of the pages below /docs finds, made with them: the parts of the reference, and the guides. */

import type { Schema } from "../../openapi/reference/entry";
import { failures } from "../../openapi/reference/page";
import { guidesAmong, linksFrom, pagePathOf, type SourceFile, titleOf } from "../guides/guides";
import { slug } from "../markdown";
import type { Document } from "../reference/document";
import { REFERENCE_PATH } from "../reference/group";
import type { Reference } from "../reference/reference-pages";
import { schemaId } from "../reference/schema";
import type { Entry, SearchData } from "./entry";
import { otherWords } from "./other-words";
import { packWords } from "./words";

/** An entry, and all that is written where it leads. */
interface Found extends Entry {
  readonly content: string;
}

/** What the entries are made from. */
export interface SearchSources {
  readonly document: Document;
  readonly reference: Reference;
  readonly documents: readonly SourceFile[];
  /** The pages of the guides: HTML by path. */
  readonly guides: { readonly [path: string]: string };
}

/** Makes what the browser searches. Throws Error when words lead to what is not there. */
export function searchData({ document, reference, documents, guides }: SearchSources): SearchData {
  const found = [...referenceEntries(document, reference), ...guideEntries(documents, guides)];
  const words = new Map(found.map(({ id, content }) => [id, content]));
  for (const [others, id] of otherWords) {
    const content = words.get(id);
    if (content === undefined) throw new Error(`"${others}" leads to ${id}, which is no entry of the search`);
    words.set(id, `${content} ${others}`);
  }
  return {
    entries: found.map(({ id, name, kind, text }) => ({ id, name, kind, text })),
    words: packWords(found.map(({ id }) => words.get(id) ?? "")),
  };
}

/** Markdown of one sentence or two as plain text. */
function plain(markdown: unknown): string {
  return String(markdown ?? "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "");
}

/** HTML as text to find words in. */
function textIn(html: string): string {
  return html
    .replace(/<\/?(?:code|span|wbr|em|strong|a|b|i)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** What an operation's section says, by operation; without roles and failures, which most have, and the examples, which repeat it. */
function operationTexts({ pages }: Reference): Map<string, string> {
  const html = Object.values(pages).join("\n");
  const sections = html.matchAll(/<section id="(\w+)" class=operation[^>]*>(.*?)<div class=code>/gs);
  return new Map(
    [...sections].map(([, id = "", text = ""]) => [
      id,
      textIn(text.replace(/<p class=(?:marks|failures)>.*?<\/p>/g, "")),
    ]),
  );
}

/** The operations, genes, schemas, members and failures of the reference, and what all operations have in common. */
function referenceEntries({ info, components: { schemas } }: Document, reference: Reference): Found[] {
  const { groups, places } = reference;
  const at = (id: string) => `${places.get(id)}#${id}`;
  const texts = operationTexts(reference);
  const operations = groups.flatMap((group) =>
    group.operations.map(({ operationId, method, path, summary }) => ({
      id: at(operationId),
      name: `${method} ${path}`,
      kind: "operation",
      text: plain(summary),
      content: `${operationId} ${texts.get(operationId)}`,
    })),
  );
  const named = Object.entries(schemas).map(([name, { description }]) => ({
    id: at(schemaId(name)),
    name,
    kind: "schema",
    text: plain(description),
    content: "",
  }));
  const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as Schema)
      .filter(([member]) => places.has(`${name}.${member}`))
      .map(([member, schema]) => ({
        id: at(`${name}.${member}`),
        name: member,
        kind: `in ${name}`,
        text: plain((schema as Schema).description),
        content: "",
      })),
  );
  const genes = Object.entries((schemas.GeneChanges?.properties ?? {}) as Schema).map(([name, schema]) => ({
    id: at(`gene-${name}`),
    name,
    kind: "gene",
    text: plain((schema as Schema).description),
    content: "",
  }));
  const statuses = failures.map(({ status, when }) => ({
    id: `${REFERENCE_PATH}#failure-${status}`,
    name: String(status),
    kind: "failure",
    text: plain(when),
    content: "",
  }));
  return [...operations, ...named, ...members, ...genes, ...statuses, ...basicEntries(info.description)];
}

/** The paragraphs about all operations: each begins with what it is about. */
function basicEntries(description: string): Found[] {
  const paragraphs = description.split("\n\n").map((paragraph) => paragraph.split("**"));
  return paragraphs
    .filter(([before]) => before === "")
    .map(([, name = "", ...text]) => ({
      id: `${REFERENCE_PATH}#about-${slug(name)}`,
      name,
      kind: "in How to call",
      text: "",
      content: plain(text.join("")),
    }));
}

/** The guides and their parts, with the wishes that docs/README.md gives for them. */
function guideEntries(files: readonly SourceFile[], pages: SearchSources["guides"]): Found[] {
  const wishes = wishesOf(files);
  return guidesAmong(files).flatMap((guide) => {
    const path = pagePathOf(guide);
    const [, article = ""] = /<article>(.*)<\/article>/s.exec(pages[path] ?? "") ?? [];
    const [beginning = "", ...parts] = article.split(/(?=<h[23] id=)/);
    const entry = (id: string, name: string, kind: string, html: string) => ({
      id,
      name,
      kind,
      text: (wishes.get(id) ?? []).join("; "),
      content: textIn(html),
    });
    return [
      entry(path, titleOf(guide), "guide", beginning),
      ...parts.map((html) => {
        const [, id = "", heading = ""] = /<h[23] id="([^"]*)">(.*?)<\/h[23]>/s.exec(html) ?? [];
        return entry(`${path}#${id}`, textIn(heading), `in ${titleOf(guide)}`, html);
      }),
    ];
  });
}

/** What readers may want, in the words of docs/README.md, by the address that it names for that. */
function wishesOf(files: readonly SourceFile[]): Map<string, string[]> {
  const wishes = new Map<string, string[]>();
  const list = files.find(({ path }) => path === "README.md")?.text ?? "";
  const target = linksFrom("README.md", files);
  for (const [, wish = "", links = ""] of list.matchAll(/^\| (.*?) \| (.*) \|$/gm)) {
    for (const [, link = ""] of links.matchAll(/\]\(([^)]*)\)/g)) {
      const page = target(link);
      if (page?.startsWith("/docs/guides/")) wishes.set(page, [...(wishes.get(page) ?? []), plain(wish)]);
    }
  }
  return wishes;
}
