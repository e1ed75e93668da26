/**
 * The streams on which a bridge observes: one for each memory that has received a message. The least recently used
 * stream is closed first.
 */

import { type Memory, type Noema, processor, type Stream, session } from "../../client";
import type { Place } from "../../mqtt/topics";
import type { JsonObject } from "../../text/located";
import type { Delivery } from "./delivery-log";

/** Maximum number of streams open for observing at once. */
const MAX_STREAMS = 100;

/** The memory of a place. */
export function memoryAt(noema: Noema, { processor: id, session: name }: Place): Memory {
  const own = processor(noema, id);
  return name === null ? own : session(own, name);
}

/** The streams of one bridge. */
export class Memories {
  readonly #open: (place: Place, source: string) => Stream;
  /** By source and place; the most recently used stream is last. */
  readonly #streams = new Map<string, Stream>();

  /** @param open opens a stream to a memory under a source */
  constructor(open: (place: Place, source: string) => Stream) {
    this.#open = open;
  }

  /**
   * Observes a record exactly once, even if the link breaks.
   *
   * @throws NoemaError when Noema refuses the record, or the stream ends
   */
  async observe(place: Place, record: JsonObject, learn: boolean, { source, number }: Delivery): Promise<void> {
    const stream = this.#streamTo(place, source);
    await stream.observe(record, { number, brief: true, ...(learn && { learn }) });
  }

  /** Closes all streams once their records are answered. */
  async close(): Promise<void> {
    const all = [...this.#streams.values()];
    this.#streams.clear();
    await Promise.all(all.map((stream) => stream.close()));
  }

  #streamTo(place: Place, source: string): Stream {
    const key = JSON.stringify([source, place.processor, place.session]);
    const known = this.#streams.get(key);
    const stream = known ?? this.#open(place, source);
    this.#streams.delete(key);
    this.#streams.set(key, stream);
    // A stream that has ended is replaced at the next message.
    if (known === undefined) stream.closed.catch(() => this.#streams.delete(key));
    const [[oldest, idle] = []] = this.#streams.size > MAX_STREAMS ? this.#streams : [];
    if (oldest !== undefined && idle !== undefined) {
      this.#streams.delete(oldest);
      void idle.close();
    }
    return stream;
  }
}
