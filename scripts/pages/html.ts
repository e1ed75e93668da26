/** Turns text and code into HTML. Knows no particular page. */

import { coloured } from "./colours.mjs";

/** Text as HTML, between tags. Quotes stay: an attribute is for {@link quoted}. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Text as the value of an attribute, in the quotes that need fewer bytes. */
export function quoted(text: string): string {
  const value = escaped(text);
  return value.includes('"') ? `'${value.replaceAll("'", "&#39;")}'` : `"${value}"`;
}

/**
 * A block of code. Long lines are wrapped by the style, so that no block has to be scrolled.
 *
 * @param language its name in Markdown; code in one without colours stays as it is
 */
export function codeBlock(code: string, language: string): string {
  return `<pre><code>${coloured(code, language) ?? escaped(code)}</code></pre>`;
}

/** Code in a sentence. */
export function inlineCode(code: string): string {
  return `<code>${escaped(code)}</code>`;
}
