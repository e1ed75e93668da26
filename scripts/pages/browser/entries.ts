/** What can be found: the operations, genes, schemas, members and failures of the reference, and the guides. */

/** Something that can be found. */
export interface Entry {
  /** Where it leads. */
  readonly id: string;
  /** What it is called. */
  readonly name: string;
  /** What it is: an operation, a gene, a schema, a member of one, a failure or a guide. */
  readonly kind: string;
  readonly text: string;
}

const REFERENCE = "/docs";
const GUIDES = "/docs/guides";

/** All entries. Loads the reference if this page is a guide, and the list of guides. */
export async function allEntries(): Promise<Entry[]> {
  const isReference = location.pathname.replace(/\/$/, "") === REFERENCE;
  const [reference, guides] = await Promise.all([isReference ? document : loaded(REFERENCE), loaded(GUIDES)]);
  return [...entriesOf(reference), ...guidesIn(guides)];
}

async function loaded(path: string): Promise<ParentNode> {
  const response = await fetch(path);
  return new DOMParser().parseFromString(response.ok ? await response.text() : "", "text/html");
}

const textOf = (root: ParentNode, selector: string) => root.querySelector(selector)?.textContent?.trim() ?? "";

function entriesOf(page: ParentNode): Entry[] {
  const all = (selector: string) => [...page.querySelectorAll(selector)];
  const operations = all("section.operation").map((section) => ({
    id: `${REFERENCE}#${section.id}`,
    name: `${textOf(section, "h3 em")} ${textOf(section, "h3 code")}`,
    kind: "operation",
    text: `${section.id} ${textOf(section, ".summary")}`,
  }));
  const schemas = all("[id^=schema-]").map((schema) => ({
    id: `${REFERENCE}#${schema.id}`,
    name: schema.id.replace("schema-", ""),
    kind: "schema",
    // One that is shown where an operation mentions it is described before its members.
    text: textOf(schema.matches("section") ? schema : (schema.parentElement ?? schema), "p"),
  }));
  const members = all("li[id]").map((item) => ({
    id: `${REFERENCE}#${item.id}`,
    name: textOf(item, "b"),
    kind: kindOf(item.id),
    text: textOf(item, "p"),
  }));
  return [...operations, ...schemas, ...members];
}

function kindOf(id: string): string {
  if (id.startsWith("gene-")) return "gene";
  return id.startsWith("failure-") ? "failure" : `in ${id.split(".")[0]}`;
}

/** The guides, with the purposes that the list of guides gives for each or for a part of it. */
function guidesIn(page: ParentNode): Entry[] {
  const guides = new Map<string, Entry>();
  const add = (link: Element, wish: string) => {
    const id = link.getAttribute("href") ?? GUIDES;
    const { name = link.textContent ?? "", text = "" } = guides.get(id) ?? {};
    guides.set(id, { id, name, kind: "guide", text: [text, wish].filter(Boolean).join("; ") });
  };
  for (const link of page.querySelectorAll("#contents li > a")) add(link, "");
  for (const row of page.querySelectorAll("main tr")) {
    for (const link of row.querySelectorAll("a[href^='/docs/guides/']")) add(link, textOf(row, "td"));
  }
  return [...guides.values()];
}
