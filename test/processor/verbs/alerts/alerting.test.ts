/** What alerts have to tell: of forecasts that rise, of surprises and of what is learned, in each memory, once. */

import { describe, expect, test } from "vitest";
import type { AlertCondition, Notice } from "../../../../src/processor/ports/alert";
import type { Forecast, ForecastQuery } from "../../../../src/processor/ports/forecaster";
import { Processor } from "../../../../src/processor/processor";
import { DEFAULT_BUDGETS } from "../../../../src/text/budgets";
import { OracleNeighbours } from "../../../oracle/neighbours";
import { Oracle } from "../../../oracle/oracle";
import { MemoryStore } from "../../../support/memory-store";
import { gdfOf } from "../../../support/processor/calls";
import { CountingForecaster } from "../../../support/processor/counting-forecaster";

const SECRET = `whsec_${"A".repeat(32)}`;

/** Its `within` is what any of its steps has. */
class FarForecaster extends CountingForecaster {
  override forecast(query: ForecastQuery): Forecast {
    const answer = super.forecast(query);
    const withinFirst = (count: number) => {
      const steps = answer.steps.slice(0, count).reverse();
      return [...new Map(steps.flatMap(({ symbols }) => symbols.map((one) => [one.symbol, one]))).values()];
    };
    const withinShorter = new Map([...(query.shorter ?? [])].map((horizon) => [horizon, withinFirst(horizon)]));
    return { ...answer, within: withinFirst(query.horizon), withinShorter };
  }
}

/** A processor that has learned a → b → c once and a → d three times. */
function taught(steps = DEFAULT_BUDGETS.matchingSteps) {
  const store = new MemoryStore();
  const forecaster = new FarForecaster(store);
  const budgets = { ...DEFAULT_BUDGETS, matchingSteps: steps };
  const open = () =>
    Processor.open({
      id: "p",
      name: "P",
      store,
      forecaster,
      matcher: new Oracle(),
      neighbours: new OracleNeighbours(),
      budgets,
    });
  const own = { store, forecaster, processor: open(), reopen: () => Object.assign(own, { processor: open() }) };
  const sequence = (...events: string[]) => ({ events: events.map((symbol) => ({ symbols: [symbol] })) });
  own.processor.knowledge.addModel({ sequence: sequence("a", "b", "c") });
  own.processor.knowledge.addModel({ sequence: sequence("a", "d"), frequency: 3 });
  forecaster.questions = 0;
  return own;
}

type Taught = ReturnType<typeof taught>;

function set({ processor }: Taught, name: string, when: AlertCondition): void {
  processor.alerts.putAlert({ name, when, url: "https://hooks.example.org/", format: "standard", secret: SECRET });
}

function observe({ processor }: Taught, strings: string[], session = "") {
  return processor.in(session).memory.observe(gdfOf({ strings }), [], undefined, false).observed;
}

/** What was told since the last time, without what no test can foresee. */
function told({ store }: Taught, since = 0): Omit<Notice, "webhookId" | "happenedAt">[] {
  return store
    .told()
    .slice(since)
    .map(({ webhookId: _, happenedAt: __, ...notice }) => notice);
}

/** The chance of d after a, as a forecast gives it. */
function chanceOf(own: Taught, symbol: string, horizon: number): number {
  const { forecast } = own.processor.memory.getForecast({ horizon });
  return forecast.within.find((one) => one.symbol === symbol)?.probability ?? 0;
}

const forecast = (symbol: string, above: number, horizon = 1): AlertCondition => ({
  kind: "forecast",
  symbol,
  above,
  horizon,
});

