/** What a bridge publishes about Noema: events under `noema/…`, and the states of Home Assistant's sensors. */

import {
  getForecast,
  listIncidents,
  type Noema,
  NoemaError,
  processor,
  type Schemas,
  type Stream,
  type StreamEvent,
} from "../../client";
import { type EventName, eventTopic, type Place } from "../../mqtt/topics";
import { discoveryOf, type Outgoing, type SensorState, stateTopic, UNKNOWN_STATE } from "./home-assistant";
import { memoryAt } from "./memories";

/** What the bridge is to publish. */
export interface Wanted {
  /** The events to publish. */
  readonly events: readonly EventName[];
  /** Home Assistant's prefix for discovery; `undefined` if sensors are not wanted. */
  readonly homeAssistant: string | undefined;
}

/** What the publisher needs from its bridge. */
export interface OutgoingParts {
  readonly noema: Noema;
  /** The bridge's client identifier. */
  readonly client: string;
  readonly signal: AbortSignal;
  /** Opens a stream that gets the events of a processor and of its sessions. */
  hear(processor: string, events: readonly StreamEvent["event"][], onEvent: (event: StreamEvent) => void): Stream;
  /** Publishes a message, or drops it if the broker is away. */
  publish(message: Outgoing): Promise<boolean>;
  /** Reports a question that could not be answered. */
  note(sentence: string): void;
}

/** A memory that has had an event. */
interface Heard {
  readonly place: Place;
  state: SensorState;
  /** The memory's time at its last event. */
  interval: number;
  isAnnounced: boolean;
  /** Resolves when it is known whether the memory has had an open incident before; `undefined` until that is asked. */
  incidents: Promise<void> | undefined;
  /** Whether a forecast is being fetched, and whether another event has arrived meanwhile. */
  asking: "again" | "no" | "yes";
}

/** Publishes what happens in the given processors. */
export class OutgoingEvents {
  readonly #wanted: Wanted;
  readonly #parts: OutgoingParts;
  readonly #streams = new Map<string, Stream>();
  readonly #memories = new Map<string, Heard>();

  constructor(wanted: Wanted, parts: OutgoingParts) {
    this.#wanted = wanted;
    this.#parts = parts;
  }

  /** Listens to a processor from now on. @param id the processor's id or name, as topics are to name it */
  hear(id: string): void {
    const events = this.#eventsToHear();
    if (events.length === 0 || this.#streams.has(id)) return;
    const stream = this.#parts.hear(id, events, (event) => {
      this.#tell(id, event).catch((error: unknown) => this.#noteFailure(error));
    });
    this.#streams.set(id, stream);
    stream.closed.catch((error: unknown) => {
      this.#streams.delete(id);
      if (!this.#parts.signal.aborted)
        this.#parts.note(`the events of ${id} are no longer followed: ${sentenceOf(error)}`);
    });
  }

  /** Publishes all states again, after the broker was away. */
  async again(): Promise<void> {
    for (const heard of this.#memories.values()) {
      heard.isAnnounced = false;
      await this.#show(heard);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#streams.values()].map((stream) => stream.close()));
  }

  /** A forecast is fetched after each event, so these events are listened to as well. */
  #eventsToHear(): StreamEvent["event"][] {
    const { events, homeAssistant } = this.#wanted;
    const heard = new Set(events.filter((event) => event !== "forecast"));
    if (events.includes("forecast")) heard.add("observed");
    if (homeAssistant !== undefined)
      for (const event of ["observed", "surprise", "incident"] as const) heard.add(event);
    return [...heard];
  }

