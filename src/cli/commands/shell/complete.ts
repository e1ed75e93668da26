/** `noema complete`: prints what a shell needs to complete commands and options. */

import { Argument, type Command } from "commander";
import { COMPLETION_SCRIPTS } from "../../completion/scripts";
import { suggestions } from "../../completion/suggestions";
import type { Context } from "../../terminal/context";

/** Adds the command, and the hidden one that its scripts call. */
export function addComplete(program: Command, { output }: Context): void {
  const shells = new Argument("<shell>", "the shell").choices(Object.keys(COMPLETION_SCRIPTS));
  program
    .command("complete")
    .description("Print the script that lets a shell complete commands and options.")
    .addArgument(shells)
    .action((shell: string) => output.write(COMPLETION_SCRIPTS[shell] ?? ""));
  program
    .command("suggest", { hidden: true })
    .argument("[words...]", "what has been typed; the last word is to be completed")
    .action((words: string[]) =>
      output.write(
        suggestions(program, words)
          .map((word) => `${word}\n`)
          .join(""),
      ),
    );
}
