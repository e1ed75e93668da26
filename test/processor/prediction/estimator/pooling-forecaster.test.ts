/** What the pool makes of what rules give, and what a grading changes, with rules whose answers are written here. */

import { describe, expect, test } from "vitest";
import {
  CORRECTION,
  CORRECTION_CURVATURE,
  CURVATURE,
  checkRecord,
  ENDS_LEFT_OUT,
  FORECASTS,
  HITS,
} from "../../../../src/processor/knowledge/forecast-record";
import {
  ALIKE,
  BEHIND,
  EMPTY_RECORD,
  type ForecastContext,
  type ForecastRecord,
  type ForecastRules,
  NEAR,
  ORDER,
  RECORD_NUMBERS,
  RULE_PAIRS,
  RULES,
  type RuleTable,
} from "../../../../src/processor/ports/forecaster";
import { bucketOf } from "../../../../src/processor/prediction/estimator/pool";
import { PoolingForecaster } from "../../../../src/processor/prediction/estimator/pooling-forecaster";
import { ESTIMATOR } from "../../../../src/processor/prediction/estimator/settings";

/**
 * What each rule gives the symbols 1, 2, …; a rule that is missing takes no part. Order and alike give as much where
 * only one is there.
 */
interface Given {
  order: readonly number[];
  alike?: readonly number[];
  behind?: readonly number[];
  near?: readonly number[];
  isCrowded?: boolean;
  /** What order and alike leave. */
  rest?: number;
  end?: number;
  /** How often each symbol followed the longest order, after how often unnamed ones did; with its length. */
  counts?: readonly number[];
  longestOrder?: number;
}

function tableOf(given: Given): RuleTable {
  const { order, alike = order, behind, near, isCrowded = false, rest = 0, end = 0 } = given;
  const { counts = [], longestOrder = 0 } = given;
  const columns = [order, behind, alike, near];
  const speaking = columns.reduce((bits, column, rule) => bits | (Number(column !== undefined) << rule), 0);
  return {
    speaking,
    isCrowded,
    behind: 0,
    longestOrder,
    counts: Float64Array.from(counts),
    counted: counts.reduce((sum, count) => sum + count, 0),
    symbols: Uint32Array.from([0, ...order], (_, at) => at),
    supportOf: () => 1,
    rests: Float64Array.of(rest, 0, rest, 0),
    probabilities: Float64Array.from(
      [0, ...order].flatMap((_, at) => columns.map((column) => (at === 0 ? end : (column?.[at - 1] ?? 0)))),
    ),
  };
}

function rulesOf(given: (first: number, last: number) => Given): ForecastRules {
  return {
    steps: 0,
    neighbourSteps: 0,
    series: (work) => work(),
    ask: (_, __, work) =>
      work({
        context: 1,
        models: 1,
        ahead: (first, last) => tableOf(given(first, last)),
        together: () => new Float64Array(),
        strongest: () => [],
        nearest: () => [],
      }),
  };
}

/** A record whose parts all have these numbers, and zeros elsewhere. */
function recordOf(numbers: Record<number, number>): ForecastRecord {
  return EMPTY_RECORD.map(() => Array.from({ length: RECORD_NUMBERS }, (_, at) => numbers[at] ?? 0));
}

function contextOf(record: ForecastRecord): ForecastContext & { compare: (one: number, other: number) => number } {
  return {
    symbols: Uint32Array.of(1),
    lengths: Uint32Array.of(1),
    target: undefined,
    totals: { modelFrequencies: 1, symbolFrequencies: 1, memberFrequencies: 1 },
    record,
    steps: 1000,
    // Of equal ones the greater symbol first.
    compare: (one, other) => other - one,
  };
}

function forecast(given: Given | ((first: number, last: number) => Given), record = EMPTY_RECORD, horizon = 1) {
  const rules = rulesOf(typeof given === "function" ? given : () => given);
  return new PoolingForecaster(rules).forecast({ ...contextOf(record), horizon, top: 10 });
}