  async #tell(id: string, event: StreamEvent): Promise<void> {
    const { events, homeAssistant } = this.#wanted;
    const place = { processor: id, session: event.session };
    if (events.includes(event.event)) {
      const topic = eventTopic(place, event.event);
      await this.#parts.publish({ topic, payload: JSON.stringify(event), isRetained: false });
    }
    const heard = this.#heardAt(place);
    if (homeAssistant !== undefined) await this.#earlierIncidents(heard);
    if (event.event === "observed") await this.#askForecast(heard, event.interval);
    if (homeAssistant === undefined) return;
    if (event.event === "surprise" && event.surprise !== null) {
      heard.state = { ...heard.state, surprise: event.surprise.bits };
      await this.#show(heard);
    }
    if (event.event === "incident") await this.#lookForIncidents(heard);
  }

  #heardAt(place: Place): Heard {
    const key = JSON.stringify([place.processor, place.session]);
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const heard: Heard = {
      place,
      state: UNKNOWN_STATE,
      interval: 0,
      isAnnounced: false,
      incidents: undefined,
      asking: "no",
    };
    this.#memories.set(key, heard);
    return heard;
  }

  /** Fetches what comes next. Events that arrive meanwhile share one further request. */
  async #askForecast(heard: Heard, interval: number): Promise<void> {
    const { events, homeAssistant } = this.#wanted;
    const isPublished = events.includes("forecast");
    if (!isPublished && homeAssistant === undefined) return;
    heard.interval = interval;
    if (heard.asking !== "no") {
      heard.asking = "again";
      return;
    }
    try {
      do {
        heard.asking = "yes";
        const memory = memoryAt(this.#parts.noema, heard.place);
        const forecast = await getForecast(memory, {}, { signal: this.#parts.signal });
        if (isPublished) {
          const { interval: at, place } = heard;
          const payload = JSON.stringify({ event: "forecast", forecast, interval: at, session: place.session });
          await this.#parts.publish({ topic: eventTopic(heard.place, "forecast"), payload, isRetained: true });
        }
        heard.state = { ...heard.state, ...nextOf(forecast) };
        await this.#show(heard);
      } while ((heard.asking as Heard["asking"]) === "again");
    } finally {
      heard.asking = "no";
    }
  }

  /** Finds out whether a memory has an open incident that began before it was heard. */
  async #earlierIncidents(heard: Heard): Promise<void> {
    heard.incidents ??= this.#lookForIncidents(heard);
    try {
      await heard.incidents;
    } catch (error) {
      // Asked again at the next event.
      heard.incidents = undefined;
      throw error;
    }
  }

  /** Checks whether a memory has an open incident. */
  async #lookForIncidents(heard: Heard): Promise<void> {
    const { noema, signal } = this.#parts;
    const { processor: id, session } = heard.place;
    const query = { verdict: "open", session: session ?? "", limit: 1 } as const;
    const open = await listIncidents(processor(noema, id), query, { signal });
    const problem = open.length > 0 ? "ON" : "OFF";
    if (problem === heard.state.problem) return;
    heard.state = { ...heard.state, problem };
    await this.#show(heard);
  }

  /** Checks all memories that had an incident: a person may have judged it meanwhile. */
  async lookAgain(): Promise<void> {
    for (const heard of this.#memories.values()) {
      if (heard.state.problem === "ON") await this.#lookForIncidents(heard).catch((error) => this.#noteFailure(error));
    }
  }

  async #show(heard: Heard): Promise<void> {
    const { homeAssistant } = this.#wanted;
    if (homeAssistant === undefined) return;
    if (!heard.isAnnounced) {
      for (const message of discoveryOf(heard.place, homeAssistant, this.#parts.client)) {
        if (!(await this.#parts.publish(message))) return;
      }
      heard.isAnnounced = true;
    }
    await this.#parts.publish({
      topic: stateTopic(heard.place),
      payload: JSON.stringify(heard.state),
      isRetained: true,
    });
  }

  #noteFailure(error: unknown): void {
    if (!this.#parts.signal.aborted) this.#parts.note(sentenceOf(error));
  }
}

/** The most probable symbol of the next event. */
function nextOf({ steps }: Schemas.Forecast): Pick<SensorState, "next" | "probability"> {
  const [best] = steps[0]?.symbols ?? [];
  return best === undefined ? { next: null, probability: null } : { next: best.symbol, probability: best.probability };
}

function sentenceOf(error: unknown): string {
  if (error instanceof NoemaError && error.status > 0) return `${error.message} (HTTP ${error.status})`;
  return error instanceof Error ? error.message : String(error);
}
