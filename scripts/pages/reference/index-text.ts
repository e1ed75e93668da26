/** The text of the page at /docs: how to call, failures, and a list of all operations, genes and schemas. */

import { failures, situation } from "../../openapi/reference/page";
import { codeBlock, escaped } from "../html";
import { slug } from "../markdown";
import type { Document } from "./document";
import { type Group, groupPath } from "./group";
import { failureItem, methodAndPath, type Tools } from "./operation";

/** What the text is made from. */
interface IndexSources {
  readonly document: Document;
  readonly tools: Tools;
  readonly groups: readonly Group[];
  /** Where everything is that is not on this page: paths by id. */
  readonly places: ReadonlyMap<string, string>;
  /** The sections of the schemas that stand on this page, as HTML. */
  readonly schemaSections: string;
}

/** The headings of earlier releases, by the group that has their place. */
const FORMER_IDS: { readonly [group: string]: string } = {
  "Observing and learning": "observing-learning-predicting",
};

/**
 * The text as HTML. The reference was once a single page, to whose parts others have links. So each line of the list
 * has the id of the part that it names, and the script of the pages follows its link (`moved.ts`).
 */
export function indexText({ document, tools, groups, places, schemaSections }: IndexSources): string {
  const byPrefix = (prefix: string) => [...places].filter(([id]) => id.startsWith(prefix));
  const list = (prefix: string) =>
    byPrefix(prefix)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, path]) => `<li id="${id}"><a href="${path}#${id}"><code>${id.slice(prefix.length)}</code></a>`)
      .join("");
  return `${introduction(document, tools)}
<h2 id="operations">Operations</h2>
${groups.map((group) => groupList(group, tools)).join("\n")}
<h2 id="all-genes">All genes</h2>
<p>The settings of a processor: <a href="${places.get("all-genes")}#all-genes">what each does, its range and its default</a>.</p>
<ul class=names>${list("gene-")}</ul>
<h2 id="schemas">Schemas</h2>
<p>What operations take and answer. Answers may gain members: ignore those that you do not know.</p>
<ul class=names>${list("schema-")}</ul>
${schemaSections}`;
}

function groupList(group: Group, { markdown }: Tools): string {
  const path = groupPath(group);
  const items = group.operations.map(
    (operation) =>
      `<li id="${operation.operationId}"><a href="${path}#${operation.operationId}">${methodAndPath(operation)}</a> <span>${markdown.inline(operation.summary)}</span>`,
  );
  const former = FORMER_IDS[group.name];
  const mark = former === undefined ? "" : `<span id="${former}"></span>`;
  return `${mark}<h3 class=group id="${slug(group.name)}"><a href="${path}">${escaped(group.name)}</a></h3>
<p>${markdown.inline(group.description)}</p>
<ul class=operations>${items.join("\n")}</ul>`;
}

function introduction({ info: { description } }: Document, tools: Tools): string {
  const { markdown: writer } = tools;
  // Each paragraph begins with what it is about: operations link to it.
  const about = writer
    .document(description)
    .replace(/<p>(<strong>(.*?)<\/strong>)/g, (_, strong, words) => `<p id="about-${slug(words)}">${strong}`);
  const calls = situation.map(
    ({ method, path, body }) => `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`,
  );
  return `<h1>Reference</h1>
<p class="lead">Every operation, to read and to try. <a href="/docs/guides">Guides</a> explain the ideas behind them; programs read the
<a href="/openapi.json">OpenAPI document</a>.</p>
<h2 id="how-to-call">How to call</h2>
${about}
<h2 id="failures">Failures</h2>
<p>A <a href="#schema-Failure">failure</a> is an answer with <code>status</code> <code>"failed"</code> and a sentence as its message.</p>
<ul class="members">${failures.map(({ status, when }) => failureItem(String(status), when, tools)).join("")}</ul>
<h2 id="examples">The examples</h2>
<p>Before each example, a new processor has answered these calls:</p>
${codeBlock(calls.join("\n"), "")}
<p><code>ABCD-1234</code> is the key of a server on your own machine; a deployment has keys of its own.</p>`;
}
