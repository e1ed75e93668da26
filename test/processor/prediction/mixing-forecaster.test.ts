import { describe, expect, test } from "vitest";
import { CONFIDENCE_BOUNDS, type ForecastRules, RECORD_NUMBERS, RULES } from "../../../src/processor/ports/forecaster";
import { MixingForecaster } from "../../../src/processor/prediction/mixing-forecaster";

/** Only the first rule speaks, and gives the symbols 1, 2, … these probabilities. */
function rulesThatSay(given: number[], isCrowded: boolean): ForecastRules {
  const table = {
    speaking: 1,
    isCrowded,
    symbols: Uint32Array.from([0, ...given], (_, at) => at),
    supports: new Uint32Array(given.length + 1).fill(1),
    rests: Float64Array.of(0.25, 0, 0, 0, 1, 0),
    probabilities: Float64Array.from({ length: (given.length + 1) * RULES }, (_, at) =>
      at % RULES === 0 ? ([0, ...given][at / RULES] ?? 0) : 0,
    ),
  };
  const together = () => new Float64Array();
  const answers = { context: 1, models: 1, ahead: () => table, together, strongest: () => [] };
  return { steps: 0, ask: (_, __, work) => work(answers) };
}

/** What the next event holds when first symbols of 0.45 to 0.65 have come so often in a million; of equal ones the greater symbol first. */
function nextStep(given: number[], isCrowded: boolean, right = 200_000) {
  const numbers = new Array<number>(RECORD_NUMBERS).fill(0);
  numbers[2 * RULES + 5] = 1_000_000;
  numbers[2 * RULES + CONFIDENCE_BOUNDS.length + 1 + 5] = right;
  const { steps } = new MixingForecaster(rulesThatSay(given, isCrowded)).forecast({
    symbols: Uint32Array.of(1),
    lengths: Uint32Array.of(1),
    target: undefined,
    totals: { modelFrequencies: 1, symbolFrequencies: 1, memberFrequencies: 1 },
    record: [numbers],
    steps: 1000,
    horizon: 1,
    top: 10,
    compare: (one, other) => other - one,
  });
  return steps[0];
}

function forecast(given: number[], isCrowded = false): [symbol: number, probability: number][] {
  return (nextStep(given, isCrowded)?.symbols ?? []).map(({ symbol, probability }) => [symbol, probability]);
}

describe("a first symbol that comes less often than the rules say", () => {
  test("stays the only one of its probability, in front of those that the rules gave less", () => {
    const [first, second, third] = forecast([0.5, 0.45, 0.4]);
    expect(first?.[0]).toBe(1);
    expect(first?.[1]).toBeCloseTo(0.2, 4);
    expect(second?.[1]).toBeLessThan(first?.[1] ?? 0);
    expect(second?.[1]).toBeCloseTo(0.2, 4);
    expect([second?.[0], third?.[0]]).toEqual([3, 2]);
    expect(third?.[1]).toBe(second?.[1]);
  });

  test("stays as probable as one to which the rules gave as much", () => {
    const [first, second, third] = forecast([0.5, 0.5, 0.1]);
    expect([first?.[0], second?.[0], third?.[0]]).toEqual([2, 1, 3]);
    expect(second?.[1]).toBe(first?.[1]);
    expect(third?.[1]).toBeCloseTo(0.16, 4);
  });

  test("is left as it is where events hold several symbols", () => {
    expect(forecast([0.5, 0.45, 0.4], true)).toEqual([
      [1, 0.5],
      [2, 0.45],
      [3, 0.4],
    ]);
  });
});

describe("what the rules leave", () => {
  test("is what the rules that speak leave, and shrinks with what the symbols but the first have", () => {
    expect(nextStep([0.5, 0.3], true)?.rest).toBe(0.25);
    // Twice as much is left to the others, and a fifth of what was.
    expect(nextStep([0.5, 0.3], false, 0)?.rest).toBe(0.25);
    expect(nextStep([0.5, 0.3], false, 900_000)?.rest).toBeCloseTo(0.05, 4);
  });
});

