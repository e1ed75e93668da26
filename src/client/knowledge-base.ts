/** Whole knowledge bases: read as an object, exported as a stream, loaded from almost anything. */

import type { KnowledgeBase, KnowledgeBaseToLoad, LineToLoad } from "./gen/operations";
import { counted, gathered, type Listening, type Progress, recordStream } from "./transport/byte-stream";
import { type Answer, answerIn, type Message, message, under } from "./transport/call";
import type { Body, Processor } from "./transport/connection";
import { broken, type CallOptions, checkedOptions, exchange, textOf } from "./transport/exchange";
import { NoemaError } from "./transport/noema-error";
import type { Watch } from "./transport/watch";

/** Options of an export or a load. */
export interface ProgressOptions extends CallOptions {
  /** Called after each piece of the stream. What it throws ends the call. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Options of reading a knowledge base. */
export interface OrderOptions {
  /**
   * Whether models and vectors carry their order, and the metadata the record of past forecasts, so that a load
   * reproduces every tie between predictions and every forecast. `false` if absent.
   */
  readonly order?: boolean;
}

/** Options of a load. */
export interface LoadOptions extends ProgressOptions {
  /** `merge`: the processor keeps its knowledge, and known models add up. `replace` if absent. */
  readonly mode?: "merge" | "replace";
}

/**
 * A knowledge base to load: an object or a list of records as `get_kb` answers with; its JSON as text, bytes, a Blob or
 * a stream of bytes; or records one by one.
 */
export type KnowledgeSource =
  | KnowledgeBaseToLoad
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | Iterable<LineToLoad>
  | AsyncIterable<LineToLoad>;

/** The server may need minutes for a large load after its last byte has come. */
const LOAD_TIMEOUT_MS = 600_000;

/** The knowledge base as one object. {@link exportKnowledgeBase} takes less memory. */
export async function getKnowledgeBase(
  processor: Processor,
  options: OrderOptions & CallOptions = {},
): Promise<KnowledgeBase> {
  const { order, ...others } = checkedOptions("getKnowledgeBase", options, { order: 1 });
  const path = `get_kb${orderQuery(order)}`;
  const call = { operation: "getKnowledgeBase", method: "GET", path, repeats: "read" } as const;
  return message(processor, call, others) as Promise<KnowledgeBase>;
}

/**
 * Exports the knowledge base, as of one moment, as a stream of JSON that {@link loadKnowledgeBase} takes. Read the
 * stream to its end, or cancel it. The call is retried until the answer begins, not after. `timeout` limits the wait
 * for each piece, too; you may read as slowly as the server allows.
 *
 * @throws NoemaError 503 if too many exports are open. Reading throws one if the stream breaks off, also if the server
 *   had to end it early: the message then has the server's reason, and what was read is not a whole knowledge base
 */
export async function exportKnowledgeBase(
  processor: Processor,
  options: OrderOptions & ProgressOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const own = { onProgress: 1, order: 1 } as const;
  const { onProgress, order, ...others } = checkedOptions("exportKnowledgeBase", options, own);
  const { noema, path } = under(processor, `get_kb/raw${orderQuery(order)}`);
  const outgoing = { operation: "exportKnowledgeBase", method: "GET", path, repeats: "read" } as const;
  return exchange(noema, outgoing, others, async ({ body }, watch) => {
    if (body === null) throw new TypeError("the answer has no body");
    // Backpressure: request no more until the reader does.
    watch.rest();
    return counted(body, {
      onProgress,
      before: watch.touch,
      after: watch.rest,
      check: (end) => assertComplete(end, "exportKnowledgeBase"),
      end: watch.end,
      broken: (error) => broken("exportKnowledgeBase", watch, error),
    });
  });
}

function orderQuery(order = false): string {
  return order ? "?order=true" : "";
}

/**
 * The server's text at the end of an export that it cannot finish: the status was already sent, and the body ends like
 * a complete one.
 */
const NOT_COMPLETE = /\n\nTHIS ANSWER IS NOT COMPLETE: (.*)\n$/;

const decoder = new TextDecoder();

/** @throws NoemaError if the end of an answer says that it is not complete */
export function assertComplete(end: Uint8Array, operation: string): void {
  const [, reason] = NOT_COMPLETE.exec(decoder.decode(end)) ?? [];
  if (reason === undefined) return;
  throw new NoemaError(`the export is incomplete: ${reason}`, { operation, status: 200 });
}

/**
 * Replaces the knowledge base, or merges into it, all or nothing. Never retried: after an error with status 0, load
 * the same again, which is harmless unless the processor has learned in between; with `merge`, first check whether it
 * was merged. Browsers cannot send streams to every server; there a stream is read whole before it is sent, and
 * progress is that of reading.
 *
 * @param options `timeout`: the longest silence, 600,000 ms if absent
 * @throws NoemaError 400 if a record is wrong; the message names it. 409 if another load overtook this one. 413
 *   if the file is too large
 */
export async function loadKnowledgeBase(
  processor: Processor,
  source: KnowledgeSource,
  options: LoadOptions = {},
): Promise<Message<"loadKnowledgeBase">> {
  const own = { onProgress: 1, mode: 1 } as const;
  const { onProgress, mode = "replace", ...others } = checkedOptions("loadKnowledgeBase", options, own);
  const { noema, path } = under(processor, mode === "replace" ? "load_kb" : `load_kb?mode=${mode}`);
  const body = await bodyOf(blobOf(source), { onProgress });
  const outgoing = { operation: "loadKnowledgeBase", method: "POST", path, repeats: "once", body } as const;
  return exchange(noema, outgoing, { timeout: LOAD_TIMEOUT_MS, ...others }, async (response, watch) => {
    const answer = answerIn(await textOf(response, watch), "loadKnowledgeBase", response.status);
    watch.end();
    return (answer as Answer<"loadKnowledgeBase">).message;
  });
}

/**
 * The request body for a source. A stream, or a source whose progress is reported, is streamed if
 * the runtime can do that.
 *
 * @param listening receives the progress, and counts the records
 */
export async function bodyOf(
  whole: Blob | ReadableStream<Uint8Array>,
  { onProgress, counter }: Pick<Listening, "counter" | "onProgress">,
): Promise<Body | ((watch: Watch) => ReadableStream<Uint8Array>)> {
  if (whole instanceof Blob && onProgress === undefined) return whole;
  const [stream, totalBytes] = whole instanceof Blob ? [whole.stream(), whole.size] : [whole, undefined];
  const listening: Listening = { onProgress, totalBytes, ...(counter && { counter }) };
  if (isBrowser()) return gathered(counted(stream, listening));
  return ({ rest, touch }) => counted(stream, { ...listening, before: rest, after: touch });
}

/** A source in one piece, if it already is, else as a stream. */
function blobOf(source: KnowledgeSource): Blob | ReadableStream<Uint8Array> {
  if (source instanceof Blob || source instanceof ReadableStream) return source;
  if (typeof source === "string" || source instanceof Uint8Array)
    return new Blob([source as string | Uint8Array<ArrayBuffer>]);
  if (isIterable(source)) return recordStream(source);
  return new Blob([JSON.stringify(source)]);
}

function isIterable(source: object): source is Iterable<unknown> | AsyncIterable<unknown> {
  return Symbol.iterator in source || Symbol.asyncIterator in source;
}

/** Only pages and their workers have a location. */
function isBrowser(): boolean {
  return "location" in globalThis;
}
