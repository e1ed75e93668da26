/** What a child process prints, and the environment in which tests start servers. */

import type { ChildProcess } from "node:child_process";

/** Variables that change how a server serves. A test sets them itself. */
const SERVER_VARIABLES = [
  "AGENT_KEYS",
  "API_KEYS",
  "HOST",
  "NOEMA_AGENTS",
  "NOEMA_DOMAIN",
  "NOEMA_ENDPOINT_HOSTS",
  "NOEMA_ENDPOINT_KEYS",
  "NOEMA_FAILED_STARTS",
  "NOEMA_JURISDICTION",
  "NOEMA_LIVE_OBJECTS",
  "NOEMA_LOCATION_HINT",
  "NOEMA_LOCAL",
  "NOEMA_DELIVERIES",
  "NOEMA_MATCHING_STEPS",
  "NOEMA_MEMORY_SYMBOLS",
  "NOEMA_PATTERN_STEPS",
  "NOEMA_SEQUENCE_RECORDS",
  "NOEMA_SESSIONS",
  "NOEMA_SESSION_BYTES",
  "NOEMA_STOP_SECONDS",
  "STATE_DIR",
];

/** This process's environment without the settings of a server, then any free port, then `env`. */
export function serverEnvironment(env: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !SERVER_VARIABLES.includes(name));
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
