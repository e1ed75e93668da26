/** The numbers of a prediction, each as a formula with its values (docs/predictions.md), and in words. */

import type { Schemas } from "../../client";
import {
  constant,
  type Expression,
  evaluate,
  logarithm,
  minus,
  named,
  negative,
  over,
  part,
  plus,
  productOf,
  root,
  sumOf,
  type Term,
  times,
} from "./expression";

/** A number and its formula. */
export interface ExplainedNumber {
  /** The name in the API. */
  readonly name: string;
  /** What the number means, in one sentence. */
  readonly says: string;
  /** The value in the API's answer. */
  readonly value: number;
  readonly formula: Expression;
}

/** Numbers that belong together. */
export interface NumberGroup {
  readonly title: string;
  readonly numbers: readonly ExplainedNumber[];
}

/** The inputs of the formulas, each computed and named once. */
interface Values {
  readonly terms: Schemas.PredictionExplanation;
  readonly matched: Expression;
  readonly extras: Expression;
  readonly inModel: Expression;
  readonly inMemory: Expression;
  readonly inPresent: Expression;
  readonly frequency: Expression;
  /** The symbols of the present in order, including repeats. */
  readonly present: readonly string[];
  readonly presentCounts: ReadonlyMap<string, number>;
  readonly memoryCounts: ReadonlyMap<string, number>;
  readonly symbols: ReadonlyMap<string, Schemas.PredictionExplanation["symbols"][number]>;
}

/** All numbers of a prediction. */
export function numbersOf(terms: Schemas.PredictionExplanation): NumberGroup[] {
  const values = valuesOf(terms);
  const emotives = emotivesOf(terms);
  return [
    { title: "How much of it is in working memory", numbers: matchNumbers(values) },
    { title: "How it stands among all that was learned", numbers: knowledgeNumbers(values) },
    { title: "How much the present tells", numbers: presentNumbers(values) },
    { title: "All together", numbers: [potentialOf(values)] },
    ...(emotives.length === 0 ? [] : [{ title: "Emotives", numbers: emotives }]),
  ];
}

function countsOf(symbols: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  return counts;
}

function valuesOf(terms: Schemas.PredictionExplanation): Values {
  const { prediction, memory, blocks, symbols } = terms;
  const present = prediction.present.flat();
  const modelLength = prediction.past.flat().length + present.length + prediction.future.flat().length;
  return {
    terms,
    matched: named(
      "m",
      blocks.reduce((sum, { length }) => sum + length, 0),
    ),
    extras: named("e", prediction.extras.length),
    inModel: named("|model|", modelLength),
    inMemory: named("|memory|", memory.flat().length),
    inPresent: named("|present|", present.length),
    frequency: named("f", prediction.frequency),
    present,
    presentCounts: countsOf(present),
    memoryCounts: countsOf(memory.flat()),
    symbols: new Map(symbols.map((symbol) => [symbol.symbol, symbol])),
  };
}

function matchNumbers({ terms, matched, extras, inModel, inMemory, inPresent }: Values): ExplainedNumber[] {
  const { prediction, blocks } = terms;
  return [
    {
      name: "similarity",
      says: "How alike the model and working memory are. 1: they are equal.",
      value: prediction.similarity,
      formula: over(times(constant(2), matched), plus(inModel, inMemory)),
    },
    {
      name: "evidence",
      says: "How much of the model is in working memory. 1: all of it, so nothing is left to expect.",
      value: prediction.evidence,
      formula: over(matched, inModel),
    },
    {
      name: "confidence",
      says: "How completely the present came. 1: nothing of it is missing.",
      value: prediction.confidence,
      formula: over(matched, inPresent),
    },
    {
      name: "snr",
      says: "How much of working memory the model explains. 1: nothing else came.",
      value: prediction.snr,
      formula: over(matched, plus(matched, extras)),
    },
    {
      name: "fragmentation",
      says: "In how many more blocks than one the match is broken. 0: it is unbroken.",
      value: prediction.fragmentation,
      formula: minus(named("blocks", blocks.length), constant(1)),
    },
  ];
}

function knowledgeNumbers(values: Values): ExplainedNumber[] {
  const { terms, frequency, present } = values;
  const { prediction } = terms;
  const one = constant(1);
  return [
    { name: "frequency", says: "How often it was learned.", value: prediction.frequency, formula: frequency },
    {
      name: "confluence",
      says: "How often it was learned, against how likely its present is by chance.",
      value: prediction.confluence,
      formula: times(
        over(frequency, named("all models", terms.total_model_frequencies)),
        minus(
          one,
          productOf(
            "s in present",
            present.map((symbol) => ({ label: symbol, value: probabilityOf(values, symbol) })),
          ),
        ),
      ),
    },
    {
      name: "itfdf_similarity",
      says: "How alike the present and working memory are when each symbol counts by its probability.",
      value: prediction.itfdf_similarity,
      formula: minus(one, over(times(minus(one, cosineOf(values)), frequency), named("F", terms.matching_frequencies))),
    },
  ];
}

