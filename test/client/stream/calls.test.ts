/** What the client's streams send, and what each call is told: against a server that a test can make fail. */

import { describe, expect, test } from "vitest";
import { session, stream } from "../../../src/client";
import { recordsOf } from "../../support/client/stream-server";
import { gdf, observeEach, sleep, symbols, TestStreams } from "../../support/client/test-streams";
import { eventually } from "../../support/eventually";

const streams = new TestStreams();

describe("a call", () => {
  test("is answered with what its frame did", async () => {
    const link = streams.open();
    expect(await link.observe(gdf("a"))).toEqual({
      observed: [{ status: "observed", unique_id: "a" }],
      interval: 1,
      redelivered: false,
    });
    const options = { clear: true, learn: true, predictions: { top: 1, fields: ["future"] as const }, brief: true };
    expect(await link.observe([gdf("b"), gdf("c")], options)).toEqual({
      learned: "MODEL|2",
      predictions: [{ asked: { top: 1, fields: ["future"] } }],
      interval: 3,
      redelivered: false,
    });
    expect(await link.observe([], { learn: true })).toEqual({ learned: "MODEL|3", interval: 3, redelivered: false });
    await link.close();
    expect(streams.server.taken).toEqual([
      { n: 1, observe: gdf("a") },
      { n: 2, clear: true, observe: [gdf("b"), gdf("c")], learn: true, predictions: options.predictions, brief: true },
      { n: 3, learn: true },
    ]);
  });

  test("asks for forecasts and explanations, and shares no frame with one that explains otherwise", async () => {
    const link = streams.open();
    await link.observe(gdf("warm"));
    await Promise.all([
      link.observe(gdf("a")),
      link.observe(gdf("b")),
      link.observe(gdf("c"), { explain: true }),
      link.observe(gdf("d"), { explain: true, forecast: true }),
      link.observe(gdf("e"), { forecast: { horizon: 2, top: 3 } }),
      link.observe(gdf("f"), { forecast: false, explain: false }),
    ]);
    await link.close();
    expect(streams.server.taken.slice(1)).toEqual([
      { n: 2, observe: [gdf("a"), gdf("b")] },
      { n: 3, observe: [gdf("c"), gdf("d")], forecast: true, explain: true },
      { n: 4, observe: gdf("e"), forecast: { horizon: 2, top: 3 } },
      { n: 5, observe: gdf("f") },
    ]);
  });

  test("is sent as it was when it was made", async () => {
    const link = streams.open();
    const record = gdf("before");
    const call = link.observe(record);
    record.strings[0] = "after";
    await call;
    expect(streams.server.symbols).toEqual(["before"]);
  });

  test("goes to the session and the source that were named", async () => {
    const link = stream(session(streams.memory(), "a b"), { source: "ü?" });
    await link.observe(gdf("a"));
    await link.close();
    expect(streams.server.opened.map(({ url }) => url)).toEqual(["/P1/sessions/a%20b/stream?source=%C3%BC%3F"]);
  });

  test("that is refused throws the sentence and the status, and the next ones are answered", async () => {
    streams.server.refuse = ({ observe }) =>
      recordsOf(observe).some(({ strings }) => strings[0] === "bad")
        ? { code: 400, message: "no bad ones" }
        : undefined;
    const link = streams.open();
    await expect(link.observe(gdf("bad"))).rejects.toMatchObject({
      name: "NoemaError",
      operation: "stream",
      status: 400,
      message: "no bad ones",
    });
    expect(await link.observe(gdf("good"))).toMatchObject({ interval: 1 });
  });

  test("that no frame can carry is refused before it is sent", async () => {
    const link = streams.open();
    const many = Array.from({ length: 1001 }, () => gdf("a"));
    await expect(link.observe(many)).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining("got 1001"),
    });
    const large = gdf("é".repeat(524_288));
    await expect(link.observe(large)).rejects.toMatchObject({ status: 413, message: expect.stringContaining("1 MiB") });
    await expect(link.observe("a" as never)).rejects.toThrow(TypeError);
    await expect(link.observe([gdf("a"), null] as never)).rejects.toThrow(TypeError);
    // The largest that fits.
    await link.observe(gdf("é".repeat(524_288 - 100)));
    expect(streams.server.heard).toHaveLength(1);
    expect(Buffer.byteLength(streams.server.heard[0] ?? "")).toBeLessThanOrEqual(1_048_576);
  });
});

