/** `noema import`: replaces a processor's knowledge base with that of a file. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Command } from "commander";
import { loadKnowledgeBase } from "../../../client";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { type ProcessorOptions, processorOf, withProcessor } from "../../terminal/place";

/** Adds the command. */
export function addImport(program: Command, context: Context): void {
  withProcessor(program.command("import"))
    .description("Replace a processor's knowledge base with that of a file, or add to it: all or nothing.")
    .argument("<file>", "a file that noema export wrote, also with .gz; - for stdin")
    .option("--merge", "keep what the processor knows, and add what the file knows")
    .action(async (file: string, options: ProcessorOptions & Form & { readonly merge?: true }) => {
      if (/\.[ct]sv(?:\.gz)?$/i.test(file)) {
        throw new UsageError(
          `${file} is a table: noema train learns its rows; accepted here is what noema export wrote`,
        );
      }
      const processor = processorOf(options, context);
      if (file !== "-") await stat(file);
      const bar = context.output.progress("Sending records");
      let records = 0;
      try {
        const message = await loadKnowledgeBase(processor, Readable.toWeb(sourceOf(file, context)) as never, {
          signal: context.signal,
          mode: options.merge === true ? "merge" : "replace",
          onProgress(progress) {
            records = progress.records;
            bar.update(records);
          },
        });
        bar.stop();
        await context.output.result(options, { message, records }, () => `Loaded ${records} records.`);
      } finally {
        bar.stop();
      }
    });
}

function sourceOf(file: string, { stdin }: Context): Readable {
  if (file === "-") return Readable.from(stdin, { objectMode: false });
  const bytes = createReadStream(file);
  return file.endsWith(".gz") ? pipeline(bytes, createGunzip(), () => {}) : bytes;
}
