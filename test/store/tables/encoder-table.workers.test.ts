/** Encoders, live and staged, over SQLite. */

import { expect, test } from "vitest";
import { RestoreStore } from "../../../src/store/restore-store";
import { onFreshStore } from "../../support/store/in-object";

const STEP = '{"kind":"step","size":1}';

test("no number is given twice, not to an encoder that is put again, and not after a restore", async () => {
  const read = await onFreshStore((store, { sql }) => {
    const none = store.encoders();
    const put = (name: string) => store.record({ kind: "encoder-put", name, definition: STEP });
    const numbers = () => Object.fromEntries(store.encoders().map(({ name, number }) => [name, number]));
    for (const name of ["a", "b", "a"]) put(name);
    store.record({ kind: "encoder-deleted", name: "a" });
    put("a");
    const first = numbers();
    const restore = new RestoreStore(sql);
    restore.encoders.restore({ name: "c", number: 9, definition: STEP });
    restore.drop();
    const dropped = restore.encoders.read();
    restore.encoders.restore({ name: "c", number: 9, definition: STEP });
    const staged = [restore.encoders.read(), numbers()];
    restore.takeOver([], 0);
    const taken = numbers();
    put("a");
    return { none, first, dropped, staged, taken, last: numbers(), left: restore.encoders.read() };
  });
  expect(read).toStrictEqual({
    none: [],
    first: { b: 2, a: 4 },
    dropped: [],
    staged: [[{ name: "c", number: 9, definition: STEP }], { b: 2, a: 4 }],
    taken: { c: 9 },
    last: { c: 9, a: 10 },
    left: [],
  });
});
