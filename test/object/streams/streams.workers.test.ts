/** Streams at a processor's object: frames, their order and their numbers, events, and how streams end. */

import { abortAllDurableObjects, env } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { StoredProcessor } from "../../../src/object/stored-processor";
import { Fault } from "../../../src/processor/ports/fault";
import { newProcessor, type ProcessorClient } from "../../support/object/clients";
import { TestStream } from "../../support/object/stream";

const stubOf = ({ name }: ProcessorClient) => env.PROCESSORS.getByName(name) as DurableObjectStub;

async function opened(place: Parameters<typeof TestStream.open>[1] = {}) {
  const own = await newProcessor();
  const stream = await TestStream.open(stubOf(own), place);
  return { own, stream, welcome: await stream.next() };
}

/** Working memory, event by event. */
async function memoryOf({ memory }: ProcessorClient): Promise<string[][]> {
  return (await memory.getWorkingMemory({})).events.map(({ symbols }) => symbols);
}

const gdf = (...strings: string[]) => ({ strings });

describe("a frame", () => {
  test("clears, observes, learns and predicts, in this order", async () => {
    const { stream, welcome } = await opened();
    expect(welcome).toEqual({ welcome: { interval: 0, last: 0 } });
    const first = await stream.ask({ n: 1, observe: [gdf("a"), gdf("b")], learn: true });
    expect(first).toEqual({
      n: 1,
      interval: 2,
      message: {
        learned: expect.stringMatching(/^MODEL\|[0-9a-f]{40}$/),
        observed: [
          { auto_learned_model: "", prediction_made: false, status: "observed", unique_id: expect.any(String) },
          { auto_learned_model: "", prediction_made: false, status: "observed", unique_id: expect.any(String) },
        ],
      },
    });
    const second = await stream.ask({
      n: 5,
      clear: true,
      observe: gdf("a"),
      predictions: { top: 1, fields: ["name", "future"] },
      brief: true,
    });
    expect(second).toEqual({
      n: 5,
      interval: 3,
      message: { observed: 1, predictions: [{ future: [["b"]], name: first.message.learned.slice(6) }] },
    });
    expect(await stream.ask({ n: 6 })).toEqual({ n: 6, interval: 3, message: {} });
    expect(await stream.ask({ n: 7, learn: true })).toEqual({ n: 7, interval: 3, message: { learned: null } });
  });

  test("forecasts after all else, and explains each record by those before it", async () => {
    const { own, stream } = await opened();
    await stream.ask({ n: 1, observe: [gdf("a"), gdf("b"), gdf("c")], learn: true });
    const { message } = await stream.ask({
      n: 2,
      observe: [gdf("a"), gdf("b"), { emotives: { joy: 1 } }],
      forecast: { horizon: 2, top: 1 },
      explain: true,
    });
    expect(message.forecast).toMatchObject({ context: 2, models: 1, steps: [expect.anything(), expect.anything()] });
    expect(message.forecast.steps[0].symbols).toEqual([
      { models: [expect.stringMatching(/^[0-9a-f]{40}$/)], probability: expect.any(Number), support: 1, symbol: "c" },
    ]);
    expect(message.observed.map(({ surprise }: { surprise: unknown }) => surprise)).toEqual([
      null,
      { bits: expect.any(Number), expected: expect.any(Array), probability: expect.any(Number), unexpected: [] },
      null,
    ]);
    expect(message.observed[1].surprise.expected[0].symbol).toBe("b");
    const { forecast } = await own.memory.getForecast({});
    const third = await stream.ask({ n: 3, forecast: true, explain: true });
    expect(third.message.forecast.steps[0].symbols[0].probability).toBe(forecast?.steps[0]?.symbols[0]?.probability);
    const fourth = await stream.ask({ n: 4, observe: gdf("z"), explain: true, brief: true, forecast: false });
    expect(fourth.message).toEqual({ observed: 1 });
  });

  test.each([
    ["forecast", 1, "forecast must be true, or an object {horizon?: number, top?: number}, got 1"],
    ["forecast", { horizon: 11 }, "forecast.horizon must be a whole number from 1 to 10, got 11"],
    ["forecast", { top: 0 }, "forecast.top must be a whole number from 1 to 1000, got 0"],
    ["forecast", { sequence: [["a"]] }, "forecast.sequence is unknown (accepted: horizon, top)"],
    ["forecast", null, "forecast must be true, or an object {horizon?: number, top?: number}, got null"],
    ["explain", "maybe", 'explain must be true or false, got "maybe"'],
    ["explain", null, "explain must be true or false, got null"],
    ["horizon", 2, "horizon is unknown (accepted: n, clear, observe, learn, predictions, forecast, explain, brief)"],
  ])("with the %s %j is refused, and nothing of it happens", async (member, value, message) => {
    const { own, stream } = await opened();
    const answer = await stream.ask({ n: 1, observe: gdf("a"), [member]: value });
    expect(answer).toEqual({ n: 1, error: { code: 400, message } });
    expect(await memoryOf(own)).toEqual([]);
  });

  test.each(["forecast", "explain"])("with %s needs the role read", async (member) => {
    const { own, stream } = await opened({ rights: ["observe", "learn"] });
    const answer = await stream.ask({ n: 1, observe: gdf("a"), [member]: true });
    const message = `the key needs the role read for the member ${member}`;
    expect(answer).toEqual({ n: 1, error: { code: 403, message } });
    expect(await memoryOf(own)).toEqual([]);
  });

  test("with the same number, or a smaller one, is taken once", async () => {
    const { own, stream } = await opened();
    await stream.ask({ n: 2, observe: gdf("a") });
    expect(await stream.ask({ n: 2, observe: gdf("b") })).toEqual({ n: 2, redelivered: true });
    expect(await stream.ask({ n: 1, observe: gdf("b") })).toEqual({ n: 1, redelivered: true });
    expect(await memoryOf(own)).toEqual([["a"]]);
  });

  test("of a source is taken once, over streams, evictions and HTTP's deliveries", async () => {
    const { own, stream } = await opened({ source: "s" });
    await stream.ask({ n: 7, observe: gdf("a") });
    await own.memory.observe({ gdf: { strings: ["http"] }, delivery: { source: "s", number: 9 } });
    await abortAllDurableObjects();
    const again = await TestStream.open(stubOf(own), { source: "s" });
    expect(await again.next()).toEqual({ welcome: { interval: 2, last: 9 } });
    expect(await again.ask({ n: 9, observe: gdf("b") })).toEqual({ n: 9, redelivered: true });
    const other = await TestStream.open(stubOf(own), { source: "s", session: "other" });
    expect(await other.next()).toEqual({ welcome: { interval: 0, last: 0 } });
  });

  test.each([
    ["{", null, "the body is not valid JSON"],
    ["[]", null, "the body must be an object with n"],
    ['{"observe": {"strings": ["a"]}}', null, "n must be a whole number from 1 to 9007199254740991, got nothing"],
    ['{"n": 0}', null, "got 0"],
    ['{"n": 1.5}', null, "got 1.5"],
    ['{"n": "1"}', null, 'got "1"'],
    ['{"n": 1, "observ": {}}', 1, "observ is unknown"],
    ['{"n": 1, "observe": {"strings": [1]}}', 1, "observe.strings[0] must be a string, got 1"],
    ['{"n": 1, "observe": [{"strings": ["a"]}, {"strings": [1]}]}', 1, "observe[1].strings[0] must be a string"],
    ['{"n": 1, "observe": {"strings": ["a"], "more": 1}}', 1, "observe.more is unknown"],
    ['{"n": 1, "learn": 1}', 1, "learn must be true or false, got 1"],
    ['{"n": 1, "predictions": {"top": 0}}', 1, "predictions.top must be a whole number from 1 to 10000, got 0"],
    ['{"n": 1, "predictions": {"fields": ["nam"]}}', 1, "predictions.fields[0] must be one of"],
    ['{"n": 1, "predictions": 5}', 1, "predictions must be true, or an object"],
    ['{"n": 1, "forecsat": true}', 1, "forecsat is unknown"],
    ['{"subscribe": ["surprised"]}', null, "subscribe[0] must be one of incident, learned, observed, surprise"],
    ['{"subscribe": ["learned"], "n": 1}', null, "n is unknown"],
  ])("that is wrong, %s, is refused and changes nothing", async (text, n, sentence) => {
    const { own, stream } = await opened();
    await stream.ask({ n: 1, observe: gdf("x") });
    const answer = await stream.ask(n === null ? text : text.replace('"n": 1', '"n": 2'));
    expect(answer).toEqual({
      n: n === null ? null : 2,
      error: { code: 400, message: expect.stringContaining(sentence) },
    });
    expect(await memoryOf(own)).toEqual([["x"]]);
    expect(await stream.ask({ n: 3, observe: gdf("y"), brief: true })).toMatchObject({
      n: 3,
      message: { observed: 1 },
    });
  });

  test.each([
    ["before it has run", "exhausted", false],
    ["after it ran and was taken back", "unavailable", true],
  ] as const)("of a source that a split processor refuses for now, %s, ends its stream", async (_when, kind, hasRun) => {
    const own = await newProcessor();
    const stream = await TestStream.open(stubOf(own), { source: "s" });
    await stream.next();
    await stream.ask({ n: 1, observe: gdf("a") });
    const isSplit = vi.spyOn(StoredProcessor.prototype, "isSplit", "get").mockReturnValue(true);
    const run = vi.spyOn(StoredProcessor.prototype, "run").mockImplementationOnce((_writes, verb) => {
      const refusal = new Fault(kind, "not now");
      if (!hasRun) throw refusal;
      const takenBack = new Proxy(
        {},
        {
          get: () => {
            throw new Error("asks the parts");
          },
        },
      );
      expect(() => verb(takenBack as never)).toThrow("asks the parts");
      return new Promise<never>((_, reject) => setTimeout(reject, 20, refusal));
    });
    try {
      stream.send({ n: 2, observe: gdf("b") });
      stream.send({ n: 3, observe: gdf("c") });
      expect(await stream.untilClosed()).toMatchObject({
        code: 1013,
        reason: expect.stringContaining("send it again"),
      });
    } finally {
      run.mockRestore();
      isSplit.mockRestore();
    }
    expect(await memoryOf(own)).toEqual([["a"]]);
    const next = await TestStream.open(stubOf(own), { source: "s" });
    expect(await next.next()).toEqual({ welcome: { interval: 1, last: 1 } });
  });

  test("of more than 1,000 records is refused with 413, and one of 1 MiB closes the stream", async () => {
    const { own, stream } = await opened();
    const answer = await stream.ask({ n: 1, observe: Array.from({ length: 1001 }, () => gdf("a")) });
    expect(answer).toMatchObject({ n: 1, error: { code: 413 } });
    stream.send({ n: 2, observe: gdf("é".repeat(524_288)) });
    expect(await stream.untilClosed()).toMatchObject({ code: 1009 });
    expect(await memoryOf(own)).toEqual([]);
  });

  test("that the processor refuses takes no effect, not even its clear and its learn", async () => {
    const { own, stream } = await opened({ source: "s" });
    await stream.ask({ n: 1, observe: [gdf("a"), gdf("b")] });
    const wrong = { vectors: [[1, 2], [1]] };
    const answer = await stream.ask({ n: 2, clear: true, observe: [gdf("c"), wrong], learn: true });
    expect(answer).toMatchObject({ n: 2, error: { code: 400 } });
    expect(await memoryOf(own)).toEqual([["a"], ["b"]]);
    expect(await stream.ask({ n: 3, learn: true })).toMatchObject({ message: { learned: expect.any(String) } });
  });

  test("of bytes is refused; ping is answered pong", async () => {
    const { stream } = await opened();
    expect(await stream.ask(new TextEncoder().encode('{"n": 1}').buffer)).toMatchObject({
      n: null,
      error: { code: 400 },
    });
    expect(await stream.ask("ping")).toBe("pong");
  });

  test("needs the roles of its key", async () => {
    const { own, stream } = await opened({ rights: [] });
    expect(await stream.ask({ n: 1, observe: gdf("a"), brief: true })).toMatchObject({ message: { observed: 1 } });
    expect(await stream.ask({ n: 2, learn: true })).toMatchObject({ error: { code: 403 } });
    expect(await stream.ask({ n: 3, observe: gdf("b"), predictions: true })).toMatchObject({ error: { code: 403 } });
    expect(await stream.ask({ subscribe: ["observed"] })).toMatchObject({ n: null, error: { code: 403 } });
    expect(await memoryOf(own)).toEqual([["a"]]);
  });
});

