/** Baselines, votes and counts, against values computed by hand. */

import { describe, expect, test } from "vitest";
import { answerOf, type Guessed, guessedFrom } from "../../src/cli/evaluation/asking";
import { matrixOf, Tally } from "../../src/cli/evaluation/confusion";
import { evaluate } from "../../src/cli/evaluation/evaluation";
import { holdOut } from "../../src/cli/evaluation/holdout";
import { markovChain, markovWithBackOff, mostFrequent } from "../../src/cli/evaluation/markov";
import { type Question, questionsOf } from "../../src/cli/evaluation/questions";

const event = (...strings: string[]) => ({ strings });
const asked = (context: string, actual = "?"): Question => ({ context: [...context].map((s) => event(s)), actual });

/** The questions of sequences of one-letter symbols, with at most 3 events before. */
const training = ["abcab", "abd", "cbd", "xbc"].flatMap((text) =>
  questionsOf(
    { name: text, line: 1, records: [...text].map((s) => event(s)), targets: [...text], label: undefined, rows: [] },
    3,
  ),
);

test("a group asks for the target of each event but the first, after at most that number of events", () => {
  expect(training.slice(0, 4)).toEqual([asked("a", "b"), asked("ab", "c"), asked("abc", "a"), asked("bca", "b")]);
  const group = {
    name: "g",
    line: 1,
    records: [event("a"), event("b")],
    targets: ["a", undefined],
    label: undefined,
    rows: [],
  };
  expect(questionsOf(group, 3)).toEqual([]);
  expect(questionsOf({ ...group, label: "good" }, 1)).toEqual([{ context: [event("b")], actual: "good" }]);
});

describe("baselines", () => {
  // What follows: a: b b b. b: c d d c. c: a b. x: b. In all: b 5, c 2, d 2, a 1.
  test("the most frequent answer", () => {
    expect(mostFrequent(training)(asked("zzz"))).toBe("b");
  });

  test("a chain of order 1; of two answers as frequent, the first by code point", () => {
    const answer = markovChain(training, 1);
    expect([..."abcxz"].map((last) => answer(asked(last)))).toEqual(["b", "c", "a", "b", undefined]);
  });

  test("a chain of order 2", () => {
    const answer = markovChain(training, 2);
    // ab: c d. bc: a. ca: b. cb: d. xb: c.
    expect(["ab", "bc", "ca", "cb", "xb", "zb", "b"].map((last) => answer(asked(last)))).toEqual([
      "c",
      "a",
      "b",
      "d",
      "c",
      undefined,
      undefined,
    ]);
  });

  test("back-off takes the longest context that it has seen", () => {
    const answer = markovWithBackOff(training, 3);
    expect(["xcb", "zb", "zx", "zz", ""].map((last) => answer(asked(last)))).toEqual(["d", "c", "b", "b", "b"]);
  });

  test("an event is the set of its symbols", () => {
    const answer = markovChain([{ context: [event("a", "b")], actual: "x" }], 1);
    expect(answer({ context: [event("b", "a")], actual: "?" })).toBe("x");
    expect(answer({ context: [event("a")], actual: "?" })).toBeUndefined();
  });
});

describe("the vote of predictions", () => {
  const candidates = new Set(["x", "y"]);
  const predictions = [
    { future: [["x", "t=1"], ["end"]], frequency: 4, snr: 1 },
    { future: [["y"], ["y"]], frequency: 3, snr: 1 },
    { future: [["y", "t=2"]], frequency: 32, snr: 0.5 },
    { future: [], frequency: 9, snr: 1 },
  ];

  test("adds frequency by snr to the fourth power, for candidates only", () => {
    // x has 4; y has 3 + 32 / 16 = 5.
    expect(answerOf(predictions, candidates, "next")).toBe("y");
    expect(answerOf(predictions, new Set(["t=1"]), "next")).toBe("t=1");
    expect(answerOf(predictions, candidates, "last")).toBe("y");
    expect(answerOf(predictions, new Set(["end"]), "last")).toBe("end");
  });

  test("goes to the best prediction if equal, and nowhere without one", () => {
    expect(
      answerOf(
        [
          { future: [["y"]], frequency: 1, snr: 1 },
          { future: [["x"]], frequency: 16, snr: 0.5 },
        ],
        candidates,
        "next",
      ),
    ).toBe("y");
    expect(answerOf([], candidates, "next")).toBeUndefined();
  });
});

