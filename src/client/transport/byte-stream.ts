/** Streams of bytes: counted while they pass, gathered into a Blob, made from records. Knows no call. */

import { RecordCounter } from "./record-counter";

/** How far a stream has been read. */
export interface Progress {
  /** The bytes that have been read: of the answer by an export, of the source by a load. */
  readonly bytes: number;
  /** All bytes of the source; absent if unknown before the end. */
  readonly totalBytes?: number;
  /** Number of records read: models, symbols, vectors. */
  readonly records: number;
}

/** Callbacks for reading a stream. */
export interface Listening {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly totalBytes?: number | undefined;
  /** Called before each piece is read, and after. */
  before?(): void;
  after?(): void;
  /**
   * Called with the end of a stream that was read completely, at most {@link END_BYTES} of it. What it throws breaks
   * the stream.
   */
  check?(end: Uint8Array): void;
  /** Counts its records; those of a knowledge base if absent. */
  readonly counter?: { readonly records: number; push(bytes: Uint8Array): void };
  /** Called when the stream has ended, for whatever reason. */
  end?(): void;
  /** Replaces the error that broke the stream. */
  broken?(error: unknown): unknown;
}

/** Approximate characters in a piece of a stream. */
const PIECE_CHARACTERS = 65_536;

/** Bytes checked at the end of a stream. */
const END_BYTES = 1024;

/** The end of a text after one more piece. */
function endOf(end: Uint8Array, piece: Uint8Array): Uint8Array {
  if (piece.length >= END_BYTES) return piece.slice(-END_BYTES);
  const joined = new Uint8Array(end.length + piece.length);
  joined.set(end);
  joined.set(piece, end.length);
  return joined.slice(-END_BYTES);
}

/** Passes a stream on at the reader's pace, and reports progress. */
export function counted(source: ReadableStream<Uint8Array>, listening: Listening): ReadableStream<Uint8Array> {
  const { onProgress, totalBytes } = listening;
  const reader = source.getReader();
  const counter = listening.counter ?? new RecordCounter();
  let bytes = 0;
  let end: Uint8Array = new Uint8Array();
  const next = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    listening.before?.();
    const { done, value } = await reader.read();
    listening.after?.();
    if (done) {
      listening.check?.(end);
      listening.end?.();
      controller.close();
      return;
    }
    bytes += value.byteLength;
    if (listening.check !== undefined) end = endOf(end, value);
    if (onProgress !== undefined) {
      counter.push(value);
      const { records } = counter;
      onProgress(totalBytes === undefined ? { bytes, records } : { bytes, totalBytes, records });
    }
    controller.enqueue(value);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          await next(controller);
        } catch (error) {
          listening.end?.();
          // Reading has stopped: tell the sender.
          reader.cancel(error).catch(() => {});
          throw listening.broken?.(error) ?? error;
        }
      },
      cancel(reason) {
        listening.end?.();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Reads a stream to its end. */
export async function gathered(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  return new Response(stream).blob();
}

/** A JSON list of records as bytes. */
export function recordStream(records: Iterable<unknown> | AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const pieces = textPieces(records);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* textPieces(records: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string, void, void> {
  let piece = "[";
  let separator = "";
  for await (const record of records) {
    piece += separator + JSON.stringify(record);
    separator = ",";
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]`;
}
