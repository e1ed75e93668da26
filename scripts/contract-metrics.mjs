#!/usr/bin/env node
/**
 * A plugin of `buf generate`: numbers the metrics of a prediction, for the processor and for the kernel. A metric is a
 * number of the message `Prediction` that `PackedEnsemble` has a column of the same name for; its code is its place
 * among them. The option `kernel` writes the codes in AssemblyScript.
 */

import { createEcmaScriptPlugin, runNodeJs } from "@bufbuild/protoplugin";

const HEAD = "// Written by `npm run generate` from proto/noema/v1/prediction.proto.";

/** The names of the metrics, in the order of their codes. */
function metricsOf(files) {
  const messages = files.flatMap((file) => file.messages);
  const fieldsOf = (typeName) => messages.find((message) => message.typeName === typeName).fields;
  const columns = new Set(fieldsOf("noema.v1.PackedEnsemble").map(({ name }) => name));
  const metrics = fieldsOf("noema.v1.Prediction").filter(({ name, fieldKind }) => {
    return fieldKind === "scalar" && columns.has(name);
  });
  return metrics.map(({ name }) => name);
}

function generateTs({ files, generateFile, options: { isForKernel } }) {
  const metrics = metricsOf(files);
  const file = generateFile("metrics.ts");
  file.print(HEAD);
  file.print();
  if (!isForKernel) {
    file.print("/** The metrics that are members of a prediction, in the order of the kernel's codes. */");
    file.print(`export const MEMBER_METRICS = ${JSON.stringify(metrics)} as const;`);
    return;
  }
  file.print("/** Metric codes. */");
  for (const [code, name] of metrics.entries()) file.print(`export const ${name.toUpperCase()}: u32 = ${code};`);
  file.print("/** Number of metrics that are members of a prediction. */");
  file.print(`export const MEMBER_METRICS: u32 = ${metrics.length};`);
}

/** @throws Error for another option than `kernel` */
function parseOptions(options) {
  const unknown = options.find(({ key }) => key !== "kernel");
  if (unknown !== undefined) throw new Error(`the only option is kernel, got ${unknown.key}`);
  return { isForKernel: options.length > 0 };
}

runNodeJs(createEcmaScriptPlugin({ name: "contract-metrics", version: "v1", parseOptions, generateTs }));