describe("calls that wait", () => {
  test("share a frame, and each gets its own part of the answer", async () => {
    const link = streams.open();
    const answers = await Promise.all(observeEach(link, symbols(0, 5)));
    expect(streams.server.taken).toHaveLength(1);
    expect(answers.map(({ observed }) => observed?.map(({ unique_id }) => unique_id))).toEqual(
      symbols(0, 5).map((one) => [one]),
    );
  });

  test("share frames of 1,000 records and 1 MiB at most", async () => {
    const link = streams.open();
    await Promise.all(observeEach(link, symbols(0, 2500)));
    expect(streams.server.taken.map(({ observe }) => recordsOf(observe).length)).toEqual([1000, 1000, 500]);
    await Promise.all(
      observeEach(
        link,
        Array.from({ length: 5 }, (_, i) => `${i}${"é".repeat(200_000)}`),
      ),
    );
    expect(streams.server.taken.slice(3).map(({ observe }) => recordsOf(observe).length)).toEqual([2, 2, 1]);
    for (const text of streams.server.heard) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_048_576);
  });

  test("share frames of `batch` records at most", async () => {
    const link = streams.open({ batch: 2 });
    await Promise.all(observeEach(link, symbols(0, 5)));
    expect(streams.server.taken.map(({ observe }) => recordsOf(observe).length)).toEqual([2, 2, 1]);
  });

  test("do what each would do alone: a frame begins with a clear, and ends with what learns or predicts", async () => {
    const link = streams.open();
    const answers = await Promise.all([
      link.observe(gdf("a"), { brief: true }),
      link.observe(gdf("b"), { learn: true }),
      link.observe(gdf("c")),
      link.observe(gdf("d"), { predictions: true, brief: true }),
      link.observe(gdf("e"), { brief: true }),
      link.observe(gdf("f"), { clear: true, brief: true }),
      link.observe([gdf("g"), gdf("h")]),
      link.observe(gdf("i")),
    ]);
    expect(streams.server.taken).toEqual([
      { n: 1, observe: [gdf("a"), gdf("b")], learn: true },
      { n: 2, observe: [gdf("c"), gdf("d")], predictions: true },
      { n: 3, observe: gdf("e"), brief: true },
      { n: 4, clear: true, observe: gdf("f"), brief: true },
      { n: 5, observe: [gdf("g"), gdf("h")] },
      { n: 6, observe: gdf("i") },
    ]);
    const about = ({ observed, learned, predictions }: (typeof answers)[number]) => [
      observed?.length,
      learned,
      predictions?.length,
    ];
    expect(answers.map(about)).toEqual([
      [undefined, undefined, undefined],
      [1, "MODEL|1", undefined],
      [1, undefined, undefined],
      [undefined, undefined, 1],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
      [2, undefined, undefined],
      [1, undefined, undefined],
    ]);
  });

  test("are refused alone when another one of their frame is at fault, and keep their order", async () => {
    const isBad = (symbol: string | undefined) => symbol?.endsWith("7") ?? false;
    streams.server.refuse = ({ observe }) =>
      recordsOf(observe).some(({ strings }) => isBad(strings[0])) ? { code: 400, message: "no sevens" } : undefined;
    const link = streams.open();
    const first = Promise.allSettled(observeEach(link, symbols(0, 40)));
    await eventually(() => expect(streams.server.heard.length).toBeGreaterThan(0));
    const second = Promise.allSettled(observeEach(link, symbols(40, 60)));
    const results = [...(await first), ...(await second)];
    const expected = symbols(0, 60).filter((one) => !isBad(one));
    expect(streams.server.symbols).toEqual(expected);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(6);
    expect(results.map(({ status }) => status)).toEqual(
      symbols(0, 60).map((one) => (isBad(one) ? "rejected" : "fulfilled")),
    );
  });
});

