/** The filter of names, against the set of names that a table holds. */

import { expect, test } from "vitest";
import { NameFilter } from "../../../src/store/tables/name-filter";
import { Random } from "../../support/random";

/** A table of names with a filter, which counts the names that the filter reads. */
class Table {
  readonly held = new Set<string>();
  read = 0;
  readonly filter = new NameFilter((after, most) => {
    const names = [...this.held].filter((name) => name > after).sort();
    this.read += Math.min(most, names.length);
    return names.slice(0, most);
  });

  put(name: string): void {
    this.held.add(name);
    this.filter.add(name);
  }

  /** The fraction of unknown names that pass. */
  passing(names: () => string): number {
    const unknown = Array.from({ length: 1_000 }, names);
    return unknown.filter((name) => this.filter.mayHold(name)).length / unknown.length;
  }
}

/** Names that do not come twice. */
function namesBy(random: Random): () => string {
  const digits = () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return () => (digits() + digits()).padEnd(40, "0");
}

/** Removes the name that was written first. */
function removeOldest(held: Set<string>): void {
  for (const oldest of held) {
    held.delete(oldest);
    return;
  }
}

test("a name that the table holds passes, whatever was written, removed and emptied before", () => {
  const random = new Random(24);
  const names = namesBy(random);
  const table = new Table();
  for (let step = 0; step < 6_000; step++) {
    const draw = random.below(10_000);
    if (draw < 3_500) table.put(names());
    else if (draw < 4_500) removeOldest(table.held);
    else if (draw === 9_999) {
      table.held.clear();
      table.filter.reset();
    } else if (draw < 6_000) expect(table.filter.mayHold(names())).toBeTypeOf("boolean");
    else if (step % 16 === 0) expect([...table.held].filter((name) => !table.filter.mayHold(name))).toEqual([]);
  }
});

test("most unknown names do not pass once the table has been read, and while it grows and shrinks", () => {
  const names = namesBy(new Random(25));
  const table = new Table();
  for (let at = 0; at < 3_000; at++) table.put(names());
  table.passing(names);
  expect(table.passing(names)).toBeLessThan(0.03);
  // As many are removed as are written: the filter is not to grow, nor to be read again and again.
  const before = table.read;
  for (let at = 0; at < 10_000; at++) {
    table.put(names());
    removeOldest(table.held);
    table.filter.mayHold(names());
  }
  expect(table.passing(names)).toBeLessThan(0.03);
  expect(table.read - before).toBeLessThan(2 * 10_000);
});

test("a table with more names than the filter has room for is not read any more", () => {
  let read = 0;
  const filter = new NameFilter((_after, most) => {
    const names = Array.from({ length: most }, (_, at) => (read + at).toString(16).padStart(8, "0").padEnd(40, "0"));
    read += most;
    return names;
  });
  const unknown = "f".repeat(40);
  for (let at = 0; at < 16 * 1_024; at++) filter.mayHold(unknown);
  const before = read;
  for (let at = 0; at < 64; at++) expect(filter.mayHold(unknown)).toBe(true);
  expect(read).toBe(before);
  expect(before).toBeLessThan(2 ** 20);
});
