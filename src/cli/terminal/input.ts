/** Reads what a command is given: JSON on the command line, in a file, or from stdin. */

import { readFile } from "node:fs/promises";
import type { Context } from "./context";
import { UsageError } from "./failure";

/** Reads a stream of text whole. */
export async function textOf(stream: AsyncIterable<Buffer | string> | NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

/**
 * The text that an argument means: itself, that of the file behind `@`, or stdin for `@-`.
 *
 * @throws Error if the file cannot be read
 */
export async function textIn(argument: string, { stdin }: Context): Promise<string> {
  if (argument === "@-") return textOf(stdin);
  return argument.startsWith("@") ? readFile(argument.slice(1), "utf8") : argument;
}

/**
 * The JSON value that an argument means, as {@link textIn} reads it.
 *
 * @param what names the argument in the error
 * @throws UsageError if it is no JSON
 */
export async function jsonIn(what: string, argument: string, context: Context): Promise<unknown> {
  return jsonOf(what, await textIn(argument, context));
}

/** The value of a JSON text. Throws UsageError that says of what it is none. */
export function jsonOf(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is no JSON: ${(error as Error).message}`);
  }
}
