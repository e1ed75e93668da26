/** Whole agents as files: read as a stream, restored from almost anything. */

import { assertComplete, bodyOf, type ProgressOptions } from "./knowledge-base";
import { counted } from "./transport/byte-stream";
import { type Answer, answerIn, type Message, under } from "./transport/call";
import type { Noema } from "./transport/connection";
import { broken, checkedOptions, exchange, textOf } from "./transport/exchange";
import { NoemaError } from "./transport/noema-error";

/** Options of a backup or a restore. Progress counts lines as records. */
export interface BackupOptions extends ProgressOptions {
  /** The id or name of a processor: it alone is read or replaced. The whole agent if absent. */
  readonly processor?: string;
}

/** A backup: text, bytes, a Blob or a stream of bytes, gzipped or not. */
export type BackupSource = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

/** The server may need minutes for a large restore after its last byte has come. */
const RESTORE_TIMEOUT_MS = 600_000;

/** The options besides those of every call. */
const OWN_OPTIONS = { onProgress: 1, processor: 1 } as const;

const LINE_FEED = 0x0a;

/** The last line of a backup, which counts the others. */
const LAST_LINE = /"end":\{[^\n]*\}\}\n$/;

const decoder = new TextDecoder();

/** Counts lines, in the place of records. */
class LineCounter {
  records = 0;

  push(bytes: Uint8Array): void {
    for (const byte of bytes) if (byte === LINE_FEED) this.records++;
  }
}

function pathOf(noema: Noema, path: string, processor: string | undefined): string {
  const query = processor === undefined ? "" : `?processor=${encodeURIComponent(processor)}`;
  return under(noema, path + query).path;
}

/**
 * The agent, or one processor, as a stream of lines that {@link restore} takes. Read the stream to its end, or cancel
 * it. The call is retried until the answer begins, not after. `timeout` limits the wait for each piece, too.
 *
 * @throws NoemaError 404 if there is no such processor. Reading throws one if the stream ends before its last line;
 *   then what was read is not a complete backup
 */
export async function backup(noema: Noema, options: BackupOptions = {}): Promise<ReadableStream<Uint8Array>> {
  const { onProgress, processor, ...callOptions } = checkedOptions("backup", options, OWN_OPTIONS);
  const outgoing = {
    operation: "backup",
    method: "GET",
    path: pathOf(noema, "backup", processor),
    repeats: "read",
  } as const;
  return exchange(noema, outgoing, callOptions, async ({ body }, watch) => {
    if (body === null) throw new TypeError("the answer has no body");
    // Backpressure: request no more until the reader does.
    watch.rest();
    return counted(body, {
      onProgress,
      counter: new LineCounter(),
      before: watch.touch,
      after: watch.rest,
      check: assertWhole,
      end: watch.end,
      broken: (error) => broken("backup", watch, error),
    });
  });
}

/** @throws NoemaError if the end of a backup is not its last line */
function assertWhole(end: Uint8Array): void {
  assertComplete(end, "backup");
  if (LAST_LINE.test(decoder.decode(end))) return;
  throw new NoemaError("the backup is incomplete: its last line is missing", { operation: "backup", status: 200 });
}

/**
 * Replaces the agent, or one processor, by a backup, all or nothing. Never retried: after an error with status 0,
 * restore the same again. Browsers cannot send streams to every server; there a stream is read whole before it is sent,
 * and progress is that of reading.
 *
 * @param options `timeout`: the longest silence, 600,000 ms if absent
 * @returns what was restored
 * @throws NoemaError 400 if the backup is not whole or was altered; the message has the number of the line. 409 if
 *   another restore overtook this one
 */
export async function restore(
  noema: Noema,
  source: BackupSource,
  options: BackupOptions = {},
): Promise<Message<"restore">> {
  const { onProgress, processor, ...others } = checkedOptions("restore", options, OWN_OPTIONS);
  const isWhole = source instanceof ReadableStream || source instanceof Blob;
  const body = await bodyOf(isWhole ? source : new Blob([source as string]), {
    onProgress,
    counter: new LineCounter(),
  });
  const path = pathOf(noema, "restore", processor);
  const outgoing = { operation: "restore", method: "POST", path, repeats: "once", body } as const;
  return exchange(noema, outgoing, { timeout: RESTORE_TIMEOUT_MS, ...others }, async (response, watch) => {
    const answer = answerIn(await textOf(response, watch), "restore", response.status);
    watch.end();
    return (answer as Answer<"restore">).message;
  });
}
