/**
 * Whether an event is normal for its hour: how often each of its symbols occurred at that hour in the learned events.
 * Counts the learned events with the same clock symbol.
 */

import { listModels, MAX_LISTED_MODELS, type Processor, type Schemas } from "../../client";
import { useAnswer } from "../parts/answer";
import { chance, whole } from "../parts/figures";
import { clockNames, clockOf, ranged } from "../parts/ranges";
import { linkTo } from "../place";
import { may } from "../rights";

/** Symbols that occur in a smaller fraction of the events are unusual. */
const MIN_USUAL = 0.01;

/** From this surprise on, an event is odd at any hour, in bits. */
const MIN_ODD_BITS = 4;

/** Maximum number of symbols named in the answer. */
const MAX_NAMED = 4;

const WEEKDAYS = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"];

/** How often a symbol occurred. */
interface Share {
  readonly symbol: string;
  /** Number of events at the hour that contain the symbol. */
  readonly came: number;
  /** Whether the symbol occurred at other hours, if not at this one. */
  readonly isElsewhere: boolean;
}

interface Counts {
  /** Number of learned events at the hour. */
  readonly total: number;
  /** Whether there are more models than were counted. */
  readonly isPart: boolean;
  /** Rarest first. */
  readonly shares: readonly Share[];
}

/** The clock symbol for the hour, or else the first clock symbol. */
function clockSymbol(event: readonly string[]): string | undefined {
  const names = clockNames();
  const all = event.filter((symbol) => names.includes(symbol.slice(0, symbol.lastIndexOf("="))));
  return all.find((symbol) => clockOf(symbol.slice(0, symbol.lastIndexOf("=")))?.of === "hour") ?? all[0];
}

/** The time that a clock symbol stands for, as in "from 14:00 to 15:00". */
function timeOf(symbol: string): string {
  const sign = symbol.lastIndexOf("=");
  const [encoder, value] = [clockOf(symbol.slice(0, sign)), Number(symbol.slice(sign + 1))];
  if (encoder?.of === "hour") return `from ${ranged(symbol).slice(sign + 1)}`;
  if (encoder?.of === "weekday" && encoder.step === 1) return `on ${WEEKDAYS[value - 1]}`;
  return `at ${ranged(symbol)}`;
}

async function count(
  processor: Processor,
  event: readonly string[],
  clock: string,
  signal: AbortSignal,
): Promise<Counts> {
  const { models, total } = await listModels(processor, { symbols: [clock], limit: MAX_LISTED_MODELS }, { signal });
  const names = clockNames();
  const symbols = [...new Set(event)].filter((symbol) => !names.includes(symbol.slice(0, symbol.lastIndexOf("="))));
  const came = new Map(symbols.map((symbol) => [symbol, 0]));
  let events = 0;
  for (const { frequency, sequence } of models) {
    for (const learned of sequence) {
      if (!learned.includes(clock)) continue;
      events += frequency;
      for (const symbol of new Set(learned)) {
        const before = came.get(symbol);
        if (before !== undefined) came.set(symbol, before + frequency);
      }
    }
  }
  const shares = [...came].map(async ([symbol, times]) => {
    const isElsewhere =
      events > 0 && times === 0 && (await listModels(processor, { symbols: [symbol], limit: 1 }, { signal })).total > 0;
    return { symbol, came: times, isElsewhere };
  });
  return {
    total: events,
    isPart: total > models.length,
    shares: (await Promise.all(shares)).sort((one, other) => one.came - other.came),
  };
}

/** The answer in a sentence. */
export function UsualHour({
  processor,
  event,
}: {
  readonly processor: Processor;
  readonly event: Schemas.HistoryEvent;
}) {
  if (!may({ of: "processor" }, "read", "manage"))
    return <span class="facts">This key may not see what was learned.</span>;
  if (clockNames().length === 0) return <NoClock />;
  const clock = clockSymbol(event.symbols);
  if (clock === undefined) return <span class="facts">It was observed before the clock was added.</span>;
  const isOdd = (event.bits ?? 0) >= MIN_ODD_BITS;
  return <Answer processor={processor} symbols={event.symbols} clock={clock} isOdd={isOdd} />;
}

/** Shown if the learned events have no clock symbols. */
function NoClock() {
  return (
    <span class="facts">
      What was learned holds no clock.{" "}
      <a href={linkTo({ view: "agent", path: ["encoders"], query: {} })}>Add an encoder of the kind clock</a>, and what
      is learned from then on does.
    </span>
  );
}

function Answer({
  processor,
  symbols,
  clock,
  isOdd,
}: {
  readonly processor: Processor;
  readonly symbols: readonly string[];
  readonly clock: string;
  /** Whether the event was a surprise: then its parts do not fit together, or do not fit the events before it. */
  readonly isOdd: boolean;
}) {
  const of = symbols.join("\n");
  const asked = useAnswer(
    async (signal) => ({ of, counts: await count(processor, symbols, clock, signal) }),
    [processor, of],
  );
  if (asked.error !== undefined) return <span class="facts">The server did not say what it learned at this hour.</span>;
  if (asked.value === undefined) return <span class="facts">…</span>;
  const { counts } = asked.value;
  // The answer about another event is hidden and keeps its place, so that the charts below do not move.
  const late = asked.value.of === of ? "" : "is-late";
  if (counts.total === 0) return <span class={`facts ${late}`}>Nothing was learned {timeOf(clock)} yet.</span>;
  const { total, shares, isPart } = counts;
  const rare = shares.filter(({ came }) => came < MIN_USUAL * total);
  const events = `${whole(total)} learned ${total === 1 ? "event" : "events"}`;
  const named = (rare.length > 0 ? rare : shares).slice(0, MAX_NAMED);
  return (
    <span class={late} title={isPart ? `Of the newest ${whole(MAX_LISTED_MODELS)} models that hold ${clock}` : clock}>
      <b class={rare.length > 0 ? "is-odd" : "is-fine"}>{rare.length > 0 ? "No" : "Yes"}</b>
      {rare.length === 0 && isOdd && ", each part by itself"}
      {": "}
      {named.map((share, at) => (
        <span key={share.symbol}>
          {at > 0 && ", "}
          <ShareText share={share} total={total} />
        </span>
      ))}{" "}
      <span class="facts">
        {timeOf(clock)}, of {events}
      </span>
    </span>
  );
}

function ShareText({ share: { symbol, came, isElsewhere }, total }: { readonly share: Share; readonly total: number }) {
  if (came > 0) {
    return (
      <>
        {ranged(symbol)} <span class="facts">in {chance(came / total)}</span>
      </>
    );
  }
  return (
    <>
      {ranged(symbol)} <span class="facts">{isElsewhere ? "only at other times" : "never learned at any time"}</span>
    </>
  );
}
