/**
 * Makes a memory learn many sequences in order, each exactly once: over a stream whose frames carry the numbers of the
 * sequences, so that an interrupted run can be resumed. A sequence too large for a frame is sent as a request of its
 * own. Knows no file.
 */

import { type Memory, NoemaError, observeSequence, type Schemas, type Stream } from "../../client";

/** How a run is named and watched. */
export interface Run {
  /** The source of the run's stream: 1 to 100 bytes. The same run with the same sequences resumes where it stopped. */
  readonly name: string;
  /** Opens the run's stream; absent if every sequence is to be sent as a request of its own. */
  readonly open: (() => Stream) | undefined;
  /** Number of sequences in progress at a time, from 1. */
  readonly underWay: number;
  /** The numbers of sequences that were refused earlier, while later ones were learned. */
  readonly refused: ReadonlySet<number>;
  readonly signal: AbortSignal;
  /**
   * Called after each sequence.
   *
   * @param model the learned model; `null` if nothing was learned, `undefined` if the sequence had been learned before
   */
  readonly onLearned: (result: Learned, model: string | null | undefined) => void;
}

/** A sequence to learn. */
export interface Lesson {
  /** The sequence's name in errors. */
  readonly name: string;
  readonly records: readonly Schemas.Gdf[];
}

/** What happened to a sequence. */
export type Learned = "learned" | "nothing" | "redelivered";

/** Maximum number of records in a frame. */
const MAX_RECORDS = 1000;

/** Maximum bytes of records in a frame: 1 MiB minus the frame's other members. */
const MAX_BYTES = 1_048_000;

/** The server has refused a sequence, and may have accepted later ones. */
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
 * For each sequence in turn: clears the memory, observes the sequence and learns it.
 *
 * @throws RefusedLesson that names the first refused sequence. After a refusal no more sequences are sent
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

  /** Sends a sequence. Resolves when the next one may be sent. */
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

  /** Waits for the outstanding answers. Never rejects. */
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

  /** By a request of its own, under a separate source, because the stream may have used later numbers. */
  async #learnWhole(lesson: Lesson, number: number): Promise<void> {
    // Waits, so that models are learned in the order of the sequences.
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
  return records.length <= MAX_RECORDS && new TextEncoder().encode(JSON.stringify(records)).length <= MAX_BYTES;
}

/** A record that arrived while the processor slept has used its number: a resumed run would skip it. */
const ASLEEP =
  "the processor sleeps and has ignored it; wake it with `noema call stopSleeping`, then train again without --resume";
