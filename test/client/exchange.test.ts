/** What the client sends again, when, and what it throws in the end. */

import { afterEach, describe, expect, test, vi } from "vitest";
import {
  changeGenes,
  getGene,
  getStatus,
  hotswapGenome,
  learn,
  loadKnowledgeBase,
  NoemaError,
  observe,
  observeSequence,
  processor,
} from "../../src/client";
import { failed, KEY, type Outcome, okay, scripted } from "../support/client/scripted-server";

const KEY_HEADER = "idempotency-key";

/** Outcomes one after the other; the last one stays. */
function inTurn(...outcomes: readonly Outcome[]): Outcome {
  let turn = 0;
  return (request, signal) => {
    const outcome = outcomes[Math.min(turn++, outcomes.length - 1)];
    if (outcome === undefined) throw new Error("no outcome");
    return outcome(request, signal);
  };
}

const drop: Outcome = () => {
  throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:8787") });
};

/** An answer that begins and breaks off. */
const broken: Outcome = () => {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new TypeError("terminated"));
    },
  });
  return new Response(body);
};

const observed: Outcome = () => okay({ status: "observed" });

/** Never answers. */
const silent: Outcome = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** The error of a call that must fail. */
async function failureOf(call: Promise<unknown>): Promise<NoemaError> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(NoemaError);
  return failure as NoemaError;
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a call that changes something", () => {
  test.each([
    ["no answer", drop],
    ["an answer that breaks off", broken],
    ["429", () => failed(429, "slow down")],
    ["502", () => new Response("<html>", { status: 502 })],
    ["503", () => failed(503, "busy")],
    ["504", () => new Response("", { status: 504 })],
    ["a status of Cloudflare's own", () => new Response("error code: 520", { status: 520 })],
  ] satisfies [string, Outcome][])("is sent again with the same key after %s", async (_, failure) => {
    const { noema, requests } = scripted(inTurn(failure, failure, observed));
    await observe(processor(noema, "P1"), { strings: ["a"] });
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ headers }) => headers.get(KEY_HEADER))).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  });

  test("has a key that no other call has", async () => {
    const { noema, requests } = scripted(observed);
    for (let call = 0; call < 100; call++) await learn(processor(noema, "P1"));
    expect(new Set(requests.map(({ headers }) => headers.get(KEY_HEADER))).size).toBe(100);
  });

  test("takes the caller's key", async () => {
    const { noema, requests } = scripted(inTurn(drop, observed));
    await observe(processor(noema, "P1"), {}, { idempotencyKey: "mine-1" });
    expect(requests.map(({ headers }) => headers.get(KEY_HEADER))).toEqual(["mine-1", "mine-1"]);
  });

  test.each(["", "a b", "ü", "x".repeat(256)])("refuses the key %j before a request is made", async (key) => {
    const { noema, requests } = scripted(observed);
    await expect(observe(processor(noema, "P1"), {}, { idempotencyKey: key })).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
  });

  test("goes without a key, and once, when nothing is to be repeated", async () => {
    const { noema, requests } = scripted(drop, { retries: 0 });
    expect((await failureOf(learn(processor(noema, "P1")))).status).toBe(0);
    expect(requests.map(({ headers }) => headers.has(KEY_HEADER))).toEqual([false]);
  });

  test.each([400, 404, 405, 409, 413, 422, 500])("is not sent again after %i", async (status) => {
    const { noema, requests } = scripted(() => failed(status, "a sentence"));
    const failure = await failureOf(learn(processor(noema, "P1")));
    expect(failure).toMatchObject({ status, message: "a sentence", operation: "learn", name: "NoemaError" });
    expect(requests).toHaveLength(1);
  });
});

describe("an observation with a delivery", () => {
  const delivery = { source: "device 7", number: 3 };

  test("goes without a key, and is sent again by its number", async () => {
    const { noema, requests } = scripted(inTurn(drop, broken, observed));
    await observe(processor(noema, "P1"), { strings: ["a"] }, { delivery });
    expect(requests.map(({ headers }) => headers.has(KEY_HEADER))).toEqual([false, false, false]);
    for (const { body } of requests) expect(JSON.parse(body ?? "")).toEqual({ data: { strings: ["a"] }, delivery });
  });

  test.each([
    [{ source: "..", number: 1 }, TypeError],
    [{ source: "a\nb", number: 1 }, TypeError],
    [{ source: "x".repeat(129), number: 1 }, TypeError],
    [{ source: "a", number: 0 }, RangeError],
    [{ source: "a", number: 2 ** 53 }, RangeError],
    [{ source: "a", number: 1.5 }, RangeError],
  ])("of %o is refused before a request is made", async (wrong, error) => {
    const { noema, requests } = scripted(observed);
    const p1 = processor(noema, "P1");
    await expect(observe(p1, {}, { delivery: wrong })).rejects.toThrow(error);
    await expect(observeSequence(p1, { sequence: [] }, { delivery: wrong })).rejects.toThrow(error);
    expect(requests).toEqual([]);
  });
});

