/** Events that pass an alert close together are one incident, kept with its evidence, judged, and learned when normal. */

import { describe, expect, test } from "vitest";
import { historyUnits, historyWith } from "../../../../src/processor/memory/history-size";
import type { Activity } from "../../../../src/processor/ports/activity";
import type { AlertCondition } from "../../../../src/processor/ports/alert";
import { MAX_EVIDENCE, type Verdict } from "../../../../src/processor/ports/incident";
import type { HistoryEvent } from "../../../../src/processor/ports/store";
import { Processor } from "../../../../src/processor/processor";
import { OracleNeighbours } from "../../../oracle/neighbours";
import { Oracle } from "../../../oracle/oracle";
import { MemoryStore } from "../../../support/memory-store";
import { gdfOf } from "../../../support/processor/calls";
import { CountingForecaster } from "../../../support/processor/counting-forecaster";

/** When the first record is observed, epoch milliseconds; each later one a second after. */
const START = 1_795_250_000_000;

/** A processor that expects a and b, and has an alert of surprises above 6 bits. */
function taught() {
  const store = new MemoryStore();
  const activities: Activity[] = [];
  const activityListener = {
    isListening: true,
    wantsSurprise: () => false,
    notify: (activity: Activity) => activities.push(activity),
  };
  let now = START;
  const open = () =>
    Processor.open({
      id: "p",
      name: "P",
      store,
      forecaster: new CountingForecaster(store),
      matcher: new Oracle(),
      neighbours: new OracleNeighbours(),
      activityListener,
      now: () => now,
    });
  const own = { store, activities, processor: open(), reopen: () => Object.assign(own, { processor: open() }) };
  // After each of these symbols, a and b are no surprise; x, y and z always are.
  for (const symbol of ["a", "b", "x", "y", "z"]) {
    for (const next of ["a", "b"]) {
      const events = [symbol, next].map((one) => ({ symbols: [one] }));
      own.processor.knowledge.addModel({ sequence: { events }, frequency: symbol < "c" && symbol !== next ? 200 : 20 });
    }
  }
  own.processor.genes.change([{ name: "max_sequence_length", value: { value: { case: "number", value: 20 } } }]);
  const alert = (name: string, when: AlertCondition) =>
    own.processor.alerts.putAlert({ name, when, url: "", format: "standard", secret: "" });
  alert("odd", { kind: "surprise", above: 6 });
  const observe = (strings: readonly string[], session = "") => {
    for (const symbol of strings) {
      own.processor.in(session).memory.observe(gdfOf({ strings: symbol === "" ? [] : [symbol] }), [], undefined, false);
      now += 1_000;
    }
  };
  return Object.assign(own, { alert, observe });
}

/** Ordinary events, an even number of them. */
function quiet(events: number): string[] {
  return Array.from({ length: events }, (_, at) => (at % 2 === 0 ? "a" : "b"));
}

function listed({ processor }: ReturnType<typeof taught>, session = "") {
  return processor.in(session).incidents.list({}, 100);
}

