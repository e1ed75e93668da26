/** Runs an example of examples/ as its README says, against a server of the test, and reads what it prints. */

import { spawn } from "node:child_process";
import { type Ended, serverEnvironment, waitForOutput } from "../server/child-output";

/** The key that a server of a test accepts. */
const KEY = "ABCD-1234";
/** Matches no output, so that the wait lasts until the end. */
const NOTHING = /(?!)/;

/** The environment of an example. @param address where it finds the server */
export function exampleEnvironment(address: string, variables: Record<string, string> = {}): NodeJS.ProcessEnv {
  return serverEnvironment({ NOEMA_ADDRESS: address, NOEMA_API_KEY: KEY, ...variables });
}

/**
 * Runs a command to its end.
 *
 * @param address where the example finds the server
 * @returns its exit code, and all that it printed
 */
export async function runExample(address: string, command: string, ...args: string[]): Promise<Ended> {
  const child = spawn(command, args, { env: exampleEnvironment(address), stdio: ["ignore", "pipe", "pipe"] });
  return (await waitForOutput(child, NOTHING)) as Ended;
}

/** The numbers of a line of output. Throws with the whole output when no line matches. */
export function numbersIn(output: string, line: RegExp): number[] {
  const match = line.exec(output);
  if (match === null) throw new Error(`no line matches ${line}:\n${output}`);
  return match.slice(1).map(Number);
}
