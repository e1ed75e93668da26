/** Judges whole sequences: how probable their counts and their order are by all models, and why. docs/sequences.md has the rule. */

import { compareCodePoints } from "../../../text/code-points";
import type { Knowledge } from "../../knowledge/knowledge";
import type { ExpectedSymbol } from "../../ports/activity";
import type { Matcher } from "../../ports/matcher";
import { GREATEST_WEIGHT, MEAN_WEIGHT, MOST_EXPECTED, UNSEEN_NEXT } from "./constants";
import { CountedModels } from "./counted-models";
import { Evidence, type ExcessSymbol, type MissingSymbol } from "./evidence";
import { LearnedModels } from "./learned-models";
import { type NumberedSequence, numbered } from "./numbered-sequence";
import { Orders } from "./orders";

/** What was learned. */
export interface JudgeSource {
  readonly knowledge: Knowledge;
  readonly matcher: Matcher;
}

/** The surprise of an event. */
export interface EventSurprise {
  bits: number;
  /** Most probable first. */
  expected: ExpectedSymbol[];
  unexpected: string[];
}

/** How unusual a sequence is. */
export interface Judgement {
  /** The verdict, 0 or more. */
  bits: number;
  /** −log2 of the probability of what it holds how often, 0 or more: what the verdict has of the counts, before it is divided. */
  counts: number;
  /** How unexpected the end is behind the last event, in bits; `undefined` where more may come. */
  end: number | undefined;
}

/** The same, and why. */
export interface ExplainedJudgement extends Judgement {
  /** How unexpected the first event is, by how the models begin. */
  first: EventSurprise;
  /** Empty where more may come. */
  missing: MissingSymbol[];
  excess: ExcessSymbol[];
}

/** How often all models are read for a verdict, and for its evidence. */
const VERDICT_PASSES = 2;
const EVIDENCE_PASSES = 1;

/** Judges sequences by one knowledge, which holds a model. */
export class SequenceJudge {
  readonly #source: JudgeSource;
  readonly #models: LearnedModels;

  constructor(source: JudgeSource) {
    this.#source = source;
    this.#models = new LearnedModels(source.matcher);
  }

  /** About how many bytes of heap it holds. */
  get heapBytes(): number {
    return this.#models.heapBytes;
  }

  /** How many steps a verdict takes: the symbols that it reads. */
  get verdictSteps(): number {
    return VERDICT_PASSES * this.#source.matcher.symbolCount;
  }

  /** The same for a verdict with its evidence. */
  get evidenceSteps(): number {
    return this.verdictSteps + EVIDENCE_PASSES * this.#source.matcher.symbolCount;
  }

  /** How unusual a complete sequence is. @param events one or more, none empty */
  judge(events: readonly (readonly string[])[]): Judgement {
    const sequence = numbered(events, this.#source.knowledge.symbols);
    const { judgement } = this.#judged(sequence, true);
    return judgement;
  }

  /** How unusual a sequence is, and why. @param events one or more, none empty @param complete whether nothing more comes */
  explain(events: readonly (readonly string[])[], complete: boolean): ExplainedJudgement {
    const { symbols, totals } = this.#source.knowledge;
    const sequence = numbered(events, symbols);
    const beginnings = new Map<number, number>();
    const { judgement, counted } = this.#judged(sequence, complete, beginnings);
    const evidence = new Evidence(counted, sequence, totals.modelFrequencies);
    this.#models.read(sequence, symbols.numbers, (model) => evidence.add(model));
    return {
      ...judgement,
      first: this.#first(sequence, beginnings, judgement.firstBits),
      missing: complete ? evidence.missing(symbols) : [],
      excess: evidence.excess(),
    };
  }

  #judged(sequence: NumberedSequence, complete: boolean, beginnings?: Map<number, number>) {
    const { symbols, totals } = this.#source.knowledge;
    const counted = new CountedModels({ sequence, complete }, { symbols, frequencies: totals.modelFrequencies });
    const orders = new Orders(sequence);
    this.#models.read(sequence, symbols.numbers, (model) => {
      counted.note(model);
      orders.countModel(model);
      if (beginnings === undefined) return;
      const { firstEvent, firstSymbol, frequency, part } = model;
      const beginning = part.symbols.subarray(firstSymbol, firstSymbol + (part.lengths[firstEvent] ?? 0));
      for (const id of new Set(beginning)) beginnings.set(id, (beginnings.get(id) ?? 0) + frequency);
    });
    counted.settle();
    this.#models.read(sequence, symbols.numbers, (model) => counted.add(model));
    const { length } = sequence.events;
    const places = Array.from({ length: complete ? length + 1 : length }, (_, at) => orders.bitsAt(at, symbols.size));
    const mean = places.reduce((sum, bits) => sum + bits, 0) / places.length;
    const order = GREATEST_WEIGHT * places.reduce((most, bits) => Math.max(most, bits), 0) + MEAN_WEIGHT * mean;
    const counts = counted.bits;
    const bits = counts / Math.sqrt(sequence.length) + order;
    return {
      counted,
      judgement: { bits, counts, end: complete ? places[length] : undefined, firstBits: places[0] ?? 0 },
    };
  }

  /** The surprise of the first event, by how the models begin. */
  #first(
    { names, ids, events }: NumberedSequence,
    beginnings: ReadonlyMap<number, number>,
    bits: number,
  ): EventSurprise {
    const { symbols, totals } = this.#source.knowledge;
    const all = totals.modelFrequencies + UNSEEN_NEXT;
    const expected = [...beginnings].map(([id, frequency]) => ({
      symbol: symbols.nameOf(id),
      probability: (frequency + UNSEEN_NEXT / (symbols.size + 2)) / all,
    }));
    expected.sort((one, other) => other.probability - one.probability || compareCodePoints(one.symbol, other.symbol));
    const unexpected = (events[0] ?? []).filter((number) => !beginnings.has(ids[number] ?? -1));
    return {
      bits,
      expected: expected.slice(0, MOST_EXPECTED),
      unexpected: unexpected.map((number) => names[number] ?? ""),
    };
  }
}
