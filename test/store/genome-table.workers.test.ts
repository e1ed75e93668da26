/** An agent's genome, over SQLite. */

import { expect, test } from "vitest";
import { GenomeTable } from "../../src/store/genome-table";
import { isMigrated } from "../../src/store/migrations";
import { inFreshObject } from "./in-object";

test("there is none before the first is put, and asking writes nothing", async () => {
  const read = await inFreshObject(({ sql }) => {
    const table = new GenomeTable(sql);
    return [table.read(), table.isProvisioned(), isMigrated(sql)];
  });
  expect(read).toEqual([undefined, false, false]);
});

test("a genome larger than a row comes back, whatever its parts cut through", async () => {
  const long = `{"text":"${"\u{1F600}\u00E9x".repeat(500_000)}"}`;
  const read = await inFreshObject(({ sql }) => {
    const table = new GenomeTable(sql);
    table.put(long);
    const first = table.read() === long;
    table.put("{}");
    return [first, table.read()];
  });
  expect(read).toEqual([true, "{}"]);
});

test("a new genome's processors are not yet in service", async () => {
  const read = await inFreshObject(({ sql }) => {
    const table = new GenomeTable(sql);
    table.put("{}");
    const put = table.isProvisioned();
    table.markProvisioned();
    table.markProvisioned();
    const marked = table.isProvisioned();
    table.put("[]");
    return [put, marked, table.isProvisioned()];
  });
  expect(read).toEqual([false, true, false]);
});
