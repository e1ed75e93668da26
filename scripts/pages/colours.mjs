/**
 * Colours code at build time, so that no page needs a script for it. JavaScript, because the types of highlight.js
 * would bring those of browsers into all of the project.
 */

import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import shell from "highlight.js/lib/languages/shell";
import typescript from "highlight.js/lib/languages/typescript";

const LANGUAGES = { bash, c, ini, json, python, shell, typescript };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(["sh"], { languageName: "bash" });
hljs.registerAliases(["console"], { languageName: "shell" });
hljs.registerAliases(["ts", "js"], { languageName: "typescript" });

/**
 * The kinds of words that have a colour, and their class in the style. The others stay as they are:
 * that is calmer, and shorter.
 */
const COLOURED = { comment: "c", keyword: "k", literal: "k", meta: "c", string: "s" };

/**
 * Code as HTML, with spans for what has a colour.
 *
 * @param {string} code
 * @param {string} language its name in Markdown
 * @returns {string | undefined} `undefined` when the language is not known here
 */
export function coloured(code, language) {
  if (hljs.getLanguage(language) === undefined) return undefined;
  const { value } = hljs.highlight(code, { language });
  return withoutPlainSpans(value.replaceAll("&#x27;", "'").replaceAll("&quot;", '"'));
}

/** Takes out the spans of the words without a colour. */
function withoutPlainSpans(html) {
  const kept = [];
  return html.replace(/<span class="(?:hljs-)?([\w-]*)[^"]*">|<\/span>/g, (tag, kind) => {
    if (kind === undefined) return kept.pop() ? tag : "";
    kept.push(kind in COLOURED);
    return kind in COLOURED ? `<span class=${COLOURED[kind]}>` : "";
  });
}
