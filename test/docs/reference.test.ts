/** The reference has whatever the OpenAPI document, the table of genes and docs/ have. */

import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { pages } from "../../build/pages";
import { failures, reference } from "../../scripts/openapi/reference/page";
import { rowName } from "../../scripts/openapi/sections";
import { absentOperations } from "../../src/gateway/operations/absent";
import { GENE_NAMES } from "../../src/processor/genes/table";
import { DOCUMENT } from "../support/openapi/schemas";
import { htmlOf, operationSections, referencePaths, snippetOf, textOf } from "../support/reference/served-page";

interface Documented {
  readonly operationId: string;
  readonly summary: string;
  readonly "x-session-of"?: string;
  readonly "x-roles"?: readonly string[];
  readonly security?: readonly object[];
  readonly responses: { readonly [status: string]: unknown };
}

const OPERATIONS = Object.entries(
  DOCUMENT.paths as unknown as { [path: string]: { [method: string]: Documented } },
).flatMap(([path, { parameters: _, ...methods }]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const sections = operationSections();
const index = htmlOf("/docs");
const groupPages = referencePaths.filter((path) => path !== "/docs").map(htmlOf);
const whole = [index, ...groupPages].join("\n");

/** The page that has the section of an operation. */
const pageOf = (id: string) => groupPages.find((html) => html.includes(`<section id="${id}"`)) ?? "";

/** How many words a reader of a page sees in its text, examples included. */
const wordsOf = (html: string) =>
  textOf(html.slice(html.indexOf("<main")).replaceAll("<", " <")).match(/\S+/g)?.length ?? 0;

/** Operations that `noema/client` has no function for: those that always fail, and pages. */
const WITHOUT_CLIENT = new Set(absentOperations.flatMap((row) => reference[rowName(row)]?.operationId ?? []));

describe("the reference", () => {
  test.each(OPERATIONS)("has $method $path", ({ path, method, operation }) => {
    const owner = operation["x-session-of"];
    const section = sections.get(owner ?? operation.operationId) ?? "";
    if (owner !== undefined) {
      expect(section).toContain(`data-session-path="${path}"`);
      return;
    }
    expect(textOf(/<h3>(.*?)<\/h3>/.exec(section)?.[1] ?? "")).toBe(`${method} ${path}`);
    expect(textOf(section)).toContain(operation.summary.replaceAll("`", ""));
    // Beside the operation's own page, and in the list of all.
    expect(pageOf(operation.operationId)).toContain(`<li><a href="#${operation.operationId}">`);
    expect(index).toMatch(
      new RegExp(`<li id="${operation.operationId}"><a href="/docs/reference/[a-z-]+#${operation.operationId}">`),
    );
    const roles = operation["x-roles"] ?? [];
    for (const role of roles) expect(section).toContain(`<code>${role}</code>`);
    for (const status of Object.keys(operation.responses).filter((one) => Number(one) >= 400)) {
      expect(section).toContain(`<a href="/docs#failure-${status}">`);
    }
  });

  test("leads from what opens a WebSocket, and is no call, to what they carry", () => {
    expect(sections.get("stream")).toContain('href="/docs/guides/streams"');
    expect(sections.get("connectMqtt")).toContain('href="/docs/guides/mqtt"');
  });

  test.each(
    [...sections].filter(([id]) => id !== "stream" && id !== "connectMqtt"),
  )("shows %s in curl, TypeScript, Python and plain Python", (id, section) => {
    const isPage = OPERATIONS.some(({ operation }) => operation.operationId === id && operation.security?.length === 0);
    const hasClient = !WITHOUT_CLIENT.has(id) && !isPage;
    const languages = ["sh", "ts", "python", "urllib"] as const;
    const shown = languages.map((language) => snippetOf(section, language) !== undefined);
    expect(shown).toEqual([true, hasClient, hasClient, true]);
  });

  test("has nothing but the operations", () => {
    expect(sections.size).toBe(OPERATIONS.filter(({ operation }) => operation["x-session-of"] === undefined).length);
  });

  test.each(
    Object.keys((DOCUMENT.components as { readonly schemas: object }).schemas),
  )("shows the schema %s once, and its name in the list of all", (name) => {
    const shown = [...whole.matchAll(new RegExp(`<(\\w+) id="schema-${name}"`, "g"))].map(([, tag]) => tag);
    expect(shown.filter((tag) => tag !== "li")).toHaveLength(1);
    // What nearly every answer has stands beside the list.
    expect(index).toContain(` id="schema-${name}"`);
  });

  test.each(referencePaths)("says on %s no more than 5,000 words", (path) => {
    expect(wordsOf(htmlOf(path))).toBeLessThan(5_000);
    expect(wordsOf(htmlOf(path))).toBeGreaterThan(100);
  });

  test.each(GENE_NAMES)("has the gene %s with its default", (name) => {
    const item = new RegExp(`<li id="gene-${name}"><b>${name}</b> <span>.*?, default <code>`);
    expect(htmlOf("/docs/reference/genes")).toMatch(item);
    expect(index).toContain(`<li id="gene-${name}"><a href="/docs/reference/genes#gene-${name}">`);
  });

  test.each(failures.map(({ status }) => status))("says what HTTP %s means", (status) => {
    expect(index).toContain(`<li id="failure-${status}">`);
  });
});

describe("the guides", () => {
  const files = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter(
    (file) => !file.startsWith("decisions") && !["README.md", "interface.md"].includes(file),
  );
  const documents = files.filter((file) => file.endsWith(".md"));

  test.each(documents)("%s is a page", (file) => {
    const path = `/docs/guides/${file.replace(/^.*\//, "").replace(/\.md$/, "")}`;
    expect(htmlOf(path)).toMatch(/<article><h1 id=/);
    expect(htmlOf("/docs/guides")).toContain(`href="${path}"`);
    // A longer page is split by what its readers look for.
    expect(wordsOf(htmlOf(path))).toBeLessThan(5_000);
  });

  test("have all pictures", () => {
    const pictures = files.filter((file) => file.endsWith(".svg")).map((file) => file.replace(/^.*\//, ""));
    for (const picture of pictures) expect(pages[`/docs/guides/${picture}`]?.[0].type).toBe("image/svg+xml");
  });
});
