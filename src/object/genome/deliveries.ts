/**
 * The number of deliveries that one observe can cause in an agent: one for each path along its manipulatives. Counts
 * the paths without walking each one.
 */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import type { Genome } from "./genome";
import type { PrimitiveNode } from "./primitive";

/** Counts stop here, which is "too many". Sums of two such counts stay exact. */
const SATURATED = 2 ** 40;

/** The targets of a processor's manipulatives; a target named by two manipulatives occurs twice. */
function targetsOf(genome: Genome, node: PrimitiveNode): PrimitiveNode[] {
  return genome.manipulativesOf(node).flatMap(({ targets }) => targets.flatMap(({ id }) => genome.primitive(id) ?? []));
}

/**
 * For each processor, the number of deliveries that an observe causes when all processors predict, at most {@link
 * SATURATED}. The genome has no cycle.
 */
export function deliveriesOf(genome: Genome): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const start of genome.primitives) {
    // No recursion: a chain may be longer than the stack allows.
    const waiting = [start];
    for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
      const targets = counts.has(node.id) ? [] : targetsOf(genome, node);
      const open = targets.filter(({ id }) => !counts.has(id));
      for (const target of open) waiting.push(target);
      if (open.length > 0) continue;
      waiting.pop();
      if (counts.has(node.id)) continue;
      const sum = targets.reduce((total, { id }) => total + 1 + (counts.get(id) ?? 0), 0);
      counts.set(node.id, Math.min(sum, SATURATED));
    }
  }
  return counts;
}

/** @throws Fault `too-large` when one observe can cause more than `most` deliveries */
export function assertDeliveries(genome: Genome, most: number): void {
  for (const [id, count] of deliveriesOf(genome)) {
    if (count <= most) continue;
    const shown = count < SATURATED ? String(count) : `${SATURATED} or more`;
    throw new Fault(
      "too-large",
      `one observe of the genome's processor ${excerpt(id)} can cause ${shown} deliveries to other processors; ` +
        `at most ${most} are accepted (NOEMA_DELIVERIES)`,
    );
  }
}
