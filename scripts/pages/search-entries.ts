/** What the search of the pages below /docs finds, made with them: the parts of the reference, and the guides. */

import type { Schema } from "../openapi/reference/entry";
import { failures } from "../openapi/reference/page";
import { guidesAmong, linksFrom, pagePathOf, type SourceFile, titleOf } from "./guides/guides";
import type { Document } from "./reference/document";
import { REFERENCE_PATH } from "./reference/group";
import type { Reference } from "./reference/reference-pages";
import { schemaId } from "./reference/schema";
import type { Entry } from "./search-entry";

/** Markdown of one sentence or two as plain text. */
function plain(markdown: unknown): string {
  return String(markdown ?? "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "");
}

/** The operations, genes, schemas, members and failures of the reference. */
export function referenceEntries({ components: { schemas } }: Document, { groups, places }: Reference): Entry[] {
  const at = (id: string) => `${places.get(id)}#${id}`;
  const operations = groups.flatMap((group) =>
    group.operations.map(({ operationId, method, path, summary }) => ({
      id: at(operationId),
      name: `${method} ${path}`,
      kind: "operation",
      text: `${operationId} ${plain(summary)}`,
    })),
  );
  const named = Object.entries(schemas).map(([name, { description }]) => ({
    id: at(schemaId(name)),
    name,
    kind: "schema",
    text: plain(description),
  }));
  const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as Schema)
      .filter(([member]) => places.has(`${name}.${member}`))
      .map(([member, schema]) => ({
        id: at(`${name}.${member}`),
        name: member,
        kind: `in ${name}`,
        text: plain((schema as Schema).description),
      })),
  );
  const genes = Object.entries((schemas.GeneChanges?.properties ?? {}) as Schema).map(([name, schema]) => ({
    id: at(`gene-${name}`),
    name,
    kind: "gene",
    text: plain((schema as Schema).description),
  }));
  const statuses = failures.map(({ status, when }) => ({
    id: `${REFERENCE_PATH}#failure-${status}`,
    name: String(status),
    kind: "failure",
    text: plain(when),
  }));
  return [...operations, ...named, ...members, ...genes, ...statuses];
}

/** The guides, with the wishes that docs/README.md gives for each, or for a part of one. */
export function guideEntries(files: readonly SourceFile[]): Entry[] {
  const entries = new Map<string, Entry>();
  const add = (id: string, title: string, wish: string) => {
    const { name = title, text = "" } = entries.get(id) ?? {};
    entries.set(id, { id, name, kind: "guide", text: [text, wish].filter(Boolean).join("; ") });
  };
  for (const guide of guidesAmong(files)) add(pagePathOf(guide), titleOf(guide), "");
  const list = files.find(({ path }) => path === "README.md")?.text ?? "";
  const target = linksFrom("README.md", files);
  for (const [, wish = "", links = ""] of list.matchAll(/^\| (.*?) \| (.*) \|$/gm)) {
    for (const [, title = "", link = ""] of links.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)) {
      const page = target(link);
      if (page?.startsWith("/docs/guides/")) add(page, plain(title), plain(wish));
    }
  }
  return [...entries.values()];
}
