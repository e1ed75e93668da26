/**
 * What a genome changes relative to another one, in sentences: processors, their names and manipulatives, and genes
 * that a swap does not apply.
 */

import diff from "microdiff";
import type { Schemas } from "../../client";

type Nodes = ReadonlyMap<string, { readonly [member: string]: unknown }>;

/** Members of a processor's node that a swap applies to a processor that stays. */
const TAKEN_OVER: readonly string[] = ["manipulatives", "name", "type"];

/** The difference between two genomes. Each list holds one line for each difference. */
export interface GenomeDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Settings of processors that stay: the swap does not change them. */
  readonly ignored: readonly string[];
}

/**
 * Compares two genomes.
 *
 * @param now the genome in force, with all its settings
 * @param next the new genome; settings that it leaves out do not differ
 */
export function genomeDifference(now: Schemas.Genome, next: Schemas.Genome): GenomeDifference {
  const [before, after] = [nodesOf(now), nodesOf(next)];
  const stay = [...after].filter(([id]) => before.has(id));
  const all = stay.flatMap(([id, node]) => differences(id, before.get(id) ?? {}, node));
  const isTakenOver = ({ member, id }: Difference) =>
    TAKEN_OVER.includes(member) || after.get(id)?.type !== "primitive";
  return {
    added: [...after].filter(([id]) => !before.has(id)).map(([, node]) => titleOf(node)),
    removed: [...before].filter(([id]) => !after.has(id)).map(([, node]) => titleOf(node)),
    changed: all.filter(isTakenOver).map(({ line }) => line),
    ignored: all.filter((one) => !isTakenOver(one)).map(({ line }) => line),
  };
}

function nodesOf({ elements }: Schemas.Genome): Nodes {
  return new Map(elements.nodes.map(({ data }) => [data.id, data as { readonly [member: string]: unknown }]));
}

function titleOf({ id, name, type }: { readonly [member: string]: unknown }): string {
  return `${type === "primitive" ? "processor" : String(type)} ${id}${name === undefined ? "" : ` (${name})`}`;
}

interface Difference {
  readonly id: string;
  readonly member: string;
  readonly line: string;
}

function differences(id: string, now: object, next: { readonly [member: string]: unknown }): Difference[] {
  // A setting that the new genome leaves out does not differ.
  const known = Object.fromEntries(Object.entries(now).filter(([member]) => Object.hasOwn(next, member)));
  return diff(known, next).map(({ path, ...change }) => {
    const from = "oldValue" in change ? JSON.stringify(change.oldValue) : "nothing";
    const to = "value" in change ? JSON.stringify(change.value) : "nothing";
    return { id, member: String(path[0]), line: `${titleOf(next)}: ${path.join(".")} ${from} → ${to}` };
  });
}
