/** Escapes text for HTML: everything that comes from a file or a server passes through here. */

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters are not allowed in HTML, and lone surrogates not in UTF-8. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;

/** A text, escaped for an element's content or a quoted attribute. */
export function escaped(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd").replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
