#!/usr/bin/env node
/**
 * A plugin of `buf generate`: writes the numbers of the contract's bounds as plain constants, so that the processor,
 * which knows no Protobuf, checks requests by the same ones.
 */

import { getOption } from "@bufbuild/protobuf";
import { createEcmaScriptPlugin, runNodeJs } from "@bufbuild/protoplugin";

/** The members of `Bounds` that are numbers. */
const NUMBERS = ["least", "most", "standard", "shortest", "longest", "fewest", "mostElements"];

/** The bounds of a message that are numbers, by field; empty when there are none. */
function numbersOf(message, bounds) {
  const fields = message.fields.map((field) => {
    const rules = getOption(field, bounds);
    const numbers = NUMBERS.filter((name) => Object.hasOwn(rules, name) && typeof rules[name] === "number");
    return [field.localName, Object.fromEntries(numbers.map((name) => [name, rules[name]]))];
  });
  return Object.fromEntries(fields.filter(([, numbers]) => Object.keys(numbers).length > 0));
}

function generateTs({ files, generateFile }) {
  const bounds = files.flatMap(({ extensions }) => extensions).find(({ typeName }) => typeName === "noema.v1.bounds");
  const file = generateFile("limits.ts");
  file.print("// Written by `npm run generate` from proto/. Edit the bounds there.");
  for (const message of files.flatMap(({ messages }) => messages)) {
    const numbers = numbersOf(message, bounds);
    if (Object.keys(numbers).length === 0) continue;
    file.print();
    file.print(`/** The bounds of the fields of ${message.name}. */`);
    file.print(`export const ${message.name} = ${JSON.stringify(numbers)} as const;`);
  }
}

runNodeJs(createEcmaScriptPlugin({ name: "contract-bounds", version: "v1", generateTs }));
