/** `noema export`: writes a processor's knowledge base to a file or to stdout. */

import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { Command } from "commander";
import { exportKnowledgeBase, type Progress } from "../../../client";
import type { Context } from "../../terminal/context";
import { toFile, toStdout } from "../../terminal/file-target";
import type { Form } from "../../terminal/output";
import { type ProcessorOptions, processorOf, withProcessor } from "../../terminal/place";

/** Adds the command. */
export function addExport(program: Command, context: Context): void {
  withProcessor(program.command("export"))
    .description("Write a processor's knowledge base, as of one moment.")
    .argument("[file]", "the file to write or replace, compressed if its name ends in .gz; stdout if absent or -", "-")
    .option(
      "--order",
      "add the order of learning and the record of past forecasts, so that an import keeps ties and forecasts",
    )
    .action(async (file: string, options: ProcessorOptions & Form & { readonly order?: true }) => {
      const bar = context.output.progress("Exporting records");
      let read: Progress = { bytes: 0, records: 0 };
      const onProgress = (progress: Progress) => {
        read = progress;
        bar.update(progress.records);
      };
      try {
        const { signal } = context;
        const { order = false } = options;
        const stream = await exportKnowledgeBase(processorOf(options, context), { signal, onProgress, order });
        const source = Readable.fromWeb(stream as NodeStream);
        if (file === "-") return await toStdout(source, context);
        await toFile(source, file, signal);
      } finally {
        bar.stop();
      }
      const result = { file, bytes: read.bytes, records: read.records };
      await context.output.result(options, result, () => `Wrote ${read.records} records to ${file}.`);
    });
}