describe("events that pass", () => {
  test("fewer than ten apart are one incident, and ten apart are two", () => {
    const own = taught();
    own.observe(["a", "b", "x", ...quiet(8), "y", ...quiet(9), "z"]);
    expect(listed(own)).toMatchObject([
      { id: 2, events: 1, interval: 22, from: START / 1000 + 21, to: START / 1000 + 21 },
      { id: 1, events: 2, interval: 3, from: START / 1000 + 2, to: START / 1000 + 11 },
    ]);
  });

  test("say what was wrong with the worst of them, and what was expected", () => {
    const own = taught();
    own.observe(["a", "b", "a", "x"]);
    const [incident] = listed(own);
    expect(incident).toMatchObject({
      alert: "odd",
      session: "",
      verdict: undefined,
      causes: [{ symbol: "x", bits: incident?.bits }],
      expected: [{ symbol: "b" }],
    });
    expect(incident?.bits).toBeGreaterThan(6);
  });

  test("of other memories, and of other alerts, are other incidents", () => {
    const own = taught();
    own.alert("also", { kind: "surprise", above: 5 });
    own.observe(["a", "x"], "s");
    own.observe(["a", "x"], "t");
    expect(listed(own).map(({ id, session, alert }) => [id, session, alert])).toEqual([
      [4, "t", "odd"],
      [3, "t", "also"],
      [2, "s", "odd"],
      [1, "s", "also"],
    ]);
    expect(listed(own, "s").map(({ id }) => id)).toEqual([2, 1]);
    expect(() => own.processor.in("s").incidents.get(3)).toThrow("there is no incident 3 of this session");
  });

  test("go on after a restart, and end with their evidence", () => {
    const own = taught();
    own.observe(["a", "b", "x"]);
    own.reopen();
    own.observe(["a", "b", "y", "a"]);
    own.reopen();
    expect(listed(own)).toMatchObject([{ id: 1, events: 2 }]);
    const lasting = own.processor.incidents.get(1);
    own.observe(["b", ...quiet(20)]);
    own.reopen();
    expect(own.processor.incidents.get(1)).toEqual({ ...lasting, isRunning: false });
    expect(lasting.evidence.map(({ symbols }) => symbols.join())).toEqual(["a", "b", "x", "a", "b", "y"]);
    expect(lasting.evidence.map(({ interval }) => interval)).toEqual([undefined, undefined, 3, 4, 5, 6]);
  });

  test("write a row when an incident begins and one when it is over, and none besides", () => {
    const own = taught();
    own.observe(["a", "b", "x", "a", "y", "b", "z"]);
    own.observe(quiet(40));
    expect(own.store.recorded.filter((kind) => kind === "incident-put")).toHaveLength(2);
    own.observe(["x"]);
    own.observe(quiet(40));
    expect(own.store.recorded.filter((kind) => kind === "incident-put")).toHaveLength(3);
  });

  test("are told once when the incident begins", () => {
    const own = taught();
    own.activities.length = 0;
    own.observe(["a", "x", "y", "z"]);
    const told = own.activities.filter(({ kind }) => kind === "incident");
    expect(told).toMatchObject([{ kind: "incident", session: "", interval: 2, incident: { id: 1, events: 1 } }]);
    expect(own.store.told()).toEqual([]);
  });

  test("keep the first ten and the worst twenty, within their bytes", () => {
    const own = taught();
    const long = Array.from({ length: 60 }, (_, at) => `x${at}`.padEnd(40, "."));
    own.observe(["a", "b", ...long]);
    const { evidence, events } = own.processor.incidents.get(1);
    expect(events).toBeGreaterThan(30);
    const passed = evidence.filter(({ bits = 0 }) => bits > 6);
    expect(passed.length).toBeLessThanOrEqual(30);
    expect(passed.length).toBeGreaterThan(20);
    own.observe(Array.from({ length: 60 }, (_, at) => `y${at}`.padEnd(4_000, ".")));
    expect(JSON.stringify(own.processor.incidents.get(1).evidence).length).toBeLessThan(2 * MAX_EVIDENCE);
  });
});

describe("an incident outlives", () => {
  test.each<[string, (own: ReturnType<typeof taught>) => unknown]>([
    ["its session", ({ processor }) => processor.memory.endSession("s")],
    ["all memory", ({ processor }) => processor.memory.clearAllMemory(true)],
    ["its alert", ({ processor, observe }) => [processor.alerts.deleteAlert("odd"), observe(["a"], "s")]],
  ])("%s, with what its memory knew", (_, end) => {
    const own = taught();
    own.observe(["a", "b", "x", "a", "y"], "s");
    const before = own.processor.incidents.get(1);
    end(own);
    expect(own.processor.incidents.get(1)).toEqual({ ...before, isRunning: false });
    own.reopen();
    expect(listed(own)).toMatchObject([{ id: 1, events: 2 }]);
  });
});

