/** How many deliveries one observe can cause: every path along the manipulatives is one. */

import { expect, test } from "vitest";
import { assertDeliveries, deliveriesOf } from "../../../src/object/genome/deliveries";
import { Genome } from "../../../src/object/genome/genome";
import { genomeText, manipulative, primitive } from "../../support/object/genomes";
import { Random } from "../../support/random";

/** A genome of processors that each have a manipulative for each list of targets. */
function genomeOf(targets: Record<string, string[][]>): Genome {
  const nodes = Object.entries(targets).flatMap(([id, lists]) => [
    primitive(id, { manipulatives: lists.map((_, at) => `${id}-${at}`) }),
    ...lists.map((list, at) => manipulative(`${id}-${at}`, id, list)),
  ]);
  return new Genome(genomeText(...nodes));
}

/** Levels of which each tells the next twice. */
const doubling = (levels: number) =>
  genomeOf(
    Object.fromEntries(
      Array.from({ length: levels + 1 }, (_, at) => [`p${at}`, at < levels ? [[`p${at + 1}`], [`p${at + 1}`]] : []]),
    ),
  );

test("levels that tell the next twice double", () => {
  expect(deliveriesOf(doubling(10)).get("p0")).toBe(2046);
  expect(deliveriesOf(doubling(10)).get("p9")).toBe(2);
  expect(deliveriesOf(doubling(10)).get("p10")).toBe(0);
});

test("a genome beyond the budget is refused by name, however far beyond", () => {
  expect(() => assertDeliveries(doubling(10), 2046)).not.toThrow();
  expect(() => assertDeliveries(doubling(10), 2045)).toThrow(
    'one observe of the genome\'s processor "p0" can cause 2046 deliveries to other processors; at most 2045 are accepted (NOEMA_DELIVERIES)',
  );
  expect(() => assertDeliveries(doubling(2000), 256)).toThrow(
    "deliveries to other processors; at most 256 are accepted",
  );
  const targets = Array.from({ length: 3000 }, (_, at) => `t${at}`);
  const fan = genomeOf({ p: [targets], ...Object.fromEntries(targets.map((id) => [id, []])) });
  expect(() => assertDeliveries(fan, 256)).toThrow("3000 deliveries");
});

test("a long chain is counted without recursion", () => {
  const chain = Array.from({ length: 20_000 }, (_, at) => [`p${at}`, at < 19_999 ? [[`p${at + 1}`]] : []] as const);
  expect(deliveriesOf(genomeOf(Object.fromEntries(chain))).get("p0")).toBe(19_999);
});

test("in random genomes, the count is that of walking every path", () => {
  const random = new Random(3);
  for (let round = 0; round < 200; round++) {
    const size = 1 + random.below(9);
    const targets: Record<string, string[][]> = {};
    for (let at = 0; at < size; at++) {
      const later = Array.from({ length: size - at - 1 }, (_, more) => `p${at + 1 + more}`);
      const lists = Array.from({ length: random.below(3) }, () => later.filter(() => random.below(2) === 0));
      targets[`p${at}`] = lists;
    }
    const walk = (id: string): number => (targets[id] ?? []).flat().reduce((sum, target) => sum + 1 + walk(target), 0);
    const counts = deliveriesOf(genomeOf(targets));
    for (const id of Object.keys(targets)) expect(counts.get(id)).toBe(walk(id));
  }
});
