/** `noema learn`: stores working memory as a model. */

import type { Command } from "commander";
import { learn } from "../../../client";
import type { Context } from "../../terminal/context";
import type { Form } from "../../terminal/output";
import { type MemoryOptions, memoryOf, withMemory } from "../../terminal/place";

/** Adds the command. */
export function addLearn(program: Command, context: Context): void {
  withMemory(program.command("learn"))
    .description("Store working memory as a model, and clear it.")
    .action(async (options: MemoryOptions & Form) => {
      const model = await learn(memoryOf(options, context), { signal: context.signal });
      const plain = () => model ?? "Nothing was learned: working memory holds fewer than two symbols.";
      await context.output.result(options, { model }, plain);
    });
}
