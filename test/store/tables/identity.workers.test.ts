/** Which processor an object is, over SQLite. */

import { expect, test } from "vitest";
import { isMigrated } from "../../../src/store/database/migrations";
import { readIdentity, writeIdentity } from "../../../src/store/tables/identity";
import { inFreshObject } from "../../support/store/in-object";

const FIRST = {
  id: "p\0",
  name: "P1",
  inService: true,
  agent: "",
  incarnation: "u",
  tuned: false,
  parts: 1,
  manipulatives: [],
};
const MANIPULATIVE = { id: "m\0", fields: ["name"], targets: [{ id: "p2", endpoint: "" }] };
const SECOND = {
  ...FIRST,
  name: "P2",
  inService: false,
  agent: "a",
  tuned: true,
  parts: 7,
  manipulatives: [MANIPULATIVE],
};

test("an unused object has none, and asking writes nothing", async () => {
  const read = await inFreshObject(({ sql }) => [
    readIdentity(sql),
    isMigrated(sql),
    sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
  ]);
  expect(read).toEqual([undefined, false, []]);
});

test("it is kept and replaced", async () => {
  const read = await inFreshObject(({ sql }) => {
    writeIdentity(sql, FIRST);
    const before = readIdentity(sql);
    writeIdentity(sql, SECOND);
    return [before, readIdentity(sql)];
  });
  expect(read).toStrictEqual([FIRST, SECOND]);
});

test("manipulatives are stored in the form that the first release stored them in", async () => {
  const stored = await inFreshObject(({ sql }) => {
    writeIdentity(sql, SECOND);
    return sql.exec("SELECT outlets FROM identity").one();
  });
  expect(stored).toEqual({
    outlets: '[{"manipulative":"m\\u0000","fields":["name"],"targets":[{"id":"p2","endpoint":""}]}]',
  });
});
