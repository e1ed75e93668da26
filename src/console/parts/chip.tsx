/** A symbol as a chip. */

import { bitsText, heatOf, MIN_SHOWN_BITS } from "./bits";
import { ranged } from "./ranges";
import { sensorOf } from "./sensors";

/** How a symbol of a model relates to memory. Shown by a sign and a line, not by colour alone. */
export type Standing = "matched" | "missing" | "extra" | "expected";

const SIGNS: { readonly [standing in Standing]: string } = { matched: "✓", missing: "?", extra: "+", expected: "→" };

/** The text for screen readers after the symbol. */
const WORDS: { readonly [standing in Standing]: string } = {
  matched: ", matched",
  missing: ", missing",
  extra: ", not in the model",
  expected: ", expected",
};

/** Length of a shortened hash: enough to tell hashes apart on a screen. */
const HASH_SHOWN = 8;

/** A symbol for display: the bin of a number as a range, and the hash of a vector shortened. */
export function readable(symbol: string): string {
  return ranged(symbol).replace(/^(VECTOR\|[0-9a-f]{8})[0-9a-f]+$/, "$1…");
}

/** A model's hash, shortened. */
export function shortHash(hash: string): string {
  return hash.replace(/^MODEL\|/, "").slice(0, HASH_SHOWN);
}

export function Chip({
  symbol,
  standing,
  bits = 0,
  column,
}: {
  readonly symbol: string;
  readonly standing?: Standing;
  /** What it adds to the surprise of its event: coloured, and printed if it is much. */
  readonly bits?: number | undefined;
  /** The column of a grid that it stands in, from 1. */
  readonly column?: number;
}) {
  return (
    <span
      class={`chip ${standing ?? ""} ${heatOf(bits)}`}
      title={bits === 0 ? symbol : `${symbol}: ${bits} bits`}
      {...(column !== undefined && { style: { gridColumn: column } })}
    >
      {standing !== undefined && (
        <span class="sign" aria-hidden="true">
          {SIGNS[standing]}
        </span>
      )}
      {readable(symbol)}
      {bits >= MIN_SHOWN_BITS && <small> {bitsText(bits)} bits</small>}
      {standing !== undefined && <span class="hidden">{WORDS[standing]}</span>}
    </span>
  );
}

/** Events as a list of lists. */
export function Events({
  events,
  label,
  standingOf,
  most = Number.POSITIVE_INFINITY,
  columns,
}: {
  readonly events: readonly (readonly string[])[];
  readonly label: string;
  readonly standingOf?: (symbol: string) => Standing;
  /** Maximum number of symbols shown of an event, matched ones first; the rest are counted. */
  readonly most?: number;
  /** Names of sensors: each has a column of its own, in all events. Without, symbols stand one after the other. */
  readonly columns?: readonly string[] | undefined;
}) {
  return (
    <ol
      class={columns === undefined ? "events" : "events aligned-events"}
      aria-label={label}
      {...(columns && { style: { "--columns": String(columns.length) } })}
    >
      {events.map((event, at) => {
        const shown = shownOf(event, most, standingOf);
        return (
          <li class="event" key={at}>
            {shown.map((symbol, place) => (
              <Chip
                key={place}
                symbol={symbol}
                {...(standingOf && { standing: standingOf(symbol) })}
                {...(columns && { column: 1 + columns.indexOf(sensorOf(symbol)) })}
              />
            ))}
            {event.length > shown.length && <small>{event.length - shown.length} more</small>}
          </li>
        );
      })}
    </ol>
  );
}

function shownOf(
  event: readonly string[],
  most: number,
  standingOf: ((symbol: string) => Standing) | undefined,
): readonly string[] {
  if (event.length <= most) return event;
  const isMatched = (symbol: string) => standingOf?.(symbol) === "matched";
  return [...event.filter(isMatched), ...event.filter((symbol) => !isMatched(symbol))].slice(0, most);
}
