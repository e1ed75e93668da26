import { expect, test } from "vitest";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf } from "../../../support/processor/calls";
import { pagesOf } from "../../../support/processor/knowledge-form";
import { membersOf } from "../../../support/processor/message-form";
import { add } from "../../../support/processor/model-calls";

test("an export comes in pages of one revision, each section sorted by name", () => {
  const processor = openProcessor();
  const long = "x".repeat(3000);
  for (let at = 0; at < 400; at++) {
    processor.knowledge.addModel(membersOf({ sequence: [[`${long}${at}`, "\uffee", "\u{1f600}", ""]] }));
  }
  const models = pagesOf(processor, "models");
  const names = models.flatMap((page) => page.models.map(({ name }) => name));
  expect(models.length).toBeGreaterThan(2);
  expect(names).toEqual([...new Set(names)].sort());
  expect(names.length).toBe(400);
  const symbols = pagesOf(processor, "symbols").flatMap((page) => page.symbols.map(({ name }) => name));
  expect(symbols.length).toBe(403);
  expect([symbols[0], ...symbols.slice(-2)]).toEqual(["", "\uffee", "\u{1f600}"]);
  expect(new Set(models.map(({ revision }) => revision)).size).toBe(1);
});

test("a page of another revision is refused", () => {
  const processor = openProcessor();
  add(processor, { sequence: [["b"], ["b", "a"]] });
  const { revision } = processor.knowledge.exportKnowledge({ section: "models", after: "", revision: 0 });
  processor.memory.observe(gdfOf({ strings: ["a", "b"] }), []);
  expect(processor.knowledge.exportKnowledge({ section: "vectors", after: "", revision }).revision).toBe(revision);
  processor.memory.learn();
  expect(() => processor.knowledge.exportKnowledge({ section: "symbols", after: "", revision })).toThrow(
    "the knowledge base changed between two pages",
  );
});

test("without a revision, an export continues whatever has changed", () => {
  const processor = openProcessor();
  const names = [["a"], ["b"], ["c"]].map((symbols) => add(processor, { sequence: [symbols, symbols] })).sort();
  const after = names[0] ?? "";
  const { revision } = processor.knowledge.exportKnowledge({ section: "models", after: "", revision: 0 });
  processor.knowledge.deleteModel(names[1] ?? "");
  expect(() => processor.knowledge.exportKnowledge({ section: "models", after, revision })).toThrow(
    "changed between two pages",
  );
  const rest = processor.knowledge.exportKnowledge({ section: "models", after, revision: 0 });
  expect(rest.models.map(({ name }) => name)).toEqual([names[2]]);
});

test("the empty symbol comes first on the first page of symbols", () => {
  const processor = openProcessor();
  add(processor, { sequence: [["", "a"]] });
  const { revision } = processor.knowledge.exportKnowledge({ section: "models", after: "", revision: 0 });
  const page = processor.knowledge.exportKnowledge({ section: "symbols", after: "", revision });
  expect(page.symbols.map(({ name }) => name)).toEqual(["", "a"]);
});
