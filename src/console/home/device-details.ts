/**
 * Details that the list of devices lacks: the surprise of the newest events, the newest open incident, the forecast,
 * and limits that are nearly reached. Fetched for the visible devices, a few at a time, and again after a device has
 * observed something.
 */

import { type Signal, signal } from "@preact/signals";
import { getForecast, getHistory, getStatus, listIncidents, type Memory, type Schemas, session } from "../../client";
import type { Agent } from "../server";
import type { ShownDevice } from "./devices";

/** Number of events in a sparkline. */
export const MAX_EVENTS = 40;

/** Maximum number of devices queried at the same time. */
const MAX_AT_ONCE = 3;

/** Delay before a list that has stopped scrolling is queried, in milliseconds. */
const DEBOUNCE_MS = 120;

/** The details of one device. A member is `undefined` if the key does not allow it, or it could not be read. */
export interface Details {
  /** Oldest first; null if the surprise was not computed. */
  readonly bits: readonly (number | null)[] | undefined;
  readonly incident: Schemas.Incident | undefined;
  readonly next: Schemas.ForecastStep | undefined;
  readonly nearLimits: Schemas.Status["near_limits"];
}

/** Details of an agent's devices, kept as long as its key. */
export class DeviceDetails {
  /** The keys of the devices known to have nearly reached a limit of their own. */
  readonly full: Signal<ReadonlySet<string>> = signal(new Set());
  readonly #agent: Agent;
  readonly #known = new Map<string, { seen: string; details: Signal<Details | undefined> }>();
  #wanted: readonly ShownDevice[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = 0;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** The known details of a device. */
  of({ key }: ShownDevice): Signal<Details | undefined> {
    return this.#entry(key).details;
  }

  /** Sets which devices are visible, most important first. */
  want(devices: readonly ShownDevice[]): void {
    this.#wanted = devices;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#askOn(), DEBOUNCE_MS);
  }

  /**
   * Says which devices are nearly full by what is known of all of them. Those whose own details say so stay.
   *
   * @param keys of the full ones
   */
  setFull(keys: ReadonlySet<string>): void {
    const all = new Set(keys);
    for (const [key, { details }] of this.#known) {
      const known = details.peek();
      if (known !== undefined && nearOf(known) !== undefined) all.add(key);
    }
    const { value } = this.full;
    if (all.size !== value.size || [...all].some((key) => !value.has(key))) this.full.value = all;
  }

  /** Stops querying. */
  stop(): void {
    this.#wanted = [];
    clearTimeout(this.#timer);
  }

  #entry(key: string): { seen: string; details: Signal<Details | undefined> } {
    const known = this.#known.get(key) ?? { seen: "", details: signal(undefined) };
    this.#known.set(key, known);
    return known;
  }

  #askOn(): void {
    while (this.#running < MAX_AT_ONCE) {
      const next = this.#wanted.find((one) => this.#entry(one.key).seen !== versionOf(one));
      if (next === undefined) return;
      this.#running++;
      const entry = this.#entry(next.key);
      entry.seen = versionOf(next);
      void this.#read(next).then((details) => {
        this.#running--;
        entry.details.value = details;
        this.#note(next.key, nearOf(details) !== undefined);
        this.#askOn();
      });
    }
  }

  #note(key: string, isFull: boolean): void {
    if (this.full.value.has(key) === isFull) return;
    const all = new Set(this.full.value);
    if (isFull) all.add(key);
    else all.delete(key);
    this.full.value = all;
  }

  async #read({ device }: ShownDevice): Promise<Details> {
    const known = this.#agent.processors.find(({ id }) => id === device.processor);
    if (known === undefined) return NO_DETAILS;
    const memory: Memory = device.session === null ? known.processor : session(known.processor, device.session);
    const open = { limit: 1, verdict: "open", ...(device.session === null && { session: "" }) } as const;
    const [history, incidents, forecast, status] = await Promise.all([
      orNothing(getHistory(memory, { limit: MAX_EVENTS })),
      device.incidents > 0 ? orNothing(listIncidents(memory, open)) : undefined,
      orNothing(getForecast(memory)),
      orNothing(getStatus(memory)),
    ]);
    return {
      bits: history?.map(({ bits }) => bits).reverse(),
      incident: incidents?.[0],
      next: forecast?.steps[0],
      nearLimits: status?.near_limits,
    };
  }
}

/**
 * The limit of the device's own memory that is nearest to being reached; the processor's limits apply to all its
 * devices.
 */
export function nearOf({ nearLimits = [] }: Details) {
  const own = nearLimits.filter(({ limit }) => limit.startsWith("working_memory"));
  return own.sort((one, other) => other.used / other.most - one.used / one.most)[0];
}

const NO_DETAILS: Details = { bits: undefined, incident: undefined, next: undefined, nearLimits: undefined };

/** A text that changes when the details may have changed. */
function versionOf({ device: { last_observed, incidents, silent } }: ShownDevice): string {
  return `${last_observed} ${incidents} ${silent}`;
}

/** A row with a detail missing is better than no row: a key may lack a right, or a session may have ended. */
function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch(() => undefined);
}

const kept = new WeakMap<Agent["noema"], DeviceDetails>();

/** The details of an agent's devices. */
export function detailsOf(agent: Agent): DeviceDetails {
  const known = kept.get(agent.noema) ?? new DeviceDetails(agent);
  kept.set(agent.noema, known);
  return known;
}
