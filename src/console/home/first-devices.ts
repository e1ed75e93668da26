/**
 * The devices of Home, asked for as soon as there is a key that was accepted, while the view is still being made: those
 * that need attention, and all, as soon as these are there or at the same time if the page asked early. Both appear
 * sooner by that. Knows no view.
 */

import { type Signal, signal } from "@preact/signals";
import { listDevices, type Noema, type Schemas } from "../../client";
import { FIRST_DEVICES, isListedEarly, MAX_DEVICES } from "../sent-early";
import type { Agent } from "../server";

type Devices = readonly Schemas.Device[];

interface Asked {
  readonly all: Promise<Devices>;
  /** The first devices once they have arrived. */
  readonly arrived: Signal<Devices | undefined>;
  hasFailed: boolean;
}

const asked = new WeakMap<Noema, Asked>();

/** Why the key may not list devices; empty if it may. */
export function listRefusal({ rights }: Agent): string {
  const { roles } = rights ?? { roles: ["admin"] };
  const mayRead = roles.includes("admin") || roles.includes("read");
  return mayRead ? "" : `that needs the role read, and it has ${roles.join(", ")}`;
}

/** Asks ahead of {@link devicesAhead}, unless it was asked before. */
export function askAhead(noema: Noema): void {
  if (!asked.has(noema)) ask(noema);
}

function ask(noema: Noema): Asked {
  const arrived = asked.get(noema)?.arrived ?? signal<Devices | undefined>(undefined);
  const listAll = () => listDevices(noema, { limit: MAX_DEVICES });
  const early = isListedEarly(noema, MAX_DEVICES) ? listAll() : undefined;
  // A failure is reported by the promise below.
  early?.catch(() => undefined);
  const all = listDevices(noema, { limit: FIRST_DEVICES }).then((first) => {
    // In a task of its own: the lines are drawn while the server works on the next answer.
    setTimeout(() => {
      arrived.value = first;
    });
    return first.length < FIRST_DEVICES ? first : (early ?? listAll());
  });
  const asking = { all, arrived, hasFailed: false };
  asked.set(noema, asking);
  // The view says why, and asks again.
  all.catch(() => {
    asking.hasFailed = true;
  });
  return asking;
}

/** The first devices, once they have arrived. A component that reads them is then drawn again. */
export function firstDevices({ noema }: Agent): Devices | undefined {
  return asked.get(noema)?.arrived.value;
}

/** All devices: those asked for ahead, if they were. */
export function devicesAhead({ noema }: Agent): Promise<Devices> {
  const ahead = asked.get(noema);
  return (ahead === undefined || ahead.hasFailed ? ask(noema) : ahead).all;
}
