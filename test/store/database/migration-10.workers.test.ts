/** Migration 10: events on their way to other processors keep what they had, and may say when they happened. */

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { OutboxTable } from "../../../src/store/tables/outbox-table";
import { inFreshObject } from "../../support/store/in-object";

const EVENT = { target: "p2", session: "a", symbols: ["x"], emotives: [], uniqueId: "u", path: ["P1-p1-process"] };

test("an event that waited before says no time, and a later one its own", async () => {
  const events = await inFreshObject(({ sql }) => {
    migrate(
      sql,
      PROCESSOR_MIGRATIONS.filter(({ number }) => number < 10),
    );
    sql.exec(
      "INSERT INTO outbox (target, session, symbols, emotives, unique_id, path) VALUES ('p2', 'a', '[\"x\"]', '[]', 'u', '[\"P1-p1-process\"]')",
    );
    migrate(sql, PROCESSOR_MIGRATIONS);
    const table = new OutboxTable(sql);
    for (const time of [0.125, undefined, 253_402_300_799]) table.forward({ ...EVENT, time });
    return [0, 1, 2, 3].map((number) => table.firstAfter(number));
  });
  expect(events).toStrictEqual([
    { number: 1, ...EVENT },
    { number: 2, ...EVENT, time: 0.125 },
    { number: 3, ...EVENT },
    { number: 4, ...EVENT, time: 253_402_300_799 },
  ]);
});
