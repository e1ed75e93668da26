/** Text for HTML: everything that comes from a file or a server goes through here. */

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters have no place in HTML, and half a surrogate pair none in UTF-8. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;

/** A text as it may stand in an element or in the quotation marks of an attribute. */
export function escaped(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd").replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
