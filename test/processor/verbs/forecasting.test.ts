/** What comes next, and how unexpected events are: what a forecast is about, what it costs, and what becomes of it in observations. */

import { describe, expect, test } from "vitest";
import type { Activity } from "../../../src/processor/ports/activity";
import { Processor } from "../../../src/processor/processor";
import { DEFAULT_BUDGETS } from "../../../src/text/budgets";
import { OracleNeighbours } from "../../oracle/neighbours";
import { Oracle } from "../../oracle/oracle";
import { MemoryStore } from "../../support/memory-store";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { CountingForecaster } from "../../support/processor/counting-forecaster";

/** A processor that has learned a → b → c once and a → d three times. */
function taught({ wanted = (): boolean => false, steps = DEFAULT_BUDGETS.matchingSteps } = {}) {
  const store = new MemoryStore();
  const forecaster = new CountingForecaster(store);
  const seen: Activity[] = [];
  const activityListener = {
    isListening: true,
    wantsSurprise: wanted,
    notify: (activity: Activity) => seen.push(activity),
  };
  const parts = { store, forecaster, activityListener, matcher: new Oracle(), neighbours: new OracleNeighbours() };
  const budgets = { ...DEFAULT_BUDGETS, matchingSteps: steps };
  const processor = Processor.open({ id: "p", name: "P", ...parts, budgets });
  const sequence = (...events: string[]) => ({ events: events.map((symbol) => ({ symbols: [symbol] })) });
  processor.knowledge.addModel({ sequence: sequence("a", "b", "c") });
  processor.knowledge.addModel({ sequence: sequence("a", "d"), frequency: 3 });
  forecaster.questions = 0;
  return { processor, forecaster, seen, sequence };
}

type Taught = ReturnType<typeof taught>;

const observe = ({ processor }: Pick<Taught, "processor">, strings: string[], explain = false) =>
  processor.memory.observe(gdfOf({ strings }), [], undefined, explain).observed;

const symbolsIn = ({ processor }: Pick<Taught, "processor">, question = {}) =>
  processor.memory.getForecast(question).forecast.steps.map(({ symbols }) => symbols.map(({ symbol }) => symbol));

const NOTHING = { context: 0, models: 0, steps: [{ none: 1, symbols: [] }], within: [] };

