/** The streams of an observing node: one for each memory, kept open, the one used longest ago closed for a new one. */

import WebSocket from "ws";
import { type Noema, type Stream, stream } from "../../../src/client";
import { memoryOf } from "./agent-node";

/** Maximum number of streams that a node keeps open: each memory has one. */
const MAX_LINKS = 100;

/** The streams that a node has open. */
export class Links {
  readonly #noema: Noema;
  readonly #source: string;
  readonly #onLost: (reason: string) => void;
  /** By memory, the one used last at the end. */
  readonly #open = new Map<string, Stream>();

  /**
   * @param source the name of the node, by which its repetitions take effect once
   * @param onLost hears why a link was lost, which is opened again
   */
  constructor(noema: Noema, source: string, onLost: (reason: string) => void) {
    this.#noema = noema;
    this.#source = source;
    this.#onLost = onLost;
  }

  /** The stream to a memory, opened if there is none. */
  of(processor: string, session: string | null): Stream {
    const key = JSON.stringify([processor, session]);
    const link = this.#open.get(key) ?? this.#opened(key, processor, session);
    this.#open.delete(key);
    this.#open.set(key, link);
    const [oldest] = this.#open;
    if (this.#open.size > MAX_LINKS && oldest !== undefined) {
      this.#open.delete(oldest[0]);
      oldest[1].close();
    }
    return link;
  }

  #opened(key: string, processor: string, session: string | null): Stream {
    const link = stream(memoryOf(this.#noema, processor, session), {
      source: this.#source,
      webSocket: WebSocket as never,
      onLost: ({ message }) => this.#onLost(message),
    });
    // One that has ended by itself, for a wrong key say, is opened anew by the next message.
    link.closed.catch(() => {
      if (this.#open.get(key) === link) this.#open.delete(key);
    });
    return link;
  }

  /** Closes all, once what was sent is answered. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((link) => link.close()));
    this.#open.clear();
  }
}
