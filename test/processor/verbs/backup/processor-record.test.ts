import { describe, expect, test } from "vitest";

import type { ProcessorRecord } from "../../../../src/gen/plain";
import { newState } from "../../../../src/processor/ports/store";
import { checkProcessor, restoredState } from "../../../../src/processor/verbs/backup/processor-record";

const RECORD: ProcessorRecord = {
  id: "p1",
  name: "P1",
  unused: false,
  genes: [],
  predict: false,
  autolearn: true,
  sleeping: true,
  awakeSince: 1_000,
  vectorDimensionality: 3,
  nextOrder: 8,
  forecastRecord: "",
  learnScores: "[5]",
  lastIncident: 4,
};

const STAGING = {
  loadId: "load",
  totals: { modelFrequencies: 1, memberFrequencies: 2, symbolFrequencies: 3 },
  models: 1,
  vectors: 0,
  dimensionality: -1,
};

describe("A processor's line of a backup", () => {
  test("is accepted with the least numbers that the contract allows", () => {
    const least = { awakeSince: 0, vectorDimensionality: -1, lastIncident: 0, nextOrder: 1 };
    expect(() => checkProcessor({ ...RECORD, ...least })).not.toThrow();
  });

  test.each([
    [{ awakeSince: -1 }, "awake_since must be a whole number of 0 or more, got -1"],
    [{ lastIncident: 0.5 }, "last_incident must be a whole number of 0 or more, got 0.5"],
    [{ vectorDimensionality: -2 }, "vector_dimensionality must be a whole number of -1 or more, got -2"],
    [{ nextOrder: 0 }, "next_order must be a whole number from 1 to 9007199254740991, got 0"],
  ])("is refused with %j", (wrong, message) => {
    expect(() => checkProcessor({ ...RECORD, ...wrong })).toThrow(`the processor's ${message}`);
  });

  test("of 300,000 different genes is refused at once", () => {
    const genes = Array.from({ length: 300_000 }, (_, at) => ({ name: `gene-${at}`, value: undefined }));
    expect(() => checkProcessor({ ...RECORD, genes })).toThrow("gene-0");
  });

  test("gives every setting of the state back, whether it is on or off", () => {
    const { totals: _, ...rest } = restoredState(RECORD, STAGING, 7, 20);
    expect(rest).toMatchObject({ predict: false, autolearn: true, sleeping: true, awakeSince: 1_000 });
    expect(rest).toMatchObject({ vectorDimensionality: 3, nextModelId: 8, revision: 21 });
    expect(Object.keys(restoredState(RECORD, STAGING, 7, 20)).sort()).toEqual(Object.keys(newState()).sort());
  });

  test("staged by a release that had fewer settings gets the others' first values", () => {
    const { awakeSince: _, ...older } = RECORD;
    expect(restoredState(older as ProcessorRecord, STAGING, 7, 0).awakeSince).toBe(0);
  });
});