/** The symbols of the next event with their probabilities. */
function next(given: Given, record = EMPTY_RECORD): [symbol: number, probability: number][] {
  return (forecast(given, record).steps[0]?.symbols ?? []).map(({ symbol, probability }) => [symbol, probability]);
}

describe("the pool", () => {
  test("gives what the rules give where they agree, whatever their weights sum to 1 are", () => {
    const [first, second] = next({ order: [0.75, 0.25], behind: [0.75, 0.25], near: [0.75, 0.25] });
    expect(first?.[1]).toBeCloseTo(0.75, 5);
    expect(second?.[1]).toBeCloseTo(0.25, 5);
  });

  test("takes the geometric mean before anything was graded; a rule that takes no part gives the base", () => {
    const given = { order: [0.6, 0.4], near: [0.1, 0.9] };
    const near = [0.8 * 0.1 + 0.2 * 0.6, 0.8 * 0.9 + 0.2 * 0.4];
    const scores = [0.6 ** 0.75 * (near[0] as number) ** 0.25, 0.4 ** 0.75 * (near[1] as number) ** 0.25];
    const other = 1e-6;
    const sum = (scores[0] as number) + (scores[1] as number) + other;
    const found = new Map(next(given));
    expect(found.get(1)).toBeCloseTo((scores[0] as number) / sum, 10);
    expect(found.get(2)).toBeCloseTo((scores[1] as number) / sum, 10);
  });

  test("follows the weights of the bucket and of the part, and turns round what a negative one says", () => {
    const given = { order: [0.5, 0.5], near: [0.1, 0.9] };
    const [bucketNear, partNear] = [RULES + 1 + NEAR, NEAR];
    const second = (numbers: Record<number, number>) => new Map(next(given, recordOf(numbers))).get(2) ?? 0;
    const plain = second({});
    expect(second({ [bucketNear]: 1 })).toBeGreaterThan(plain);
    expect(second({ [bucketNear]: 1 })).toBe(second({ [partNear]: 1 }));
    expect(second({ [bucketNear]: -1 })).toBeLessThan(0.5);
    // The weights of another bucket count elsewhere.
    expect(second({ [bucketNear + 5]: 1 })).toBe(plain);
  });

  test("stays finite and sums to 1 with the greatest weights that a record may have", () => {
    for (const weight of [-1000, 1000]) {
      const { steps } = forecast(
        { order: [1, 0, 0.5], behind: [0, 1, 0] },
        recordOf({ [ORDER]: weight, [BEHIND]: weight }),
      );
      const sum = (steps[0]?.symbols ?? []).reduce(
        (total, { probability }) => total + probability,
        steps[0]?.none ?? 0,
      );
      expect(sum).toBeCloseTo(1, 10);
    }
  });

  test("takes probabilities of 0 and 1, and never gives certainty", () => {
    const found = next({ order: [1, 0], alike: [1, 0], behind: [1, 0], near: [1, 0] });
    expect(found.map(([symbol]) => symbol)).toEqual([1, 2]);
    expect(found[0]?.[1]).toBeCloseTo(1, 5);
    expect(found[1]?.[1]).toBeGreaterThan(0);
  });

  test("has twelve buckets, by how many events are left and how long an order matches", () => {
    const orders = [0, 1, 2, 3, 4, 10];
    const buckets = [0, 1.49, 1.5, 3.9, 4, 15.9, 16, 100].map((behind) =>
      orders.map((longestOrder) => bucketOf({ behind, longestOrder })),
    );
    const row = (first: number) => [first, first, first + 1, first + 1, first + 2, first + 2];
    expect(buckets).toEqual([0, 0, 3, 3, 6, 6, 9, 9].map(row));
  });
});

