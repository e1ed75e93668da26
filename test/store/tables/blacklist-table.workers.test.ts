/** The blacklist, over SQLite. */

import { expect, test } from "vitest";
import { onFreshStore } from "../../support/store/in-object";

test("the blacklist keeps the order of adding", async () => {
  const read = await onFreshStore((store) => {
    store.record({ kind: "blacklist-added", symbols: ["c", "a\0b", "a"] });
    store.record({ kind: "blacklist-added", symbols: ["b", "c"] });
    store.record({ kind: "blacklist-removed", symbols: ["a\0b", "unknown"] });
    store.record({ kind: "blacklist-added", symbols: ["a\0b"] });
    return store.blacklist();
  });
  expect(read).toStrictEqual(["c", "a", "b", "a\0b"]);
});