describe("a forecast", () => {
  test("names symbols and models", () => {
    const own = taught();
    observe(own, ["a"]);
    const { forecast } = own.processor.memory.getForecast();
    const [d, b] = forecast.steps[0]?.symbols ?? [];
    expect(forecast).toMatchObject({ context: 1, models: 2 });
    expect(d).toMatchObject({ symbol: "d", support: 1, models: [expect.stringMatching(/^[0-9a-f]{40}$/)] });
    expect(b).toMatchObject({ symbol: "b", support: 1 });
    const [name = ""] = d?.models ?? [];
    expect(own.processor.knowledge.getModel(name).model?.frequency).toBe(3);
  });

  test("is of the memory that predictions are about", () => {
    const own = taught();
    const { memory, modes } = own.processor;
    expect(memory.getForecast().forecast).toEqual(NOTHING);
    observe(own, ["a"]);
    expect(symbolsIn(own)).toEqual([["d", "b"]]);
    modes.setSleeping(true);
    expect(memory.getForecast().forecast).toEqual(NOTHING);
    modes.setSleeping(false);
    observe(own, ["a"]);
    modes.setPredicting(false);
    expect(symbolsIn(own)).toEqual([["d", "b"]]);
    observe(own, ["a"]);
    expect(memory.getForecast().forecast).toEqual(NOTHING);
    modes.setPredicting(true);
    observe(own, ["a"]);
    memory.learn();
    expect(memory.getForecast().forecast).toEqual(NOTHING);
    observe(own, ["a"]);
    memory.clearWorkingMemory();
    expect(memory.getForecast().forecast).toEqual(NOTHING);
  });

  test("of a sequence needs no memory, leaves out blacklisted symbols, and changes nothing", () => {
    const own = taught();
    const { memory, modes, knowledge } = own.processor;
    modes.setPredicting(false);
    const sequence = own.sequence("x", "a");
    expect(memory.getForecast({ sequence }).forecast).toMatchObject({ context: 2, models: 2 });
    knowledge.addBlacklistedSymbols(["x"]);
    expect(memory.getForecast({ sequence }).forecast).toMatchObject({ context: 1, models: 2 });
    knowledge.addBlacklistedSymbols(["a"]);
    expect(memory.getForecast({ sequence }).forecast).toEqual(NOTHING);
    expect(memory.getWorkingMemory().events).toEqual([]);
    expect(own.processor.time).toBe(0);
  });

  test("looks as far, and says as much, as the question asks", () => {
    const own = taught();
    observe(own, ["a"]);
    expect(symbolsIn(own, { horizon: 3 })).toEqual([["d", "b"], ["c"], []]);
    expect(symbolsIn(own, { top: 1 })).toEqual([["d"]]);
    expect(own.processor.memory.getForecast({ horizon: 2, sequence: { events: [] } }).forecast).toEqual({
      ...NOTHING,
      steps: [NOTHING.steps[0], NOTHING.steps[0]],
    });
  });

  test("counts only models that the target class admits", () => {
    const own = taught();
    observe(own, ["a"]);
    own.processor.modes.setTargetClass("c");
    expect(symbolsIn(own)).toEqual([["b"]]);
    own.processor.modes.setTargetClass("unheard of");
    expect(own.processor.memory.getForecast().forecast).toEqual(NOTHING);
  });

  test.each([
    [{ horizon: 0 }, "horizon must be a whole number from 1 to 10, got 0"],
    [{ horizon: 11 }, "horizon must be a whole number from 1 to 10, got 11"],
    [{ top: 0 }, "top must be a whole number from 1 to 1000, got 0"],
    [{ top: 1001 }, "top must be a whole number from 1 to 1000, got 1001"],
    [{ sequence: { events: [{ symbols: [] }] } }, "sequence[0] must hold at least one symbol, got []"],
  ])("%j is refused", (question, message) => {
    expect(() => taught().processor.memory.getForecast(question)).toThrow(
      expect.objectContaining({ kind: "invalid", message }),
    );
  });

  test("that takes more steps than a request may is refused", () => {
    const own = taught({ steps: 5 });
    observe(own, ["a"]);
    own.forecaster.steps = 5 + 2 * 80;
    expect(symbolsIn(own)).toEqual([["d", "b"]]);
    own.forecaster.steps++;
    expect(() => own.processor.memory.getForecast()).toThrow(
      expect.objectContaining({
        kind: "too-large",
        message: expect.stringMatching(/^to forecast what comes after the 1 symbols .* more than 165 steps/),
      }),
    );
  });
});

