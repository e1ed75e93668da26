/** How the client's streams open, are lost, open again and end: over real sockets, which a test can cut. */

import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { type NoemaError, stream } from "../../../src/client";
import { StreamServer } from "../../support/client/stream-server";
import { gdf, observeEach, sleep, symbols, TestStreams } from "../../support/client/test-streams";
import { eventually } from "../../support/eventually";
import { Random } from "../../support/random";

const streams = new TestStreams();

describe("a link that is lost", () => {
  test("with a source: what was not taken is sent again, once and in order, however often it is cut", async () => {
    const random = new Random(14);
    const fates = ["answer", "answer", "answer", "answer", "answer", "cut before the answer"] as const;
    streams.server.afterFrame = () => random.pick(fates);
    const lost: NoemaError[] = [];
    const link = streams.open({ source: "s", frames: 8, batch: 3, onLost: (error) => lost.push(error) });
    const answers = [];
    for (let i = 0; i < 2000; i++) {
      await link.ready;
      answers.push(link.observe(gdf(`s${i}`)));
      if (random.below(10) === 0) await sleep(random.below(3));
      if (random.below(50) === 0) streams.server.cut();
    }
    const all = await Promise.all(answers);
    await link.close();
    expect(streams.server.symbols).toEqual(symbols(0, 2000));
    expect(lost.length).toBeGreaterThan(10);
    expect(all.filter(({ redelivered }) => redelivered).length).toBeGreaterThan(10);
    const whole = all.filter(({ redelivered }) => !redelivered);
    for (const { observed } of whole) expect(observed).toHaveLength(1);
  });

  test("with a source: the numbers go on after those of an earlier program", async () => {
    const first = streams.open({ source: "s" });
    await first.observe(gdf("a"));
    await first.close();
    const second = streams.open({ source: "s" });
    expect(await second.observe(gdf("b"))).toMatchObject({ redelivered: false });
    expect(streams.server.taken.map(({ n }) => n)).toEqual([1, 2]);
  });

  test("without a source: what is under way is rejected, and what waits is sent on the next link", async () => {
    streams.server.afterFrame = () => "hold";
    const link = streams.open({ frames: 2 });
    const [a, b] = [link.observe([gdf("a")]), link.observe([gdf("b")])];
    const c = link.observe([gdf("c")]);
    const settled = Promise.allSettled([a, b]);
    await eventually(() => expect(streams.server.heard).toHaveLength(2));
    streams.server.afterFrame = () => "answer";
    streams.server.cut();
    for (const result of await settled) {
      expect(result).toMatchObject({ status: "rejected", reason: { status: 0, operation: "stream" } });
      expect(String((result as PromiseRejectedResult).reason)).toContain("it is unknown whether this took effect");
    }
    expect(await c).toMatchObject({ redelivered: false });
    expect(streams.server.symbols).toEqual(["a", "b", "c"]);
  });

  test.each([1001, 1011, 1012, 1013])("by close code %i, is opened again", async (code) => {
    const lost: string[] = [];
    const link = streams.open({ source: "s", onLost: ({ message }) => lost.push(message) });
    await link.observe(gdf("a"));
    streams.server.close(code, "some reason");
    await eventually(() => expect(lost).toEqual(["the link was lost: some reason"]));
    expect(await link.observe(gdf("b"))).toMatchObject({ redelivered: false });
  });

  test.each([
    [1008, "the key is no longer valid"],
    [4001, "a newer stream uses this source"],
  ])("by close code %i, ends the stream", async (code, reason) => {
    streams.server.afterFrame = () => "hold";
    const link = streams.open({ source: "s" });
    const call = link.observe(gdf("a"));
    const settled = Promise.allSettled([call, link.closed]);
    await eventually(() => expect(streams.server.heard).toHaveLength(1));
    streams.server.close(code, reason);
    const expected = { status: code, message: `the server ended the stream: ${reason}` };
    for (const result of await settled) expect(result).toMatchObject({ reason: expected });
    await expect(link.observe(gdf("b"))).rejects.toMatchObject(expected);
    await expect(link.ready).rejects.toMatchObject(expected);
    await link.close();
    await sleep(50);
    expect(streams.server.opened).toHaveLength(1);
  });

  test("to an opening of its own that was given up and that the server read late, is opened again, once", async () => {
    streams.server.carriesWebSockets = false;
    const lost: string[] = [];
    const link = streams.open({ source: "s", onLost: ({ message }) => lost.push(message) });
    const rest = link.closed.catch(({ status }: NoemaError) => status);
    // It may have failed several times by the time that anybody looks.
    await eventually(() => expect(lost.length).toBeGreaterThan(0));
    streams.server.carriesWebSockets = true;
    await link.observe(gdf("a"));
    const failed = lost.length;
    streams.server.close(4001, "a newer stream uses this source");
    for (let i = 0; i < failed; i++) {
      await eventually(() => expect(lost).toHaveLength(failed + 1 + i));
      await link.observe(gdf(`b${i}`));
      streams.server.close(4001, "a newer stream uses this source");
    }
    expect(await rest).toBe(4001);
  });
});

