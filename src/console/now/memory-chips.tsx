/** Working memory as chips, event by event. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { ShownMemory } from "../live/shown-memory";
import { Chip } from "../parts/chip";

/** Maximum number of events drawn, newest last; the others are counted. */
const MOST_SHOWN = 40;

export function MemoryChips({ shown }: { readonly shown: ShownMemory }) {
  const events = shown.events.value;
  const place = useRef<HTMLDivElement>(null);
  const older = Math.max(0, events.length - MOST_SHOWN);
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
        {events.slice(older).map(({ at, symbols }) => (
          <li class="event" key={at}>
            {symbols.map((symbol, place) => (
              <Chip key={place} symbol={symbol} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
