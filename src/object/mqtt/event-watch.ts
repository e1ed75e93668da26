/**
 * Reports events of a processor's memories to the agent's MQTT endpoint. Delays no answer: events that occur during a
 * report wait in a bounded queue, which drops the oldest. The kinds that the endpoint wants are stored, so the object
 * knows them in its next life.
 */

import type { PublicationTable } from "../../store/tables/publication-table";

/** Maximum number of events waiting for the endpoint, and of the bytes of their texts. */
const MAX_WAITING = 1000;
const MAX_WAITING_BYTES = 1_048_576;

/** One event, as sent to the endpoint. */
export interface ToldEvent {
  readonly kind: string;
  /** Empty for the processor's own memory. */
  readonly session: string;
  /** Its JSON. */
  readonly text: string;
}

/**
 * Sends events to the agent's endpoint.
 *
 * @returns the kinds of events that it wants from now on
 */
export type TellEndpoint = (events: readonly ToldEvent[]) => Promise<readonly string[]>;

/** Reports the events of one processor. */
export class EventWatch {
  readonly #table: () => PublicationTable | undefined;
  readonly #tell: TellEndpoint;
  #watched: readonly string[] | undefined;
  #waiting: ToldEvent[] = [];
  #bytes = 0;
  #isTelling = false;
  #changes = 0;
  /** Number of dropped events. */
  dropped = 0;

  /**
   * @param table stores the wanted kinds; `undefined` while there is no processor
   * @param tell sends events to the endpoint
   */
  constructor(table: () => PublicationTable | undefined, tell: TellEndpoint) {
    this.#table = table;
    this.#tell = tell;
  }

  /** Notes that the stored kinds may have changed. */
  changed(): void {
    this.#watched = undefined;
    this.#changes++;
  }

  /** Whether the endpoint wants any events. */
  get isWatching(): boolean {
    return this.#wanted().length > 0;
  }

  /** Whether the endpoint wants events of a kind. */
  wants(kind: string): boolean {
    return this.#wanted().includes(kind);
  }

  /** Reports an event. */
  tell(event: ToldEvent): void {
    this.#waiting.push(event);
    this.#bytes += event.text.length;
    while (this.#waiting.length > MAX_WAITING || this.#bytes > MAX_WAITING_BYTES) {
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
      // Report together what happens in the same turn.
      await Promise.resolve();
      while (this.#waiting.length > 0) {
        const events = this.#waiting;
        this.#waiting = [];
        this.#bytes = 0;
        const changes = this.#changes;
        const wanted = await this.#tell(events);
        const table = this.#table();
        // A call of the endpoint meanwhile is newer than its answer.
        if (this.#changes !== changes) continue;
        if (table === undefined || JSON.stringify(wanted) === JSON.stringify(this.#wanted())) continue;
        table.putWatched(wanted);
        this.#watched = wanted;
      }
    } catch (error) {
      this.#waiting = [];
      this.#bytes = 0;
      console.error(`an event could not be sent to the MQTT endpoint: ${error}`);
    } finally {
      this.#isTelling = false;
    }
  }
}
