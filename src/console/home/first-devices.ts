/**
 * The first devices of Home, asked for as soon as the agent is known, while the view is still being made. The first
 * lines appear sooner by that. Knows no view.
 */

import { type Signal, signal } from "@preact/signals";
import { listDevices, type Schemas } from "../../client";
import type { Agent } from "../server";

/** Number of devices read first, so that the page is not empty for long: those that need attention come first. */
export const MOST_AT_FIRST = 200;

type Devices = readonly Schemas.Device[];

/** An answer that was asked ahead, and the devices in it once it has arrived. */
interface Ahead {
  readonly answer: Promise<Devices>;
  readonly arrived: Signal<Devices | undefined>;
}

const asked = new WeakMap<Agent["noema"], Ahead>();

/** Why the key may not list devices; empty if it may. */
export function listRefusal({ rights }: Agent): string {
  const { roles } = rights ?? { roles: ["admin"] };
  const mayRead = roles.includes("admin") || roles.includes("read");
  return mayRead ? "" : `that needs the role read, and it has ${roles.join(", ")}`;
}

/** Asks ahead of {@link firstDevices}, if the key may. */
export function askAhead(agent: Agent): void {
  if (listRefusal(agent) !== "") return;
  const arrived: Signal<Devices | undefined> = signal(undefined);
  const answer = listDevices(agent.noema, { limit: MOST_AT_FIRST });
  asked.set(agent.noema, { answer, arrived });
  answer.then(
    (devices) => {
      arrived.value = devices;
    },
    // The view asks again, and shows why that fails.
    () => asked.delete(agent.noema),
  );
}

/** The devices that were asked for ahead, once they are there. A component that reads them is then drawn again. */
export function arrivedAhead({ noema }: Agent): Devices | undefined {
  return asked.get(noema)?.arrived.value;
}

/** The devices that need attention first: those asked for ahead, if they were. */
export function firstDevices({ noema }: Agent, over: AbortSignal): Promise<Devices> {
  const ask = () => listDevices(noema, { limit: MOST_AT_FIRST }, { signal: over });
  return asked.get(noema)?.answer.catch(ask) ?? ask();
}
