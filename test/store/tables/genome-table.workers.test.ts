/** An agent's genome and its steps, over SQLite. */

import { expect, test } from "vitest";
import { isMigrated } from "../../../src/store/database/migrations";
import { type Action, GenomeTable } from "../../../src/store/tables/genome-table";
import { inFreshObject } from "../../support/store/in-object";

const NOTHING = new Map<string, Action>();

function genome(json: string, revision = 1) {
  return { name: "kitchen", revision, json, places: new Map() };
}

test("there is none before the first is put, and asking writes nothing", async () => {
  const read = await inFreshObject(({ sql }) => [new GenomeTable(sql).read(), isMigrated(sql)]);
  expect(read).toEqual([undefined, false]);
});

test("a genome larger than a row comes back, wherever its parts are cut", async () => {
  const long = `{"text":"${"\u{1F600}\u00E9x".repeat(500_000)}"}`;
  const read = await inFreshObject(({ sql }) => {
    const table = new GenomeTable(sql);
    table.put(genome(long), NOTHING);
    const first = table.read()?.json === long;
    table.put(genome("{}", 2), NOTHING);
    return [first, table.read()];
  });
  expect(read).toEqual([true, genome("{}", 2)]);
});

test("processors that wait for their first call are not among the steps, until another genome comes", async () => {
  const read = await inFreshObject(({ sql }) => {
    const table = new GenomeTable(sql);
    table.put(genome("{}"), new Map<string, Action>([["late", "admit"]]));
    const before = [table.steps(), table.waiting(), table.isToBeAdmitted("late"), table.isToBeAdmitted("x")];
    table.put(genome("{}", 2), NOTHING);
    return [...before, table.waiting()];
  });
  expect(read).toEqual([new Map(), new Set(["late"]), true, false, new Set()]);
});

test("a step that is done is removed, and its effect on the processor is noted", async () => {
  const read = await inFreshObject(({ sql }) => {
    const table = new GenomeTable(sql);
    const steps = new Map<string, Action>([
      ["new", "provision"],
      ["old", "retire"],
      ["dead", "purge"],
    ]);
    table.put(genome("{}"), steps);
    for (const id of ["old", "dead", "dead", "new"]) table.putTuned(id);
    const before = [table.steps(), table.retired(), table.tuned()];
    for (const [id, action] of steps) table.done(id, action);
    const after = [table.steps(), table.retired(), table.tuned()];
    table.done("old", "provision");
    return [before, after, table.retired()];
  });
  expect(read).toEqual([
    [
      new Map([
        ["dead", "purge"],
        ["new", "provision"],
        ["old", "retire"],
      ]),
      new Set(),
      new Set(["dead", "new", "old"]),
    ],
    [new Map(), new Set(["old"]), new Set(["new", "old"])],
    new Set(),
  ]);
});
