/** The keys of an agent, over SQLite: what is stored of them. */

import { expect, test } from "vitest";
import { isMigrated } from "../../../src/store/database/migrations";
import { GenomeTable } from "../../../src/store/tables/genome-table";
import { KeyTable, type StoredKey } from "../../../src/store/tables/key-table";
import { inFreshObject } from "../../support/store/in-object";

function key(id: string, limits: Partial<StoredKey> = {}): StoredKey {
  return {
    id,
    secretSha256: new Uint8Array(32).fill(7),
    name: "sensor \u00e9\u{1F600}",
    roles: ["read", "learn"],
    processors: [],
    sessions: [],
    expires: undefined,
    perMinute: undefined,
    created: 1_795_250_628,
    ...limits,
  };
}

test("there are none before the first, and asking writes nothing", async () => {
  const read = await inFreshObject(({ sql }) => {
    const table = new KeyTable(sql);
    return [table.revision(), table.all(), table.count(), table.read("a"), isMigrated(sql)];
  });
  expect(read).toEqual([0, [], 0, undefined, false]);
});

test("keys come back as they were put, in their order, and leave", async () => {
  const limited = key("b", { processors: ["p1"], sessions: ["a*", "\u00e9"], expires: 1_800_000_000.5, perMinute: 60 });
  const read = await inFreshObject(({ sql }) => {
    const table = new KeyTable(sql);
    table.insert(key("c"));
    table.insert(limited);
    table.insert(key("a"));
    const all = table.all();
    table.delete("c");
    return [all, new KeyTable(sql).all().map(({ id }) => id), table.count(), table.read("c"), table.read("b")];
  });
  expect(read).toEqual([[key("c"), limited, key("a")], ["b", "a"], 2, undefined, limited]);
});

test("a second key with the same identifier is refused", async () => {
  const refused = await inFreshObject(({ sql }) => {
    const table = new KeyTable(sql);
    table.insert(key("a"));
    expect(() => table.insert(key("a"))).toThrow(/UNIQUE/);
    return table.count();
  });
  expect(refused).toBe(1);
});

test("the revision grows with every change, also within a millisecond, and never comes back", async () => {
  const revisions = await inFreshObject(({ sql }) => {
    const table = new KeyTable(sql);
    return ["a", "b", "c"].flatMap((id) => {
      table.insert(key(id));
      const made = table.revision();
      table.delete(id);
      return [made, table.revision()];
    });
  });
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  // A counter that began at 1 would give a restored database the revisions of the one that it replaces.
  expect(revisions[0]).toBeGreaterThan(1_700_000_000_000);
});

test("an agent without keys has none, and keeps its genome when the first is issued", async () => {
  const places = new Map([["p1", { locationHint: "weur", jurisdiction: "" }]]);
  const genome = { name: "kitchen", revision: 5, json: "{}", places };
  const read = await inFreshObject(({ sql }) => {
    new GenomeTable(sql).put(genome, new Map());
    const keys = new KeyTable(sql);
    const before = [keys.revision(), keys.all()];
    keys.insert(key("a"));
    return [...before, keys.all(), new GenomeTable(sql).read()];
  });
  expect(read).toEqual([0, [], [key("a")], genome]);
});
