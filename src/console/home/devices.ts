/** The data of a row in the device list: name and state, and its link. Plain data; asks no server. */

import type { Schemas } from "../../client";
import { linkTo } from "../place";
import type { Agent } from "../server";
import { keyOf } from "./device-key";

/**
 * The state of a device: `odd` has open incidents; `full` has nearly reached a limit of its memory; `silent` has gone
 * silent; `fine` needs nothing.
 */
export type State = "odd" | "full" | "silent" | "fine";

/** A device of the list. */
export interface ShownDevice {
  readonly device: Schemas.Device;
  /** Unique among all devices. */
  readonly key: string;
  /** The session's name, or the processor's name for its own memory. */
  readonly name: string;
  /** The processor's name, if it differs from the device's name. */
  readonly of: string;
  readonly state: State;
}

/**
 * Devices as the list shows them: those that are nearly full right after those with incidents, else in their order.
 *
 * @param full the keys of those of which a limit of their memory is known to be nearly reached
 */
export function shownOf(
  devices: readonly Schemas.Device[],
  { processors }: Agent,
  full: ReadonlySet<string>,
): readonly ShownDevice[] {
  const names = new Map(processors.map(({ id, name }) => [id, name]));
  const shown = devices.map((device): ShownDevice => {
    const { processor, session } = device;
    const known = names.get(processor) ?? processor;
    const key = keyOf(processor, session);
    const of = session === null || processors.length < 2 ? "" : known;
    return { device, key, name: session ?? known, of, state: stateOf(device, full.has(key)) };
  });
  return full.size === 0 ? shown : shown.sort((one, other) => rankOf(other) - rankOf(one));
}

function rankOf({ state }: ShownDevice): number {
  return state === "odd" ? 2 : Number(state === "full");
}

/**
 * The fragment of a device's page. Made for visible rows only: for all of 10,000 it would take longer than the rest.
 */
export function linkOf({ device: { processor, session } }: ShownDevice): string {
  return linkTo({ view: "now", processor, session: session ?? undefined, path: [], query: {} });
}

function stateOf({ incidents, silent }: Schemas.Device, isFull: boolean): State {
  if (incidents > 0) return "odd";
  if (isFull) return "full";
  return silent ? "silent" : "fine";
}

/** The number of devices in each state. */
export function countsOf(devices: readonly ShownDevice[]): { readonly [state in State]: number } {
  const counts = { odd: 0, full: 0, silent: 0, fine: 0 };
  for (const { state } of devices) counts[state]++;
  return counts;
}

/** The devices in a state whose name contains a text, ignoring case. An empty text or state matches all. */
export function filtered(devices: readonly ShownDevice[], text: string, state: string): readonly ShownDevice[] {
  const wanted = text.trim().toLowerCase();
  return devices.filter(
    (one) => (state === "" || one.state === state) && (wanted === "" || one.name.toLowerCase().includes(wanted)),
  );
}