test("a forecast whose models are not asked for names none, and is otherwise the same", () => {
  const asked: number[] = [];
  const plain = rulesOf(() => ({ order: [0.5, 0.25] }));
  const rules: ForecastRules = {
    steps: 0,
    neighbourSteps: 0,
    series: (work) => work(),
    ask: (context, excluded, work) =>
      plain.ask(context, excluded, (answers) => {
        const strongest = (symbol: number) => {
          asked.push(symbol);
          return [7];
        };
        return work({ ...answers, strongest });
      }),
  };
  const question = { ...contextOf(EMPTY_RECORD), horizon: 1, top: 10 };
  const [whole] = new PoolingForecaster(rules).forecast(question).steps;
  expect(asked).toEqual([1, 2]);
  expect(whole?.symbols.map(({ models }) => models)).toEqual([[7], [7]]);
  const [bare] = new PoolingForecaster(rules).forecast({ ...question, isWithoutModels: true }).steps;
  expect(asked).toEqual([1, 2]);
  expect(bare).toEqual({ ...whole, symbols: whole?.symbols.map((symbol) => ({ ...symbol, models: [] })) });
});

describe("a first symbol that comes less often than the pool says", () => {
  /** First symbols of 0.5, whose log odds are 0, came in this part of all cases. */
  const came = (right: number) => recordOf({ [CORRECTION + 1]: 2 * Math.log(right / (1 - right)) });

  test("stays the only one of its probability, in front of those that had less", () => {
    const [first, second, third] = next({ order: [0.5, 0.45, 0.05] }, came(0.2));
    expect(first?.[0]).toBe(1);
    expect(first?.[1]).toBeCloseTo(0.2, 4);
    expect(second?.[1]).toBeLessThan(first?.[1] ?? 0);
    expect(second?.[1]).toBeCloseTo(0.2, 4);
    expect([second?.[0], third?.[0]]).toEqual([2, 3]);
  });

  test("stays as probable as one that had as much", () => {
    const [first, second] = next({ order: [0.5, 0.5] }, came(0.2));
    expect([first?.[0], second?.[0]]).toEqual([2, 1]);
    expect(second?.[1]).toBe(first?.[1]);
  });

  test("leaves more to all that is not named, and one that comes more often leaves less", () => {
    const given = { order: [0.5, 0.3], rest: 0.2 };
    expect(forecast(given).steps[0]?.rest).toBeCloseTo(0.2, 5);
    expect(forecast(given, came(1e-6)).steps[0]?.rest).toBeCloseTo(0.4, 4);
    expect(forecast(given, came(0.9)).steps[0]?.rest).toBeCloseTo(0.04, 4);
  });

  test("is left as it is at the steps that follow the next event", () => {
    const never = recordOf({ [CORRECTION + 1]: -40, [FORECASTS + 7]: 1_000_000 });
    const { steps, within } = forecast({ order: [0.5, 0.3] }, never, 2);
    expect(steps[1]?.symbols[0]?.probability).toBeGreaterThan(0.5);
    expect(steps[0]?.symbols[0]?.probability).toBeLessThan(0.001);
    // The own list within two events is corrected, too; the second step raises it.
    expect(within[0]?.probability).toBe(steps[1]?.symbols[0]?.probability);
  });
});

test("within some events, a symbol comes at least once if it has its share in each", () => {
  const { within } = forecast((first) => ({ order: first === 1 ? [0.5, 0.5] : [0.25, 0.75] }), EMPTY_RECORD, 3);
  // Two equal shares: each is in one of three events with 1 - 0.5^3.
  expect(within[0]?.probability).toBeCloseTo(1 - 0.5 ** 3, 4);
});

