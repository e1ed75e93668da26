#!/usr/bin/env node
/**
 * A plugin of `buf generate`: writes the comments of proto/ as sentences by full name, which descriptors do not carry.
 * The OpenAPI document is made from them, and the Worker does without them.
 */

import { createEcmaScriptPlugin, getComments, runNodeJs } from "@bufbuild/protoplugin";

/** A comment as one line. */
function sentence(desc) {
  const { leading = "" } = getComments(desc);
  return leading.trim().replace(/\s*\n\s*/g, " ");
}

/** A message, what it holds, and the messages within. */
function withMembers(message) {
  return [message, ...message.fields, ...message.nestedMessages.flatMap(withMembers)];
}

const nameOf = (desc) => (desc.kind === "field" ? `${desc.parent.typeName}.${desc.name}` : desc.typeName);

function generateTs({ files, generateFile }) {
  const comments = files.flatMap(({ enums, messages }) => [
    ...messages.flatMap(withMembers).map((desc) => [nameOf(desc), sentence(desc)]),
    ...enums.flatMap(({ typeName, values }) => values.map((value) => [`${typeName}.${value.name}`, sentence(value)])),
  ]);
  const file = generateFile("comments.ts");
  file.print("// Written by `npm run generate` from proto/. Edit the comments there.");
  file.print();
  file.print("/** The comments of messages, fields and values of enumerations, by full name. */");
  file.print("export const comments: { readonly [name: string]: string } = {");
  for (const [name, text] of comments.sort(([one], [other]) => (one < other ? -1 : 1)))
    file.print("  ", JSON.stringify(name), ": ", JSON.stringify(text), ",");
  file.print("};");
}

runNodeJs(createEcmaScriptPlugin({ name: "contract-comments", version: "v1", generateTs }));
