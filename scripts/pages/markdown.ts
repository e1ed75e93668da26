/** Markdown to HTML, with links as the pages have them. Knows no particular document. */

import { Marked, type RendererObject, type Tokens } from "marked";
import { codeBlock, escaped, quoted } from "./html";

/**
 * Where a link of a document leads on the pages.
 *
 * @returns `undefined` when it leads to something that the pages do not have: then its text stays, without a link
 */
export type LinkTarget = (link: string) => string | undefined;

/** The name of a heading in links, as GitHub makes it. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** What a heading says, without its marks. */
function words(tokens: readonly Tokens.Generic[]): string {
  return tokens.map(({ tokens: inner, text, raw }) => (inner ? words(inner) : (text ?? raw))).join("");
}

function rendererOf(target: LinkTarget): RendererObject {
  return {
    code({ text, lang = "" }) {
      return `${codeBlock(text, lang)}\n`;
    },
    codespan({ text }) {
      return `<code>${escaped(text)}</code>`;
    },
    heading({ tokens, depth }) {
      const id = slug(words(tokens));
      return `<h${depth} id=${quoted(id)}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    html({ text }) {
      return picture(text, target);
    },
    image({ href, text }) {
      return `<img src=${quoted(target(href) ?? href)} alt=${quoted(text)}>`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const to = target(href);
      return to === undefined ? text : `<a href=${quoted(to)}>${text}</a>`;
    },
  };
}

/** Of the HTML in a document only pictures are kept; comments are left out, and anything else is shown as text. */
function picture(html: string, target: LinkTarget): string {
  if (/^\s*<!--/.test(html)) return "";
  const tags = /^\s*(?:<\/?(?:picture|source|img)\b[^<>]*>\s*)+$/;
  if (!tags.test(html)) return escaped(html);
  return html.replace(/(src|srcset)="([^"]*)"/g, (_, name, link) => `${name}=${quoted(target(link) ?? link)}`);
}

/** Turns Markdown into HTML. */
export interface Markdown {
  /** A whole document. Tables that are wider than the page scroll by themselves. */
  readonly document: (text: string) => string;
  /** A sentence or two, without a paragraph around them. */
  readonly inline: (text: string) => string;
}

/** @param target where links lead */
export function markdown(target: LinkTarget): Markdown {
  const marked = new Marked({ renderer: rendererOf(target) });
  // Apostrophes need no escape outside of attributes, and no attribute here is in single quotes.
  const plain = (html: string) => html.replaceAll("&#39;", "'");
  return {
    document: (text) =>
      plain(marked.parse(text, { async: false }) as string)
        // A cell without a word heads nothing.
        .replace(/<th[^>]*><\/th>/g, "<td></td>")
        .replaceAll("<table>", '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>')
        .replaceAll("</table>", "</table></div>"),
    inline: (text) => plain(marked.parseInline(text, { async: false }) as string),
  };
}
