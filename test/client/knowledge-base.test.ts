/** Exports and loads: what goes over the wire, and what is told on the way. */

import { describe, expect, test, vi } from "vitest";
import {
  exportKnowledgeBase,
  getKnowledgeBase,
  type KnowledgeSource,
  loadKnowledgeBase,
  NoemaError,
  type Progress,
  processor,
} from "../../src/client";
import { RecordCounter } from "../../src/client/transport/record-counter";
import { okay, scripted } from "../support/client/scripted-server";
import { fc } from "../support/property";

const encoder = new TextEncoder();

const MODEL = {
  sequence: [["a", "]}"], ['"b\\"']],
  metadata: [{ data: { models_kb: {} } }, {}],
  emotives: { joy: [1] },
};
const KB = {
  metadata: { total_model_frequencies: 2 },
  models_kb: { one: MODEL, two: MODEL },
  symbols_kb: { '{"': { features: { frequency: 1 }, name: '{"' } },
  vectors_kb: { v: { vector: [1, 2] } },
};
const LINES = [
  { kind: "model", ...MODEL },
  { kind: "vector", vector: [1] },
] as const;

function streamOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = encoder.encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

/** A generator of records. */
async function* recordsLater() {
  for (const line of LINES) yield line;
}

describe("the counter of records", () => {
  const countIn = (text: string, cuts: readonly number[] = []): number => {
    const counter = new RecordCounter();
    const bytes = encoder.encode(text);
    const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
    for (const [at, edge] of edges.entries()) counter.push(bytes.subarray(edges[at - 1] ?? 0, edge));
    return counter.records;
  };

  test.each([
    ["a knowledge base", KB, 4],
    ["one inside data", { data: KB }, 4],
    ["lines", LINES, 2],
    ["lines inside data", { data: LINES }, 2],
    ["nothing", {}, 0],
    ["an empty knowledge base", { models_kb: {}, symbols_kb: {}, vectors_kb: {} }, 0],
    ["no lines", [], 0],
    ["no lines inside data", { data: [] }, 0],
    ["a text", "data", 0],
  ])("counts %s, however it is cut and spaced", (_, json, records) => {
    expect(countIn(JSON.stringify(json, null, 2))).toBe(records);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (cuts) => {
        expect(countIn(JSON.stringify(json), cuts)).toBe(records);
      }),
    );
  });
});

test("asks for the order, and says the mode, only when the caller does", async () => {
  const { noema, requests } = scripted(() => okay("success"));
  const p1 = processor(noema, "P1");
  await getKnowledgeBase(p1);
  await getKnowledgeBase(p1, { order: true });
  await (await exportKnowledgeBase(p1, { order: true })).cancel();
  await loadKnowledgeBase(p1, KB, { mode: "replace" });
  await loadKnowledgeBase(p1, KB, { mode: "merge" });
  const paths = requests.map(({ url }) => new URL(url)).map(({ pathname, search }) => pathname + search);
  expect(paths).toEqual([
    "/P1/get_kb",
    "/P1/get_kb?order=true",
    "/P1/get_kb/raw?order=true",
    "/P1/load_kb",
    "/P1/load_kb?mode=merge",
  ]);
});

describe("a load", () => {
  const sources: [string, () => KnowledgeSource, unknown][] = [
    ["an object", () => KB, KB],
    ["a list of records", () => LINES as never, LINES],
    ["text", () => JSON.stringify(KB), KB],
    ["bytes", () => encoder.encode(JSON.stringify(KB)), KB],
    ["a Blob", () => new Blob([JSON.stringify(KB)]), KB],
    ["a stream", () => streamOf(JSON.stringify(KB), 50), KB],
    ["records one by one", () => recordsLater() as never, LINES],
  ];

  test.each(sources)("sends %s", async (_, source, json) => {
    const { noema, requests } = scripted(() => okay("success"));
    expect(await loadKnowledgeBase(processor(noema, "P1"), source())).toBe("success");
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual(json);
  });

  test.each(sources)("tells how far it has come with %s", async (_, source, json) => {
    const seen: Progress[] = [];
    const { noema, requests } = scripted(() => okay("success"));
    await loadKnowledgeBase(processor(noema, "P1"), source(), { onProgress: (progress) => seen.push(progress) });
    const body = requests[0]?.body ?? "";
    expect(JSON.parse(body)).toEqual(json);
    expect(seen.at(-1)).toMatchObject({ bytes: encoder.encode(body).length, records: json === KB ? 4 : 2 });
    for (const { bytes, totalBytes = bytes } of seen) expect(bytes).toBeLessThanOrEqual(totalBytes);
  });

  test("in a browser reads a stream whole before it is sent", async () => {
    vi.stubGlobal("location", new URL("https://page.test/"));
    try {
      const seen: Progress[] = [];
      const bodies: unknown[] = [];
      const { noema } = scripted(() => okay("success"), {
        fetch: async (_url, { body, duplex }) => {
          bodies.push(body, duplex);
          return okay("success");
        },
      });
      const onProgress = (progress: Progress) => seen.push(progress);
      await loadKnowledgeBase(processor(noema, "P1"), streamOf(JSON.stringify(KB), 50), { onProgress });
      const [body, duplex] = bodies;
      expect(body).toBeInstanceOf(Blob);
      expect(JSON.parse(await (body as Blob).text())).toEqual(KB);
      expect(duplex).toBeUndefined();
      expect(seen.length).toBeGreaterThan(5);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("of records that come more slowly than the timeout goes through", async () => {
    async function* slowly() {
      for (const line of LINES) {
        await new Promise((rested) => setTimeout(rested, 60));
        yield line;
      }
    }
    const { noema, requests } = scripted(() => okay("success"));
    await loadKnowledgeBase(processor(noema, "P1"), slowly() as never, { timeout: 20 });
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual(LINES);
  });

  test("of a stream that fails throws, and is not sent again", async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("disk gone")) });
    const { noema, requests } = scripted(() => okay("success"));
    await expect(loadKnowledgeBase(processor(noema, "P1"), broken)).rejects.toThrow("disk gone");
    expect(requests).toEqual([]);
  });
});

