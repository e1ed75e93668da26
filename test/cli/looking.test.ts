/** What a look at a memory shows on a terminal, and the feed of events that `noema watch` reads. */

import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Output } from "../../src/cli/terminal/output";
import { EventFeed } from "../../src/cli/watching/event-feed";
import { lineOf, screenOf } from "../../src/cli/watching/looking";

const WIDTH = 60;
const stdout = Object.assign(new PassThrough(), { columns: WIDTH });
const output = new Output(stdout, new PassThrough(), {});
const prediction = { name: "m", potential: 3.5, past: [], present: [["a"]], future: [["b", "c"], ["d"]] };

test("the memory and the best prediction are one line", () => {
  expect(lineOf({ working_memory: [["a"]], predictions: [prediction as never] })).toBe(
    "memory a | past - | present a | future b + c → d",
  );
  expect(lineOf({ working_memory: [], predictions: [] })).toBe("memory - | no predictions");
});

test("bins are said as ranges in every lane and in memory", () => {
  const shown = (symbol: string) => (symbol === "t=18.5" ? "t 18.5 to 21" : symbol);
  const lanes = { past: [["t=18.5"]], present: [["a", "t=18.5"]], future: [["t=18.5"]] };
  const look = { working_memory: [["t=18.5"]], predictions: [{ ...prediction, ...lanes } as never] };
  const said = "t 18.5 to 21";
  expect(lineOf(look, shown)).toBe(`memory ${said} | past ${said} | present a + ${said} | future ${said}`);
  const wide = new Output(Object.assign(new PassThrough(), { columns: 120 }), new PassThrough(), {});
  expect(screenOf(look, "P1", wide, shown).match(/t 18\.5 to 21/g)).toHaveLength(4);
});

test("a screen has the predictions below each other", () => {
  const lines = screenOf({ working_memory: [["a"]], predictions: [prediction as never] }, "P1", output).split("\n");
  expect(lines).toEqual([
    "P1",
    "memory  a",
    "",
    expect.stringMatching(/^potential +past +present +future$/),
    expect.stringMatching(/^3\.500 +- +a +b \+ c → d$/),
  ]);
});

test("no line of a screen breaks, and of a long memory the end is shown", () => {
  const memory = Array.from({ length: 500 }, (_, at) => [`event-${at}-😀`]);
  const lines = screenOf({ working_memory: memory, predictions: [] }, "x".repeat(200), output).split("\n");
  expect(lines.map((line) => [...line].length <= WIDTH)).toEqual([true, true, true, true]);
  expect(lines[0]).toMatch(/^x+…$/);
  expect(lines[1]).toMatch(/^memory {2}….* → event-499-😀$/);
});

test("a stream that ended before the first read gives its reason to the reader", async () => {
  const reason = new Error("refused");
  const feed = new EventFeed(() => ({ closed: Promise.reject(reason), close: async () => {} }) as never);
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  await expect(async () => {
    for await (const _ of feed);
  }).rejects.toBe(reason);
});
