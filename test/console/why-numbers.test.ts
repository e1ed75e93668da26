/**
 * What the console shows as the formula of a number gives exactly that number, over random knowledge: every number of every prediction, and
 * every probability of a forecast, computed from the answers that explain them.
 */

import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import type { Schemas } from "../../src/client";
import { evaluate } from "../../src/console/why/expression";
import { evidenceOf, isExact, isLimited, probabilityOf } from "../../src/console/why/forecast-numbers";
import { numbersOf } from "../../src/console/why/prediction-numbers";
import {
  bitsOf,
  factorOf,
  probabilityOf as surpriseProbability,
  unexpectedOf,
} from "../../src/console/why/surprise-numbers";
import { encodePredictionExplanation } from "../../src/gateway/encode/explanation";
import { encodeField } from "../../src/gateway/operations/operation";
import {
  ExplainForecastResponseSchema,
  ExplainPredictionResponseSchema,
  ExplainSurpriseResponseSchema,
} from "../../src/gen/noema/v1/memory_service_pb";
import type { ForecastSymbol } from "../../src/gen/plain";
import { RULES } from "../../src/processor/ports/forecaster";
import { RULE_WORDS } from "../../src/processor/prediction/forecast-explanation";
import type { Processor } from "../../src/processor/processor";
import { soleKernel } from "../support/kernel/sole-kernel";
import { MemoryStore } from "../support/memory-store";
import { openProcessor } from "../support/open-processor";
import { gdfOf } from "../support/processor/calls";
import { Random } from "../support/random";

const NUMBERS = [
  "confidence",
  "confluence",
  "entropy",
  "evidence",
  "fragmentation",
  "frequency",
  "grand_hamiltonian",
  "hamiltonian",
  "itfdf_similarity",
  "potential",
  "similarity",
  "snr",
];

const stamp = { id: "p46b6b076c", time: 0 };

function explainedPrediction(processor: Processor, model: string): Schemas.PredictionExplanation {
  const reply = create(ExplainPredictionResponseSchema, { ...processor.memory.explainPrediction(model), stamp });
  return JSON.parse(encodePredictionExplanation(reply)).message;
}

function explainedForecast(processor: Processor, symbol: string, horizon: number, within: boolean) {
  const answer = processor.memory.explainForecast({ symbol, horizon, within });
  const reply = create(ExplainForecastResponseSchema, { ...answer, stamp });
  return JSON.parse(encodeField(ExplainForecastResponseSchema, "explanation")(reply))
    .message as Schemas.ForecastExplanation | null;
}

/** A processor that has lived: sequences of events with repeats, emotives, some learned again. @param most symbols of an event */
function living(random: Random, symbols: number, most = 3): Processor {
  const processor = openProcessor(new MemoryStore(), soleKernel());
  const event = () =>
    Array.from({ length: 1 + random.below(most) }, () => `s${random.below(1 + random.below(symbols))}`);
  const sequence = () => Array.from({ length: 1 + random.below(6) }, event);
  const known = Array.from({ length: 12 }, sequence);
  for (let at = 0; at < 40; at++) {
    // The sum of huge emotives is no number, their mean is.
    let huge: { [name: string]: number } = { fear: 1e308 };
    for (const strings of random.below(2) === 0 ? sequence() : random.pick(known)) {
      const emotives = { ...huge, ...(random.below(3) === 0 && { joy: random.fraction() }) };
      huge = {};
      processor.memory.observe(gdfOf({ strings, emotives }), []);
    }
    processor.memory.learn();
  }
  for (const strings of [...sequence(), ["unknown"], ...sequence()]) processor.memory.observe(gdfOf({ strings }), []);
  return processor;
}

/** How many probabilities of all lives are the sum over their steps, and how many steps give what is missing there. */
let limited = 0;
let completed = 0;

describe.each([
  { seed: 1, symbols: 8, most: 3 },
  { seed: 2, symbols: 12, most: 3 },
  { seed: 3, symbols: 16, most: 1 },
  { seed: 4, symbols: 20, most: 1 },
  { seed: 5, symbols: 4, most: 1 },
  { seed: 6, symbols: 1, most: 3 },
])("life $seed, of at most $most symbols an event", ({ seed, symbols: known, most }) => {
  const processor = living(new Random(seed), known, most);

  test("every number of every prediction is its formula's", () => {
    const { predictions } = processor.memory.getPredictions("");
    expect(predictions.length).toBeGreaterThan(0);
    for (const { name } of predictions) {
      const terms = explainedPrediction(processor, name);
      const numbers = numbersOf(terms).flatMap((group) => group.numbers);
      const { emotives, ...prediction } = terms.prediction;
      expect(numbers.map((number) => number.name).sort()).toEqual([...NUMBERS, ...Object.keys(emotives)].sort());
      for (const { name: number, formula, value } of numbers) {
        expect([number, evaluate(formula)]).toEqual([number, value]);
        expect({ ...prediction, ...emotives }[number]).toBe(value);
      }
    }
  });

  test("every probability is what the rules make of it together, corrected", () => {
    const lists = listsOf(processor);
    const explained = lists.map((list) => list.symbols.map((symbol) => expectExplained(processor, symbol, list)));
    const { context, models } = processor.memory.getForecast({}).forecast;
    const counted = explained.flat().map((terms) => [terms.context.length, terms.models]);
    expect(counted).toEqual(counted.map(() => [context, models]));
    expect(models).toBeGreaterThan(0);
    limited += explained.flat().filter(isLimited).length;
    completed += explained.flat().filter(({ correction }) => correction !== null && correction.within !== null).length;
    const shares = explained.map((list) => list.filter(({ share }) => share !== null));
    expect(most > 1 || shares.flat().length > 10).toBe(true);
    for (const list of shares) {
      // The share of a typical outcome is the same for every symbol of a list.
      const typicals = list.map((terms) => evidenceOf(terms, terms.share ?? 0).typical);
      for (const typical of typicals) expect(typical).toBeCloseTo(typicals[0] ?? 0, 12);
      expect(Math.max(0, ...typicals)).toBeLessThanOrEqual(1);
    }
    expect(explainedForecast(processor, "never heard of", 1, false)).toMatchObject({ probability: 0, support: 0 });
  });
});