describe("an export", () => {
  test("is the server's bytes, with progress", async () => {
    const seen: Progress[] = [];
    const text = JSON.stringify(KB);
    const { noema } = scripted(() => new Response(streamOf(text, 100)));
    const stream = await exportKnowledgeBase(processor(noema, "P1"), { onProgress: (progress) => seen.push(progress) });
    expect(await new Response(stream).text()).toBe(text);
    expect(seen.length).toBe(Math.ceil(encoder.encode(text).length / 100));
    expect(seen.at(-1)).toEqual({ bytes: encoder.encode(text).length, records: 4 });
  });

  test("that breaks off fails the reader with a NoemaError", async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode("{")),
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    const { noema } = scripted(() => new Response(body));
    const reading = new Response(await exportKnowledgeBase(processor(noema, "P1"))).text();
    await expect(reading).rejects.toMatchObject({ name: "NoemaError", status: 0, operation: "exportKnowledgeBase" });
  });

  test.each([
    1, 7, 10_000,
  ])("that the server could not finish fails the reader, in pieces of %i bytes", async (size) => {
    const reason = "the knowledge base changed too often";
    const text = `${JSON.stringify(KB).slice(0, -10)}\n\nTHIS ANSWER IS NOT COMPLETE: ${reason}\n`;
    const { noema } = scripted(() => new Response(streamOf(text, size)));
    const reading = new Response(await exportKnowledgeBase(processor(noema, "P1"))).text();
    await expect(reading).rejects.toMatchObject({
      name: "NoemaError",
      message: `the export is incomplete: ${reason}`,
      operation: "exportKnowledgeBase",
      status: 200,
    });
  });

  test("of a symbol that looks like such an end is read whole", async () => {
    const text = JSON.stringify({ symbols_kb: { "\n\nTHIS ANSWER IS NOT COMPLETE: x\n": {} } });
    const { noema } = scripted(() => new Response(streamOf(text, 10)));
    expect(await new Response(await exportKnowledgeBase(processor(noema, "P1"))).text()).toBe(text);
  });

  test("that falls silent fails the reader after the timeout", async () => {
    const { noema } = scripted((_, signal) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(encoder.encode("{"));
          signal.addEventListener("abort", () => controller.error(signal.reason));
        },
      });
      return new Response(body);
    });
    const reading = new Response(await exportKnowledgeBase(processor(noema, "P1"), { timeout: 20 })).text();
    await expect(reading).rejects.toThrow("there was no answer: nothing was heard for 20 ms");
    await expect(reading).rejects.toBeInstanceOf(NoemaError);
  });

  test("that is aborted while it is read fails the reader with the reason", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const { noema } = scripted((_, signal) => {
      const start = (body: ReadableStreamDefaultController) =>
        signal.addEventListener("abort", () => body.error(new DOMException("aborted", "AbortError")));
      return new Response(new ReadableStream({ start }));
    });
    const stream = await exportKnowledgeBase(processor(noema, "P1"), { signal: controller.signal });
    const reading = new Response(stream).text();
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  test("may be read more slowly than the timeout", async () => {
    const { noema } = scripted(() => new Response(streamOf("[1,2,3]", 3)));
    const reader = (await exportKnowledgeBase(processor(noema, "P1"), { timeout: 20 })).getReader();
    let bytes = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.length;
      await new Promise((rested) => setTimeout(rested, 60));
    }
    expect(bytes).toBe(7);
  });

  test("can be cancelled, which ends the request and its timer", async () => {
    vi.useFakeTimers();
    try {
      const cancelled = vi.fn();
      const { noema } = scripted(
        () => new Response(new ReadableStream({ pull: (c) => c.enqueue(encoder.encode("{")), cancel: cancelled })),
      );
      const stream = await exportKnowledgeBase(processor(noema, "P1"));
      await stream.cancel("enough");
      expect(cancelled).toHaveBeenCalledWith("enough");
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
