/**
 * Fills parts with what is stored: reads it once for all of them, and sends each its models in messages as they come
 * together. What is on the way, and what waits to be sent, is bounded.
 */

import { eachModel } from "../../processor/knowledge/model-batch";
import type { ModelBatch } from "../../processor/ports/matcher";
import { partOf } from "../../processor/ports/parts";
import { MAX_OPEN_CALLS } from "./fan-out";
import type { PartFill, PartMark, PartReply } from "./messages";

/**
 * A message is sent once its models take this many bytes, so it may exceed this by one batch. A call carries at most 32
 * MiB.
 */
const PIECE_BYTES = 2 * 1024 * 1024;

/** What waits for a whole message takes no more bytes than this for all parts together, but for a batch. */
const WAITING_BYTES = 8 * 1024 * 1024;

/** No more of the models is read while messages of more bytes than this are on their way. */
const SENT_BYTES = 8 * 1024 * 1024;

/** The symbols of a message: 12 bytes each, so 3 MiB. */
const PIECE_SYMBOLS = 262_144;

/** Time for which models are read before others of the isolate are served, in milliseconds. */
const READING_MS = 50;

/** A part that is filled: which log it follows then, and where it is in it. */
export interface FilledPart {
  readonly part: number;
  readonly epoch: string;
  readonly end: { readonly at: number; readonly mark: PartMark };
}

/** What parts are filled with. It must not change meanwhile. */
export interface Stored {
  /** All models, ids ascending. */
  readonly corpus: Iterable<ModelBatch>;
  /** All known symbols. */
  readonly symbols: Iterable<{ readonly id: number; readonly frequency: number }>;
}

/** How messages are sent. */
export interface FillingWay {
  /** Over how many parts the models are spread. */
  readonly count: number;
  /** Sends a message. @returns what the part says; `undefined` when it is lost */
  send(part: number, message: PartFill): Promise<PartReply | undefined>;
  /** Lets others of the isolate be served. */
  pause(): Promise<void>;
  /** Milliseconds. */
  now(): number;
}

/** One part while it is filled. */
class Filling {
  readonly part: FilledPart;
  readonly #send: FillingWay["send"];
  readonly #noteSent: (bytes: number) => void;
  #models: ModelBatch[] = [];
  #bytes = 0;
  #piece = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** What it said last. */
  reply: PartReply | undefined;
  /** Whether it takes no more, because it is lost, full, or elsewhere. */
  isOver = false;

  constructor(part: FilledPart, send: FillingWay["send"], noteSent: (bytes: number) => void) {
    this.part = part;
    this.#send = send;
    this.#noteSent = noteSent;
  }

  /** Settles when all that was sent has arrived. */
  get arrived(): Promise<unknown> {
    return this.#last;
  }

  get waitingBytes(): number {
    return this.#bytes;
  }

  addModels(batch: ModelBatch): void {
    if (this.isOver) return;
    this.#models.push(batch);
    this.#bytes += bytesOf(batch);
  }

  sendModels(): void {
    if (this.#models.length === 0) return;
    this.#put({ models: this.#models }, this.#bytes);
    this.#models = [];
    this.#bytes = 0;
  }

  sendSymbols(symbols: NonNullable<PartFill["symbols"]>, isEnd: boolean): void {
    const bytes = symbols.ids.byteLength + symbols.frequencies.byteLength;
    this.#put({ symbols, ...(isEnd && { end: this.part.end }) }, bytes);
  }

  /** Sends a message when those before it have arrived. */
  #put(content: Partial<Pick<PartFill, "models" | "symbols" | "end">>, bytes: number): void {
    const { part, epoch } = this.part;
    const message: PartFill = {
      kind: "fill",
      epoch,
      piece: this.#piece++,
      symbols: undefined,
      models: [],
      end: undefined,
      ...content,
    };
    this.#noteSent(bytes);
    this.#last = this.#last.then(async () => {
      try {
        if (!this.isOver) this.reply = await this.#send(part, message);
        this.isOver ||= this.reply?.kind !== "done";
      } finally {
        this.#noteSent(-bytes);
      }
    });
  }
}

/** What came of filling a part: what it said last; `undefined` when it was lost. */
export type Filled = ReadonlyMap<number, PartReply | undefined>;