describe("a forecast alert", () => {
  test("tells once when the probability rises above its threshold, with what forecast says", () => {
    const own = taught();
    set(own, "d comes", forecast("d", 0.1));
    observe(own, ["x"]);
    expect(told(own)).toEqual([]);
    observe(own, ["a"]);
    const { within } = own.processor.memory.getForecast().forecast;
    const d = within.find(({ symbol }) => symbol === "d");
    expect(told(own)).toEqual([
      { alert: "d comes", session: "", interval: 2, told: { kind: "forecast", forecast: { ...d, horizon: 1 } } },
    ]);
    // It stays above: nothing more.
    observe(own, ["a"]);
    observe(own, ["a"]);
    expect(chanceOf(own, "d", 1)).toBeGreaterThan(0.1);
    expect(told(own)).toHaveLength(1);
  });

  test("is armed again below the threshold, and when memory begins anew", () => {
    const own = taught();
    set(own, "d", forecast("d", 0.1));
    const rise = () => observe(own, ["a"]);
    rise();
    for (let at = 0; at < 8 && chanceOf(own, "d", 1) > 0.1; at++) observe(own, ["b"]);
    expect(chanceOf(own, "d", 1)).toBeLessThanOrEqual(0.1);
    rise();
    expect(told(own)).toHaveLength(2);
    own.processor.memory.clearWorkingMemory();
    rise();
    expect(told(own)).toHaveLength(3);
    own.processor.memory.learn();
    rise();
    expect(told(own)).toHaveLength(4);
  });

  test("remembers across restarts, for each memory by itself", () => {
    const own = taught();
    set(own, "d", forecast("d", 0.1));
    for (const session of ["", "s", "t"]) observe(own, ["a"], session);
    expect(told(own).map(({ session }) => session)).toEqual(["", "s", "t"]);
    own.reopen();
    for (const session of ["", "s", "t"]) observe(own, ["a"], session);
    expect(told(own)).toHaveLength(3);
  });

  test("tells anew with another condition, and not with another url", () => {
    const own = taught();
    set(own, "d", forecast("d", 0.1));
    observe(own, ["a"]);
    own.processor.alerts.putAlert({
      name: "d",
      when: forecast("d", 0.1),
      url: "https://other.example.org/",
      format: "standard",
      secret: SECRET,
    });
    observe(own, ["a"]);
    expect(told(own)).toHaveLength(1);
    set(own, "d", forecast("d", 0.11));
    observe(own, ["a"]);
    expect(told(own)).toHaveLength(2);
  });

  test("looks as far as its horizon, and asks once for all", () => {
    const own = taught();
    set(own, "far", forecast("c", 0, 2));
    set(own, "near", forecast("c", 0, 1));
    set(own, "d", forecast("d", 0, 1));
    own.forecaster.questions = 0;
    observe(own, ["a"]);
    expect(own.forecaster.questions).toBe(1);
    expect([chanceOf(own, "c", 1), chanceOf(own, "c", 2) > 0]).toEqual([0, true]);
    expect(told(own).map(({ alert }) => alert)).toEqual(["d", "far"]);
  });

  test("changes nothing while predictions are off or not due, and tells nothing of an unknown symbol", () => {
    const own = taught();
    set(own, "d", forecast("d", 0.1));
    set(own, "unknown", forecast("nobody knows", 0));
    observe(own, ["a"]);
    own.processor.modes.setPredicting(false);
    observe(own, ["a"]);
    own.processor.modes.setPredicting(true);
    observe(own, ["a"]);
    expect(told(own)).toHaveLength(1);
  });
});

describe("a surprise alert", () => {
  test("reports more bits than its threshold, as an observe explains them", () => {
    const own = taught();
    set(own, "some", { kind: "surprise", above: 0 });
    set(own, "many", { kind: "surprise", above: 50 });
    observe(own, ["a"]);
    // There was nothing before it.
    expect(told(own)).toEqual([]);
    const { surprise } = own.processor.memory.observe(gdfOf({ strings: ["x"] }), [], undefined, true).observed;
    expect(surprise?.unexpected).toEqual(["x"]);
    // With the first, an incident begins.
    const incident = expect.objectContaining({ bits: surprise?.bits, events: 1, id: 1 });
    expect(told(own).map(({ told: what }) => what)).toEqual([
      { kind: "surprise", surprise },
      { kind: "incident", incident },
    ]);
    expect(told(own).map(({ alert, session, interval }) => [alert, session, interval])).toEqual([
      ["some", "", 2],
      ["some", "", 2],
    ]);
  });

  test("is explained once, whatever asks", () => {
    const own = taught();
    observe(own, ["a"]);
    set(own, "one", { kind: "surprise", above: 0 });
    set(own, "two", { kind: "surprise", above: 1 });
    own.forecaster.questions = 0;
    own.processor.memory.observe(gdfOf({ strings: ["b"] }), [], undefined, true);
    expect(own.forecaster.questions).toBe(1);
  });

  test("needs no forecast of its own where an alert of forecasts asked for it after the event before", () => {
    const [own, alone] = [taught(), taught()];
    for (const each of [own, alone]) set(each, "some", { kind: "surprise", above: 0 });
    set(own, "far", forecast("c", 1, 2));
    own.forecaster.questions = 0;
    for (const symbol of ["a", "b", "x", "d"]) for (const each of [own, alone]) observe(each, [symbol]);
    expect(own.forecaster.questions).toBe(4);
    // Incidents say when they began.
    const surprises = (each: typeof own) => told(each).filter(({ told: what }) => what.kind === "surprise");
    expect(surprises(own)).toEqual(surprises(alone));
    expect(surprises(own).length).toBeGreaterThan(1);
  });

  test("leaves out lists that would be too long to deliver", () => {
    const own = taught();
    set(own, "some", { kind: "surprise", above: 0 });
    observe(own, ["a"]);
    observe(own, ["x".repeat(40_000), "y".repeat(40_000)]);
    expect(told(own)[0]?.told).toMatchObject({ surprise: { bits: expect.any(Number), expected: [], unexpected: [] } });
  });
});

