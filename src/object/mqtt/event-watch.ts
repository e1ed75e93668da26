/**
 * Tells the MQTT endpoint of the agent what happens in a processor's memories. Delays no answer: what happens while the
 * endpoint is being told waits, bounded, and the oldest is dropped. What the endpoint wants is stored, so the object
 * knows it after each life.
 */

import type { PublicationTable } from "../../store/tables/publication-table";

/** How many events may wait for the endpoint, and how many bytes of their texts. */
const MOST_WAITING = 1000;
const MOST_WAITING_BYTES = 1_048_576;

/** One event, as the endpoint gets it. */
export interface ToldEvent {
  readonly kind: string;
  /** Empty for the processor's own memory. */
  readonly session: string;
  /** Its JSON. */
  readonly text: string;
}

/**
 * Tells the endpoint of the agent.
 *
 * @returns what it wants to hear of from now on
 */
export type TellEndpoint = (events: readonly ToldEvent[]) => Promise<readonly string[]>;

/** What the endpoint hears of one processor. */
export class EventWatch {
  readonly #table: () => PublicationTable | undefined;
  readonly #tell: TellEndpoint;
  #watched: readonly string[] | undefined;
  #waiting: ToldEvent[] = [];
  #bytes = 0;
  #isTelling = false;
  #changes = 0;
  /** How many events had to make room. */
  dropped = 0;

  /**
   * @param table where it is stored what is wanted; `undefined` while there is no processor
   * @param tell tells the endpoint
   */
  constructor(table: () => PublicationTable | undefined, tell: TellEndpoint) {
    this.#table = table;
    this.#tell = tell;
  }

  /** What was stored may have changed. */
  changed(): void {
    this.#watched = undefined;
    this.#changes++;
  }

  /** Whether the endpoint wants to hear of anything. */
  get isWatching(): boolean {
    return this.#wanted().length > 0;
  }

  /** Whether the endpoint wants to hear of events of a kind. */
  wants(kind: string): boolean {
    return this.#wanted().includes(kind);
  }

  /** Something has happened. */
  tell(event: ToldEvent): void {
    this.#waiting.push(event);
    this.#bytes += event.text.length;
    while (this.#waiting.length > MOST_WAITING || this.#bytes > MOST_WAITING_BYTES) {
      const oldest = this.#waiting.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.text.length;
      this.dropped++;
    }
    if (!this.#isTelling) void this.#tellAll();
  }

  #wanted(): readonly string[] {
    this.#watched ??= this.#table()?.watched() ?? [];
    return this.#watched;
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    try {
      // What happens in the same turn is told together.
      await Promise.resolve();
      while (this.#waiting.length > 0) {
        const events = this.#waiting;
        this.#waiting = [];
        this.#bytes = 0;
        const changes = this.#changes;
        const wanted = await this.#tell(events);
        const table = this.#table();
        // What the endpoint has said by a call meanwhile is newer than its answer.
        if (this.#changes !== changes) continue;
        if (table === undefined || JSON.stringify(wanted) === JSON.stringify(this.#wanted())) continue;
        table.putWatched(wanted);
        this.#watched = wanted;
      }
    } catch (error) {
      this.#waiting = [];
      this.#bytes = 0;
      console.error(`the MQTT endpoint could not be told what has happened: ${error}`);
    } finally {
      this.#isTelling = false;
    }
  }
}
