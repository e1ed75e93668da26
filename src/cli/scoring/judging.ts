/**
 * Asks a processor how unusual events are, each given the events before it, and sequences as a whole. Nothing is
 * observed: no memory, model or alert of the processor changes. Knows no file.
 */

import { explainSurprise, NoemaError, type Processor, sequenceSurprise } from "../../client";

/** The judgement of one event. */
export type Judgement = NonNullable<Verdict>["events"][number];

/** The judgement of a whole sequence; `null` if the processor has learned nothing. */
export type Verdict = Awaited<ReturnType<typeof sequenceSurprise>>;

/** The symbols of one event, at least one. */
export type Event = readonly string[];

/** Number of preceding events by which an event is judged: as far back as forecasts look. */
const CONTEXT_EVENTS = 16;

/** Number of events that a request asks about, not counting its context. */
const PIECE_EVENTS = 360;

/** Number of requests in progress at a time. */
const MAX_CONCURRENT = 4;

/** Maximum number of symbols reported as causes of an event's surprise. */
const MAX_CAUSES = 5;

/** Minimum number of bits for a symbol to count as a cause. */
const MIN_CAUSE = 1;

/** HTTP status of a request that takes too many steps. */
const TOO_LARGE = 413;

/** What a judge needs. */
export interface Judge {
  readonly processor: Processor;
  readonly signal: AbortSignal;
}

/** A symbol, and its contribution to an event's surprise, in bits. */
export interface Cause {
  readonly bits: number;
  readonly symbol: string;
}

/**
 * Judges the events of a series, each given the events before it.
 *
 * @param onJudged called with the number of events in each answer
 * @throws Error if the processor has learned nothing
 */
export async function judgeSeries(
  events: readonly Event[],
  judge: Judge,
  onJudged: (count: number) => void,
): Promise<Judgement[]> {
  const judged = new Map<number, Judgement[]>();
  const extent = { size: PIECE_EVENTS };
  let next = 0;
  const worker = async () => {
    while (next < events.length) {
      const from = next;
      next = Math.min(events.length, from + extent.size);
      const answer = await judgePiece({ events, from, to: next, extent }, judge);
      judged.set(from, answer);
      onJudged(answer.length);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker));
  return [...judged].sort(([one], [other]) => one - other).flatMap(([, answer]) => answer);
}

/** A part of a series, judged by one request. */
interface Piece {
  readonly events: readonly Event[];
  readonly from: number;
  readonly to: number;
  /** The length of pieces; it is reduced when a piece takes too many steps. */
  readonly extent: { size: number };
}

/** Judges a piece, in halves if it takes too many steps as a whole. */
async function judgePiece(piece: Piece, judge: Judge): Promise<Judgement[]> {
  const { events, from, to, extent } = piece;
  const begin = Math.max(0, from - CONTEXT_EVENTS);
  const sequence = events.slice(begin, to).map((event) => [...event]);
  try {
    const verdict = await sequenceSurprise(judge.processor, { sequence, complete: false }, { signal: judge.signal });
    return known(verdict).events.slice(from - begin);
  } catch (error) {
    if (!(error instanceof NoemaError) || error.status !== TOO_LARGE || to - from === 1) throw error;
    const middle = Math.floor((from + to) / 2);
    extent.size = Math.min(extent.size, middle - from);
    const first = await judgePiece({ ...piece, to: middle }, judge);
    return [...first, ...(await judgePiece({ ...piece, from: middle }, judge))];
  }
}

/** Judges whole sequences. @throws Error if the processor has learned nothing */
export function judgeSequences(
  sequences: readonly (readonly Event[])[],
  judge: Judge,
  onJudged: (count: number) => void,
): Promise<NonNullable<Verdict>[]> {
  return inTurns(sequences, async (events) => {
    const sequence = events.map((event) => [...event]);
    const verdict = known(await sequenceSurprise(judge.processor, { sequence }, { signal: judge.signal }));
    onJudged(1);
    return verdict;
  });
}

/**
 * The symbols that caused an event's surprise, those with the most bits first.
 *
 * @param at the index of the event in its series
 */
async function causesOf(events: readonly Event[], at: number, { processor, signal }: Judge): Promise<Cause[]> {
  const sequence = events.slice(Math.max(0, at - CONTEXT_EVENTS), at).map((event) => [...event]);
  const query = { event: [...(events[at] ?? [])], ...(sequence.length > 0 && { sequence }) };
  const explained = await explainSurprise(processor, query, { signal });
  const causes = (explained?.factors ?? []).map(({ factor, symbol }) => ({ bits: -Math.log2(factor), symbol }));
  const counted = causes.filter(({ bits }) => bits >= MIN_CAUSE && Number.isFinite(bits));
  return counted.sort((one, other) => other.bits - one.bits).slice(0, MAX_CAUSES);
}

/** The causes of several events, each given by its series and its index there, a few at a time. */
export function causesOfAll(
  places: readonly { readonly events: readonly Event[]; readonly at: number }[],
  judge: Judge,
): Promise<Cause[][]> {
  return inTurns(places, ({ events, at }) => causesOf(events, at, judge));
}

function known(verdict: Verdict): NonNullable<Verdict> {
  if (verdict !== null) return verdict;
  throw new Error("the processor has no models to compare with: learn normal rows first, with noema train");
}

/** Runs all tasks, a few at a time. @returns the results in the order of the tasks */
async function inTurns<Task, Result>(tasks: readonly Task[], work: (task: Task) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < tasks.length; at = next++) results[at] = await work(tasks[at] as Task);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, tasks.length) }, worker));
  return results;
}