describe("a verdict", () => {
  test("normal learns the events with those before them, once", () => {
    const own = taught();
    own.observe(["a", "b", "x", "a", "y", ...quiet(12)]);
    const { learned } = own.processor.incidents.judge({ id: 1, verdict: "normal", note: "cleaning" });
    const { model } = own.processor.knowledge.getModel(learned);
    expect(model?.sequence.map(({ symbols }) => symbols.join())).toEqual(["a", "b", "x", "a", "y"]);
    expect(own.processor.incidents.judge({ id: 1, verdict: "normal" })).toEqual({ learned: "" });
    expect(own.processor.incidents.judge({ id: 1, verdict: undefined })).toEqual({ learned: "" });
    expect(own.processor.incidents.judge({ id: 1, verdict: "normal" })).toEqual({ learned: "" });
    expect(listed(own)).toMatchObject([{ verdict: "normal", note: "cleaning" }]);
    own.observe(["a", "b", "x", "a", "y"]);
    const again = listed(own).find(({ id }) => id > 1);
    expect(again?.bits ?? 0).toBeLessThan(own.processor.incidents.get(1).bits);
  });

  test("is told if the newest open incident of its memory is another one than before", () => {
    const own = taught();
    own.observe(["a", "x", ...quiet(12), "x"]);
    own.observe(["a", "x"], "s");
    expect(listed(own).map(({ id, session }) => [id, session])).toEqual([
      [3, "s"],
      [2, ""],
      [1, ""],
    ]);
    const told = (id: number, verdict: Verdict | undefined) => {
      own.activities.length = 0;
      own.processor.incidents.judge({ id, verdict });
      return own.activities.flatMap((one) => (one.kind === "judged" ? [[one.session, one.newest?.id]] : []));
    };
    expect(told(1, "fault")).toEqual([]);
    expect(told(1, undefined)).toEqual([]);
    expect(told(2, "normal")).toEqual([["", 1]]);
    expect(told(2, "ignored")).toEqual([]);
    expect(told(1, "fault")).toEqual([["", undefined]]);
    expect(told(3, "fault")).toEqual([["s", undefined]]);
    expect(told(1, undefined)).toEqual([["", 1]]);
    expect(told(2, undefined)).toEqual([["", 2]]);
  });

  test("on what is not there is refused, and changes nothing", () => {
    const own = taught();
    own.observe(["a", "x"], "s");
    const { changes } = own.store;
    for (const id of [0, 2, -1, 10_001, 1.5, Number.NaN]) {
      expect(() => own.processor.incidents.judge({ id, verdict: "fault" })).toThrow(/there is no incident/);
    }
    expect(() => own.processor.in("t").incidents.judge({ id: 1, verdict: "fault" })).toThrow(/no incident 1 of this/);
    expect(() => own.processor.incidents.judge({ id: 1, verdict: "fault", note: "x".repeat(1_001) })).toThrow(
      "note must have at most 1000 characters, got 1001",
    );
    expect(own.store.changes).toBe(changes);
  });
});

describe("the history", () => {
  test("keeps as many of the newest events as its gene says, and as a restart leaves", () => {
    const own = taught();
    const keep = (value: number) =>
      own.processor.genes.change([{ name: "history", value: { value: { case: "number", value } } }]);
    own.observe(["a", "b"]);
    expect(own.processor.incidents.history(undefined, 100)).toEqual([]);
    keep(3);
    own.observe(["a", "b", "", "x", "b"]);
    const seen = () => own.processor.incidents.history(undefined, 100);
    expect(seen().map(({ interval, symbols }) => [interval, symbols.join()])).toEqual([
      [7, "b"],
      [6, "x"],
      [4, "b"],
    ]);
    expect(seen()[1]?.bits).toBeGreaterThan(6);
    expect(own.processor.incidents.history(6, 1)).toEqual([seen()[2]]);
    const before = seen();
    own.reopen();
    expect(seen()).toEqual(before);
    keep(2);
    expect(seen()).toEqual(before.slice(0, 2));
    keep(0);
    expect(seen()).toEqual([]);
    own.observe(["a"]);
    expect(seen()).toEqual([]);
  });
});

test("a history takes no more characters than it may, the oldest events leaving first", () => {
  const event = (interval: number, units: number): HistoryEvent => ({
    interval,
    time: interval,
    symbols: ["x".repeat(units)],
    numbers: [],
  });
  const size = historyUnits([event(0, 100)]);
  const limits = { events: 5, units: 3 * size };
  let history: HistoryEvent[] = [];
  const intervals = () => history.map(({ interval }) => interval);
  for (let at = 1; at <= 4; at++) history = historyWith(history, event(at, 100), limits);
  expect(intervals()).toEqual([2, 3, 4]);
  for (let at = 5; at <= 12; at++) history = historyWith(history, event(at, 0), limits);
  expect(intervals()).toEqual([8, 9, 10, 11, 12]);
  expect(historyUnits(history)).toBe(historyUnits([...history]));
  history = historyWith(history, event(13, 3 * size), limits);
  expect(history).toEqual([]);
  expect(historyUnits(history)).toBe(0);
});

