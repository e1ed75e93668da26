/** The command line as a whole: which commands there are, and what a failure prints and answers. Starts no process and ends none. */

import tab from "@bomb.sh/tab/commander";
import { Command, CommanderError } from "commander";
import { NoemaError } from "../client";
import { addTrain } from "./commands/knowledge/train";
import { addLearn } from "./commands/memory/learn";
import type { Context } from "./terminal/context";
import { EXIT, UsageError } from "./terminal/failure";
import type { TextStream } from "./terminal/text-stream";

/** Adds the commands, in the order of `noema --help`. */
const GROUPS: readonly (readonly [heading: string, add: readonly ((program: Command, context: Context) => void)[]])[] =
  [
    ["Observe, learn and predict:", [addLearn]],
    ["Knowledge:", [addTrain]],
  ];

/**
 * Makes the program.
 *
 * @param version what `--version` prints
 * @param stdout where help goes; what is wrong goes to `stderr`
 */
export function makeProgram(context: Context, version: string, stdout: TextStream, stderr: TextStream): Command {
  const program = new Command("noema")
    .description("Observe, learn and predict with a server of Noema.")
    .version(version)
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .showSuggestionAfterError()
    .exitOverride();
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, context);
  }
  program.commandsGroup("Help:").helpCommand("help [command]", "Show the help of a command.");
  tab(program);
  return program;
}

/**
 * Runs the program, and says on stderr what went wrong.
 *
 * @param argv the arguments, without the names of Node and of the program
 * @returns the exit code
 */
export async function runProgram(program: Command, argv: readonly string[], context: Context): Promise<number> {
  try {
    await program.parseAsync(argv, { from: "user" });
    return EXIT.okay;
  } catch (error) {
    if (context.signal.aborted) {
      context.output.note("noema: interrupted");
      return context.signal.reason === "SIGTERM" ? EXIT.terminated : EXIT.interrupted;
    }
    // Commander has said it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.okay : EXIT.usage;
    context.output.note(`noema: ${sentenceOf(error)}`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const refusal = error instanceof NoemaError ? error : error.cause;
  if (refusal instanceof NoemaError && refusal.status > 0) return `${error.message} (HTTP ${refusal.status})`;
  return error.message;
}
