/** Home finds the devices whose memory is nearly full by few questions, and keeps what it knows where there is no answer. */

import { expect, test } from "vitest";
import { connect, processor } from "../../src/client";
import { keyOf } from "../../src/console/home/device-key";
import { fullMemories } from "../../src/console/home/full-memories";

const MOST = 200;

/** Processors with a session of each size; those that are away answer 503. */
function knownWith(sizes: { readonly [processor: string]: readonly number[] }, away: readonly string[]) {
  const asked: string[] = [];
  const noema = connect({
    address: "http://noema.test",
    key: "key",
    retries: 0,
    async fetch(url) {
      const { pathname } = new URL(String(url));
      asked.push(pathname);
      const [, id = "", , name] = pathname.split("/");
      if (away.includes(id)) return answer(503, "nothing was done");
      const all = sizes[id] ?? [];
      if (pathname.endsWith("/status")) return answer(200, { near_limits: nearOf(all[Number(name)] ?? 0) });
      return answer(
        200,
        all.map((symbols, at) => ({ name: String(at), symbols })),
      );
    },
  });
  return { asked, known: Object.keys(sizes).map((id) => ({ id, name: id, processor: processor(noema, id) })) };
}

function answer(status: number, message: unknown): Response {
  const envelope = { id: "p", interval: 0, message, status: status === 200 ? "okay" : "failed", time_stamp: 0 };
  return Response.json(envelope, { status });
}

function nearOf(used: number) {
  return used < 0.9 * MOST ? [] : [{ limit: "working_memory_symbols", most: MOST, used }];
}

const find = (known: Parameters<typeof fullMemories>[0], before: readonly string[] = []) =>
  fullMemories(known, new Set(before), new AbortController().signal);

test("finds all memories that hold nine tenths of the limit, with three questions to a processor", async () => {
  const { known, asked } = knownWith({ p1: [10, 180, 200, 179], p2: [10] }, []);
  expect(await find(known)).toEqual(new Set([keyOf("p1", "1"), keyOf("p1", "2")]));
  expect(asked.filter((path) => path.startsWith("/p1/"))).toHaveLength(3);
});

test("what was full stays full where the processor does not answer, and only there", async () => {
  const { known } = knownWith({ p1: [10], p10: [10], p2: [190] }, ["p1"]);
  const before = [keyOf("p1", "a"), keyOf("p1", null), keyOf("p10", "b"), keyOf("p2", "0")];
  expect(await find(known, before)).toEqual(new Set([keyOf("p1", "a"), keyOf("p1", null), keyOf("p2", "0")]));
});

test("ends with the signal, also while a processor does not answer", async () => {
  const { known } = knownWith({ p1: [10] }, ["p1"]);
  await expect(fullMemories(known, new Set(), AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
});