describe("a threshold of events a day", () => {
  test("is shared by all memories, shown, and goes on after a restart", () => {
    const own = taught();
    own.alert("daily", { kind: "daily", perDay: 50 });
    const shown = () => {
      const [alert] = own.processor.alerts.getAlerts("daily");
      return alert && own.processor.alerts.thresholdOf(alert);
    };
    expect(shown()).toBeUndefined();
    own.observe(quiet(20), "s");
    own.observe(quiet(20), "t");
    const before = shown();
    expect(before).toBeGreaterThanOrEqual(0);
    own.observe(["x"], "s");
    expect(listed(own).map(({ alert }) => alert)).toContain("daily");
    const after = shown() ?? 0;
    expect(after).toBeGreaterThan(before ?? 0);
    own.reopen();
    // The newest incident keeps it, though no memory has been read.
    expect(shown()).toBeCloseTo(after, 9);
  });

  test.each([0, -1, 1_000_000, Number.NaN, Number.POSITIVE_INFINITY])("of %s is refused", (perDay) => {
    const own = taught();
    const { changes } = own.store;
    expect(() => own.alert("daily", { kind: "daily", perDay })).toThrow(
      `per_day must be a number above 0 and at most 10000, got ${perDay}`,
    );
    expect(own.store.changes).toBe(changes);
  });
});

test("the memories at a glance are read in parts, whatever they are sought by", () => {
  const own = taught();
  for (let at = 0; at < 40; at++) own.observe(["a", "b", "x"], `odd${at}`);
  const plain = Array.from({ length: 110 }, (_, at) => `plain${at}`);
  for (const session of plain) own.observe(["a"], session);
  const read = (asked: { limit: number; sessions: string[] }) => {
    const parts = Processor.devicesInParts(own.store, asked, START);
    for (let count = 1; ; count++) {
      const { done, value } = parts.next();
      if (done) return { count, value };
    }
  };
  const all = read({ limit: 1_000, sessions: [] });
  expect(all.value).toHaveLength(150);
  expect(all.value).toEqual(own.processor.listDevices({ limit: 1_000, sessions: [] }));
  own.store.mostRows = 10;
  const parts = read({ limit: 1_000, sessions: [] });
  expect(parts.value).toEqual(all.value);
  expect(parts.count).toBeGreaterThanOrEqual(15);
  expect(read({ limit: 20, sessions: [] })).toEqual({ count: 2, value: all.value.slice(0, 20) });
  const named = read({ limit: 1_000, sessions: ["plain*", "odd7"] });
  expect(named.value.map(({ session }) => session)).toEqual(["odd7", ...plain.sort()]);
  expect(named.count).toBeGreaterThanOrEqual(11);
});

test("the memories at a glance: open incidents first, then by last surprise, then by name", () => {
  const own = taught();
  for (const session of ["c", "b", "a"]) own.observe(["a", "b"], session);
  own.observe(["a", "b"]);
  own.observe(["x"], "b");
  own.observe(["x"], "c");
  own.processor.incidents.judge({ id: 1, verdict: "ignored" });
  const names = (asked: { limit: number; sessions: string[] }) =>
    own.processor.listDevices(asked).map(({ session, incidents }) => [session, incidents]);
  expect(names({ limit: 10, sessions: [] })).toEqual([
    ["c", 1],
    ["b", 0],
    ["", 0],
    ["a", 0],
  ]);
  expect(names({ limit: 1, sessions: [] })).toEqual([["c", 1]]);
  expect(names({ limit: 10, sessions: ["b*", "a", "nobody"] })).toEqual([
    ["b", 0],
    ["a", 0],
  ]);
  own.processor.memory.endSession("c");
  expect(names({ limit: 10, sessions: [] })[0]).toEqual(["b", 0]);
});
