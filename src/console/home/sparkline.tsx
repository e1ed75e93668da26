/** The surprise of a device's newest events as small bars. */

import { MAX_EVENTS } from "./device-details";

/** In units of the picture; each event is two units wide. */
const HEIGHT = 20;
const WIDTH = 2 * MAX_EVENTS;

/** Minimum height of a picture, in bits, so that small differences of calm devices do not look like faults. */
const MIN_BITS = 24;

/** Bars with at least this fraction of the newest incident's bits are drawn as surprises. */
const SURPRISE_FRACTION = 0.5;

export function Sparkline({
  bits,
  incidentBits,
}: {
  /** Oldest first. */
  readonly bits: readonly (number | null)[] | undefined;
  /** The bits of the newest incident's worst event; `undefined` without an incident. */
  readonly incidentBits: number | undefined;
}) {
  const known = bits?.filter((one) => one !== null) ?? [];
  if (bits === undefined || known.length === 0) return <span class="spark" />;
  const most = Math.max(MIN_BITS, ...known);
  const from = WIDTH - 2 * bits.length;
  const isOdd = (one: number) => incidentBits !== undefined && one >= SURPRISE_FRACTION * incidentBits;
  const path = (odd: boolean) =>
    bits
      .map((one, at) => {
        if (one === null || isOdd(one) !== odd) return "";
        return `M${from + 2 * at + 0.75} ${HEIGHT}v${-Math.max(1, (one / most) * HEIGHT).toFixed(1)}`;
      })
      .join("");
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path(false)} />
      <path class="odd" d={path(true)} />
    </svg>
  );
}
