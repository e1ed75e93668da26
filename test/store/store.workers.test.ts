/** What holds for all Changes of the store, over SQLite. */

import { describe, expect, test } from "vitest";
import { Fault } from "../../src/processor/ports/fault";
import { onFreshStore } from "../support/store/in-object";
import { event, memoryChange, model, plainMemoryState, symbol, vector } from "../support/store/rows";

describe("a record too large for a row", () => {
  const huge = "x".repeat(2_300_000);
  const hugeVector = vector(1, { components: new Float64Array(300_000) });
  test.each([
    ["an event", memoryChange("", plainMemoryState({ memoryEnd: 1 }), { events: [event(0, { symbols: [huge] })] })],
    ["a waiting vector", memoryChange("", plainMemoryState({ waitingEnd: 2 }), { waiting: [hugeVector] })],
    ["an observation", memoryChange("", plainMemoryState({ target: huge }))],
    ["a vector", { kind: "vector-learned", vector: hugeVector }],
    ["a symbol", { kind: "symbols-added", symbols: [symbol(1, { name: huge })] }],
    [
      "a model whose parts fit alone",
      { kind: "model-put", model: model(1, { symbols: new Uint32Array(300_000), metadata: ["x".repeat(1_200_000)] }) },
    ],
  ] as const)("%s is refused with a Fault", async (_, change) => {
    const refused = await onFreshStore((store) => {
      try {
        store.record(change as unknown as Parameters<typeof store.record>[0]);
        return undefined;
      } catch (error) {
        return error;
      }
    });
    expect(refused).toBeInstanceOf(Fault);
    expect(refused).toMatchObject({ kind: "too-large", message: expect.stringContaining("more than 2 MB") });
  });
});

test("a memory whose target class leaves no room for an observation says what to clear", async () => {
  const change = memoryChange("", plainMemoryState({ target: "x".repeat(2_300_000) }));
  const refused = await onFreshStore((store) => {
    try {
      store.record(change);
      return "taken";
    } catch (error) {
      return error instanceof Fault ? error.message : String(error);
    }
  });
  expect(refused).toContain("with the emotives that wait to be learned and the target class");
  expect(refused).toContain("clear the target class, or send less");
});
