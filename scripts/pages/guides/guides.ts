/** The guides: pages made from the documents in docs/, with links between them as the server has them. */

import { escaped, quoted } from "../html";
import { layout } from "../layout";
import { type LinkTarget, markdown, slug } from "../markdown";

/** A file below docs/. */
export interface SourceFile {
  /** Its path from docs/. */
  readonly path: string;
  readonly text: string;
}

/** The path of the list of guides. */
const FOLDER = "/docs/guides";

/** Documents that are no guides: the reference has what they say. */
const NO_GUIDES: readonly string[] = ["README.md", "interface.md"];

const nameOf = (path: string) => path.replace(/^.*\//, "").replace(/\.md$/, "");

/** The title of a document: its first heading. */
export const titleOf = ({ text, path }: SourceFile) => /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? nameOf(path);

/**
 * The documents that are guides: those in docs/guides first, each group in the order in which
 * docs/README.md names them.
 */
export function guidesAmong(files: readonly SourceFile[]): SourceFile[] {
  const guides = files
    .filter(({ path }) => path.endsWith(".md") && !NO_GUIDES.includes(nameOf(path).concat(".md")))
    .sort((one, other) => placeInList(one, files) - placeInList(other, files));
  const names = guides.map(({ path }) => nameOf(path));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two guides are named ${twice}; rename one of them in docs/`);
  return [...guides.filter(isTaught), ...guides.filter((file) => !isTaught(file))];
}

/** Where docs/README.md first links to a document; its end if it does not. */
function placeInList({ path }: SourceFile, files: readonly SourceFile[]): number {
  const list = files.find((file) => file.path === "README.md")?.text ?? "";
  const place = list.indexOf(`](${path}`);
  return place < 0 ? list.length : place;
}

const isTaught = ({ path }: SourceFile) => path.startsWith("guides/");

/** The path of the page of a guide, or of a picture. */
export function pagePathOf({ path }: Pick<SourceFile, "path">): string {
  return `${FOLDER}/${nameOf(path)}`;
}

/**
 * Where the links of a document lead.
 *
 * @param from the path of the document from docs/
 */
export function linksFrom(from: string, files: readonly SourceFile[]): LinkTarget {
  const pageOf = (target: string, anchor: string): string | undefined => {
    const end = anchor === "" ? "" : `#${anchor}`;
    if (target === "interface.md") return `/docs${end}`;
    if (target === "README.md") return FOLDER;
    const file = files.find(({ path }) => path === target);
    return file === undefined ? undefined : `${pagePathOf(file)}${end}`;
  };
  return (link) => {
    if (/^(?:https?:|mailto:|#)/.test(link)) return link;
    const [path = "", anchor = ""] = link.split("#");
    return pageOf(new URL(path, `file:///docs/${from}`).pathname.replace(/^\/docs\//, ""), anchor);
  };
}

/** What all guides are made with. */
export interface GuideSources {
  readonly files: readonly SourceFile[];
  readonly version: string;
}

/** The pages of all guides, and of the list of them: HTML by path. */
export function guidePages(sources: GuideSources): { readonly [path: string]: string } {
  const guides = guidesAmong(sources.files);
  const pages = guides.map((guide) => [pagePathOf(guide), guidePage(guide, guides, sources)] as const);
  return { [FOLDER]: indexPage(guides, sources), ...Object.fromEntries(pages) };
}

/** The pictures of the guides: SVG by path. */
export function pictures(files: readonly SourceFile[]): { readonly [path: string]: string } {
  const svgs = files.filter(({ path }) => path.endsWith(".svg"));
  return Object.fromEntries(svgs.map((file) => [pagePathOf(file), file.text]));
}

function guidePage(guide: SourceFile, guides: readonly SourceFile[], { files, version }: GuideSources): string {
  const text = markdown(linksFrom(guide.path, files)).document(guide.text);
  return layout({
    title: `${titleOf(guide)} · Noema`,
    description: `${titleOf(guide)}: a guide to Noema.`,
    place: FOLDER,
    contents: contents(guides, guide),
    text: `<article>${text}</article>`,
    version,
  });
}

/** The list of guides: docs/README.md, if there is one. */
function indexPage(guides: readonly SourceFile[], { files, version }: GuideSources): string {
  const own = files.find(({ path }) => path === "README.md");
  const list = guides.map((guide) => `<li><a href="${pagePathOf(guide)}">${escaped(titleOf(guide))}</a>`).join("");
  const text =
    own === undefined ? `<h1>Guides</h1><ul>${list}</ul>` : markdown(linksFrom(own.path, files)).document(own.text);
  return layout({
    title: "Guides · Noema",
    description: "Guides to Noema.",
    place: FOLDER,
    contents: contents(guides),
    text: `<article>${text}</article>`,
    version,
  });
}

/** All guides, and below the one that is shown its parts. */
function contents(guides: readonly SourceFile[], shown?: SourceFile): string {
  const groups = [
    { title: "Guides", files: guides.filter(isTaught) },
    { title: "More", files: guides.filter((file) => !isTaught(file)) },
  ];
  return groups
    .filter(({ files }) => files.length > 0)
    .map(({ title, files }) => {
      const items = files.map((guide) => {
        const current = guide === shown ? ' aria-current="page"' : "";
        const link = `<a href="${pagePathOf(guide)}"${current}>${escaped(titleOf(guide))}</a>`;
        return `<li>${link}${guide === shown ? partsOf(guide) : ""}`;
      });
      return `<h2>${title}</h2><ul>${items.join("")}</ul>`;
    })
    .join("\n");
}

function partsOf({ text }: SourceFile): string {
  const withoutCode = text.replace(/^```.*?^```/gms, "");
  const parts = [...withoutCode.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  const items = parts.map((part) => `<li><a href=${quoted(`#${slug(part)}`)}>${escaped(part.replaceAll("`", ""))}</a>`);
  return parts.length === 0 ? "" : `<ul>${items.join("")}</ul>`;
}
