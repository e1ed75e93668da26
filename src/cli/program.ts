/**
 * The whole command line: which commands there are, what a failure prints, and the exit code. Starts no process and
 * ends none.
 */

import { Command, CommanderError } from "commander";
import { NoemaError } from "../client";
import { unknownVariables } from "../serve/variables.mjs";
import { addAlerts } from "./commands/agent/alerts";
import { addBackup, addRestore } from "./commands/agent/backup";
import { addCall } from "./commands/agent/call";
import { addGenome } from "./commands/agent/genome";
import { addDevices, addIncidents } from "./commands/agent/incidents";
import { addKeys } from "./commands/agent/keys";
import { addMqtt } from "./commands/agent/mqtt";
import { addEvaluate } from "./commands/knowledge/evaluate";
import { addExport } from "./commands/knowledge/export";
import { addImport } from "./commands/knowledge/import";
import { addModels } from "./commands/knowledge/models";
import { addScore } from "./commands/knowledge/score";
import { addTrain } from "./commands/knowledge/train";
import { addForecast } from "./commands/memory/forecast";
import { addLearn } from "./commands/memory/learn";
import { addObserve } from "./commands/memory/observe";
import { addPredict } from "./commands/memory/predict";
import { addWatch } from "./commands/memory/watch";
import { addComplete } from "./commands/server/complete";
import { addHealth } from "./commands/server/health";
import { addInit } from "./commands/server/init";
import { addServe } from "./commands/server/serve";
import type { OperationSummary } from "./operations/operations";
import type { Context } from "./terminal/context";
import { EXIT, OrdinaryEnd, UsageError } from "./terminal/failure";
import type { TextStream } from "./terminal/progress";

type AddCommand = (program: Command, context: Context, operations: readonly OperationSummary[]) => void;

/** The commands, in the order of `noema --help`. */
const GROUPS: readonly (readonly [heading: string, add: readonly AddCommand[]])[] = [
  ["Observe, learn and predict:", [addObserve, addLearn, addPredict, addForecast, addWatch]],
  ["Knowledge:", [addTrain, addScore, addEvaluate, addModels, addExport, addImport]],
  ["The agent:", [addGenome, addKeys, addAlerts, addIncidents, addDevices, addMqtt, addBackup, addRestore, addCall]],
  ["A server of your own:", [addServe, addHealth, addInit]],
];

/** The commands that delete or replace stored data. They are never suggested for a misspelt command. */
const DESTRUCTIVE: readonly string[] = ["delete", "forget", "import", "remove", "restore", "swap"];

/** A message from commander, without suggestions of destructive commands. */
function withoutDestructive(text: string): string {
  return text.replace(/\n\(Did you mean (?:one of )?(.*)\?\)/, (_, names: string) => {
    const left = names.split(", ").filter((name) => !DESTRUCTIVE.includes(name));
    return left.length === 0 ? "" : `\n(Did you mean ${left.length > 1 ? "one of " : ""}${left.join(", ")}?)`;
  });
}

/** These commands check for themselves, or are called by shells. */
const WITHOUT_WARNING: readonly string[] = ["complete", "serve", "suggest"];

/**
 * Warns about variables that have no effect: the command would run on another processor or session than the user
 * believes.
 */
function warnOfVariables(command: Command, { env, output }: Context): void {
  if (WITHOUT_WARNING.includes(command.name())) return;
  for (const sentence of unknownVariables(env, "commands")) output.note(`noema: ${sentence}`);
}

/**
 * Makes the program.
 *
 * @param built what the build writes into the bundle: the version, and the operations of `noema call`
 * @param streams where help and errors are written
 */
export function makeProgram(
  context: Context,
  { version, operations }: { readonly version: string; readonly operations: readonly OperationSummary[] },
  { stdout, stderr }: { readonly stdout: TextStream; readonly stderr: TextStream },
): Command {
  const program = new Command("noema")
    .description("Observe, learn and predict with a server of Noema.")
    .version(version)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(withoutDestructive(text)),
    })
    .showSuggestionAfterError()
    .exitOverride()
    .hook("preAction", (_, command) => warnOfVariables(command, context));
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, context, operations);
  }
  program.commandsGroup("Help:").helpCommand("help [command]", "Show the help of a command.");
  addComplete(program, context);
  return program;
}

/**
 * The options that say where a command connects. They may come before the command, as in `noema --address … health`.
 */
const OF_PLACE = ["--address", "--agent", "--key-file", "--processor", "--session"];

/** The arguments, with the connection options moved behind the command, where commander accepts them. */
function placeBehind(argv: readonly string[]): string[] {
  let at = 0;
  for (let next = argv[at]; next !== undefined; next = argv[at]) {
    if (OF_PLACE.includes(next) && argv.length > at + 1) at += 2;
    else if (OF_PLACE.some((option) => next.startsWith(`${option}=`))) at += 1;
    else break;
  }
  const [place, rest] = [argv.slice(0, at), argv.slice(at)];
  // Arguments after `--` are not options.
  const end = rest.includes("--") ? rest.indexOf("--") : rest.length;
  return [...rest.slice(0, end), ...place, ...rest.slice(end)];
}

/**
 * Runs the program, and reports errors on stderr.
 *
 * @param argv the arguments, without the names of Node and of the program
 * @returns the exit code
 */
export async function runProgram(program: Command, argv: readonly string[], context: Context): Promise<number> {
  try {
    await program.parseAsync(placeBehind(argv), { from: "user" });
    return EXIT.okay;
  } catch (error) {
    if (context.signal.aborted) return codeOfInterruption(error, context);
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.okay : EXIT.usage;
    context.output.note(`noema: ${sentenceOf(error)}`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}

function codeOfInterruption(error: unknown, { output, signal }: Context): number {
  if (!(error instanceof OrdinaryEnd)) output.note("noema: interrupted");
  return signal.reason === "SIGTERM" ? EXIT.terminated : EXIT.interrupted;
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isRefusedConnection(error)) return `${error.message}. Is a server running there? noema serve starts one.`;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" && path !== undefined) return `no such file or folder: ${path}`;
  const refusal = error instanceof NoemaError ? error : error.cause;
  if (refusal instanceof NoemaError && refusal.status > 0) return `${error.message} (HTTP ${refusal.status})`;
  return error.message;
}

/** Whether no server listens at the address. */
function isRefusedConnection(error: Error): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as NodeJS.ErrnoException).code === "ECONNREFUSED") return true;
  }
  return false;
}
