/**
 * What the list of devices does not say of them: the surprise of their newest events, their newest open incident, what
 * comes next, and what is nearly full. Asked of those that are in sight, a few at a time, and again when one has
 * observed.
 */

import { type Signal, signal } from "@preact/signals";
import { getForecast, getHistory, getStatus, listIncidents, type Memory, type Schemas, session } from "../../client";
import type { Agent } from "../server";
import type { ShownDevice } from "./devices";

/** Events in a sparkline. */
export const MOST_EVENTS = 40;

/** How many devices are asked about at the same time. */
const MOST_AT_ONCE = 3;

/** How long a list must rest before it is asked about, so that scrolling past asks nothing. In milliseconds. */
const REST_MS = 120;

/** The details of one device. `undefined` where the key does not allow them, or they could not be read. */
export interface Details {
  /** Oldest first; null where surprise was not computed. */
  readonly bits: readonly (number | null)[] | undefined;
  readonly incident: Schemas.Incident | undefined;
  readonly next: Schemas.ForecastStep | undefined;
  readonly nearLimits: Schemas.Status["near_limits"];
}

/** Details of an agent's devices, kept while its key is. */
export class DeviceDetails {
  /** The keys of the devices of which a limit of their own is nearly reached, of those that were asked about. */
  readonly full: Signal<ReadonlySet<string>> = signal(new Set());
  readonly #agent: Agent;
  readonly #known = new Map<string, { seen: string; details: Signal<Details | undefined> }>();
  #wanted: readonly ShownDevice[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = 0;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** The details as far as they are known. */
  of({ key }: ShownDevice): Signal<Details | undefined> {
    return this.#entry(key).details;
  }

  /** Says which devices are in sight, first those that matter most. */
  want(devices: readonly ShownDevice[]): void {
    this.#wanted = devices;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#askOn(), REST_MS);
  }

  /** Asks about nothing more. */
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
    while (this.#running < MOST_AT_ONCE) {
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
      orNothing(getHistory(memory, { limit: MOST_EVENTS })),
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

/** The limit of a device's own memory that is nearest; those of its processor are of all its devices. */
export function nearOf({ nearLimits = [] }: Details) {
  const own = nearLimits.filter(({ limit }) => limit.startsWith("working_memory"));
  return own.sort((one, other) => other.used / other.most - one.used / one.most)[0];
}

const NO_DETAILS: Details = { bits: undefined, incident: undefined, next: undefined, nearLimits: undefined };

/** What changes when details may have changed. */
function versionOf({ device: { last_observed, incidents, silent } }: ShownDevice): string {
  return `${last_observed} ${incidents} ${silent}`;
}

/** A row without one of its details is better than no row: a key may lack a right, or a session may be over. */
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
