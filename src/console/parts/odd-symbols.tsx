/**
 * The symbols of an event, each coloured by the bits that it adds to the event's surprise. The server is queried once
 * for each event, and only if there is something to colour.
 */

import { type Signal, signal, useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { explainSurprise, type Memory } from "../../client";
import { bitsText, heatOf, MIN_SHOWN_BITS } from "./bits";
import { readable } from "./chip";

/** Minimum surprise of an event in which a symbol can stand out, in bits. */
const MIN_ODD_BITS = 4;

/** Delay before a query, so that a passing pointer causes none, in milliseconds. */
const DEBOUNCE_MS = 150;

/** Maximum number of events remembered. */
const MAX_KNOWN = 300;

/** Bits by symbol. */
export type Parts = ReadonlyMap<string, number>;

const NONE: Parts = new Map();

/** For each key's agent: by memory, event and the events before it; oldest first. */
const knownOf = new WeakMap<Memory["noema"], Map<string, Signal<Parts>>>();

function partsOf({ noema }: Memory): Map<string, Signal<Parts>> {
  const known = knownOf.get(noema) ?? new Map<string, Signal<Parts>>();
  knownOf.set(noema, known);
  return known;
}

/** An event whose symbols are coloured. */
export interface OddEvent {
  /** Of the event. */
  readonly memory: Memory;
  /** The events before the event, and the event itself last. */
  readonly events: readonly (readonly string[])[];
  /** The event's surprise; null if it was not computed. */
  readonly bits: number | null;
}

/** Whether a symbol of the event can stand out. */
export function isOddEvent({ events, bits }: OddEvent): boolean {
  return bits !== null && bits >= MIN_ODD_BITS && events.length > 1;
}

function keyOf({ memory, events }: OddEvent): string {
  return `${memory.path} ${JSON.stringify(events)}`;
}

/** Asks the server what each symbol adds, and remembers the answer. @param parts set to the answer */
function ask(odd: OddEvent, parts: Signal<Parts>): void {
  const { memory, events } = odd;
  const known = partsOf(memory);
  const key = keyOf(odd);
  known.set(key, parts);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  const [event, sequence] = [[...(events.at(-1) ?? [])], events.slice(0, -1).map((each) => [...each])];
  explainSurprise(memory, { event, sequence }).then(
    (terms) => {
      parts.value = new Map(terms?.factors.map(({ symbol, factor }) => [symbol, -Math.log2(factor)]));
    },
    // Without an answer, the symbols are shown without colours.
    () => known.delete(key),
  );
}

/** The bits that each symbol of several odd events adds; of an event, empty until they are known. */
export function usePartsOfAll(odd: readonly OddEvent[]): readonly Parts[] {
  const asked = useSignal<ReadonlyMap<string, Signal<Parts>>>(new Map());
  const keys = odd.map(keyOf);
  useEffect(() => {
    if (odd.length === 0) return undefined;
    const timer = setTimeout(() => {
      const all = odd.map((each, at): [string, Signal<Parts>] => {
        const key = keys[at] ?? "";
        const known = partsOf(each.memory).get(key);
        if (known !== undefined) return [key, known];
        const parts = signal(NONE);
        ask(each, parts);
        return [key, parts];
      });
      // Redraws the component also if another has asked since it was drawn: it may not have found that signal.
      asked.value = new Map(all);
    }, DEBOUNCE_MS);
    // A query in flight is not aborted: other components may show the same event.
    return () => clearTimeout(timer);
  }, [keys.join()]);
  return odd.map((each, at) => {
    const key = keys[at] ?? "";
    return (asked.value.get(key) ?? partsOf(each.memory).get(key))?.value ?? NONE;
  });
}

/** The bits that each symbol adds; empty until they are known, and if nothing stands out. */
function usePartsOf(event: OddEvent): Parts {
  const [parts = NONE] = usePartsOfAll(isOddEvent(event) ? [event] : []);
  return parts;
}

/**
 * The symbols; if some stand out, the oddest first.
 *
 * @param said which symbols are shown even if they add nothing; all if absent
 */
export function OddSymbols({
  said = () => true,
  words = readable,
  ...event
}: OddEvent & {
  readonly said?: (symbol: string) => boolean;
  /** A symbol in words. */
  readonly words?: (symbol: string) => string;
}) {
  const parts = usePartsOf(event);
  const bitsOf = (symbol: string) => parts.get(symbol) ?? 0;
  const symbols = [...new Set(event.events.at(-1))]
    .filter((symbol) => said(symbol) || bitsOf(symbol) >= 1)
    .sort((one, other) => bitsOf(other) - bitsOf(one));
  return (
    <span class="odd-symbols">
      {symbols.map((symbol) => (
        <Fragment key={symbol}>
          <OddSymbol symbol={symbol} bits={bitsOf(symbol)} words={words} />{" "}
        </Fragment>
      ))}
    </span>
  );
}

/** A symbol with the bits that it adds. */
export function OddSymbol({
  symbol,
  bits,
  words = readable,
}: {
  readonly symbol: string;
  readonly bits: number;
  readonly words?: (symbol: string) => string;
}) {
  return (
    <span class={`came ${heatOf(bits)}`} title={bits === 0 ? symbol : `${symbol}: ${bits} bits`}>
      {words(symbol)}
      {bits >= MIN_SHOWN_BITS && <small> {bitsText(bits)} bits</small>}
    </span>
  );
}
