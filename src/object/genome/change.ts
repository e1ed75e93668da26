/** What changes between two genomes of an agent: what is to be done with which processor. Pure: no I/O, no clock. */

import { changeGenes, genesFrom } from "../../processor/genes/genes";
import { GENE_NAMES } from "../../processor/genes/table";
import type { Action } from "../../store/tables/genome-table";
import type { Genome } from "./genome";
import type { PrimitiveNode } from "./primitive";

/**
 * How many new processors are put in service with a genome; the others of a large one are when they are first wanted, for making an
 * object costs some writes to disk, and a call may make only so many.
 */
const EAGER = 64;

/** Processors that are not in service. */
export interface Absent {
  /** Those that left earlier with their data kept. */
  readonly retired: ReadonlySet<string>;
  /** Those of the present genome that wait until they are wanted. */
  readonly waiting: ReadonlySet<string>;
}

/** From one genome to another. */
export interface GenomeChange {
  /** What is to be done, by processor; those that stay as they are do not occur. */
  steps: Map<string, Action>;
  /** The processors that keep genes which their new nodes do not say. */
  tuned: string[];
}

/**
 * What leads from a genome that is in place to another.
 *
 * @param before `undefined` for an agent that had none
 * @param absent processors that are not in service
 * @param purge delete the data of those that go, and of those that left earlier
 */
export function genomeChange(before: Genome | undefined, after: Genome, absent: Absent, purge: boolean): GenomeChange {
  const steps = departures(before, absent, purge);
  const tuned: string[] = [];
  let made = 0;
  for (const node of bundled(after)) {
    const isWaiting = absent.waiting.has(node.id);
    const old = isWaiting ? undefined : bundledNode(before, node.id);
    if (old === undefined) steps.set(node.id, !isWaiting && made++ < EAGER ? "provision" : "admit");
    else if (isSamePlace(before, old, after, node)) steps.delete(node.id);
    else steps.set(node.id, "provision");
    if (old === undefined ? absent.retired.has(node.id) : !haveSameGenes(old, node)) tuned.push(node.id);
  }
  return { steps, tuned };
}

/** What is to be done with all processors if none of them stays. */
function departures(before: Genome | undefined, { retired, waiting }: Absent, purge: boolean): Map<string, Action> {
  const steps = new Map<string, Action>();
  for (const { id } of bundled(before)) if (!waiting.has(id)) steps.set(id, purge ? "purge" : "retire");
  if (purge) for (const id of retired) steps.set(id, "purge");
  return steps;
}

/** The processors that are objects of this deployment. */
function bundled(genome: Genome | undefined): PrimitiveNode[] {
  return genome === undefined ? [] : [...genome.primitives].filter(({ endpoint }) => endpoint === "");
}

function bundledNode(genome: Genome | undefined, id: string): PrimitiveNode | undefined {
  const node = genome?.primitive(id);
  return node?.endpoint === "" ? node : undefined;
}

/** Whether a processor is called the same and tells the same to the same in both genomes. */
function isSamePlace(before: Genome | undefined, old: PrimitiveNode, after: Genome, node: PrimitiveNode): boolean {
  return old.name === node.name && JSON.stringify(before?.outletsOf(old)) === JSON.stringify(after.outletsOf(node));
}

function haveSameGenes(old: PrimitiveNode, node: PrimitiveNode): boolean {
  const [a, b] = [old, node].map(({ genes }) => changeGenes(genesFrom({}), genes).genes);
  return GENE_NAMES.every((name) => a?.[name] === b?.[name]);
}