describe("onOpen", () => {
  test.each([
    ["with events, once they are told", () => {}],
    ["without events", undefined],
  ])("hears of each link: %s", async (_, onEvent) => {
    let opened = 0;
    const options = { onOpen: () => opened++, ...(onEvent && { onEvent }) };
    const link = streams.open(options);
    for (let links = 1; links <= 3; links++) {
      await eventually(() => expect(opened).toBe(links));
      expect(streams.server.subscriptions).toHaveLength(onEvent === undefined ? 0 : links);
      await link.observe(gdf("a"));
      streams.server.cut();
    }
  });

  test("hears of nothing that is refused", async () => {
    streams.server.refuseSubscription = () => ({ code: 403, message: "the key needs the role read" });
    let opened = 0;
    const link = streams.open({ onOpen: () => opened++, onEvent: () => {} });
    await link.closed.catch(() => {});
    expect(opened).toBe(0);
  });
});

describe("a stream that cannot be opened", () => {
  test.each([
    ["ws", undefined],
    ["a given class, which can set no headers", WebSocket],
  ])("for its key, ends at once with the server's sentence: %s", async (_, webSocket) => {
    const link = streams.open(webSocket === undefined ? {} : { webSocket }, { key: "wrong" });
    const expected = { status: 500, message: "the key is missing or wrong" };
    await expect(link.observe(gdf("a"))).rejects.toMatchObject(expected);
    await expect(link.closed).rejects.toMatchObject(expected);
  });

  test.each([400, 403, 404])("with HTTP %i, ends at once with the server's sentence", async (status) => {
    streams.server.refuseLink = () => ({ status, message: "for a reason" });
    const link = streams.open();
    await expect(link.observe(gdf("a"))).rejects.toMatchObject({ status, message: "for a reason" });
  });

  test.each([429, 503])("with HTTP %i, is tried again after the pause that the server asks for", async (status) => {
    let times = 0;
    streams.server.refuseLink = () =>
      times++ < 2 ? { status, message: "not now", headers: { "retry-after": "1" } } : undefined;
    const lost: (number | undefined)[] = [];
    const link = streams.open({ onLost: ({ retryAfter }) => lost.push(retryAfter) });
    const began = Date.now();
    await link.observe(gdf("a"));
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
    expect(lost).toEqual([1]);
  });

  test("though the server answers other requests, says what may be the matter", async () => {
    streams.server.refuseLink = () => ({ status: 404, message: "for WebSockets and ping alone" });
    await expect(streams.open({ retries: 0 }).closed).rejects.toMatchObject({ status: 404 });
    streams.server.refuseLink = () => undefined;
    streams.server.carriesWebSockets = false;
    await expect(streams.open({ retries: 0 }).closed).rejects.toMatchObject({
      status: 0,
      message: expect.stringContaining("does each proxy carry WebSockets"),
    });
  });

  test("after as many failures as it was told, ends; without a number, it tries on", async () => {
    const { address } = streams.server;
    await streams.server.stop();
    let lost = 0;
    const patient = streams.open({ onLost: () => lost++ }, { address });
    const link = streams.open({ retries: 3 }, { address });
    await expect(link.observe(gdf("a"))).rejects.toMatchObject({ status: 0 });
    await eventually(() => expect(lost).toBeGreaterThan(10));
    streams.server = await StreamServer.start();
    expect(patient.isFull).toBe(false);
  });

  test("because the connection's fetch knows no WebSockets, says so", async () => {
    const link = streams.open({}, { fetch: async () => new Response(null, { status: 426 }) });
    await expect(link.observe(gdf("a"))).rejects.toThrow("the fetch of this connection cannot open WebSockets");
  });

  test("for lack of a welcome, is tried again", async () => {
    class Silent {
      addEventListener() {}
      send() {}
      close() {}
    }
    const lost: string[] = [];
    streams.open({ webSocket: Silent, onLost: ({ message }) => lost.push(message) }, { timeout: 20 });
    await eventually(() => expect(lost.length).toBeGreaterThan(1));
    expect(lost[0]).toContain("nothing was heard for 20 ms");
  });
});

describe("the key", () => {
  test("goes in the header with ws, in a subprotocol with another class, and never in the URL", async () => {
    await streams.open({}).observe(gdf("a"));
    await streams.open({ webSocket: WebSocket }).observe(gdf("a"));
    const [own, given] = streams.server.opened;
    expect(own?.headers).toMatchObject({ "x-api-key": "ABCD-1234", "sec-websocket-protocol": "noema.v1" });
    expect(given?.headers["x-api-key"]).toBeUndefined();
    expect(given?.headers["sec-websocket-protocol"]).toBe("noema.v1,noema.key.QUJDRC0xMjM0");
    for (const { url } of streams.server.opened) expect(url).toBe("/P1/stream");
  });
});