describe("steps that agree with the list up to them", () => {
  /** The list within two events has proved true of its first symbol, 1; the second step hardly gives it anything. */
  const given = (first: number, last: number) => {
    if (last === 1) return { order: [0.25, 0.25, 0.5] };
    return { order: first === 1 ? [0.5, 0.25, 0.25] : [0.0625, 0.1875, 0.75] };
  };
  const always = recordOf({ [FORECASTS + 7]: 1e9, [HITS + 7]: 1e9, [FORECASTS + 6]: 1e9, [HITS + 6]: 0.875e9 });
  const { steps, within } = forecast(given, always, 2);
  const of = (list: readonly { symbol: number; probability: number }[] = [], symbol = 0) =>
    list.find((one) => one.symbol === symbol)?.probability ?? 0;

  test("give its first symbol what is missing, and the others the rest in proportion", () => {
    expect(of(within, 1)).toBeCloseTo(0.875, 4);
    expect(of(steps[1]?.symbols, 1)).toBeCloseTo(0.875 - 0.25, 4);
    const scale = (1 - 0.625) / (1 - 0.0625);
    expect(of(steps[1]?.symbols, 2)).toBeCloseTo(0.1875 * scale, 4);
    expect(of(steps[1]?.symbols, 3)).toBeCloseTo(0.75 * scale, 4);
  });

  test("limit what the list gives the others", () => {
    // By itself the list gives each of them 1 - 0.75^2. The first step gives one of them more.
    expect(of(within, 2)).toBe(of(steps[0]?.symbols, 2) + of(steps[1]?.symbols, 2));
    expect(of(within, 3)).toBe(of(steps[0]?.symbols, 3));
    const longer = forecast(given, always, 10);
    expect(longer.steps.slice(0, 2)).toEqual(steps);
  });

  test("say so in explanations", () => {
    const explain = (symbol: number, isWithin: boolean) =>
      new PoolingForecaster(rulesOf(given)).explain({ ...contextOf(always), symbol, horizon: 2, isWithin });
    const { correction } = explain(2, false) ?? {};
    expect(correction).toMatchObject({ first: 1, within: of(within, 1), sumBefore: of(steps[0]?.symbols, 1) });
    expect(correction?.mixed).toBeCloseTo(0.0625, 4);
    expect(correction?.proved).toBe(of(steps[1]?.symbols, 1));
    expect(explain(2, false)?.probability).toBe(of(steps[1]?.symbols, 2));
    expect(explain(2, true)).toMatchObject({ probability: of(within, 2), sumOfSteps: of(within, 2) });
    expect(explain(1, true)?.sumOfSteps).toBeGreaterThanOrEqual(of(within, 1));
    expect(explain(1, false)).not.toHaveProperty("sumOfSteps");
  });
});

describe("what followed the longest order", () => {
  const given = { order: [0.5, 0.5], near: [0.5, 0.5], counts: [10, 30, 88], longestOrder: 3 };
  /** Half of what came was a shared end. */
  const halfLeftOut = recordOf({ [ENDS_LEFT_OUT]: 40, [RULES]: 30, [RULES + 5]: 10 });

  test("updates the shares of the next event where shared ends were left out", () => {
    // The shares are worth 128 occurrences, times 2.
    const [step] = forecast(given, halfLeftOut).steps;
    expect(step?.symbols.map(({ symbol }) => symbol)).toEqual([2, 1]);
    expect(step?.symbols[0]?.probability).toBeCloseTo((88 + 256 * 0.5) / 384, 5);
    expect(step?.symbols[1]?.probability).toBeCloseTo((30 + 256 * 0.5) / 384, 5);
    expect(step?.rest).toBeCloseTo(10 / 384, 5);
  });

  test("counts the less the fewer ends were left out, and nothing without one", () => {
    const few = recordOf({ [ENDS_LEFT_OUT]: 1, [RULES]: 99 });
    const [first] = next(given, few);
    expect(first?.[1]).toBeCloseTo((88 + 12_800 * 0.5) / (128 + 12_800), 5);
    const none = recordOf({ [RULES]: 99 });
    expect(next(given, none)).toEqual(next({ ...given, counts: [] }, none));
  });

  test("is what an explanation of the next event names", () => {
    const explain = (horizon: number) =>
      new PoolingForecaster(rulesOf(() => given)).explain({
        ...contextOf(halfLeftOut),
        symbol: 2,
        horizon,
        isWithin: false,
      });
    const { followed, share = 0, mixed } = explain(1) ?? {};
    expect(followed).toEqual({ count: 88, of: 128, prior: 256 });
    expect(mixed).toBe((88 + 256 * share) / (128 + 256));
    expect(explain(2)).not.toHaveProperty("followed");
  });
});

