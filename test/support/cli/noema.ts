/** Runs the built command line as a shell does, and tells what it printed and how it ended. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

/** What `npm run build` makes. */
export const NOEMA = resolve("dist/cli/noema.js");

/** What a run may set. */
export interface RunOptions {
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
}

/** How a run ended. */
export interface Run {
  /** The exit code; null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run that goes on. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
  /** Waits until it has printed a match to either stream. */
  printed(pattern: RegExp): Promise<void>;
}

/** The environment of this process without what would change a run, and then `env`. */
export function environment(env: RunOptions["env"] = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:NOEMA_|FORCE_COLOR|NO_COLOR)/.test(name));
  return { ...Object.fromEntries(inherited), ...env };
}

/** Starts a program. */
export function start(program: string, args: readonly string[], { env, cwd, input }: RunOptions = {}): Started {
  const child = spawn(program, args, { env: environment(env), cwd, stdio: ["pipe", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (piece) => {
    stdout += piece;
  });
  child.stderr.on("data", (piece) => {
    stderr += piece;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return {
    child,
    ended: once(child, "close").then(([code]) => ({ code, stdout, stderr })),
    async printed(pattern) {
      while (!pattern.test(stdout + stderr)) {
        if (child.exitCode !== null)
          throw new Error(`it ended with ${child.exitCode} before it printed ${pattern}: ${stderr}`);
        await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), once(child, "exit")]);
      }
    },
  };
}

/** Runs `noema` to its end. */
export function noema(args: readonly string[], options?: RunOptions): Promise<Run> {
  return start(process.execPath, [NOEMA, ...args], options).ended;
}