describe("an end", () => {
  test("by the signal: every call throws its reason", async () => {
    streams.server.afterFrame = () => "hold";
    const controller = new AbortController();
    const link = stream(streams.memory(), { signal: controller.signal, source: "s", frames: 1 });
    const settled = Promise.allSettled([...observeEach(link, ["a"]), ...observeEach(link, ["b"]), link.closed]);
    await eventually(() => expect(streams.server.heard).toHaveLength(1));
    const later = link.observe(gdf("c"));
    const reason = new Error("enough");
    controller.abort(reason);
    for (const result of await settled) expect(result).toEqual({ status: "rejected", reason });
    await expect(later).rejects.toBe(reason);
    await expect(link.observe(gdf("d"))).rejects.toBe(reason);
    await eventually(() => expect(streams.server.links).toBe(0));
    expect(() => stream(streams.memory(), { signal: controller.signal })).toThrow("enough");
  });

  test("by close: what was asked is answered first, also over a lost link", async () => {
    streams.server.afterFrame = () => "hold";
    const link = streams.open({ source: "s", frames: 1 });
    const answers = [link.observe([gdf("a")]), link.observe([gdf("b")])];
    await eventually(() => expect(streams.server.heard).toHaveLength(1));
    const closed = link.close();
    await expect(link.observe(gdf("c"))).rejects.toThrow("the stream is closed");
    streams.server.afterFrame = () => "answer";
    streams.server.cut();
    await closed;
    await link.closed;
    expect((await Promise.all(answers)).map(({ redelivered }) => redelivered)).toEqual([true, false]);
    await eventually(() => expect(streams.server.links).toBe(0));
    expect(streams.server.symbols).toEqual(["a", "b"]);
  });

  test("by close without a call, and twice, is at once", async () => {
    const link = streams.open();
    await Promise.all([link.close(), link.close()]);
    await expect(link.observe(gdf("a"))).rejects.toThrow(TypeError);
  });
});

describe("events", () => {
  const event = { event: "observed", interval: 1, session: null, symbols: ["a"], unique_id: "u" };

  test("come to the listener, and are subscribed anew before the 1,000th and on a new link", async () => {
    const heard: unknown[] = [];
    streams.open({ onEvent: (one) => heard.push(one), events: ["observed"] });
    await eventually(() => expect(streams.server.subscriptions).toEqual([["observed"]]));
    for (let count = 800; count <= 4000; count += 800) {
      for (let i = 0; i < 800; i++) streams.server.tell(event);
      await eventually(() => expect(heard).toHaveLength(count));
      await eventually(() => expect(streams.server.subscriptions.length).toBeGreaterThan(count / 800));
    }
    expect(heard.at(-1)).toEqual(event);
    const { length } = streams.server.subscriptions;
    expect(length).toBeGreaterThan(4);
    streams.server.cut();
    await eventually(() => expect(streams.server.subscriptions.length).toBeGreaterThan(length));
  });

  test("are subscribed anew when the server has ended the subscription", async () => {
    const heard: unknown[] = [];
    streams.open({ onEvent: (one) => heard.push(one) });
    await eventually(() => expect(streams.server.subscriptions).toEqual([["learned", "observed"]]));
    // More than the client can answer in time.
    for (let i = 0; i < 1500; i++) streams.server.tell(event);
    await eventually(() => expect(heard).toHaveLength(1000));
    expect(heard.at(-1)).toEqual(event);
    // Events before the subscription are not reported.
    await eventually(() => {
      streams.server.tell({ ...event, interval: 2 });
      expect(heard.at(-1)).toMatchObject({ interval: 2 });
    });
  });

  test("that the key may not hear end the stream", async () => {
    streams.server.refuseSubscription = () => ({ code: 403, message: "the key needs the role read" });
    const link = streams.open({ onEvent: () => {} });
    await expect(link.closed).rejects.toMatchObject({ status: 403, message: "the key needs the role read" });
  });
});

describe("a silent link", () => {
  /** A socket whose other end a test plays. */
  class Played {
    static readonly all: Played[] = [];
    readonly sent: string[] = [];
    isClosed = false;
    #message: (event: { type: string; data: unknown }) => void = () => {};

    constructor() {
      Played.all.push(this);
    }

    addEventListener(type: string, listener: (event: { type: string; data?: unknown }) => void) {
      if (type === "message") this.#message = listener;
    }

    send(text: string) {
      this.sent.push(text);
    }

    close() {
      this.isClosed = true;
    }

    say(text: string) {
      this.#message({ type: "message", data: text });
    }
  }

  test("is pinged after 30 s, and is lost when it does not answer within 10 s", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const lost: string[] = [];
    streams.open({ webSocket: Played, onLost: ({ message }) => lost.push(message) });
    const [socket] = Played.all;
    socket?.say('{"welcome":{"interval":0,"last":0}}');
    await vi.advanceTimersByTimeAsync(29_999);
    expect(socket?.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(socket?.sent).toEqual(["ping"]);
    await vi.advanceTimersByTimeAsync(9_999);
    socket?.say("pong");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(socket?.sent).toEqual(["ping", "ping"]);
    await vi.advanceTimersByTimeAsync(9_999);
    expect([socket?.isClosed, lost]).toEqual([false, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect([socket?.isClosed, lost]).toEqual([true, ["the link was lost: a ping was not answered within 10 s"]]);
    await vi.advanceTimersByTimeAsync(10);
    expect(Played.all).toHaveLength(2);
  });
});
