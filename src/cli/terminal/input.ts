/** Reads a command's input: JSON on the command line, in a file, or from stdin. */

import { readFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Context } from "./context";
import { UsageError } from "./failure";

/** Reads a whole text stream. */
export async function textOf(stream: AsyncIterable<Buffer | string> | NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

/**
 * The text that an argument gives: the argument itself, the content of the file named after `@`, or stdin for `@-`.
 *
 * @throws Error if the file cannot be read
 */
export async function textIn(argument: string, { stdin }: Context): Promise<string> {
  if (argument === "@-") return textOf(stdin);
  return argument.startsWith("@") ? readFile(argument.slice(1), "utf8") : argument;
}

/**
 * The JSON value that an argument gives, read by {@link textIn}.
 *
 * @param what the argument's name, for the error
 * @throws UsageError if the text is not JSON
 */
export async function jsonIn(what: string, argument: string, context: Context): Promise<unknown> {
  return jsonOf(what, await textIn(argument, context));
}

/** The JSON value of a text. Throws UsageError that begins with `what` if the text is not JSON. */
export function jsonOf(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${(error as Error).message}`);
  }
}

/**
 * The items of a source in batches of all that are ready: the slower the reader, the larger the batches. An error of
 * the source is thrown after the items before it.
 *
 * @param most maximum number of items in a batch, from 1
 */
export async function* batchesOf<T>(source: AsyncIterable<T>, most: number): AsyncGenerator<T[]> {
  const iterator = source[Symbol.asyncIterator]();
  let next = settled(iterator.next());
  for (let isOver = false; !isOver; ) {
    const batch: T[] = [];
    let result: Settled<T> | undefined = await next;
    while (result !== undefined && "value" in result) {
      batch.push(result.value);
      next = settled(iterator.next());
      if (batch.length === most) break;
      result = await Promise.race([next, nextTurn(undefined)]);
    }
    if (batch.length > 0) yield batch;
    if (result !== undefined && "error" in result) throw result.error;
    isOver = result !== undefined && "done" in result;
  }
}

/** The outcome of an iterator's step: a value, the end, or an error. */
type Settled<T> = { readonly value: T } | { readonly done: true } | { readonly error: unknown };

function settled<T>(next: Promise<IteratorResult<T>>): Promise<Settled<T>> {
  return next.then(
    ({ done, value }): Settled<T> => (done === true ? { done } : { value }),
    (error: unknown) => ({ error }),
  );
}

/**
 * The events that a command's arguments give.
 *
 * @param symbols the arguments: events of one symbol each
 * @param sequence the option --sequence: events as JSON
 * @returns `undefined` if there are neither
 * @throws UsageError if there are both, or the option cannot be read
 */
export async function eventsGiven(
  symbols: readonly string[],
  sequence: string | undefined,
  context: Context,
): Promise<string[][] | undefined> {
  if (symbols.length > 0 && sequence !== undefined) {
    throw new UsageError("events are given twice: name symbols, or give --sequence");
  }
  if (sequence !== undefined) return (await jsonIn("--sequence", sequence, context)) as string[][];
  return symbols.length === 0 ? undefined : symbols.map((symbol) => [symbol]);
}