describe("where an event holds several symbols", () => {
  test("the first of equal symbols is that of the list, also when the next table has taken the place of its symbols", () => {
    const symbols = new Uint32Array(3);
    // Two symbols are equal within two events, and the second event's table has them in another order.
    const tables: Record<string, { order: number[]; numbers: number[] }> = {
      "1-1": { order: [0, 1, 2], numbers: [0, 0.5, 0.1] },
      "1-2": { order: [0, 1, 2], numbers: [0, 0.5, 0.5] },
      "2-2": { order: [0, 2, 1], numbers: [0, 0.1, 0.1] },
    };
    const ahead = (first: number, last: number) => {
      const { order = [], numbers = [] } = tables[`${first}-${last}`] ?? {};
      symbols.set(order);
      return { ...tableOf({ order: [0, 0], isCrowded: true }), symbols, alikeAlone: Float64Array.from(numbers) };
    };
    const rules = rulesOf(() => ({ order: [] }));
    const ask: ForecastRules["ask"] = (query, excluded, work) =>
      rules.ask(query, excluded, (answers) => work({ ...answers, ahead }));
    const query = { ...contextOf(EMPTY_RECORD), horizon: 2, top: 10 };
    const { within } = new PoolingForecaster({ ...rules, ask }).forecast(query);
    // Of equal ones the greater symbol is the first, so it is raised above the other one, which has as much in step 1.
    expect(within.map(({ symbol, probability }) => [symbol, probability])).toEqual([
      [2, 0.5 / (1 - 2 ** -53)],
      [1, 0.5],
    ]);
  });

  const given = { order: [0.9, 0.1], alike: [0.8, 0.7], behind: [0, 1], rest: 0.25, end: 0.05, isCrowded: true };

  test("the rule of what is alike says all, and nothing is corrected", () => {
    const [step] = forecast(given, recordOf({ [FORECASTS + 6]: 1000 })).steps;
    expect(step?.symbols.map(({ symbol, probability }) => [symbol, probability])).toEqual([
      [1, 0.8],
      [2, 0.7],
    ]);
    expect([step?.rest, step?.none]).toEqual([0.25, 0.05]);
  });

  test("an explanation says so", () => {
    const explained = new PoolingForecaster(rulesOf(() => given)).explain({
      ...contextOf(EMPTY_RECORD),
      symbol: 2,
      horizon: 1,
      isWithin: false,
    });
    expect(explained).toMatchObject({ mixed: 0.7, probability: 0.7 });
    expect(explained?.rules[ALIKE]).toEqual({ takesPart: true, weight: 1, given: 0.7, probability: 0.7, evidence: 0 });
    expect(explained?.rules[BEHIND]).toMatchObject({ takesPart: false, weight: 0, given: 1 });
    expect(["share", "normalizer", "situation", "correction"].filter((member) => member in (explained ?? {}))).toEqual(
      [],
    );
  });
});

test("an explanation adds up to the share, and its evidence is 0 on average", () => {
  const given = { order: [0.5, 0.3], alike: [0.4, 0.4], near: [0.2, 0.8] };
  const forecaster = new PoolingForecaster(rulesOf(() => given));
  const explain = (symbol: number) =>
    forecaster.explain({ ...contextOf(recordOf({ [NEAR]: -0.5 })), symbol, horizon: 1, isWithin: false });
  const shares = [1, 2].map((symbol) => {
    const { rules = [], normalizer = 0, share = 0 } = explain(symbol) ?? {};
    const score = rules.reduce((sum, { weight, probability }) => sum + weight * Math.log(probability), 0);
    expect(Math.exp(score - normalizer)).toBeCloseTo(share, 12);
    expect(rules[NEAR]?.weight).toBe(-0.25);
    return share;
  });
  const evidence = [1, 2].map((symbol, at) => (shares[at] as number) * (explain(symbol)?.rules[NEAR]?.evidence ?? 0));
  expect((evidence[0] as number) + (evidence[1] as number)).toBeCloseTo(0, 2);
  expect(explain(1)?.rules[NEAR]?.evidence).toBeGreaterThan(0);
  expect(explain(2)?.rules[NEAR]?.evidence).toBeLessThan(0);
  expect(explain(9)).toMatchObject({ share: 0, mixed: 0, probability: 0 });
});

