/**
 * Lets a memory learn many sequences, several at a time, each exactly once: every lane is a source whose deliveries are numbered, so that
 * a run that broke off can be taken up again. Knows no file.
 */

import { setMaxListeners } from "node:events";
import { type Memory, observeSequence, type Schemas } from "../../client";

/** How a run is named and watched. */
export interface Run {
  /** Names the run: 1 to 100 bytes. The same run with the same sequences goes on where it ended. */
  readonly name: string;
  /** How many sequences are under way at a time, from 1. It must stay the same when a run is taken up again. */
  readonly lanes: number;
  readonly signal: AbortSignal;
  /** Called after each sequence. */
  readonly onLearned: (result: Learned) => void;
}

/** A sequence to learn. */
export interface Lesson {
  /** What to call it in an error. */
  readonly name: string;
  readonly records: readonly Schemas.Gdf[];
}

/** What became of a sequence. */
export type Learned = "learned" | "nothing" | "redelivered";

/**
 * Clears the memory, lets it observe a sequence and learn it, one sequence after the other in each lane.
 *
 * @throws Error that names the sequence if the server refused it, or if the processor sleeps. No further ones are sent then
 */
export async function learnAll(memory: Memory, lessons: AsyncIterable<Lesson>, run: Run): Promise<void> {
  const queue = lessons[Symbol.asyncIterator]();
  const failure = new AbortController();
  const signal = AbortSignal.any([run.signal, failure.signal]);
  // Each lane listens, and its calls do.
  setMaxListeners(0, signal);
  // A queue is asked by one lane at a time, so that the same lesson goes to the same lane in every run.
  const dealt = deal(queue, run.lanes);
  try {
    await Promise.all(
      Array.from({ length: run.lanes }, async (_, lane) => {
        for await (const { lesson, number } of dealt(lane)) {
          signal.throwIfAborted();
          const delivery = { source: `${run.name} ${lane}`, number };
          run.onLearned(await learnOne(memory, lesson, delivery, signal));
        }
      }),
    );
  } catch (error) {
    failure.abort(error);
    throw error;
  } finally {
    await queue.return?.();
  }
}

interface Dealt {
  readonly lesson: Lesson;
  /** Its number in its lane, from 1. */
  readonly number: number;
}

/** Deals the lessons to the lanes in turn. A lane that is ahead reads on for the others, and what it read waits for them. */
function deal(queue: AsyncIterator<Lesson>, lanes: number): (lane: number) => AsyncGenerator<Dealt> {
  const waiting: Dealt[][] = Array.from({ length: lanes }, () => []);
  let [count, isOver, reading]: [number, boolean, Promise<void>] = [0, false, Promise.resolve()];
  const readOne = async () => {
    if (isOver) return;
    const { done, value } = await queue.next();
    if (done === true) isOver = true;
    else waiting[count % lanes]?.push({ lesson: value, number: 1 + Math.floor(count++ / lanes) });
  };
  return async function* (lane) {
    const own = waiting[lane] ?? [];
    for (;;) {
      while (own.length === 0 && !isOver) {
        reading = reading.then(() => (own.length === 0 ? readOne() : undefined));
        await reading;
      }
      const next = own.shift();
      if (next === undefined) return;
      yield next;
    }
  };
}

/** A record that came asleep has taken its number: a run that is taken up again would leave it out. */
const ASLEEP =
  "the processor sleeps and has ignored it; wake it with `noema call stopSleeping`, then train again without --resume";

async function learnOne(
  memory: Memory,
  { name, records }: Lesson,
  delivery: Schemas.Delivery,
  signal: AbortSignal,
): Promise<Learned> {
  try {
    const sequence = { sequence: [...records], clear: true, learn: true };
    const { observed, learned } = await observeSequence(memory, sequence, { delivery, signal });
    const [first] = observed;
    if (first?.status === "asleep") throw new Error(ASLEEP);
    if (first?.redelivered === true) return "redelivered";
    return learned === null ? "nothing" : "learned";
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
