#!/usr/bin/env node
/**
 * A plugin of `buf generate`: writes each message of the contract as a type of plain data, for what knows no Protobuf.
 * Only types: nothing of the file is left at runtime.
 */

import { createEcmaScriptPlugin, getComments, runNodeJs } from "@bufbuild/protoplugin";

const PLAIN = `/** A message without what Protobuf adds to it, and so are the messages within. An absent member may be undefined. */
type Plain<T> = T extends Uint8Array
  ? T
  : T extends (infer Element)[]
    ? Plain<Element>[]
    : T extends object
      ? { [Key in keyof T as Key extends "$typeName" | "$unknown" ? never : Key]: Member<T, Key> }
      : T;

type Member<T, Key extends keyof T> = {} extends Pick<T, Key> ? Plain<T[Key]> | undefined : Plain<T[Key]>;`;

/** The comment of a message as the lines of a doc comment. */
function docOf(message) {
  const { leading = "" } = getComments(message);
  return [
    "/**",
    ...leading
      .trim()
      .split("\n")
      .map((line) => ` * ${line.trim()}`),
    " */",
  ];
}

function generateTs({ files, generateFile }) {
  const file = generateFile("plain.ts");
  file.print("// Written by `npm run generate` from proto/. Edit the messages there.");
  file.print();
  const used = files.filter(({ messages }) => messages.length > 0);
  for (const { name } of used) file.print(`import type * as ${aliasOf(name)} from "./${name}_pb";`);
  file.print();
  file.print(PLAIN);
  for (const { name, messages } of used) {
    for (const message of messages) {
      file.print();
      for (const line of docOf(message)) file.print(line);
      file.print(`export type ${message.name} = Plain<${aliasOf(name)}.${message.name}>;`);
    }
  }
}

/** The name of a file's import: `noema/v1/backup_service` is `backup_service`. */
function aliasOf(name) {
  return name.split("/").at(-1);
}

runNodeJs(createEcmaScriptPlugin({ name: "contract-plain", version: "v1", generateTs }));