test("a learned model is told, however it was learned", () => {
  const own = taught();
  set(own, "learned", { kind: "learned" });
  observe(own, ["p", "q"], "s");
  const { model } = own.processor.in("s").memory.learn();
  expect(told(own)).toEqual([{ alert: "learned", session: "s", interval: 1, told: { kind: "learned", model } }]);
  observe(own, ["p"]);
  expect(own.processor.memory.learn().model).toBe("");
  expect(told(own)).toHaveLength(1);
});

test("an observe without alerts asks for no forecast, and one with alerts that do not tell records no more", () => {
  const own = taught();
  const recordsOf = (work: () => unknown) => {
    const before = own.store.recorded.length;
    work();
    return own.store.recorded.slice(before);
  };
  const without = recordsOf(() => observe(own, ["a"]));
  expect(own.forecaster.questions).toBe(0);
  set(own, "d", forecast("d", 1));
  set(own, "s", { kind: "surprise", above: 1_000 });
  expect(recordsOf(() => observe(own, ["a"]))).toEqual(without);
  expect(own.forecaster.questions).toBe(2);
});

test("what was refused, came before or was ignored asleep tells nothing", () => {
  const own = taught();
  set(own, "d", forecast("d", 0.1));
  set(own, "s", { kind: "surprise", above: 0 });
  const delivery = { source: "x", number: 1 };
  own.processor.memory.observe(gdfOf({ strings: ["a"] }), [], delivery, false);
  const before = told(own).length;
  own.processor.memory.observe(gdfOf({ strings: ["x"] }), [], delivery, false);
  expect(told(own)).toHaveLength(before);
  own.processor.modes.setSleeping(true);
  observe(own, ["x"]);
  expect(told(own)).toHaveLength(before);
});

test("no observation fails because a forecast for an alert takes too many steps", () => {
  const own = taught(1);
  set(own, "d", forecast("d", 0.1));
  set(own, "s", { kind: "surprise", above: 0 });
  own.processor.modes.setPredicting(true);
  own.forecaster.steps = 1_000_000;
  expect(observe(own, ["a"]).awake).toBe(true);
  expect(told(own)).toEqual([]);
});

test("alerts outlive clear-all-memory", () => {
  const own = taught();
  set(own, "d", forecast("d", 0.1));
  own.processor.memory.clearAllMemory(false);
  expect(own.processor.alerts.getAlerts("d")).toMatchObject([{ name: "d", when: forecast("d", 0.1) }]);
});

test("an alert that is not there is refused, also where there is none at all", () => {
  const own = taught();
  const missing = expect.objectContaining({ kind: "unknown", message: 'there is no alert named "a"' });
  expect(() => own.processor.alerts.getAlerts("a")).toThrow(missing);
  set(own, "b", { kind: "learned" });
  expect(() => own.processor.alerts.getAlerts("a")).toThrow(missing);
  expect(own.processor.alerts.getAlerts("b")).toHaveLength(1);
});
