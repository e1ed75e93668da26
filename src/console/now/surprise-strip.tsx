/** The surprise of the last hour as a strip that grows as things happen, and the greatest ones in words. */

import type { LiveMemory } from "../live/live-memory";
import { SLOT_MS, SLOTS, type Surprise } from "../live/surprise-hour";
import { Chip } from "../parts/chip";
import { bitsText } from "../parts/device-words";
import { linkToSurprise } from "../parts/why-link";

/** In SVG units; the width is one unit for each column. */
const HEIGHT = 60;
const COLUMNS = 300;

/**
 * The time spans that the strip can show, in slots: it uses the shortest that covers all since this memory was first
 * shown. Each is a multiple of the columns.
 */
const SPANS = [
  { slots: 300, words: "5 minutes ago" },
  { slots: 900, words: "15 minutes ago" },
  { slots: SLOTS, words: "an hour ago" },
] as const;

/** Minimum height of the strip, in bits: small differences in a calm hour must not look like faults. */
const LEAST_BITS = 8;

/** Number of surprises listed in words. */
const MOST_LISTED = 5;

/** Maximum number of symbols of each. */
const MOST_SYMBOLS = 4;

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export function SurpriseStrip({ live }: { readonly live: LiveMemory }) {
  const slots = live.surprises.value;
  const heard = slots.filter((slot) => slot !== undefined);
  if (heard.length === 0) {
    return (
      <p class="nothing">
        Each observation made from now on appears here with its surprise. That takes a learned model, and an event in
        working memory before it.
      </p>
    );
  }
  const most = Math.max(LEAST_BITS, ...heard.map(({ bits }) => bits));
  const greatest = [...heard].sort((one, other) => other.bits - one.bits).slice(0, MOST_LISTED);
  const open = (Date.now() - live.since) / SLOT_MS;
  const span = SPANS.find(({ slots: length }) => open < length) ?? SPANS[2];
  return (
    <>
      <svg class="strip" viewBox={`0 0 ${COLUMNS} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>{`Surprise since ${span.words}, up to ${most.toFixed(1)} bits`}</title>
        <path class="grid" d={`M0 0H${COLUMNS}M0 ${HEIGHT / 2}H${COLUMNS}`} />
        <path d={barsOf(columnsOf(slots.slice(-span.slots)), most)} />
      </svg>
      <p class="facts scale" aria-hidden="true">
        <span>{span.words}</span>
        <span>
          lines: {bitsText(most / 2)} and {bitsText(most)} bits
        </span>
        <span>now</span>
      </p>
      <p class="facts">
        The surprise of each observation received while this page was open. Every bit more means half as likely.
      </p>
      <ol class="surprises" aria-label="The greatest surprises of the last hour">
        {greatest.map((surprise) => (
          <li key={surprise.at}>
            <time dateTime={new Date(surprise.at).toISOString()}>{CLOCK.format(surprise.at)}</time>{" "}
            <b title={`${surprise.bits} bits`}>{surprise.bits.toFixed(1)} bits</b> <What surprise={surprise} />
            <WhyLink surprise={surprise} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The symbols of the observation, unexpected ones first; only those if the observation is unknown. */
function What({ surprise: { events, unexpected } }: { readonly surprise: Surprise }) {
  const isUnexpected = new Set(unexpected);
  const expected = (events.at(-1) ?? []).filter((symbol) => !isUnexpected.has(symbol));
  const symbols = [...unexpected, ...expected];
  return (
    <span class="what">
      {symbols.slice(0, MOST_SYMBOLS).map((symbol, at) => (
        <Chip key={at} symbol={symbol} {...(isUnexpected.has(symbol) && { standing: "extra" })} />
      ))}
      {symbols.length > MOST_SYMBOLS && <small>{symbols.length - MOST_SYMBOLS} more</small>}{" "}
    </span>
  );
}

function WhyLink({ surprise: { events, at } }: { readonly surprise: Surprise }) {
  const href = linkToSurprise(events);
  if (href === undefined) return null;
  return (
    <a href={href}>
      Why<span class="hidden"> the surprise at {CLOCK.format(at)}</span>?
    </a>
  );
}

/** The greatest surprise of each column, in bits; `undefined` where nothing was observed. */
function columnsOf(slots: readonly (Surprise | undefined)[]): (number | undefined)[] {
  const columns: (number | undefined)[] = new Array(COLUMNS).fill(undefined);
  for (const [at, slot] of slots.entries()) {
    const column = Math.floor((at * COLUMNS) / slots.length);
    if (slot !== undefined) columns[column] = Math.max(columns[column] ?? 0, slot.bits);
  }
  return columns;
}

/** A bar for each column with a surprise, as the path of a picture. */
function barsOf(columns: readonly (number | undefined)[], most: number): string {
  let path = "";
  for (const [at, bits] of columns.entries()) {
    if (bits !== undefined) path += `M${at} ${HEIGHT}v${-Math.max(1, (bits / most) * HEIGHT).toFixed(1)}h1V${HEIGHT}`;
  }
  return path;
}