test("the sum over their steps limits some of the probabilities, and some steps give what is missing", () => {
  expect(limited).toBeGreaterThan(0);
  expect(completed).toBeGreaterThan(0);
});

/** A list of a forecast, and how to ask about one of its symbols. */
interface List {
  readonly symbols: readonly ForecastSymbol[];
  readonly horizon: number;
  readonly within: boolean;
}

/** The lists of forecasts of the next event and of three. */
function listsOf(processor: Processor): List[] {
  const { forecast } = processor.memory.getForecast({ horizon: 3, top: 1000 });
  return [
    ...forecast.steps.map(({ symbols }, at) => ({ symbols, horizon: at + 1, within: false })),
    { symbols: forecast.within, horizon: 3, within: true },
    { symbols: processor.memory.getForecast({ top: 1000 }).forecast.within, horizon: 1, within: true },
  ];
}

/** Expects that a symbol's explanation is of the forecast, and that its formulas give its probability. */
function expectExplained(processor: Processor, expected: ForecastSymbol, { horizon, within }: List) {
  const { symbol, probability, support, models } = expected;
  const terms = explainedForecast(processor, symbol, horizon, within);
  expect(terms).toMatchObject({ symbol, probability, support, strongest: models });
  if (terms === null) throw new Error(`nothing explains ${symbol}`);
  expect([evaluate(probabilityOf(terms)), isExact(terms, within ? horizon : 1)]).toEqual([probability, true]);
  return terms;
}

test("every surprise is the product of its factors, and the one that an observation would tell", () => {
  const random = new Random(61);
  const processor = living(random, 12);
  let unexpected = 0;
  let corrected = 0;
  for (let at = 0; at < 60; at++) {
    const strings = Array.from({ length: 1 + random.below(4) }, () => `s${random.below(20)}`);
    const { explanation } = processor.memory.explainSurprise({ event: { symbols: strings } });
    const { surprise } = processor.memory.observe(gdfOf({ strings }), [], undefined, true).observed;
    expect(explanation?.surprise).toEqual(surprise);
    if (explanation === undefined) throw new Error("nothing was explained");
    const reply = create(ExplainSurpriseResponseSchema, { explanation, stamp });
    const terms: Schemas.SurpriseExplanation = JSON.parse(
      encodeField(ExplainSurpriseResponseSchema, "explanation")(reply),
    ).message;
    expect(evaluate(surpriseProbability(terms))).toBe(surprise?.probability);
    expect(evaluate(bitsOf(terms))).toBe(surprise?.bits);
    expect(evaluate(unexpectedOf(terms))).toBe(terms.unexpected_probability);
    for (const factor of terms.factors) expect(evaluate(factorOf(factor))).toBe(factor.factor);
    corrected += terms.factors.filter(({ prior, factor }) => prior !== factor).length;
    expect(new Set(terms.factors.map(({ symbol }) => symbol))).toEqual(new Set(strings));
    unexpected += terms.symbols.filter(({ given, probability }) => given === 0 && probability > 0).length;
    if (at % 20 === 19) processor.memory.learn();
    if (at % 20 === 19) processor.memory.observe(gdfOf({ strings: ["s1"] }), []);
  }
  expect(unexpected).toBeGreaterThan(10);
  expect(corrected).toBeGreaterThan(10);
});

test("each rule of forecasts has its words", () => {
  expect(RULE_WORDS.length).toBe(RULES);
  expect(new Set(RULE_WORDS.map(({ name }) => name)).size).toBe(RULES);
});

test("a model that does not match has no explanation, and one that is not there is refused", () => {
  const processor = openProcessor(new MemoryStore(), soleKernel());
  for (const strings of [["a"], ["b"]]) processor.memory.observe(gdfOf({ strings }), []);
  const { model } = processor.memory.learn();
  expect(processor.memory.explainPrediction(model)).toEqual({});
  processor.memory.observe(gdfOf({ strings: ["c"] }), []);
  expect(processor.memory.explainPrediction(model)).toEqual({});
  expect(processor.memory.explainForecast({ symbol: "a", within: false })).toEqual({});
  expect(processor.memory.explainSurprise({ event: { symbols: ["a"] }, sequence: { events: [] } })).toEqual({});
  expect(() => processor.memory.explainSurprise({})).toThrow("event must hold at least one symbol");
  expect(() => processor.memory.explainPrediction("0".repeat(40))).toThrow(`no model has the name "0000`);
});