describe("a grading", () => {
  const GIVEN = { order: [0.5, 0.5], near: [0.1, 0.9], rest: 0.001 };
  const BUCKET = RULES;

  type Grading = {
    horizon?: number;
    weight?: number;
    correctionWeight?: number;
    isEnd?: boolean;
    record?: ForecastRecord;
    given?: Given;
  };

  function graded(came: number[], grading: Grading = {}) {
    const { horizon = 1, weight = 1, isEnd = false, record = EMPTY_RECORD, given = GIVEN } = grading;
    const { correctionWeight = weight } = grading;
    const weights = { weight, correctionWeight };
    const outcome = { ...contextOf(record), horizon, came: Uint32Array.from(came), ...weights, isEnd, excluded: 0 };
    return new PoolingForecaster(rulesOf(() => given)).grade(outcome);
  }

  test("moves weights towards the rule that was right, in its bucket and in its part, and nothing of other parts", () => {
    const [part = [], ...others] = graded([2]);
    expect(others).toEqual([[], [], []]);
    expect(part[NEAR]).toBeGreaterThan(0);
    // The first bucket that is graded has all gradings.
    expect(part.slice(BUCKET + 1, BUCKET + 1 + RULES)).toEqual(part.slice(0, RULES));
    expect(part[BUCKET]).toBe(1);
    expect(part.slice(BUCKET + 5, FORECASTS).every((number) => number === 0)).toBe(true);
    expect(graded([1])[0]?.[NEAR]).toBeLessThan(0);
  });

  test("adds the covariance of the rules' logarithms, by which a step is the shorter the more was graded", () => {
    const [one = [], four = []] = [graded([2])[0], graded([2], { weight: 4 })[0]];
    const curvatureOf = (part: readonly number[]) => part.slice(CURVATURE, CORRECTION);
    expect(curvatureOf(four)).toEqual(curvatureOf(one).map((curvature) => 4 * curvature));
    const nearest = RULE_PAIRS - 1;
    expect(curvatureOf(one)[nearest]).toBeGreaterThan(0);
    expect(four[NEAR]).toBeGreaterThan(3 * (one[NEAR] ?? 0));
    expect(four[NEAR]).toBeLessThan(4 * (one[NEAR] ?? 0));
    // One rule alone has a curvature: the step is the gradient divided by that and the prior.
    const bent = recordOf({ [CURVATURE + nearest]: 1e6 });
    const [stiff = []] = graded([2], { record: bent });
    expect(stiff[NEAR]).toBeLessThan((one[NEAR] ?? 0) / 1e3);
    expect(stiff[ORDER]).toBeCloseTo(one[ORDER] ?? 0, 2);
  });

  test("moves a bucket by its part of the gradings: one that has seen few moves further", () => {
    const BENT = { [CURVATURE]: 500, [CURVATURE + 4]: 500, [CURVATURE + 7]: 500, [CURVATURE + 9]: 500 };
    const OTHER_BUCKET = BUCKET + 1 + RULES;
    const moved = (numbers: Record<number, number>) =>
      graded([2], { record: recordOf({ ...BENT, ...numbers }) })[0]?.[BUCKET + 1 + NEAR] ?? 0;
    expect(moved({ [BUCKET]: 10, [OTHER_BUCKET]: 90 })).toBeGreaterThan(
      2 * moved({ [BUCKET]: 90, [OTHER_BUCKET]: 10 }),
    );
  });

  test("within a horizon counts first symbols as often as its weight says, and five eighths as often at an end", () => {
    const rangesOf = (part: readonly number[] = []) =>
      [part.slice(FORECASTS, HITS), part.slice(HITS, CURVATURE)].map((ranges) => ranges.filter(Boolean));
    const graded2 = (isEnd: boolean) => graded([2, 2], { weight: 4, horizon: 2, isEnd })[1];
    expect(rangesOf(graded2(false))).toEqual([[4], [4]]);
    expect(rangesOf(graded2(true))).toEqual([[2.5], [2.5]]);
    expect(graded2(true)?.slice(0, FORECASTS)).toEqual(graded2(false)?.slice(0, FORECASTS));
    // The table has no part in the next event, and the logistic calibration none in lists within a horizon.
    expect(rangesOf(graded([2])[0])).toEqual([[], []]);
    expect(
      graded2(false)
        ?.slice(CORRECTION)
        .every((number) => number === 0),
    ).toBe(true);
  });

  test("of the next event moves the odds towards what came, by what the first symbol went by", () => {
    const nextOf = (came: number, isEnd = false) => (graded([came], { isEnd })[0] ?? []).slice(CORRECTION);
    const [odds = 0, probability = 0, behind, ...curvature] = nextOf(2);
    // The first symbol has 0.6 to 0.7: its log odds, and so the gradients, are above 0 where it came.
    expect(Math.min(odds, probability)).toBeGreaterThan(0);
    expect(
      nextOf(1)
        .slice(0, 2)
        .every((weight) => weight < 0),
    ).toBe(true);
    // Nothing stands behind in these tables.
    expect([behind, curvature[2], curvature[4], curvature[5]]).toEqual([0, 0, 0, 0]);
    expect(nextOf(2, true).slice(3)).toEqual(curvature.map((number) => expect.closeTo((5 / 8) * number, 12)));
    const [p] = next(GIVEN)[0]?.slice(1) ?? [];
    const raised = next(GIVEN, [graded([2])[0] ?? [], [], [], []])[0]?.[1] ?? 0;
    expect(raised).toBeGreaterThan(p ?? 1);
  });

  test("counts in the pool and in the correction by a weight of its own each", () => {
    const one = graded([2])[0] ?? [];
    const twice = graded([2], { correctionWeight: 2 })[0] ?? [];
    expect(twice.slice(0, CORRECTION)).toEqual(one.slice(0, CORRECTION));
    expect(twice.slice(CORRECTION_CURVATURE)).toEqual(one.slice(CORRECTION_CURVATURE).map((number) => 2 * number));
  });

  test("of the next event stays finite with curvatures that no gradings have", () => {
    const numbers = {
      [CORRECTION]: 1000,
      [CORRECTION + 1]: -1000,
      [CORRECTION_CURVATURE + 1]: -Number.MAX_SAFE_INTEGER,
    };
    for (const came of [1, 2]) {
      const [part = []] = graded([came], { record: recordOf(numbers) });
      expect(() => checkRecord([part, [], [], []], "it")).not.toThrow();
    }
    expect(next({ order: [1, 0], alike: [1, 0] }, recordOf(numbers)).every(([, p]) => p >= 0 && p <= 1)).toBe(true);
  });

  test("of several events counts each time that a symbol came", () => {
    const [, part = []] = graded([2, 2, 1], { horizon: 3 });
    const [, once = []] = graded([2, 1, 1], { horizon: 3 });
    expect(part[NEAR]).toBeGreaterThan(once[NEAR] ?? 0);
    expect(graded([2], { horizon: 4 })[2]?.length).toBe(RECORD_NUMBERS);
    expect(graded([2], { horizon: 10 })[3]?.length).toBe(RECORD_NUMBERS);
  });

  test("of what no model holds takes the others together", () => {
    const [part = []] = graded([77]);
    expect(part.slice(HITS, CURVATURE).every((number) => number === 0)).toBe(true);
    expect(part[NEAR]).toBeLessThan(0);
  });

  test("keeps weights within what a record may hold", () => {
    const [part = []] = graded([2], { weight: 4, record: recordOf({ [NEAR]: 1000, [BUCKET + 1 + NEAR]: -1000 }) });
    expect(Math.abs(part[NEAR] ?? 0)).toBeLessThanOrEqual(1000);
  });

  test("stays finite with curvatures that no gradings have", () => {
    const numbers = Array.from({ length: RULE_PAIRS }, (_, pair) => [CURVATURE + pair, -Number.MAX_SAFE_INTEGER]);
    for (const diagonal of [0, 4, 7, 9]) numbers[diagonal] = [CURVATURE + diagonal, 0];
    const [part = []] = graded([2], { record: recordOf(Object.fromEntries(numbers)) });
    expect(() => checkRecord([part, [], [], []], "it")).not.toThrow();
  });

  test("says nothing where an event holds several symbols", () => {
    expect(graded([2], { given: { ...GIVEN, isCrowded: true } })).toBe(EMPTY_RECORD);
  });
});