test("a tally counts questions without an answer as wrong", () => {
  const tally = new Tally();
  for (const [actual, answer] of [
    ["a", "a"],
    ["a", "b"],
    ["b", "b"],
    ["b", undefined],
    ["b", undefined],
  ] as const) {
    tally.add(actual, answer);
  }
  expect([tally.asked, tally.answered, tally.right, tally.accuracy]).toEqual([5, 3, 2, 0.4]);
  expect(tally.confusions).toEqual([
    { actual: "a", predicted: "a", count: 1 },
    { actual: "a", predicted: "b", count: 1 },
    { actual: "b", predicted: "b", count: 1 },
    { actual: "b", predicted: null, count: 2 },
  ]);
  expect(matrixOf(tally.confusions, 10)).toEqual({
    columns: ["a", "b", null],
    rows: [
      { actual: "a", counts: [1, 1, 0] },
      { actual: "b", counts: [0, 1, 2] },
    ],
    left: 0,
  });
  // The most frequent right answer stays.
  expect(matrixOf(tally.confusions, 1)).toMatchObject({ columns: ["b", null], left: 1 });
});

describe("the guess of a forecast", () => {
  const candidates = new Set(["x", "y", "z"]);
  const within = [
    { symbol: "t=1", probability: 0.9 },
    { symbol: "y", probability: 0.5 },
    { symbol: "x", probability: 0.25 },
  ];

  test("is the most probable candidate, and one that no model says has Laplace's share", () => {
    const { answer, probabilityOf } = guessedFrom({ models: 3, within }, candidates);
    expect(answer).toBe("y");
    expect(["x", "y", "z", "?"].map((symbol) => probabilityOf?.(symbol))).toEqual([0.25, 0.5, 1 / 20, 1 / 20]);
    const none = guessedFrom({ models: 0, within: [] }, candidates);
    expect([none.answer, none.probabilityOf?.("x")]).toEqual([undefined, 1 / 8]);
  });

  test("has the mean of what the right answers lost, in whatever order answers come", async () => {
    const losses = async (delays: readonly number[], probabilities: readonly (number | undefined)[]) => {
      const ask = async ({ actual }: Question): Promise<Guessed> => {
        const at = Number(actual);
        await new Promise((resolve) => setTimeout(resolve, delays[at]));
        const probability = probabilities[at];
        return { answer: actual, ...(probability !== undefined && { probabilityOf: () => probability }) };
      };
      const testing = probabilities.map((_, at) => asked("a", String(at)));
      const questions = { training: testing, testing, most: 3 };
      return (await evaluate(questions, { ask, end: async () => {} }, new AbortController().signal, () => {})).log_loss;
    };
    // 1, 2, 3 and 0 bits.
    expect(await losses([0, 0, 0, 0], [0.5, 0.25, 0.125, 1])).toBe(1.5);
    expect(await losses([9, 6, 3, 0], [0.3, 0.7, 0.9, 0.2])).toBe(await losses([0, 3, 6, 9], [0.3, 0.7, 0.9, 0.2]));
    expect(await losses([0], [undefined])).toBeUndefined();
  });
});

describe("holding out", () => {
  const all = Array.from({ length: 50 }, (_, index) => index);

  test("divides by the seed, and loses nothing", () => {
    const { training: learned, testing } = holdOut(all, 0.2, 7);
    expect(testing).toHaveLength(10);
    expect([...learned, ...testing].sort((a, b) => a - b)).toEqual(all);
    expect(holdOut(all, 0.2, 7).testing).toEqual(testing);
    expect(holdOut(all, 0.2, 8).testing).not.toEqual(testing);
  });

  test("leaves something on both sides", () => {
    expect(holdOut([1, 2], 0.01, 1).testing).toHaveLength(1);
    expect(holdOut([1, 2], 0.99, 1).training).toHaveLength(1);
    expect(() => holdOut([1], 0.5, 1)).toThrow("there are 1 groups");
  });
});
