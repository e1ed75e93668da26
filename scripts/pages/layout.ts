/**
 * What the pages below /docs have in common: their head, the line at the top, and the list beside the text.
 * Knows no particular page.
 */

import { escaped, quoted } from "./html";
import { ICON, MARK_PATH } from "./mark";

/** Where the style and the script of the pages are. */
export const STYLE_PATH = "/docs/style.css";
export const SCRIPT_PATH = "/docs/page.js";

/** A page below /docs. */
export interface Layout {
  readonly title: string;
  readonly description: string;
  /** The path of the place that the page belongs to, which the line at the top marks. */
  readonly place: "/docs" | "/docs/guides";
  /** The list beside the text, as HTML. */
  readonly contents: string;
  /** The text, as HTML, with its h1. */
  readonly text: string;
  readonly version: string;
}

/** Where the line at the top leads, on every page. The console leads back from its list of views. */
export const PLACES: readonly { readonly path: Layout["place"] | "/console"; readonly title: string }[] = [
  { path: "/console", title: "Console" },
  { path: "/docs/guides", title: "Guides" },
  { path: "/docs", title: "Reference" },
];

/** A page as HTML. It can be read without a script and without a style. */
export function layout({ title, description, place, contents, text, version }: Layout): string {
  const places = PLACES.map(
    ({ path, title: name }) => `<a href="${path}"${path === place ? ' aria-current="true"' : ""}>${name}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content=${quoted(description)}>
${ICON}
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
<script src="${SCRIPT_PATH}" defer></script>
</head>
<body id="top">
<a class="skip" href="#text">Skip to the text</a>
<header><a class="name" href="/"><img src="${MARK_PATH}" alt="" width="22" height="22"> <span>Noema</span></a>
<nav aria-label="Places">${places.join("\n")}</nav>
<div id="search"></div>
<a class="menu" href="#contents">Contents</a></header>
<nav id="contents" aria-label="Contents"><a class="menu" href="#top">Close</a>
${contents}</nav>
<main id="text" tabindex="-1">
${text}
<footer>Noema ${escaped(version)} · <a href="/openapi.json">OpenAPI document</a></footer>
</main>
</body>
</html>
`;
}