test("settings change what a bench varies, and nothing else", () => {
  const rules = rulesOf(() => ({ order: [0.6, 0.4], near: [0.1, 0.9] }));
  const query = { ...contextOf(EMPTY_RECORD), horizon: 1, top: 10 };
  const chances = (forecaster: PoolingForecaster) =>
    forecaster.forecast(query).steps[0]?.symbols.map((one) => one.probability);
  const standard = chances(new PoolingForecaster(rules));
  expect(chances(new PoolingForecaster(rules, { ...ESTIMATOR }))).toEqual(standard);
  expect(chances(new PoolingForecaster(rules, { ...ESTIMATOR, ownPart: 0.5, basePart: 0.5 }))).not.toEqual(standard);
});

describe("within more events", () => {
  /**
   * What the rule of what is alike gives the symbols 1 and 2, by the events ahead that are asked about; nothing is
   * corrected.
   */
  const GIVEN: Record<string, [one: number, two: number]> = {
    "1-1": [0.5, 0.25],
    "2-2": [0.125, 0.125],
    "3-3": [0.125, 0.125],
    "1-2": [0.25, 0.375],
    "1-3": [0.375, 0.25],
  };
  const rules = (given: typeof GIVEN) =>
    rulesOf((first, last) => ({ order: given[`${first}-${last}`] ?? [0, 0], isCrowded: true }));
  const forecaster = new PoolingForecaster(rules(GIVEN));
  const context = { ...contextOf(EMPTY_RECORD), compare: (one: number, other: number) => one - other };
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

  test("the lists within shorter horizons are those of forecasts that look no farther", () => {
    const ask = (horizon: number, shorter?: ReadonlySet<number>) =>
      forecaster.forecast({ ...context, horizon, top: 10, ...(shorter !== undefined && { shorter }) });
    const { withinShorter, ...forecast } = ask(3, new Set([1, 2, 3]));
    expect(ask(3)).toEqual(forecast);
    for (const horizon of [1, 2, 3]) expect(withinShorter?.get(horizon)).toEqual(ask(horizon).within);
    expect([...(ask(3, new Set([2])).withinShorter?.keys() ?? [])]).toContain(2);
  });

  test("an explanation names the nearest step or shorter horizon that gives as much", () => {
    const nearer = (symbol: number, horizon: number) =>
      forecaster.explain({ ...context, symbol, horizon, isWithin: true })?.likeliestStep;
    const nextStep = { horizon: 1, isWithin: false, symbol: 1, probability: 0.5 };
    const two = { horizon: 2, isWithin: true, symbol: 2, probability: 0.5 + STEP };
    expect(nearer(1, 1)).toBeUndefined();
    expect([nearer(1, 2), nearer(2, 2)]).toEqual([nextStep, nextStep]);
    expect([nearer(1, 3), nearer(2, 3)]).toEqual([two, two]);
  });

  test("a symbol that is certain is not put above another that is", () => {
    const certain = new PoolingForecaster(rules({ "1-1": [0, 1], "2-2": [0, 0], "1-2": [1, 0.5] }));
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
