/** Working memory as chips, event by event; symbols that surprise are coloured. */

import type { ReadonlySignal, Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Memory, Schemas } from "../../client";
import { bitsInMemory } from "../live/bits-in-memory";
import type { HeldEvent } from "../live/held-events";
import type { ShownMemory } from "../live/shown-memory";
import { Chip } from "../parts/chip";
import { isOddEvent, type OddEvent, type Parts, usePartsOfAll } from "../parts/odd-symbols";
import { MAX_BEFORE } from "../why/moment";

/** Maximum number of events drawn, newest last; the others are counted. */
const MAX_SHOWN = 40;

/** Maximum number of events coloured: the server is asked once for each. */
const MAX_COLOURED = 10;

const NONE: ReadonlyMap<number, number> = new Map();

/** The most surprising of the drawn events, with their places in memory. */
function oddestOf(
  memory: Memory,
  held: readonly HeldEvent[],
  bits: readonly (number | undefined)[],
): readonly (OddEvent & { readonly at: number })[] {
  const symbols = held.map((event) => event.symbols);
  return bits
    .map((each, at) => ({
      at,
      bits: each ?? null,
      memory,
      events: symbols.slice(Math.max(0, at - MAX_BEFORE), at + 1),
    }))
    .filter((event) => event.at >= held.length - MAX_SHOWN && isOddEvent(event))
    .sort((one, other) => (other.bits ?? 0) - (one.bits ?? 0))
    .slice(0, MAX_COLOURED);
}

export function MemoryChips({
  shown,
  memory,
  history,
  odd,
}: {
  readonly shown: ShownMemory;
  readonly memory: Memory;
  /** The history, newest first; absent if the key may not read it. */
  readonly history: ReadonlySignal<readonly Schemas.HistoryEvent[] | undefined> | undefined;
  /** Set to the bits of all coloured symbols. */
  readonly odd: Signal<Parts>;
}) {
  const events = shown.events.value;
  const kept = history?.value;
  const heard = shown.bits?.value ?? NONE;
  const oddest = useMemo(
    () => (history === undefined ? [] : oddestOf(memory, events, bitsInMemory(events, kept ?? [], heard))),
    [memory.path, events, kept, heard],
  );
  const parts = usePartsOfAll(oddest);
  const partsAt = new Map(oddest.map(({ at }, place) => [at, parts[place]]));
  useEffect(() => {
    const all = new Map<string, number>();
    for (const each of parts) for (const [symbol, bits] of each) all.set(symbol, Math.max(bits, all.get(symbol) ?? 0));
    if (JSON.stringify([...all]) !== JSON.stringify([...odd.value])) odd.value = all;
  });
  const place = useRef<HTMLDivElement>(null);
  const older = Math.max(0, events.length - MAX_SHOWN);
  // Keep the newest event, at the end, in sight.
  useLayoutEffect(() => {
    if (place.current !== null) place.current.scrollLeft = place.current.scrollWidth;
  }, [events]);
  if (events.length === 0) {
    return <p class="nothing">{shown.status.value === undefined ? "…" : "Working memory is empty."}</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class="memory" ref={place} tabIndex={0} aria-label="Working memory, newest event last">
      {older > 0 && <small>{older.toLocaleString("en")} before</small>}
      <ol class="events" aria-label="events">
        {events.slice(older).map(({ at, symbols }, drawn) => (
          <li class="event" key={at}>
            {symbols.map((symbol, place) => (
              <Chip key={place} symbol={symbol} bits={partsAt.get(older + drawn)?.get(symbol)} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