describe("an observation that explains", () => {
  test("says what was expected just before, and asks for one forecast", () => {
    const own = taught();
    observe(own, ["a"]);
    expect(own.forecaster.questions).toBe(0);
    const asking = taught();
    observe(asking, ["a"]);
    const { forecast } = asking.processor.memory.getForecast();
    const [d, b] = forecast.steps[0]?.symbols ?? [];
    const { surprise } = observe(own, ["b"], true);
    expect(own.forecaster.questions).toBe(1);
    const expected = [d, b].map((one) => ({ symbol: one?.symbol, probability: one?.probability }));
    expect(surprise).toEqual({ bits: expect.any(Number), probability: b?.probability, expected, unexpected: [] });
    expect(2 ** -(surprise?.bits ?? 0)).toBeCloseTo(b?.probability ?? 0, 12);
    // The forecast that was just asked for need not be made again.
    expect(observe(asking, ["b"], true).surprise).toEqual(surprise);
    expect(asking.forecaster.questions).toBe(1);
  });

  test("does not go by a forecast that no longer holds", () => {
    const changes: ((own: Taught) => unknown)[] = [
      ({ processor }) => processor.knowledge.addModel({ sequence: own.sequence("a", "e"), frequency: 9 }),
      ({ processor }) => processor.modes.setTargetClass("c"),
      (each) => observe(each, ["b"]),
    ];
    const own = taught();
    for (const change of changes) {
      const [asking, silent] = [taught(), taught()];
      for (const each of [asking, silent]) observe(each, ["a"]);
      asking.processor.memory.getForecast();
      for (const each of [asking, silent]) change(each);
      expect(observe(asking, ["c"], true).surprise).toEqual(observe(silent, ["c"], true).surprise);
    }
  });

  test("asks for symbols that the last forecast had no room for", () => {
    const [asking, silent] = [taught(), taught()];
    for (const each of [asking, silent]) {
      for (const symbol of ["e", "f", "g", "h", "i"]) {
        each.processor.knowledge.addModel({ sequence: each.sequence("a", symbol), frequency: 5 });
      }
      observe(each, ["a"]);
    }
    asking.processor.memory.getForecast({ top: 5 });
    const [one, other] = [asking, silent].map((each) => observe(each, ["b"], true).surprise);
    expect(one).toEqual(other);
    expect(one?.unexpected).toEqual([]);
  });

  test("counts a symbol that comes twice once", () => {
    const [once, twice] = [["b"], ["b", "b"]].map((event) => {
      const own = taught();
      observe(own, ["a"]);
      return observe(own, event, true).surprise;
    });
    expect(twice).toEqual(once);
  });

  test("names what was not expected", () => {
    const own = taught();
    observe(own, ["a"]);
    expect(observe(own, ["c", "d", "new"], true).surprise?.unexpected).toEqual(["c", "new"]);
  });

  test("has no surprise without an event, a memory before it, or knowledge", () => {
    const own = taught();
    expect(observe(own, ["a"], true).surprise).toBeUndefined();
    expect(observe(own, [], true).surprise).toBeUndefined();
    own.processor.modes.setSleeping(true);
    const asleep = observe(own, ["b"], true);
    expect([asleep.awake, asleep.surprise]).toEqual([false, undefined]);
    own.processor.modes.setSleeping(false);
    own.processor.memory.clearAllMemory(false);
    observe(own, ["a"]);
    expect(observe(own, ["b"], true).surprise).toBeUndefined();
    expect(own.forecaster.questions).toBe(0);
  });

  test("of several records explains each by those before it", () => {
    const [one, many] = [taught(), taught()];
    const records = [["a"], ["b"], ["c"], []];
    const { observed } = many.processor.memory.observeSequence({
      sequence: records.map((strings) => gdfOf({ strings })),
      learn: true,
      clear: true,
      explain: true,
    });
    expect(observed.map(({ surprise }) => surprise)).toEqual(
      records.map((strings) => observe(one, strings, true).surprise),
    );
    expect(observed.filter(({ surprise }) => surprise !== undefined)).toHaveLength(2);
  });

  test("that comes again explains nothing", () => {
    const own = taught();
    observe(own, ["a"]);
    const delivery = { source: "s", number: 1 };
    const send = () => own.processor.memory.observe(gdfOf({ strings: ["b"] }), [], delivery, true);
    expect(send().observed.surprise).toBeDefined();
    expect(send()).toMatchObject({ redelivered: true, observed: { awake: true } });
    expect(own.forecaster.questions).toBe(1);
  });

  test("and takes too many steps for it is refused, and nothing happens", () => {
    const own = taught({ steps: 5 });
    observe(own, ["a"]);
    own.forecaster.steps = 1000;
    expect(() => observe(own, ["b"], true)).toThrow(expect.objectContaining({ kind: "too-large" }));
    expect(own.processor.reread("").memory.getWorkingMemory().events).toEqual([{ symbols: ["a"] }]);
  });

  test("uses predictions that are older than working memory, after autolearning", () => {
    const own = taught();
    own.processor.genes.change(geneChangesOf({ max_sequence_length: 2 }));
    own.processor.modes.setAutolearning(true);
    observe(own, ["x"]);
    expect(observe(own, ["a"]).autoLearnedModel).not.toBe("");
    expect(observe(own, ["d"], true).surprise?.expected[0]?.symbol).toBe("d");
  });
});

