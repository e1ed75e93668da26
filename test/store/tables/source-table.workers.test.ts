/** The numbers of sources: in the table, where a restore puts them, and through the store. */

import { expect, test } from "vitest";
import { KEPT_SOURCES } from "../../../src/processor/ports/store";
import { Database } from "../../../src/store/database/database";
import { SourceTable } from "../../../src/store/tables/source-table";
import { onFreshStore } from "../../support/store/in-object";
import { memoryChange, plainMemoryState } from "../../support/store/rows";

test("a number is of one memory, one kind of sender and one source", async () => {
  const read = await onFreshStore((store) => {
    const keep = (session: string, sender: "client" | "processor", number: number) =>
      store.record({ kind: "source-kept", session, sender, source: "s\0", number });
    keep("", "client", 1);
    keep("", "processor", 2);
    keep("a", "client", 3);
    keep("", "client", 4);
    const all = [
      store.keptSource("", "client", "s\0"),
      store.keptSource("", "processor", "s\0"),
      store.keptSource("a", "client", "s\0"),
    ];
    const none = [store.keptSource("a", "processor", "s\0"), store.keptSource("", "client", "s")];
    return { all, none };
  });
  expect(read).toEqual({ all: [4, 2, 3], none: [0, 0] });
});

test("numbers end with their session", async () => {
  const read = await onFreshStore((store) => {
    for (const session of ["", "a", "b"]) {
      store.record({ kind: "source-kept", session, sender: "client", source: "s", number: 5 });
    }
    const all = () => ["", "a", "b"].map((session) => store.keptSource(session, "client", "s"));
    store.record({ kind: "session-ended", session: "a" });
    const one = all();
    store.record({ kind: "sessions-ended" });
    return [one, all()];
  });
  expect(read).toEqual([
    [5, 0, 5],
    [5, 0, 0],
  ]);
});

test("those of the sources heard last are kept, and not many more", async () => {
  const read = await onFreshStore((_, { sql }) => {
    const table = new SourceTable(new Database(sql));
    const keep = (kept: SourceTable, source: number, sender: "client" | "processor" = "client") =>
      kept.put("", { sender, source: `s${source}`, number: 1 + source });
    keep(table, 0, "processor");
    for (let source = 0; source < KEPT_SOURCES; source++) keep(table, source);
    keep(table, 1);
    // Counts go on in a table that is opened anew.
    const again = new SourceTable(new Database(sql));
    for (let source = KEPT_SOURCES; source < 2 * KEPT_SOURCES - 1; source++) keep(again, source);
    const kept = Array.from({ length: KEPT_SOURCES - 1 }, (_, at) => again.read("", "client", `s${KEPT_SOURCES + at}`));
    const rows = sql.exec<{ n: number }>("SELECT count(*) AS n FROM sources").one().n;
    return {
      lost: kept.filter((number) => number === 0).length,
      heardAgain: again.read("", "client", "s1"),
      gone: again.read("", "client", "s2"),
      other: again.read("", "processor", "s0"),
      rows,
    };
  });
  expect(read).toMatchObject({ lost: 0, heardAgain: 2, gone: 0, other: 1 });
  expect(read.rows).toBeLessThan(1.2 * KEPT_SOURCES);
});

test("numbers in the table count until the memory hears the source again", async () => {
  const read = await onFreshStore((store, { sql }) => {
    new SourceTable(new Database(sql)).put("s", { sender: "client", source: "a", number: 3 });
    new SourceTable(new Database(sql)).put("s", { sender: "client", source: "b", number: 4 });
    const ask = () => ["a", "b"].map((source) => store.keptSource("s", "client", source));
    const before = ask();
    store.record({ kind: "source-kept", session: "s", sender: "client", source: "a", number: 9 });
    store.record(memoryChange("s", plainMemoryState()));
    return [before, ask(), store.keptSources("s").map(({ source, number }) => [source, number])];
  });
  expect(read).toEqual([
    [3, 4],
    [9, 4],
    [
      ["b", 4],
      ["a", 9],
    ],
  ]);
});
