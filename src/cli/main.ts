/** The program `noema`: joins the command line to this process. */

import type { OperationSummary } from "./operations/operations";
import { makeProgram, runProgram } from "./program";
import { EXIT } from "./terminal/failure";
import { Output } from "./terminal/output";

/** Defined by scripts/cli.mjs. */
declare const NOEMA_BUILT: { readonly version: string; readonly operations: readonly OperationSummary[] };

const interruption = new AbortController();

/**
 * Signals this close together count as one: npx passes on a signal that the terminal has already sent to this process.
 */
const ONE_SIGNAL_MS = 300;
let interruptedAt = 0;

/** The first signal lets the command end cleanly, the second ends it at once. */
function listenFor(signal: "SIGINT" | "SIGTERM", code: number): void {
  process.on(signal, () => {
    if (!interruption.signal.aborted) {
      interruptedAt = performance.now();
      interruption.abort(signal);
    } else if (performance.now() - interruptedAt > ONE_SIGNAL_MS) process.exit(code);
  });
}

listenFor("SIGINT", EXIT.interrupted);
listenFor("SIGTERM", EXIT.terminated);
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reading program, such as `head`, has read enough.
    if (error.code === "EPIPE") process.exit(EXIT.okay);
    throw error;
  });
}

const { env, stdin, stdout, stderr } = process;
const context = { env, stdin, output: new Output(stdout, stderr, env), signal: interruption.signal };
const program = makeProgram(context, NOEMA_BUILT, { stdout, stderr });
process.exitCode = await runProgram(program, process.argv.slice(2), context);