/** What the forecast gives symbol 1, which the rule of order gives all, and symbol 2, which the rule of alike places gives all. */
function contested(
  orderHits: number,
  alikeHits: number,
  speaking: number,
  isCrowded = false,
  came = 0,
): (number | undefined)[] {
  const alike = RULES - 1;
  const numbers = new Array<number>(RECORD_NUMBERS).fill(0);
  numbers[4] = 1024 * came;
  numbers[RULES] = orderHits;
  numbers[RULES + alike] = alikeHits;
  const probabilities = new Float64Array(3 * RULES);
  probabilities[RULES] = 1;
  probabilities[2 * RULES + alike] = 1;
  const table = {
    speaking,
    isCrowded,
    symbols: Uint32Array.of(0, 1, 2),
    supports: Uint32Array.of(0, 1, 1),
    rests: new Float64Array(RULES),
    probabilities,
  };
  const rules: ForecastRules = {
    steps: 0,
    ask: (_, __, work) =>
      work({ context: 1, models: 1, ahead: () => table, together: () => new Float64Array(), strongest: () => [] }),
  };
  const { steps } = new MixingForecaster(rules).forecast({
    symbols: Uint32Array.of(1),
    lengths: Uint32Array.of(1),
    target: undefined,
    totals: { modelFrequencies: 1, symbolFrequencies: 1, memberFrequencies: 1 },
    record: [numbers],
    steps: 1000,
    horizon: 1,
    top: 10,
    compare: (one, other) => one - other,
  });
  const given = new Map((steps[0]?.symbols ?? []).map(({ symbol, probability }) => [symbol, probability]));
  return [given.get(1), given.get(2)];
}

describe("alike places", () => {
  const BOTH = 0b100001;

  test("say nothing while order was clearly right more often", () => {
    expect(contested(20, 18, BOTH)).toEqual([1, undefined]);
    expect(contested(20, 18, BOTH, true)).toEqual([1, undefined]);
  });

  test("say nothing where order is seldom right, unless they were clearly right more often", () => {
    expect(contested(20, 20, BOTH, false, 41)).toEqual([1, undefined]);
    expect(contested(20, 23, BOTH, false, 41)).toEqual([1, undefined]);
    expect(contested(20, 24, BOTH, false, 41)[1]).toBeGreaterThan(0);
    expect(contested(20, 20, BOTH, false, 40)[1]).toBeGreaterThan(0);
  });

  test("speak instead of order where events hold several symbols", () => {
    expect(contested(20, 19, BOTH, true)).toEqual([undefined, 1]);
    expect(contested(4, 5, BOTH, true)).toEqual([undefined, 1]);
    expect(contested(4, 5, 0b000001, true)).toEqual([1, undefined]);
  });

  test("speak when they were right nearly as often, when more often, and where order is silent", () => {
    expect(contested(4, 4, BOTH)).toEqual([0.5, 0.5]);
    expect(contested(20, 19, BOTH).every((probability) => (probability ?? 0) > 0)).toBe(true);
    const [order, alike] = contested(4, 5, BOTH);
    expect(alike).toBeGreaterThan(order ?? 1);
    expect(contested(5, 4, 0b100000)).toEqual([undefined, 1]);
  });
});

describe("a comparison says whether a rule was right, and whether one was wrong", () => {
  /** Of three symbols the second came. @param firsts the first symbol of each rule; 0 for one that takes no part */
  function told(firsts: readonly number[], again = false): boolean[] {
    const speaking = firsts.reduce((bits, first, rule) => bits | (Number(first > 0) << rule), 0);
    const probabilities = Float64Array.from({ length: 4 * RULES }, (_, at) =>
      firsts[at % RULES] === Math.floor(at / RULES) && at >= RULES ? 0.5 : 0,
    );
    const rules: ForecastRules = {
      steps: 0,
      ask: (_, __, work) =>
        work({
          context: 1,
          models: 1,
          ahead: () => ({
            speaking,
            isCrowded: false,
            symbols: Uint32Array.of(0, 1, 2, 3),
            supports: new Uint32Array(4).fill(1),
            rests: new Float64Array(RULES),
            probabilities,
          }),
          together: () => new Float64Array(),
          strongest: () => [],
        }),
    };
    const { someRight, someWrong } = new MixingForecaster(rules).grade({
      symbols: Uint32Array.of(1),
      lengths: Uint32Array.of(1),
      target: undefined,
      totals: { modelFrequencies: 1, symbolFrequencies: 1, memberFrequencies: 1 },
      record: [],
      steps: 1000,
      horizon: 1,
      came: new Set([2]),
      excluded: 0,
      again,
      compare: (one, other) => one - other,
    });
    return [someRight, someWrong];
  }

  test.each([
    ["both", [2, 2, 2, 2, 2, 3], [true, true]],
    ["all right", [2, 2, 2, 2, 2, 2], [true, false]],
    ["only that of frequency wrong", [2, 2, 2, 2, 1, 2], [true, false]],
    ["only that of frequency right", [1, 3, 3, 3, 2, 3], [false, true]],
    ["those right that take part", [0, 2, 2, 2, 1, 0], [true, false]],
    ["the first wrong, the last without a part", [1, 2, 2, 2, 2, 0], [true, true]],
  ])("%s", (_, firsts, expected) => {
    expect(told(firsts)).toEqual(expected);
  });

  test("neither when what is compared was compared before", () => {
    expect(told([2, 2, 2, 2, 2, 3], true)).toEqual([false, false]);
  });
});