function presentNumbers(values: Values): ExplainedNumber[] {
  const { terms, present } = values;
  const { prediction } = terms;
  const distinct = [...new Set(present)];
  const term = (symbol: string, value: (known: Schemas.PredictionExplanation["symbols"][number]) => Expression) => {
    const known = values.symbols.get(symbol);
    return { label: symbol, value: known === undefined ? constant(0) : value(known) };
  };
  const isOne = terms.known_symbols <= 1;
  return [
    {
      name: "entropy",
      says: "How much information the present carries, in bits.",
      value: prediction.entropy,
      formula: sumOf(
        "s in present",
        present.map((symbol) => {
          const p = probabilityOf(values, symbol);
          return term(symbol, (known) => times(negative(p), logarithm("2", p, known.log2_probability ?? 0)));
        }),
      ),
    },
    {
      name: "hamiltonian",
      says: "How varied the present is by itself. 0: one symbol only.",
      value: prediction.hamiltonian,
      formula: isOne
        ? constant(0)
        : sumOf(
            "s in present",
            present.map((symbol) => {
              const q = part("q", over(named("count", values.presentCounts.get(symbol) ?? 0), values.inPresent));
              return term(symbol, (known) => times(negative(q), shareOfMost(q, known.ln_share, values)));
            }),
          ),
    },
    {
      name: "grand_hamiltonian",
      says: "The same with the probabilities in all that was learned.",
      value: prediction.grand_hamiltonian,
      formula: isOne
        ? constant(0)
        : sumOf(
            "distinct s in present",
            distinct.reverse().map((symbol) => {
              const p = probabilityOf(values, symbol);
              return term(symbol, (known) => times(negative(p), shareOfMost(p, known.ln_probability, values)));
            }),
          ),
    },
  ];
}

/** A logarithm as a fraction of its maximum. */
function shareOfMost(of: Expression, value: number | null, { terms }: Values): Expression {
  const all = named("N", terms.known_symbols);
  return over(logarithm("e", of, value ?? 0), logarithm("e", all, terms.ln_known_symbols));
}

function probabilityOf({ terms, symbols }: Values, symbol: string): Expression {
  return part(
    "p",
    over(
      named("f(s)", symbols.get(symbol)?.frequency ?? 0),
      named("all symbols", terms.total_symbols_in_models_frequencies),
    ),
  );
}

/**
 * The cosine of two vectors with an entry for each weighted symbol: its count times its probability, in memory and in
 * present.
 */
function cosineOf(values: Values): Expression {
  const { presentCounts, memoryCounts, symbols } = values;
  const entry = (symbol: string, counts: ReadonlyMap<string, number>, where: string) =>
    times(named(where, counts.get(symbol) ?? 0), probabilityOf(values, symbol));
  const inMemory = (symbol: string) => part("u", entry(symbol, memoryCounts, "count in memory"));
  const inPresent = (symbol: string) => part("v", entry(symbol, presentCounts, "count in present"));
  const weighing = [...symbols.values()].filter(({ weighs }) => weighs).map(({ symbol }) => symbol);
  const series = (those: readonly string[], value: (symbol: string) => Expression) =>
    sumOf(
      "s",
      those.map((symbol): Term => ({ label: symbol, value: value(symbol) })),
    );
  const [both, asked, own] = [
    weighing.filter((symbol) => memoryCounts.has(symbol) && presentCounts.has(symbol)),
    weighing.filter((symbol) => memoryCounts.has(symbol)),
    weighing.filter((symbol) => presentCounts.has(symbol)),
  ];
  const length = times(
    root(series(asked, (symbol) => times(inMemory(symbol), inMemory(symbol)))),
    root(series(own, (symbol) => times(inPresent(symbol), inPresent(symbol)))),
  );
  if (evaluate(length) === 0) return part("cosine", constant(0));
  return part(
    "cosine",
    over(
      series(both, (symbol) => times(inMemory(symbol), inPresent(symbol))),
      length,
    ),
  );
}

function potentialOf({ terms: { prediction } }: Values): ExplainedNumber {
  const { evidence, confidence, snr, itfdf_similarity: itfdf, fragmentation, potential } = prediction;
  const first = times(plus(named("evidence", evidence), named("confidence", confidence)), named("snr", snr));
  return {
    name: "potential",
    says: "The overall merit, by which predictions are sorted unless a gene says otherwise. At most 4.",
    value: potential,
    formula: plus(
      plus(first, named("itfdf_similarity", itfdf)),
      over(constant(1), plus(named("fragmentation", fragmentation), constant(1))),
    ),
  };
}

function emotivesOf({ prediction, emotives }: Schemas.PredictionExplanation): ExplainedNumber[] {
  return Object.entries(prediction.emotives).map(([name, value]) => ({
    name,
    says: "The mean of the values that the model keeps.",
    value,
    formula: meanOf(emotives[name] ?? []),
  }));
}

/** The mean. If the sum of huge values overflows, the values are divided first, as on the server. */
function meanOf(values: readonly number[]): Expression {
  const count = named("values", values.length);
  const terms = values.map((value, at) => ({ label: `value ${at + 1}`, value: named("v", value) }));
  const mean = over(sumOf("kept values", terms), count);
  if (Number.isFinite(evaluate(mean))) return mean;
  return sumOf(
    "kept values",
    terms.map(({ label, value }) => ({ label, value: over(value, count) })),
  );
}
