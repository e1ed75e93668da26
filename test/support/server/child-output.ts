/** What a child process prints, and the environment in which tests start servers. */

import type { ChildProcess } from "node:child_process";

/** Variables that change how a server serves. A test sets them itself. */
const SERVER_VARIABLE = /^(?:AGENT_KEYS|API_KEYS|HOST|STATE_DIR|NOEMA_\w+)$/;

/** This process's environment without the settings of a server, then any free port, then `env`. */
export function serverEnvironment(env: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !SERVER_VARIABLE.test(name));
  return { ...Object.fromEntries(inherited), PORT: "0", ...env };
}

/** How a child ended. */
export interface Ended {
  /** The exit code; null after a signal. */
  code: number | null;
  /** All it printed, to both streams. */
  output: string;
}

/** A match in a child's output. */
export interface Printed {
  match: RegExpExecArray;
  /** All it printed up to now, to both streams. */
  output: string;
}

/** Waits until a child has printed a match, or has ended without one. */
export function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<Printed | Ended> {
  return new Promise((resolve) => {
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
      const match = pattern.exec(output);
      if (match !== null) resolve({ match, output });
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** The same, where an end without a match is an error. Throws with all that the child printed. */
export async function requireOutput(child: ChildProcess, pattern: RegExp): Promise<Printed> {
  const result = await waitForOutput(child, pattern);
  if ("match" in result) return result;
  throw new Error(`the process ended with code ${result.code} before it printed ${pattern}: ${result.output}`);
}
