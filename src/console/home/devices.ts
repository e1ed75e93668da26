/** What a list of devices says of each: its name, its state and where it leads. Plain data; asks no server. */

import type { Schemas } from "../../client";
import { linkTo } from "../place";
import type { Agent } from "../server";

/**
 * What a device needs: a look, because incidents are open; room, because a limit of its memory is nearly reached; a look,
 * because it has gone silent; or nothing.
 */
export type State = "odd" | "full" | "silent" | "fine";

/** A device of the list. */
export interface ShownDevice {
  readonly device: Schemas.Device;
  /** Of all devices, only this one has it. */
  readonly key: string;
  /** The session, or the processor where the memory is its own. */
  readonly name: string;
  /** The name of the processor, where it says more than the name of the device. */
  readonly of: string;
  readonly state: State;
  /** The fragment of its page. */
  readonly to: string;
}

/**
 * A device as the list shows it.
 *
 * @param isFull whether a limit of its memory is nearly reached, as far as that is known
 */
export function shownOf(device: Schemas.Device, { processors }: Agent, isFull: (key: string) => boolean): ShownDevice {
  const { processor, session } = device;
  const known = processors.find(({ id }) => id === processor)?.name ?? processor;
  const key = `${processor} ${session ?? ""}`;
  return {
    device,
    key,
    name: session ?? known,
    of: session === null || processors.length < 2 ? "" : known,
    state: stateOf(device, isFull(key)),
    to: linkTo({ view: "now", processor, session: session ?? undefined, path: [], query: {} }),
  };
}

function stateOf({ incidents, silent }: Schemas.Device, isFull: boolean): State {
  if (incidents > 0) return "odd";
  if (isFull) return "full";
  return silent ? "silent" : "fine";
}

/** How many devices are in each state. */
export function countsOf(devices: readonly ShownDevice[]): { readonly [state in State]: number } {
  const counts = { odd: 0, full: 0, silent: 0, fine: 0 };
  for (const { state } of devices) counts[state]++;
  return counts;
}

/** The devices whose name holds a text, in any case of its letters, and which are in a state. Empty admits all. */
export function filtered(devices: readonly ShownDevice[], text: string, state: string): readonly ShownDevice[] {
  const wanted = text.trim().toLowerCase();
  return devices.filter(
    (one) => (state === "" || one.state === state) && (wanted === "" || one.name.toLowerCase().includes(wanted)),
  );
}