describe("a number in a bin that no model holds", () => {
  const SEQUENCE = { events: [{ symbols: ["a"] }] };
  const own = taught();
  const { encoders, knowledge, memory } = own.processor;
  encoders.put("temp", JSON.stringify({ kind: "edges", edges: [0, 1, 2, 4, 8, 16] }));
  encoders.put("step", JSON.stringify({ kind: "step", size: 1 }));
  knowledge.addModel({ sequence: own.sequence("a", "temp=0") });
  knowledge.addModel({ sequence: own.sequence("b", "step=0") });
  const explained = (...symbols: string[]) => memory.explainSurprise({ event: { symbols }, sequence: SEQUENCE });
  const bitsOf = (symbol: string) => explained(symbol).explanation?.surprise?.bits ?? 0;

  test("is the more surprising the further it is from all that models hold: four bits for each doubling", () => {
    const beside = bitsOf("temp=1");
    const further = ["temp=2", "temp=4", "temp=8", "temp=16"].map(bitsOf);
    expect(further.map((bits) => bits - beside)).toEqual([4, 8, 12, 16].map((more) => expect.closeTo(more, 9)));
    expect(bitsOf("temp=-inf")).toBe(beside);
    expect(bitsOf("another word")).toBe(beside);
  });

  test("is as surprising as any other unknown symbol if its bins have one size, or it is no bin", () => {
    for (const symbol of ["step=9", "temp=3", "temp=2.0", "temp=", "temp=NaN", "nothing=4"]) {
      expect([symbol, bitsOf(symbol)]).toEqual([symbol, bitsOf("another word")]);
    }
  });

  test("that a model holds is expected as the forecast says, or unexpected as any symbol", () => {
    expect(explained("temp=0").explanation?.symbols[0]?.given).toBeGreaterThan(0);
    const unsaid = explained("step=0").explanation;
    expect(unsaid?.symbols).toEqual([{ symbol: "step=0", given: 0, probability: unsaid?.unexpectedProbability }]);
  });

  test("is beside what models hold once one beside it is learned, and far again once that is forgotten", () => {
    const [before, beside] = [bitsOf("temp=16"), bitsOf("temp=1")];
    const { name } = knowledge.addModel({ sequence: own.sequence("temp=8", "b") });
    expect(bitsOf("temp=16")).toBeLessThan(before - 10);
    knowledge.deleteModel(name);
    expect([bitsOf("temp=16"), bitsOf("temp=1")]).toEqual([before, beside]);
  });

  test("counts the same in an observation, in a sequence and in an explanation, among other symbols, too", () => {
    observe(own, ["a"]);
    const observed = observe(own, ["temp=16", "word"], true).surprise;
    expect(observed?.bits).toBeGreaterThan(0);
    const event = { symbols: ["temp=16", "word"] };
    const { explanation } = memory.explainSurprise({ event, sequence: SEQUENCE });
    expect(explanation?.surprise).toEqual(observed);
    expect(explanation?.symbols[0]?.probability).toBe((explanation?.unexpectedProbability ?? 0) / 16 ** 4);
    const whole = memory.getSequenceSurprise([...SEQUENCE.events, event], false).surprise;
    expect(whole?.events[1]?.bits).toBe(observed?.bits);
  });
});

describe("an activity listener", () => {
  const surprises = ({ seen }: Taught) => seen.filter(({ kind }) => kind === "surprise");

  test("that does not want surprises costs no forecast", () => {
    const own = taught();
    observe(own, ["a"]);
    observe(own, ["b"]);
    expect([own.forecaster.questions, surprises(own)]).toEqual([0, []]);
  });

  test("hears of the surprise of every observation, and the answer does not", () => {
    const [own, told] = [taught({ wanted: () => true }), taught()];
    for (const each of [own, told]) observe(each, ["a"]);
    const answer = observe(own, ["b"]);
    expect(answer.surprise).toBeUndefined();
    expect(surprises(own)).toEqual([
      { kind: "surprise", session: "", interval: 1, surprise: undefined },
      { kind: "surprise", session: "", interval: 2, surprise: observe(told, ["b"], true).surprise },
    ]);
    expect(own.forecaster.questions).toBe(1);
  });

  test("never makes an observation fail", () => {
    const own = taught({ wanted: () => true, steps: 5 });
    observe(own, ["a"]);
    own.forecaster.steps = 1000;
    expect(observe(own, ["b"]).awake).toBe(true);
    expect(surprises(own).at(-1)).toMatchObject({ interval: 2, surprise: undefined });
  });
});