describe("a call that takes no key", () => {
  test.each([
    ["no answer", drop],
    ["503", () => failed(503, "busy")],
  ] satisfies [string, Outcome][])("is not sent again after %s", async (_, failure) => {
    const { noema, requests } = scripted(failure);
    await failureOf(hotswapGenome(noema, { agent: "simple", elements: { nodes: [] } }));
    await failureOf(loadKnowledgeBase(processor(noema, "P1"), { models_kb: {} }));
    expect(requests.map(({ headers }) => headers.get(KEY_HEADER))).toEqual([null, null]);
  });

  test("is sent again after 429, when nothing has happened", async () => {
    const { noema, requests } = scripted(
      inTurn(
        () => failed(429, "slow down"),
        () => okay("success"),
      ),
    );
    expect(await loadKnowledgeBase(processor(noema, "P1"), "{}")).toBe("success");
    expect(requests).toHaveLength(2);
  });

  test("is sent again when it is only asked what it would do", async () => {
    const { noema, requests } = scripted(inTurn(drop, () => okay({})));
    await hotswapGenome(noema, { agent: "simple", elements: { nodes: [] } }, { dryRun: true, purge: false });
    expect(requests.map(({ url }) => url.split("?")[1])).toEqual(Array(2).fill("purge=false&dry_run=true"));
  });
});

describe("repetitions", () => {
  test.each([
    { retries: -1 },
    { retries: 0.5 },
    { timeout: 2 ** 31 },
  ])("of %o are refused before a request is made", async (options) => {
    const { noema, requests } = scripted(observed);
    await expect(getStatus(processor(noema, "P1"), options)).rejects.toThrow(RangeError);
    expect(requests).toEqual([]);
  });

  test("end after as many as the connection, or the call, allows", async () => {
    for (const [connection, options, attempts] of [
      [{}, {}, 6],
      [{ retries: 2 }, {}, 3],
      [{ retries: 2 }, { retries: 4 }, 5],
    ] as const) {
      const { noema, requests } = scripted(drop, connection);
      await failureOf(getStatus(processor(noema, "P1"), options));
      expect(requests).toHaveLength(attempts);
    }
  });

  test("come after random pauses below a limit that doubles", async () => {
    vi.useFakeTimers();
    const times: number[] = [];
    const { noema } = scripted(
      () => {
        times.push(Date.now());
        throw new TypeError("fetch failed");
      },
      { firstPause: 100, longestPause: 300 },
    );
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const failure = failureOf(getStatus(processor(noema, "P1"), { timeout: 0 }));
    await vi.runAllTimersAsync();
    await failure;
    expect(times.map((time, at) => time - (times[at - 1] ?? time))).toEqual([0, 50, 100, 150, 150, 150]);
  });

  test.each([
    ["seconds", "7", 7000],
    ["a date", "Sat, 21 Nov 2026 12:00:07 GMT", 7000],
    ["a date that has passed", "Sat, 21 Nov 2026 11:00:00 GMT", 0],
    ["nonsense", "soon", 0],
  ])("wait as long as Retry-After says: %s", async (_, retryAfter, ms) => {
    vi.useFakeTimers({ now: Date.parse("Sat, 21 Nov 2026 12:00:00 GMT") });
    vi.spyOn(Math, "random").mockReturnValue(0);
    const start = Date.now();
    const { noema } = scripted(inTurn(() => failed(503, "busy", { "retry-after": retryAfter }), observed));
    const call = getStatus(processor(noema, "P1"), { timeout: 0 });
    await vi.runAllTimersAsync();
    await call;
    expect(Date.now() - start).toBe(ms);
  });

  test("do not come at all when the server asks for a longer pause than allowed", async () => {
    const { noema, requests } = scripted(() => failed(429, "slow down", { "retry-after": "31" }));
    expect(await failureOf(getStatus(processor(noema, "P1")))).toMatchObject({ status: 429, retryAfter: 31 });
    expect(requests).toHaveLength(1);
  });
});