describe("calls with numbers", () => {
  const numbered = (link: ReturnType<typeof streams.open>, numbers: readonly number[]) =>
    numbers.map((number) => link.observe(gdf(`s${number}`), { number }));

  test("are frames with these numbers, and what an earlier program has sent is not sent again", async () => {
    const first = streams.open({ source: "s" });
    await Promise.all(numbered(first, [1, 2, 5]));
    await first.close();
    const second = streams.open({ source: "s" });
    const answers = await Promise.all(numbered(second, [1, 2, 5, 7, 8]));
    expect(answers.map(({ redelivered }) => redelivered)).toEqual([true, true, true, false, false]);
    expect(streams.server.taken.map(({ n, observe }) => [n, recordsOf(observe)[0]?.strings[0]])).toEqual([
      [1, "s1"],
      [2, "s2"],
      [5, "s5"],
      [7, "s7"],
      [8, "s8"],
    ]);
    expect(streams.server.heard).toHaveLength(5);
  });

  test("let a stream close when all of them were taken before", async () => {
    const first = streams.open({ source: "s" });
    await Promise.all(numbered(first, [1, 2]));
    await first.close();
    const second = streams.open({ source: "s", onOpen: () => opened() });
    let opened = () => {};
    await new Promise<void>((resolve) => {
      opened = resolve;
    });
    const answers = Promise.all(numbered(second, [1, 2]));
    await second.close();
    expect(await answers).toEqual([{ redelivered: true }, { redelivered: true }]);
  });

  test("must rise, need a source, and are given to all calls or none", async () => {
    const link = streams.open({ source: "s" });
    const calls = numbered(link, [3, 3, 0, 1.5, 2 ** 53, 4]);
    const results = await Promise.allSettled([...calls, link.observe(gdf("none"))]);
    expect(results.map((one) => (one.status === "rejected" ? one.reason.message : "taken"))).toEqual([
      "taken",
      "number must be a whole number from 4 to 9007199254740991, got 3",
      "number must be a whole number from 4 to 9007199254740991, got 0",
      "number must be a whole number from 4 to 9007199254740991, got 1.5",
      "number must be a whole number from 4 to 9007199254740991, got 9007199254740992",
      "taken",
      "number all calls of a stream, or none",
    ]);
    const other = streams.open({ source: "other" });
    await other.observe(gdf("a"));
    await expect(other.observe(gdf("b"), { number: 9 })).rejects.toThrow("number all calls of a stream, or none");
    await expect(streams.open().observe(gdf("a"), { number: 1 })).rejects.toThrow("number needs a source");
  });
});

describe("the bounds", () => {
  test("no more frames than `frames` are under way, then calls gather", async () => {
    streams.server.afterFrame = () => "hold";
    const link = streams.open({ frames: 3 });
    const answers = [];
    for (let i = 0; i < 10; i++) {
      answers.push(link.observe(gdf(`s${i}`)));
      await eventually(() => expect(streams.server.heard).toHaveLength(Math.min(i + 1, 3)));
    }
    streams.server.afterFrame = () => "answer";
    streams.server.release();
    await Promise.all(answers);
    expect(streams.server.taken.map(({ observe }) => recordsOf(observe).length)).toEqual([1, 1, 1, 7]);
    expect(streams.server.symbols).toEqual(symbols(0, 10));
  });

  test("256 lists are under way at most, and no more than 5 MiB", async () => {
    streams.server.afterFrame = () => "hold";
    const link = streams.open({ frames: 256 });
    for (let i = 0; i < 300; i++) link.observe([gdf(`s${i}`)]).catch(() => {});
    await eventually(() => expect(streams.server.heard).toHaveLength(256));
    const other = streams.open({ frames: 256 });
    for (let i = 0; i < 10; i++) other.observe([gdf("x".repeat(1_000_000))]).catch(() => {});
    await eventually(() => expect(streams.server.heard).toHaveLength(261));
    await sleep(100);
    expect(streams.server.heard).toHaveLength(261);
  });

  test("a full buffer says so, and ready comes when it is not", async () => {
    streams.server.afterFrame = () => "hold";
    const link = streams.open({ frames: 1, buffer: 5 });
    const answers = observeEach(link, ["first"]);
    await eventually(() => expect(streams.server.heard).toHaveLength(1));
    for (let i = 0; i < 5; i++) {
      expect(link.isFull).toBe(false);
      await link.ready;
      answers.push(...observeEach(link, [`s${i}`]));
    }
    expect(link.isFull).toBe(true);
    let isReady = false;
    const ready = link.ready.then(() => {
      isReady = true;
    });
    await sleep(20);
    expect(isReady).toBe(false);
    streams.server.afterFrame = () => "answer";
    streams.server.release();
    await ready;
    expect(link.isFull).toBe(false);
    await Promise.all(answers);
    expect(streams.server.symbols).toEqual(["first", ...symbols(0, 5)]);
  });

  test.each([
    [{ batch: 0 }, RangeError, "batch must be a whole number from 1 to 1000, got 0"],
    [{ batch: 1001 }, RangeError, "got 1001"],
    [{ frames: 257 }, RangeError, "frames must be a whole number from 1 to 256, got 257"],
    [{ buffer: 0 }, RangeError, "buffer must be"],
    [{ retries: -1 }, RangeError, "retries must be"],
    [{ source: "" }, TypeError, "the name of a source"],
    [{ source: "x".repeat(129) }, TypeError, "the name of a source"],
    [{ events: ["observed"] as const }, TypeError, "events needs onEvent"],
    [{ sessions: true }, TypeError, "sessions needs onEvent"],
  ])("%j is not accepted", (options, kind, sentence) => {
    const make = () => stream(streams.memory(), options);
    expect(make).toThrow(kind);
    expect(make).toThrow(sentence);
  });
});
