/** What is counted of answers before they are made, beside what they take. */

import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ensembleList } from "../../src/gateway/encode/prediction";
import { PackedEnsembleSchema } from "../../src/gen/noema/v1/prediction_pb";
import { answerBytes, ensembleBytes, MAX_ANSWER_BYTES } from "../../src/text/answer-bytes";
import { openProcessor } from "../support/open-processor";
import { gdfOf } from "../support/processor/calls";
import { add } from "../support/processor/model-calls";

const LONG = "é\u0001".repeat(2_000);

/** Predictions with pasts, futures, missing and extra symbols, repeats and emotives. */
function packed() {
  const processor = openProcessor();
  add(processor, {
    sequence: [["before"], [LONG, "a"], ["b", LONG], ["after", LONG], ["end"]],
    emotives: { joy: [1, 2] },
  });
  add(processor, { sequence: [["a", "b"], ["c"], [LONG]] });
  add(processor, { sequence: [["x"], ["a"]] });
  for (const strings of [["a", "extra"], [LONG], ["b"]]) processor.memory.observe(gdfOf({ strings }), []);
  return processor.memory.getPackedPredictions("").packed;
}

const bytesOf = (text: string) => Buffer.byteLength(text);

describe("predictions", () => {
  test.each([
    [[]],
    [["name"]],
    [["future"]],
    [["past"]],
    [["present", "matches"]],
    [["missing", "extras", "emotives", "potential"]],
  ])("with the members %j count no less than they take, and hardly more", (fields) => {
    const columns = packed();
    const taken = bytesOf(ensembleList({ predictions: [], packed: create(PackedEnsembleSchema, columns) }, fields));
    const counted = ensembleBytes(columns, fields, 0);
    expect(counted).toBeGreaterThanOrEqual(taken);
    expect(counted).toBeLessThan(taken + 1_500);
  });

  test("that are few are counted without a look at their symbols, and never too small", () => {
    const columns = packed();
    expect(ensembleBytes(columns, [], MAX_ANSWER_BYTES)).toBeGreaterThan(ensembleBytes(columns, [], 0));
  });

  test("of a processor elsewhere are refused before they are written", () => {
    const columns = packed();
    const symbols = columns.symbols.map((symbol) => (symbol === LONG ? "x".repeat(MAX_ANSWER_BYTES / 4) : symbol));
    const large = { predictions: [], packed: create(PackedEnsembleSchema, { ...columns, symbols }) };
    expect(() => ensembleList(large)).toThrow(/the predictions would take \d+ bytes as JSON, and an answer may take/);
    expect(JSON.parse(ensembleList(large, ["name"])).length).toBe(columns.names.length);
  });
});

test("a message counts no less than its JSON, and about as much where texts are most of it", () => {
  const message = {
    texts: [LONG, LONG, "a"],
    numbers: [1, -1.2345678901234567e-100],
    flag: true,
    nested: { name: LONG },
  };
  const taken = bytesOf(JSON.stringify(message));
  const counted = answerBytes(message, 0);
  expect(counted).toBeGreaterThanOrEqual(taken);
  expect(counted).toBeLessThan(taken + 100);
  expect(answerBytes(message, MAX_ANSWER_BYTES)).toBeGreaterThan(counted);
});