describe("a call ends", () => {
  test("when the server is silent for too long", async () => {
    const { noema, requests } = scripted(silent, { timeout: 20, retries: 1 });
    const failure = await failureOf(getStatus(processor(noema, "P1")));
    expect(failure).toMatchObject({ status: 0, message: "there was no answer: nothing was heard for 20 ms" });
    expect(requests).toHaveLength(2);
  });

  test("not while an answer comes in pieces, however long that takes", async () => {
    vi.useFakeTimers();
    const bytes = new Uint8Array(await okay({ status: "observed" }).arrayBuffer());
    const PIECE_MS = 15;
    const inPieces: Outcome = (_, signal) => {
      let at = 0;
      const start = (body: ReadableStreamDefaultController<Uint8Array>) =>
        signal.addEventListener("abort", () => body.error(signal.reason));
      const pull = async (body: ReadableStreamDefaultController<Uint8Array>) => {
        await new Promise((waited) => setTimeout(waited, PIECE_MS));
        if (signal.aborted) return;
        if (at === bytes.length) body.close();
        else body.enqueue(bytes.slice(at, ++at));
      };
      return new Response(new ReadableStream({ start, pull }));
    };
    const { noema, requests } = scripted(inPieces, { timeout: 20, retries: 0 });
    const call = observe(processor(noema, "P1"), { strings: ["a"] }).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await call).toEqual({ status: "observed" });
    expect(requests).toHaveLength(1);
  });

  test("with the signal's reason before it is sent, while it waits for an answer, and while it pauses", async () => {
    const reason = new Error("enough");
    const before = scripted(observed);
    await expect(getStatus(processor(before.noema, "P1"), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(before.requests).toEqual([]);
    for (const outcome of [silent, () => failed(503, "busy", { "retry-after": "20" })]) {
      const { noema, requests } = scripted(outcome);
      const controller = new AbortController();
      const call = getStatus(processor(noema, "P1"), { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 20);
      await expect(call).rejects.toBe(reason);
      expect(requests).toHaveLength(1);
    }
  });

  test("leaves no timer and no listener behind", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const add = vi.spyOn(controller.signal, "addEventListener");
    const { noema } = scripted(inTurn(drop, () => failed(503, "busy"), observed));
    const call = getStatus(processor(noema, "P1"), { signal: controller.signal });
    await vi.runAllTimersAsync();
    await call;
    expect(vi.getTimerCount()).toBe(0);
    expect(add).toHaveBeenCalledTimes(5);
    expect(remove.mock.calls.length).toBeGreaterThanOrEqual(5);
  });
});

describe("an error", () => {
  test("says why there was no answer, as Node hides it", async () => {
    const { noema } = scripted(drop, { retries: 0 });
    const failure = await failureOf(getStatus(processor(noema, "P1")));
    expect(failure.message).toBe("there was no answer: fetch failed: connect ECONNREFUSED 127.0.0.1:8787");
    expect(failure.cause).toBeInstanceOf(TypeError);
  });

  test.each([
    [
      "a page of something else",
      () => new Response("<html>"),
      "the answer does not come from Noema; check the address",
    ],
    ["other JSON", () => Response.json(7), "the answer does not come from Noema; check the address"],
    [
      "a failure of something else",
      () => new Response("<html>", { status: 500 }),
      "the server answered HTTP 500 without a message from Noema",
    ],
    [
      "a redirect",
      () => new Response(null, { status: 308, headers: { location: "http://elsewhere.test" } }),
      "the server redirects; connect to the address that it redirects to",
    ],
  ] satisfies [string, Outcome, string][])("reports %s", async (_, outcome, message) => {
    const { noema, requests } = scripted(outcome);
    expect((await failureOf(getStatus(processor(noema, "P1")))).message).toBe(message);
    expect(requests).toHaveLength(1);
  });

  test("is thrown for a failure with status 200, and for genes that were not accepted", async () => {
    const p1 = processor(scripted(() => failed(200, "there is no such feature")).noema, "P1");
    expect(await failureOf(getStatus(p1))).toMatchObject({ status: 200, message: "there is no such feature" });
    const detail = 'there is no gene "x"';
    const p2 = processor(scripted(() => okay("faulty-genes-provided", { detail })).noema, "P1");
    expect(await failureOf(getGene(p2, "x"))).toMatchObject({ status: 200, message: detail, operation: "getGene" });
    expect((await failureOf(changeGenes(p2, {}))).message).toBe(detail);
  });

  test("never holds the key", async () => {
    for (const outcome of [drop, broken, () => failed(500, "no"), () => new Response("x", { status: 500 })]) {
      const failure = await failureOf(getStatus(processor(scripted(outcome, { retries: 0 }).noema, "P1")));
      const shown = [failure.message, failure.stack, JSON.stringify(failure), String(failure.cause)];
      expect(shown.join("\n")).not.toContain(KEY);
    }
  });
});