describe("within more events", () => {
  /** What the rule of order gives the symbols 1 and 2, by the events ahead that are asked about; nothing is corrected. */
  const GIVEN: Record<string, [one: number, two: number]> = {
    "1-1": [0.5, 0.25],
    "2-2": [0.125, 0.125],
    "3-3": [0.125, 0.125],
    "1-2": [0.25, 0.375],
    "1-3": [0.375, 0.25],
  };
  const rulesOf = (given: typeof GIVEN): ForecastRules => ({
    steps: 0,
    ask: (_, __, work) =>
      work({
        context: 1,
        models: 1,
        ahead: (first, last) => {
          const [one, two] = given[`${first}-${last}`] ?? [0, 0];
          const none = new Array<number>(RULES - 1).fill(0);
          return {
            speaking: 1,
            isCrowded: true,
            symbols: Uint32Array.of(0, 1, 2),
            supports: Uint32Array.of(0, 1, 1),
            rests: new Float64Array(RULES),
            probabilities: Float64Array.of(0, ...none, one, ...none, two, ...none),
          };
        },
        together: () => new Float64Array(),
        strongest: () => [],
      }),
  });
  const forecaster = new MixingForecaster(rulesOf(GIVEN));
  const context = {
    symbols: Uint32Array.of(1),
    lengths: Uint32Array.of(1),
    target: undefined,
    totals: { modelFrequencies: 1, symbolFrequencies: 1, memberFrequencies: 1 },
    record: [],
    steps: 1000,
    compare: (one: number, other: number) => one - other,
  };
  /** From 0.5 to the next number above. */
  const STEP = 2 ** -53;

  test("the first symbol of each list is put above all that fewer events give another", () => {
    const within = (horizon: number) =>
      forecaster
        .forecast({ ...context, horizon, top: 10 })
        .within.map(({ symbol, probability }) => [symbol, probability]);
    expect(within(1)).toEqual([
      [1, 0.5],
      [2, 0.25],
    ]);
    expect(within(2)).toEqual([
      [2, 0.5 + STEP],
      [1, 0.5],
    ]);
    expect(within(3)).toEqual([
      [1, 0.5 + 2 * STEP],
      [2, 0.5 + STEP],
    ]);
  });

  test("an explanation names the nearest step or shorter horizon that gives as much", () => {
    const nearer = (symbol: number, horizon: number) =>
      forecaster.explain({ ...context, symbol, horizon, isWithin: true })?.likeliestStep;
    const next = { horizon: 1, isWithin: false, symbol: 1, probability: 0.5 };
    const two = { horizon: 2, isWithin: true, symbol: 2, probability: 0.5 + STEP };
    expect(nearer(1, 1)).toBeUndefined();
    expect([nearer(1, 2), nearer(2, 2)]).toEqual([next, next]);
    expect([nearer(1, 3), nearer(2, 3)]).toEqual([two, two]);
  });

  test("a symbol that is certain is not put above another that is", () => {
    const certain = new MixingForecaster(rulesOf({ "1-1": [0, 1], "2-2": [0, 0], "1-2": [1, 0.5] }));
    const { within } = certain.forecast({ ...context, horizon: 2, top: 10 });
    expect(within.map(({ symbol, probability }) => [symbol, probability])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    const explanation = certain.explain({ ...context, symbol: 1, horizon: 2, isWithin: true });
    expect(explanation?.probability).toBe(1);
    expect(explanation?.likeliestStep).toEqual({ horizon: 1, isWithin: false, symbol: 2, probability: 1 });
  });
});
