/** The numbers of sources, over SQLite. */

import { expect, test } from "vitest";
import { KEPT_SOURCES } from "../../../src/processor/ports/store";
import { SqliteStore } from "../../../src/store/store";
import { onFreshStore } from "../../support/store/in-object";

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
  const read = await onFreshStore((store, { sql }) => {
    const keep = (kept: SqliteStore, source: number, sender: "client" | "processor" = "client") =>
      kept.record({ kind: "source-kept", session: "", sender, source: `s${source}`, number: 1 + source });
    keep(store, 0, "processor");
    for (let source = 0; source < KEPT_SOURCES; source++) keep(store, source);
    keep(store, 1);
    // Counts go on in a store that is opened anew.
    const again = new SqliteStore(sql);
    for (let source = KEPT_SOURCES; source < 2 * KEPT_SOURCES - 1; source++) keep(again, source);
    const kept = Array.from({ length: KEPT_SOURCES - 1 }, (_, at) =>
      again.keptSource("", "client", `s${KEPT_SOURCES + at}`),
    );
    const rows = sql.exec<{ n: number }>("SELECT count(*) AS n FROM sources").one().n;
    return {
      lost: kept.filter((number) => number === 0).length,
      heardAgain: again.keptSource("", "client", "s1"),
      gone: again.keptSource("", "client", "s2"),
      other: again.keptSource("", "processor", "s0"),
      rows,
    };
  });
  expect(read).toMatchObject({ lost: 0, heardAgain: 2, gone: 0, other: 1 });
  expect(read.rows).toBeLessThan(1.2 * KEPT_SOURCES);
});
