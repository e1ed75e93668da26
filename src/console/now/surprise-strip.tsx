/** The surprise of the last hour as a strip that grows as things happen, and the greatest ones in words. */

import type { LiveMemory } from "../live/live-memory";
import { SLOTS, type Surprise } from "../live/surprise-hour";
import { Chip } from "../parts/chip";

/** In units of the picture, which is as wide as there are slots. */
const HEIGHT = 60;

/** The strip is at least so high, in bits: small differences in a calm hour must not look like faults. */
const LEAST_BITS = 8;

/** So many are told in words. */
const TOLD = 5;

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export function SurpriseStrip({ live }: { readonly live: LiveMemory }) {
  const slots = live.surprises.value;
  const heard = slots.filter((slot) => slot !== undefined);
  if (heard.length === 0) return <p class="nothing">Nothing was observed since this page was opened.</p>;
  const most = Math.max(LEAST_BITS, ...heard.map(({ bits }) => bits));
  const greatest = [...heard].sort((one, other) => other.bits - one.bits).slice(0, TOLD);
  return (
    <>
      <svg class="strip" viewBox={`0 0 ${SLOTS} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>{`Surprise of the last hour, up to ${most.toFixed(1)} bits`}</title>
        <path d={barsOf(slots, most)} />
      </svg>
      <p class="facts scale" aria-hidden="true">
        <span>an hour ago</span>
        <span>top: {most.toFixed(0)} bits</span>
        <span>now</span>
      </p>
      <ol class="surprises" aria-label="The greatest surprises of the last hour">
        {greatest.map((surprise) => (
          <li key={surprise.at}>
            <time dateTime={new Date(surprise.at).toISOString()}>{CLOCK.format(surprise.at)}</time>{" "}
            <b>{surprise.bits.toFixed(1)} bits</b>{" "}
            {surprise.unexpected.map((symbol, at) => (
              <Chip key={at} symbol={symbol} standing="extra" />
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}

/** A bar for each slot with a surprise, as the path of a picture. */
export function barsOf(slots: readonly (Surprise | undefined)[], most: number): string {
  let path = "";
  for (const [at, slot] of slots.entries()) {
    if (slot !== undefined)
      path += `M${at} ${HEIGHT}v${-Math.max(1, (slot.bits / most) * HEIGHT).toFixed(1)}h1V${HEIGHT}`;
  }
  return path;
}
