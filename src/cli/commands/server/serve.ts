/** `noema serve`: serves this package's bundle on the user's machine, as `npm start` serves that of a checkout. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import { parse } from "dotenv";
import { serve } from "../../../serve/serve.mjs";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { withJson } from "../../terminal/place";

/** The file of variables that is read by default, as in wrangler. */
const DEFAULT_FILE = ".dev.vars";

/** The bundle's folder, the parent of the command line's. */
const BUNDLE = fileURLToPath(new URL("..", import.meta.url));

interface ServeOptions extends Form {
  readonly port?: string;
  readonly host?: string;
  readonly stateDir?: string;
  readonly vars?: string;
  readonly bundle?: string;
}

/** Adds the command. */
export function addServe(program: Command, context: Context): void {
  withJson(program.command("serve"))
    .description("Serve on this machine, until Ctrl-C.")
    .addOption(new Option("--port <number>", "the port; 0 takes any free one (default: 8787)").env("PORT"))
    .addOption(new Option("--host <address>", "the address to listen on (default: 127.0.0.1)").env("HOST"))
    .addOption(new Option("--state-dir <folder>", "the folder of the state (default: .state)").env("STATE_DIR"))
    .option(
      "--vars <file>",
      `a file with keys and other variables, a NAME=value each line (default: ${DEFAULT_FILE}, if there is one)`,
    )
    .option(
      "--bundle <folder>",
      "a bundle of your own Worker around Noema, as wrangler deploy --dry-run --outdir makes it " +
        "(default: Noema as it is)",
    )
    .addHelpText(
      "after",
      "\nKeys are variables, API_KEYS or AGENT_KEYS: others could read an option in the list of processes.",
    )
    .action(async (options: ServeOptions) => {
      const hangup = new AbortController();
      process.once("SIGHUP", () => hangup.abort("SIGHUP"));
      await serve(
        {
          env: settings(options, context),
          home: process.cwd(),
          bundle: BUNDLE,
          ...(options.bundle !== undefined && { around: resolve(options.bundle) }),
          greet: ({ address, stateDir, text }) =>
            void context.output.result(options, { address, state_dir: stateDir }, () => text),
        },
        AbortSignal.any([context.signal, hangup.signal]),
      );
    });
}

/** The settings as variables: options take precedence over the environment, and the environment over the file. */
function settings({ port, host, stateDir, vars }: ServeOptions, { env }: Context): Record<string, string | undefined> {
  const set = Object.entries({ ...env, PORT: port, HOST: host, STATE_DIR: stateDir });
  return {
    ...variablesIn(vars),
    ...Object.fromEntries(set.filter(([, value]) => value !== undefined && value !== "")),
  };
}

/** The variables in a file. Throws UsageError if the file was named and cannot be read. */
function variablesIn(file: string | undefined): Record<string, string> {
  try {
    return parse(readFileSync(file ?? DEFAULT_FILE));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (file === undefined && code === "ENOENT") return {};
    throw new UsageError(`the variables cannot be read from ${file ?? DEFAULT_FILE}: ${message}`);
  }
}
