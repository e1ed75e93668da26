/**
 * Lets a memory learn many sequences in order, each exactly once: over a stream whose frames have the
 * numbers of the sequences, so that a run that broke off can be resumed. What no frame can carry is a
 * request of its own. Knows no file.
 */

import { type Memory, NoemaError, observeSequence, type Schemas, type Stream } from "../../client";

/** How a run is named and watched. */
export interface Run {
  /** The source of the run's stream: 1 to 100 bytes. The same run with the same sequences is resumed where it ended. */
  readonly name: string;
  /** Opens the run's stream; absent where every sequence is to be a request of its own. */
  readonly open: (() => Stream) | undefined;
  /** How many sequences are under way at a time, from 1. */
  readonly underWay: number;
  /** The numbers of sequences that were refused before, while later ones were learned. */
  readonly refused: ReadonlySet<number>;
  readonly signal: AbortSignal;
  /**
   * Called after each sequence.
   *
   * @param model what was learned; `null` for nothing, `undefined` where it had been learned before
   */
  readonly onLearned: (result: Learned, model: string | null | undefined) => void;
}

/** A sequence to learn. */
export interface Lesson {
  /** What to call it in an error. */
  readonly name: string;
  readonly records: readonly Schemas.Gdf[];
}

/** What became of a sequence. */
export type Learned = "learned" | "nothing" | "redelivered";

/** The most records of a frame. */
const MOST_RECORDS = 1000;

/** The most bytes of records in a frame: 1 MiB without what is around them. */
const MOST_BYTES = 1_048_000;

/** The server has refused a sequence, and taken later ones perhaps. */
export class RefusedLesson extends Error {
  override readonly name = "RefusedLesson";
  /** The numbers of the sequences that were refused. */
  readonly numbers: readonly number[];

  constructor(numbers: readonly number[], cause: Error) {
    super(cause.message, { cause: cause.cause });
    this.numbers = numbers;
  }
}

/**
 * Clears the memory, lets it observe a sequence and learn it, one sequence after the other.
 *
 * @throws RefusedLesson that names the first sequence that the server refused. No further ones are sent then
 * @throws Error if the processor sleeps, or the stream ends
 */
export async function learnAll(memory: Memory, lessons: AsyncIterable<Lesson>, run: Run): Promise<void> {
  const learning = new Learning(memory, run);
  try {
    for await (const lesson of lessons) {
      await learning.learn(lesson);
      if (learning.hasFailed) break;
    }
  } finally {
    await learning.end();
  }
  learning.throwIfFailed();
}

class Learning {
  readonly #memory: Memory;
  readonly #run: Run;
  readonly #link: Stream | undefined;
  readonly #underWay = new Set<Promise<void>>();
  readonly #failures: { readonly number: number; readonly error: Error }[] = [];
  #number = 0;
  /** Why the stream ended by itself. */
  #ending: unknown;

  constructor(memory: Memory, run: Run) {
    this.#memory = memory;
    this.#run = run;
    this.#link = run.open?.();
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  /** Sends a sequence. Resolves when another one may be sent. */
  async learn(lesson: Lesson): Promise<void> {
    this.#number++;
    const link = this.#link;
    if (link === undefined || this.#run.refused.has(this.#number) || !fitsFrame(lesson)) {
      await this.#learnWhole(lesson, this.#number);
    } else {
      const one = this.#learnBy(link, lesson, this.#number).finally(() => this.#underWay.delete(one));
      this.#underWay.add(one);
      if (this.#underWay.size >= this.#run.underWay) await Promise.race(this.#underWay);
    }
    this.#run.signal.throwIfAborted();
  }

  /** Waits for the answers that are still to come. Never rejects. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
    await this.#link?.close();
    await this.#link?.closed.catch((reason: unknown) => {
      this.#ending = reason;
    });
  }

  throwIfFailed(): void {
    this.#run.signal.throwIfAborted();
    const [first] = this.#failures;
    if (first === undefined) return;
    if (this.#ending !== undefined) throw this.#ending;
    const refused = this.#failures.filter(({ error }) => error.cause instanceof NoemaError);
    throw refused.length === 0
      ? first.error
      : new RefusedLesson(
          refused.map(({ number }) => number),
          first.error,
        );
  }

  async #learnBy(link: Stream, lesson: Lesson, number: number): Promise<void> {
    try {
      const answer = await link.observe(lesson.records, { clear: true, learn: true, number });
      this.#take(answer.redelivered, answer.observed, answer.learned);
    } catch (error) {
      this.#fail(lesson, number, error);
    }
  }

  /** By a request of its own, which is a delivery of its own source: the stream may have taken later numbers. */
  async #learnWhole(lesson: Lesson, number: number): Promise<void> {
    // Models keep the order of the sequences.
    await Promise.all(this.#underWay);
    try {
      const { signal, name } = this.#run;
      const delivery = { source: `${name} ${number}`, number: 1 };
      const sequence = { sequence: [...lesson.records], clear: true, learn: true };
      const { observed, learned } = await observeSequence(this.#memory, sequence, { delivery, signal });
      this.#take(observed[0]?.redelivered === true, observed, learned);
    } catch (error) {
      this.#fail(lesson, number, error);
    }
  }

  #take(
    wasTaken: boolean,
    observed: readonly Schemas.Observed[] | undefined,
    learned: string | null | undefined,
  ): void {
    if (observed?.[0]?.status === "asleep") throw new Error(ASLEEP);
    const result = learned === null ? "nothing" : "learned";
    this.#run.onLearned(wasTaken ? "redelivered" : result, wasTaken ? undefined : learned);
  }

  #fail({ name }: Lesson, number: number, error: unknown): void {
    this.#failures.push({ number, error: new Error(`${name}: ${(error as Error).message}`, { cause: error }) });
  }
}

function fitsFrame({ records }: Lesson): boolean {
  return records.length <= MOST_RECORDS && new TextEncoder().encode(JSON.stringify(records)).length <= MOST_BYTES;
}

/** A record that came asleep has taken its number: a run that is resumed would leave it out. */
const ASLEEP =
  "the processor sleeps and has ignored it; wake it with `noema call stopSleeping`, then train again without --resume";
