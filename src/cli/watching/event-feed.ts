/** The events of a stream, one at a time, for a reader that may be slower than the stream. */

import { Readable } from "node:stream";
import type { Stream, StreamEvent, StreamOptions } from "../../client";

/** Maximum number of events that wait for the reader. Later events are dropped until the reader has caught up. */
const MAX_WAITING = 10_000;

/** An item of a feed: an event, or the news that a link is open and events arrive from now on. */
export type News = StreamEvent | "open";

/** The events of one stream. Read it with `for await`; it throws the reason if the stream ends by itself. */
export class EventFeed {
  readonly #news = new Readable({ objectMode: true, highWaterMark: MAX_WAITING, read() {} });
  readonly #link: Stream;
  #missed = 0;

  /** @param open opens the stream with the given settings */
  constructor(open: (settings: Pick<StreamOptions, "onEvent" | "onOpen">) => Stream) {
    // The stream may end before the first read, which throws the reason then; without a listener, Node ends the
    // process.
    this.#news.on("error", () => {});
    this.#link = open({ onEvent: (event) => this.#tell(event), onOpen: () => this.#tell("open") });
    this.#link.closed.catch((reason: unknown) => {
      this.#news.destroy(reason instanceof Error ? reason : new Error(String(reason)));
    });
  }

  /** Number of events that wait for the reader. */
  get waiting(): number {
    return this.#news.readableLength;
  }

  /** Number of events dropped since the last call. */
  takeMissed(): number {
    const missed = this.#missed;
    this.#missed = 0;
    return missed;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<News> {
    try {
      yield* this.#news as AsyncIterable<News>;
    } finally {
      await this.#link.close();
    }
  }

  #tell(news: News): void {
    if (this.waiting < MAX_WAITING) this.#news.push(news);
    else this.#missed++;
  }
}
