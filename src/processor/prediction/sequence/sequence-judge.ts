/**
 * Judges whole sequences: how probable their counts and their order are given all models, and why. docs/sequences.md
 * has the rule.
 */

import type { EventSurprise, ExcessSymbol, ExpectedSymbol } from "../../../gen/plain";
import { compareCodePoints } from "../../../text/code-points";
import type { Knowledge } from "../../knowledge/knowledge";
import type { Comparison } from "../../ports/comparison";
import type { Matcher } from "../../ports/matcher";
import { GREATEST_WEIGHT, MAX_EXPECTED, MAX_LENGTH_FACTOR, MEAN_WEIGHT, UNSEEN_NEXT } from "./constants";
import { CountedModels } from "./counted-models";
import { Evidence, type MissingSymbol } from "./evidence";
import { type NumberedSequence, numbered } from "./numbered-sequence";
import { surprisesOf } from "./orders";

/** What was learned. */
export interface JudgeSource {
  readonly knowledge: Knowledge;
  readonly matcher: Matcher;
}

/** How unusual a sequence is. */
export interface Judgement {
  /** The verdict in bits, 0 or more. */
  bits: number;
  /**
   * −log2 of the probability of the symbol counts, 0 or more: the counts' share of the verdict, before it is divided.
   */
  counts: number;
  /** The surprise of the end after the last event, in bits; `undefined` if more may come. */
  end: number | undefined;
}

/** A judgement with its evidence. */
export interface ExplainedJudgement extends Judgement {
  /** The surprise of the first event, by how the models begin. */
  first: EventSurprise;
  /** Empty if more may come. */
  missing: MissingSymbol[];
  excess: ExcessSymbol[];
}

/** Passes over all models for a verdict, and for its evidence. */
const VERDICT_PASSES = 2;
const EVIDENCE_PASSES = 1;

/** Judges sequences by one knowledge, which holds a model. */
export class SequenceJudge {
  readonly #source: JudgeSource;

  constructor(source: JudgeSource) {
    this.#source = source;
  }

  /** Steps of a verdict: the symbols that it reads. */
  get verdictSteps(): number {
    return VERDICT_PASSES * this.#source.matcher.symbolCount;
  }

  /** Steps of a verdict with its evidence. */
  get evidenceSteps(): number {
    return this.verdictSteps + EVIDENCE_PASSES * this.#source.matcher.symbolCount;
  }

  /** How unusual a complete sequence is. @param events one or more, none empty */
  judge(events: readonly (readonly string[])[]): Judgement {
    const sequence = numbered(events, this.#source.knowledge.symbols);
    const { judgement } = this.#compare(sequence, true, false, (comparison) =>
      this.#judged(sequence, true, comparison),
    );
    return judgement;
  }

  /**
   * How unusual a sequence is, and why. @param events one or more, none empty @param complete whether the sequence has
   * ended
   */
  explain(events: readonly (readonly string[])[], complete: boolean): ExplainedJudgement {
    const { symbols, totals } = this.#source.knowledge;
    const sequence = numbered(events, symbols);
    return this.#compare(sequence, complete, true, (comparison) => {
      const { judgement, counted } = this.#judged(sequence, complete, comparison);
      const { firstBits, ...verdict } = judgement;
      const evidence = new Evidence(counted, sequence, totals.modelFrequencies, comparison);
      return {
        ...verdict,
        first: this.#first(sequence, comparison.beginnings, firstBits),
        missing: complete ? evidence.missing(symbols) : [],
        excess: evidence.excess(),
      };
    });
  }

  #compare<Answer>(
    { ids, counts, kinds, kindNumbers }: NumberedSequence,
    complete: boolean,
    begins: boolean,
    work: (comparison: Comparison) => Answer,
  ): Answer {
    return this.#source.matcher.compare({ ids, counts, kinds, kindNumbers, complete, begins }, work);
  }

  #judged(sequence: NumberedSequence, complete: boolean, comparison: Comparison) {
    const { models, symbols, totals } = this.#source.knowledge;
    const learned = { symbols, models, frequencies: totals.modelFrequencies };
    const counted = new CountedModels({ sequence, complete }, learned, comparison);
    const all = surprisesOf(sequence, comparison.followers, symbols.size);
    const { length } = sequence.events;
    const places = complete ? all : all.slice(0, length);
    const mean = places.reduce((sum, bits) => sum + bits, 0) / places.length;
    const order = GREATEST_WEIGHT * places.reduce((most, bits) => Math.max(most, bits), 0) + MEAN_WEIGHT * mean;
    const counts = counted.bits;
    const usual = totals.symbolFrequencies / totals.modelFrequencies;
    const bits = counts / Math.sqrt(Math.min(sequence.length, MAX_LENGTH_FACTOR * usual)) + order;
    return {
      counted,
      judgement: { bits, counts, end: complete ? places[length] : undefined, firstBits: places[0] ?? 0 },
    };
  }

  /** The surprise of the first event, by how the models begin. */
  #first({ names, ids, events }: NumberedSequence, beginnings: Float64Array, bits: number): EventSurprise {
    const { symbols, totals } = this.#source.knowledge;
    const all = totals.modelFrequencies + UNSEEN_NEXT;
    const expected: ExpectedSymbol[] = [];
    for (const [id, frequency] of beginnings.entries()) {
      if (frequency === 0) continue;
      expected.push({
        symbol: symbols.nameOf(id),
        probability: (frequency + UNSEEN_NEXT / (symbols.size + 2)) / all,
      });
    }
    expected.sort((one, other) => other.probability - one.probability || compareCodePoints(one.symbol, other.symbol));
    const unexpected = (events[0] ?? []).filter((number) => !beginnings[ids[number] ?? -1]);
    return {
      bits,
      expected: expected.slice(0, MAX_EXPECTED),
      unexpected: unexpected.map((number) => names[number] ?? ""),
    };
  }
}