describe("asleep", () => {
  test("records are ignored; learn and clear act, as they do by themselves", async () => {
    const { own, stream } = await opened({ session: "s" });
    await stream.ask({ n: 1, observe: [gdf("a"), gdf("b")] });
    await own.modes.setSleeping({ on: true });
    const answer = await stream.ask({ n: 2, observe: gdf("c"), learn: true });
    expect(answer.message.observed[0].status).toBe("asleep");
    expect(answer.message.learned).toMatch(/^MODEL\|/);
    expect(await stream.ask({ n: 3, clear: true, learn: true })).toMatchObject({ message: { learned: null } });
  });
});

describe("events", () => {
  test("say how unexpected each record was, to whom subscribes to that", async () => {
    const { own, stream } = await opened();
    const { memory } = own;
    for (const strings of [["a"], ["b"]]) await memory.observe({ gdf: { strings } });
    await memory.learn({});
    expect(await stream.ask({ subscribe: ["surprise", "observed"] })).toEqual({ subscribed: ["surprise", "observed"] });
    await memory.observe({ gdf: { strings: ["a"], uniqueId: "u1" } });
    expect(await stream.next()).toMatchObject({ event: "observed", interval: 3 });
    expect(await stream.next()).toEqual({ event: "surprise", interval: 3, session: null, surprise: null });
    const { observed } = await memory.observe({ gdf: { strings: ["z"], uniqueId: "u2" }, explain: true });
    expect(await stream.next()).toMatchObject({ event: "observed", interval: 4, unique_id: "u2" });
    const { $typeName: _, expected, ...told } = observed?.surprise ?? { $typeName: "", expected: [] };
    expect(told).toMatchObject({ unexpected: ["z"] });
    const symbols = expected.map(({ symbol, probability }) => ({ symbol, probability }));
    expect(symbols[0]?.symbol).toBe("b");
    expect(await stream.next()).toEqual({
      event: "surprise",
      interval: 4,
      session: null,
      surprise: { ...told, expected: symbols },
    });
  });

  test("tell of what any client does, until the 1,000th, which says renew", async () => {
    const { own, stream } = await opened();
    expect(await stream.ask({ subscribe: ["observed", "learned"] })).toEqual({ subscribed: ["observed", "learned"] });
    await own.memory.observe({ gdf: { strings: ["b", "a"], uniqueId: "u1" } });
    expect(await stream.next()).toEqual({
      event: "observed",
      interval: 1,
      session: null,
      symbols: ["a", "b"],
      unique_id: "u1",
    });
    await own.memory.learn({});
    expect(await stream.next()).toEqual({
      event: "learned",
      interval: 1,
      session: null,
      model: expect.stringMatching(/^MODEL\|/),
    });
    for (let i = 3; i <= 1001; i++) await own.memory.observe({ gdf: { strings: ["x"] } });
    for (let i = 3; i < 1000; i++) expect(await stream.next()).not.toHaveProperty("renew");
    expect(await stream.next()).toMatchObject({ event: "observed", renew: true });
    expect(await stream.ask({ n: 1, observe: gdf("y"), brief: true })).toMatchObject({ n: 1 });
  });

  test("of more than 1 MiB end the streams that are to hear of them, and no other", async () => {
    const { own, stream } = await opened();
    const other = await TestStream.open(stubOf(own));
    await other.next();
    await stream.ask({ subscribe: ["observed"] });
    await own.memory.observe({ gdf: gdf("x".repeat(1_000_000)) });
    expect(await stream.next()).toMatchObject({ event: "observed" });
    await own.memory.observe({ gdf: gdf("x".repeat(1_048_577)) });
    expect(await stream.untilClosed()).toEqual({ code: 1013, reason: "an event takes more than 1 MiB" });
    expect(await other.ask({ n: 1 })).toMatchObject({ n: 1 });
  });

  test("of a session come to its own stream, and to the processor's where it asks for sessions", async () => {
    const own = await newProcessor();
    const [a, b, whole, plain] = await Promise.all(
      [{ session: "a" }, { session: "b" }, {}, {}].map((place) => TestStream.open(stubOf(own), place)),
    );
    if (!a || !b || !whole || !plain) throw new Error("a stream is missing");
    for (const stream of [a, b, whole, plain]) await stream.next();
    for (const stream of [a, b, plain]) await stream.ask({ subscribe: ["observed"] });
    await whole.ask({ subscribe: ["observed"], sessions: true });
    a.send({ n: 1, observe: gdf("x"), brief: true });
    expect(await a.next()).toMatchObject({ event: "observed", session: "a" });
    expect(await a.next()).toMatchObject({ n: 1 });
    expect(await whole.next()).toMatchObject({ event: "observed", session: "a" });
    expect(await b.ask("ping")).toBe("pong");
    expect(await plain.ask("ping")).toBe("pong");
    await plain.ask({ subscribe: [] });
  });
});

describe("a stream ends", () => {
  test("when a newer one speaks for its source", async () => {
    const { own, stream } = await opened({ source: "s" });
    const newer = await TestStream.open(stubOf(own), { source: "s" });
    await newer.next();
    expect(await stream.untilClosed()).toMatchObject({ code: 4001 });
    expect(await newer.ask({ n: 1, observe: gdf("a"), brief: true })).toMatchObject({ n: 1 });
  });

  test("when its processor goes", async () => {
    const { own, stream } = await opened();
    await own.provisioning.retire({ purge: true });
    expect(await stream.untilClosed()).toMatchObject({ code: 1012 });
  });

  test("before it begins where there is no processor", async () => {
    const stub = env.PROCESSORS.getByName(crypto.randomUUID()) as DurableObjectStub;
    await expect(TestStream.open(stub)).rejects.toThrow("not in service");
  });
});
