/** `noema backup` and `noema restore`: a whole agent, or one processor, as a file. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { Command } from "commander";
import { backup, type Progress, restore } from "../../../client";
import { confirm } from "../../terminal/confirmation";
import type { Context } from "../../terminal/context";
import { toFile, toStdout } from "../../terminal/file-target";
import type { Form } from "../../terminal/output";
import { noemaOf, type ServerOptions, withServer } from "../../terminal/place";

/** The commands' options in addition to those of the server. */
interface OneProcessor {
  /** The processor to back up or replace alone. */
  readonly processor?: string;
}

/** Adds `noema backup`. */
export function addBackup(program: Command, context: Context): void {
  withServer(program.command("backup"))
    .description("Write the whole agent to a file that noema restore takes. Needs a key with the role admin.")
    .argument("[file]", "the file to write or replace, compressed if its name ends in .gz; stdout if absent or -", "-")
    .option("-p, --processor <id>", "this processor alone")
    .action(async (file: string, options: ServerOptions & Form & OneProcessor) => {
      const { signal } = context;
      const bar = context.output.progress("Reading lines");
      let read: Progress = { bytes: 0, records: 0 };
      const onProgress = (progress: Progress) => {
        read = progress;
        bar.update(progress.records);
      };
      try {
        const one = options.processor === undefined ? {} : { processor: options.processor };
        const stream = await backup(noemaOf(options, context), { signal, onProgress, ...one });
        const source = Readable.fromWeb(stream as NodeStream);
        if (file === "-") return await toStdout(source, context);
        await toFile(source, file, signal);
      } finally {
        bar.stop();
      }
      const result = { file, bytes: read.bytes, lines: read.records };
      await context.output.result(options, result, () => `Wrote ${read.records} lines to ${file}.`);
    });
}

/** Adds `noema restore`. */
export function addRestore(program: Command, context: Context): void {
  withServer(program.command("restore"))
    .description("Replace the whole agent by a backup, all or nothing. Needs a key with the role admin.")
    .argument("<file>", "a file that noema backup wrote, compressed or not; - for stdin")
    .option("-p, --processor <id>", "replace this processor alone")
    .option("--yes", "do not ask for confirmation; without a terminal at stdin, nothing is asked")
    .action(async (file: string, options: ServerOptions & Form & OneProcessor & { readonly yes?: true }) => {
      if (file !== "-") await stat(file);
      if (!options.yes) await confirm(lossOf(options), context);
      const bar = context.output.progress("Sending");
      try {
        const one = options.processor === undefined ? {} : { processor: options.processor };
        // Sent unchanged, because the server unpacks it.
        const source = file === "-" ? Readable.from(context.stdin, { objectMode: false }) : createReadStream(file);
        const message = await restore(noemaOf(options, context), Readable.toWeb(source) as never, {
          signal: context.signal,
          onProgress: ({ records }) => bar.update(records),
          ...one,
        });
        bar.stop();
        const { processors, retired, memories, models, vectors } = message;
        await context.output.result(options, message, () => {
          const retiredNote = retired.length === 0 ? "" : ` Out of service now: ${retired.join(", ")}.`;
          return (
            `Restored ${processors.join(", ")}: ${models} models, ${vectors} vectors, ` +
            `${memories} memories.${retiredNote}`
          );
        });
      } finally {
        bar.stop();
      }
    });
}

function lossOf({ address, agent, processor }: ServerOptions & OneProcessor): string {
  const place = `the agent${agent === undefined ? "" : ` ${agent}`} at ${address}`;
  if (processor !== undefined) return `This replaces all that the processor ${processor} of ${place} knows.`;
  return `This replaces the genome, the knowledge and the memories of ${place}.`;
}
