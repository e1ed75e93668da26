/** One line of the device list; the whole line is the link. */

import { duration, leading, oddity } from "../parts/device-words";
import { ago, moment, whole, wholeChance } from "../parts/figures";
import { ranged } from "../parts/ranges";
import { type Details, nearOf } from "./device-details";
import { linkOf, type ShownDevice } from "./devices";
import { Sparkline } from "./sparkline";

export function DeviceRow({
  shown,
  details,
  at,
  isSelected,
  onFocus,
}: {
  readonly shown: ShownDevice;
  readonly details: Details | undefined;
  /** The row's index in the list, for the keyboard. */
  readonly at: number;
  /** Whether Tab reaches this row; it reaches only one row of the list. */
  readonly isSelected: boolean;
  readonly onFocus: () => void;
}) {
  const { device, name, of, state } = shown;
  const now = Date.now();
  return (
    <a class={`device-row ${state}`} href={linkOf(shown)} data-at={at} tabIndex={isSelected ? 0 : -1} onFocus={onFocus}>
      <span class="sign" aria-hidden="true" />
      <span class="device-name">
        <b>{name}</b> {of !== "" && <small>{of}</small>}
      </span>
      <span class="state">{stateText(shown, details, now)}</span>
      <Sparkline bits={details?.bits} incidentBits={device.last_surprise?.bits} />
      <span class="what">{whatOf(shown, details)}</span>
      <time class="seen" dateTime={iso(device.last_observed)} onPointerEnter={sayMoment}>
        {ago(1000 * device.last_observed, now)}
      </time>
      <span class="open">{device.incidents > 0 && `${whole(device.incidents)} open`}</span>
    </a>
  );
}

/** Gives the line its exact time when the pointer comes to it: for all lines it would take as long as to draw them. */
function sayMoment({ currentTarget }: { readonly currentTarget: HTMLTimeElement }): void {
  currentTarget.title = moment(Date.parse(currentTarget.dateTime));
}

function iso(seconds: number): string {
  return new Date(1000 * seconds).toISOString();
}

function stateText({ state, device }: ShownDevice, details: Details | undefined, now: number): string {
  if (state === "full") {
    const near = details === undefined ? undefined : nearOf(details);
    return near === undefined || near.used < near.most ? "nearly full" : "full";
  }
  if (state === "silent") return `silent for ${duration(now / 1000 - device.last_observed)}`;
  if (state === "fine") return "fine";
  return device.last_surprise === null ? "odd" : `odd, ${ago(1000 * device.last_surprise.time, now)}`;
}

/** The most urgent thing to report about a device. */
function whatOf({ state }: ShownDevice, details: Details | undefined): string {
  if (details === undefined) return "";
  const near = nearOf(details);
  if (state === "odd" && details.incident !== undefined) return oddity(details.incident);
  if (near !== undefined) {
    return (
      `memory ${wholeChance(near.used / near.most)} full: ${whole(near.used)} of ${whole(near.most)} ` +
      `${near.limit.split("_").at(-1)}, learn or clear it`
    );
  }
  const when = details.next?.when;
  if (state === "silent") return when === null || when === undefined ? "" : `usually every ${duration(when.p50)}`;
  const symbol = leading(details.next?.symbols ?? []);
  if (symbol === undefined) return "";
  const soon = when === null || when === undefined ? "" : ` in about ${duration(when.p50)}`;
  return `next: ${ranged(symbol.symbol)} (${wholeChance(symbol.probability)})${soon}`;
}