/** Fills parts. Never rejects because a part fails. */
export async function fill(parts: readonly FilledPart[], stored: Stored, way: FillingWay): Promise<Filled> {
  let sent = 0;
  let wake = () => {};
  const noteSent = (bytes: number) => {
    sent += bytes;
    if (sent <= SENT_BYTES) wake();
  };
  const fillings = parts.map((part) => new Filling(part, way.send, noteSent));
  const byPart = new Map(fillings.map((filling) => [filling.part.part, filling]));
  const room = async () => {
    if (sent <= SENT_BYTES) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  const symbols = symbolsOf(stored.symbols);
  // As a processor fills its own kernel: a column that grows after the models are in leaves its old place unused.
  await sendSymbols(fillings, symbols, room, false);
  const pieceBytes = Math.min(PIECE_BYTES, WAITING_BYTES / Math.max(parts.length, MAX_OPEN_CALLS));
  let pausedMs = way.now();
  for (const batch of stored.corpus) {
    for (const [part, share] of sharesOf(batch, way.count, (each) => byPart.has(each))) {
      const filling = byPart.get(part);
      filling?.addModels(share);
      if (filling !== undefined && filling.waitingBytes >= pieceBytes) filling.sendModels();
    }
    if (fillings.every(({ isOver }) => isOver)) break;
    await room();
    if (way.now() - pausedMs < READING_MS) continue;
    await way.pause();
    pausedMs = way.now();
  }
  for (const filling of fillings) {
    filling.sendModels();
    await room();
  }
  await sendSymbols(fillings, symbols, room, true);
  await Promise.all(fillings.map(({ arrived }) => arrived));
  return new Map(fillings.map(({ part: { part }, reply }) => [part, reply]));
}

type Symbols = NonNullable<PartFill["symbols"]>;

function symbolsOf(rows: Stored["symbols"]): Symbols {
  const all = [...rows];
  return {
    ids: Uint32Array.from(all, ({ id }) => id),
    frequencies: Float64Array.from(all, ({ frequency }) => frequency),
  };
}

/** Sends all symbols in pieces, at least one. @param isEnd with their frequencies, and the last piece is the end */
async function sendSymbols(
  fillings: readonly Filling[],
  { ids, frequencies }: Symbols,
  room: () => Promise<void>,
  isEnd: boolean,
): Promise<void> {
  let from = 0;
  do {
    const to = from + PIECE_SYMBOLS;
    const own = ids.slice(from, to);
    const piece = { ids: own, frequencies: isEnd ? frequencies.slice(from, to) : new Float64Array(own.length) };
    for (const filling of fillings) {
      filling.sendSymbols(piece, isEnd && to >= ids.length);
      await room();
    }
    from = to;
  } while (from < ids.length);
}

/** The models of a batch by the part that has them. @param isWanted whether a part's are wanted */
export function sharesOf(
  batch: ModelBatch,
  count: number,
  isWanted: (part: number) => boolean,
): Map<number, ModelBatch> {
  const sizes = new Map<number, { models: number; events: number; symbols: number }>();
  eachModel(batch, (at, from, to) => {
    const part = partOf(batch.ids[at] ?? 0, count);
    if (!isWanted(part)) return;
    const size = sizes.get(part) ?? { models: 0, events: 0, symbols: 0 };
    size.models++;
    size.events += batch.eventCounts[at] ?? 0;
    size.symbols += to - from;
    sizes.set(part, size);
  });
  const shares = new Map([...sizes].map(([part, size]) => [part, new Share(size)]));
  let event = 0;
  eachModel(batch, (at, from, to) => {
    const events = batch.eventCounts[at] ?? 0;
    shares.get(partOf(batch.ids[at] ?? 0, count))?.add(batch, { at, event, events, from, to });
    event += events;
  });
  return new Map([...shares].map(([part, { batch: own }]) => [part, own]));
}

/** The part of a batch that one part has. Its columns are copies: a message would carry all that a view is of. */
class Share {
  readonly batch: ModelBatch & { readonly lengths: Uint32Array; readonly symbols: Uint32Array };
  #model = 0;
  #event = 0;
  #symbol = 0;

  constructor({ models, events, symbols }: { models: number; events: number; symbols: number }) {
    this.batch = {
      ids: new Float64Array(models),
      frequencies: new Float64Array(models),
      eventCounts: new Uint32Array(models),
      lengths: new Uint32Array(events),
      symbols: new Uint32Array(symbols),
    };
  }

  add(
    from: ModelBatch,
    model: { readonly at: number; event: number; events: number; readonly from: number; readonly to: number },
  ): void {
    const { ids, frequencies, eventCounts, lengths, symbols } = this.batch;
    ids[this.#model] = from.ids[model.at] ?? 0;
    frequencies[this.#model] = from.frequencies[model.at] ?? 0;
    eventCounts[this.#model] = model.events;
    lengths.set(from.lengths.subarray(model.event, model.event + model.events), this.#event);
    symbols.set(from.symbols.subarray(model.from, model.to), this.#symbol);
    this.#model++;
    this.#event += model.events;
    this.#symbol += model.to - model.from;
  }
}

/** Bytes of a model's id, frequency and number of events. */
const MODEL_BYTES = 20;
/** Bytes of a length or a symbol. */
const NUMBER_BYTES = 4;

function bytesOf({ ids, lengths, symbols }: ModelBatch): number {
  return MODEL_BYTES * ids.length + NUMBER_BYTES * (lengths.length + symbols.length);
}
