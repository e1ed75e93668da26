/** The spread of symbols by member frequency, which follows the changes only when it is asked for. */

import { expect, test } from "vitest";
import { SymbolTable } from "../../../src/processor/knowledge/symbol-table";
import { Random } from "../../support/random";

/** The number of symbols by member frequency, counted anew. */
function countedAnew(table: SymbolTable): Map<number, number> {
  const spread = new Map<number, number>();
  for (const { memberFrequency } of table.rows()) {
    if (memberFrequency > 0) spread.set(memberFrequency, (spread.get(memberFrequency) ?? 0) + 1);
  }
  return spread;
}

/** Learns or forgets models of a symbol, and forgets the symbol when no model holds it. */
function change(table: SymbolTable, random: Random): void {
  const id = table.intern(`s${random.below(9)}`);
  const { memberFrequency } = table.row(id);
  const by = random.below(3) === 0 ? -memberFrequency : 1 + random.below(3);
  table.count(id, by, by);
  if (table.row(id).memberFrequency === 0) table.forget(id);
}

test("the spread of symbols by member frequency is that of their rows, whenever it is asked for", () => {
  const random = new Random(24);
  const table = new SymbolTable();
  for (let round = 0; round < 300; round++) {
    const isTakenBack = random.below(4) === 0;
    if (isTakenBack) table.keepChanges();
    for (let changes = random.below(12); changes > 0; changes--) {
      change(table, random);
      if (random.below(6) === 0) expect(table.memberSpread()).toEqual(countedAnew(table));
    }
    if (isTakenBack) table.takeBack();
    if (random.below(2) === 0) expect(table.memberSpread()).toEqual(countedAnew(table));
  }
});
