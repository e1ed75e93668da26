/**
 * The devices, one per line. Only the visible lines are in the page, so that 10,000 devices scroll like 10. The keys j
 * and k move, and Enter opens; the position survives leaving the list and coming back.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Agent } from "../server";
import { detailsOf } from "./device-details";
import { DeviceRow } from "./device-row";
import type { ShownDevice } from "./devices";

/**
 * Height of a line in pixels, on a wide screen and on a phone: large enough for a finger. Must equal the heights in the
 * style.
 */
const ROW_PX = 36;
const NARROW_ROW_PX = 60;

/** Number of lines kept above and below the screen. */
const SPARE_LINES = 8;

const narrow = matchMedia("(max-width: 48rem)");

/** The position in the list when the user left it, kept for the way back. */
const left = { key: "", scroll: 0 };

interface OfList {
  readonly agent: Agent;
  readonly devices: readonly ShownDevice[];
  /** Whether others may not follow. Until then no details are asked for, which would hold up the list. */
  readonly isWhole: boolean;
}

export function DeviceList({ agent, devices, isWhole }: OfList) {
  const list = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const selected = useSignal(left.key);
  const details = detailsOf(agent);
  const row = narrow.matches ? NARROW_ROW_PX : ROW_PX;
  const lines = Math.ceil(innerHeight / row) + 2 * SPARE_LINES;
  const first = Math.max(0, Math.min(devices.length - lines, Math.floor(top.value / row) - SPARE_LINES));
  const inSight = devices.slice(first, first + lines);
  const at = Math.max(
    0,
    devices.findIndex(({ key }) => key === selected.value),
  );
  // Registered at once: an effect that waits for a timer may come after the only scroll event of the way back.
  useLayoutEffect(() => {
    const scrolled = () => {
      const listed = list.current;
      if (listed === null) return;
      left.scroll = scrollY;
      top.value = Math.max(0, -listed.getBoundingClientRect().top);
    };
    addEventListener("scroll", scrolled, { passive: true });
    addEventListener("resize", scrolled);
    return () => {
      removeEventListener("scroll", scrolled);
      removeEventListener("resize", scrolled);
      details.stop();
    };
  }, [details]);
  useEffect(() => {
    if (isWhole) details.want(inSight.slice(0, lines - SPARE_LINES));
  });
  useLayoutEffect(() => comeBack(list.current), []);
  // Before the list is painted: a second key would move from where the first has left.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = stepOf(event);
      if (step === 0 || devices.length === 0) return;
      event.preventDefault();
      const isInside = list.current?.contains(document.activeElement) === true;
      const next = Math.max(0, Math.min(devices.length - 1, isInside ? at + step : at));
      selected.value = devices[next]?.key ?? "";
      show(list.current, next, row);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  return (
    <div class="device-list" ref={list} style={{ height: `${devices.length * row}px` }}>
      <ul aria-label="Devices" style={{ top: `${first * row}px` }}>
        {inSight.map((shown, place) => (
          <li key={shown.key} aria-posinset={first + place + 1} aria-setsize={devices.length}>
            <Row
              shown={shown}
              at={first + place}
              agent={agent}
              isSelected={first + place === at}
              onFocus={() => {
                selected.value = shown.key;
                left.key = shown.key;
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Reads the details of its own device, so that an answer redraws only one line. */
function Row({ agent, ...row }: Omit<Parameters<typeof DeviceRow>[0], "details"> & { readonly agent: Agent }) {
  return <DeviceRow {...row} details={detailsOf(agent).of(row.shown).value} />;
}

/** The number of lines that a key moves by; 0 if the key is not for the list. */
function stepOf({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): -1 | 0 | 1 {
  const isTyping = target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
  if (isTyping || ctrlKey || metaKey || altKey) return 0;
  const isInList = target instanceof Element && target.closest(".device-list") !== null;
  if (key === "j" || (isInList && key === "ArrowDown")) return 1;
  return key === "k" || (isInList && key === "ArrowUp") ? -1 : 0;
}

/** Scrolls a line into view, and focuses it once it is drawn. */
function show(list: HTMLElement | null, at: number, row: number): void {
  if (list === null) return;
  const { top } = list.getBoundingClientRect();
  const [above, below] = [top + at * row, top + (at + 1) * row];
  // On a phone, the bar at the bottom covers the page below it.
  const end = innerHeight - (narrow.matches ? 64 : 8);
  if (above < 8) scrollBy({ top: above - 8 });
  else if (below > end) scrollBy({ top: below - end });
  wanted = at;
  // A line outside the view is drawn only after the page has scrolled; another key may have been pressed meanwhile.
  if (!focus(list, at)) {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (wanted === at) focus(list, at);
      }),
    );
  }
}

/** The line selected by the last key. */
let wanted = 0;

/** @returns whether the line is drawn */
function focus(list: HTMLElement, at: number): boolean {
  const line = list.querySelector<HTMLElement>(`[data-at="${at}"]`);
  line?.focus({ preventScroll: true });
  return line !== null;
}

/**
 * Restores the user's position in the list, one frame later than the view gets the focus. The browser would restore the
 * scroll position too early, before the list exists.
 */
function comeBack(list: HTMLElement | null): () => void {
  history.scrollRestoration = "manual";
  const { key, scroll } = left;
  if (key !== "") {
    requestAnimationFrame(() => {
      scrollTo({ top: scroll });
      // The line is drawn once the page has scrolled.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => list?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })),
      );
    });
  }
  return () => {
    history.scrollRestoration = "auto";
  };
}
