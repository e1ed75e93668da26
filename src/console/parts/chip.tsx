/** A symbol as a chip. */

import { ranged } from "./ranges";

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

/** The sensor that a symbol is of: what stands before its last `=`; empty for a symbol without one. */
export function sensorOf(symbol: string): string {
  return symbol.slice(0, Math.max(0, symbol.lastIndexOf("=")));
}

/** Whether the value of a symbol is a word rather than a number. */
function isWord(symbol: string): boolean {
  return Number.isNaN(Number(symbol.slice(symbol.lastIndexOf("=") + 1)));
}

/** Symbols in the order in which people read them: words such as a state first, then numbers. */
export function wordsFirst(symbols: readonly string[]): readonly string[] {
  return [...symbols.filter(isWord), ...symbols.filter((symbol) => !isWord(symbol))];
}

/**
 * The sensors of events, each of which can have a column of its own; of symbols without one, such as a state, the first
 * column is.
 *
 * @param most maximum number of columns
 * @returns in the order of their names; `undefined` where an event has two symbols without a sensor, or there are one
 *   or too many
 */
export function sensorColumns(events: readonly (readonly string[])[], most: number): readonly string[] | undefined {
  const names = new Set(events.flat().map(sensorOf));
  const isAmbiguous = events.some((event) => event.filter((symbol) => sensorOf(symbol) === "").length > 1);
  return isAmbiguous || names.size < 2 || names.size > most ? undefined : [...names].sort();
}

export function Chip({
  symbol,
  standing,
  column,
}: {
  readonly symbol: string;
  readonly standing?: Standing;
  /** The column of a grid that it stands in, from 1. */
  readonly column?: number;
}) {
  return (
    <span
      class={`chip ${standing ?? ""}`}
      title={symbol}
      {...(column !== undefined && { style: { gridColumn: column } })}
    >
      {standing !== undefined && (
        <span class="sign" aria-hidden="true">
          {SIGNS[standing]}
        </span>
      )}
      {readable(symbol)}
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
