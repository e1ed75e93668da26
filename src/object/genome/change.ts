/** The difference between two genomes of an agent, as one action for each processor. Pure: no I/O, no clock. */

import { changeGenes, genesFrom } from "../../processor/genes/genes";
import { GENE_NAMES } from "../../processor/genes/table";
import { Fault } from "../../processor/ports/fault";
import type { Action } from "../../store/tables/genome-table";
import { excerpt } from "../../text/excerpt";
import type { Genome } from "./genome";
import type { PlacedProcessor } from "./placement";
import type { PrimitiveNode } from "./primitive";

/**
 * Maximum number of new processors put into service at once; the others wait for their first call. Creating an object
 * takes several writes to disk, and the number of requests in one call is limited.
 */
const MAX_PROVISIONED_AT_ONCE = 64;

/**
 * Maximum number of processors out of service whose data an agent keeps. Each has a database of its own, and each
 * change of genomes reads all their identifiers.
 */
const MAX_RETIRED = 100_000;

/** Processors that are not in service. */
export interface Absent {
  /** Processors of earlier genomes whose data was kept. */
  readonly retired: ReadonlySet<string>;
  /** Processors of the present genome that wait for their first call. */
  readonly waiting: ReadonlySet<string>;
}

/** The way from one genome to another. */
export interface GenomeChange {
  /** The action for each processor, without processors that do not change. */
  steps: Map<string, Action>;
  /** The processors whose genes may differ from their new nodes, because they keep their existing genes. */
  tuned: string[];
}

/**
 * The effect of a change of genomes on the agent's users. Each processor is in one of the first four lists, by
 * identifier.
 */
export interface HotswapResult {
  added: string[];
  /** Those that stay under the same name. */
  kept: string[];
  /** Those that stay and get another name. */
  renamed: { id: string; from: string; to: string }[];
  /** Those taken out of service. */
  retired: string[];
  /** Those whose data is deleted. */
  purged: string[];
  /** The places of new processors whose nodes name one. */
  placed: PlacedProcessor[];
}

/**
 * Describes a change of genomes, in the order of the genomes.
 *
 * @param before `undefined` for an agent that had none
 * @param steps the steps from one to the other
 * @param placed the new processors with a place
 */
export function hotswapResult(
  before: Genome | undefined,
  after: Genome,
  { steps }: Pick<GenomeChange, "steps">,
  placed: PlacedProcessor[] = [],
): HotswapResult {
  const result: HotswapResult = { added: [], kept: [], renamed: [], retired: [], purged: [], placed };
  for (const node of after.primitives) {
    const old = before && sameProcessor(before, node);
    if (old === undefined) result.added.push(node.id);
    else if (old.name === node.name) result.kept.push(node.id);
    else result.renamed.push({ id: node.id, from: old.name, to: node.name });
  }
  for (const node of before?.primitives ?? []) {
    if (sameProcessor(after, node) === undefined) result.retired.push(node.id);
  }
  for (const [id, action] of steps) if (action === "purge") result.purged.push(id);
  return result;
}

/**
 * The node of the same processor in another genome. A processor that moves to another server, or back, counts as
 * another processor.
 */
function sameProcessor(genome: Genome, { id, endpoint }: PrimitiveNode): PrimitiveNode | undefined {
  const node = genome.primitive(id);
  return node !== undefined && (node.endpoint === "") === (endpoint === "") ? node : undefined;
}

/**
 * Compares two genomes.
 *
 * @param before `undefined` for an agent that had none
 * @param absent processors that are not in service
 * @param purge whether to delete the data of processors that leave, and of those that left earlier
 * @param mostRetired maximum number of processors out of service that keep their data
 * @throws Fault `over-limit` when there would be more
 */
export function genomeChange(
  before: Genome | undefined,
  after: Genome,
  absent: Absent,
  purge: boolean,
  mostRetired = MAX_RETIRED,
): GenomeChange {
  const steps = departures(before, absent, purge);
  const tuned: string[] = [];
  let added = 0;
  for (const node of bundled(after)) {
    const isWaiting = absent.waiting.has(node.id);
    const old = isWaiting ? undefined : bundledNode(before, node.id);
    if (old === undefined) {
      steps.set(node.id, !isWaiting && added++ < MAX_PROVISIONED_AT_ONCE ? "provision" : "admit");
    } else if (hasSameMembership(before, old, after, node)) steps.delete(node.id);
    else steps.set(node.id, "provision");
    if (old === undefined ? absent.retired.has(node.id) : !haveSameGenes(old, node)) tuned.push(node.id);
  }
  assertRoom(absent.retired, steps, mostRetired);
  return { steps, tuned };
}

/** @throws Fault `over-limit` when too many processors would be out of service */
function assertRoom(retired: ReadonlySet<string>, steps: ReadonlyMap<string, Action>, most: number): void {
  let count = retired.size;
  for (const [id, action] of steps) {
    if (action === "retire") count += retired.has(id) ? 0 : 1;
    else if (retired.has(id)) count--;
  }
  if (count <= most || count <= retired.size) return;
  throw new Fault(
    "over-limit",
    `an agent may keep the data of ${most} processors that are out of service, and with this genome it would be ` +
      `${count}; hotswap with purge=true, which deletes it`,
  );
}

/** The steps if all processors left. */
function departures(before: Genome | undefined, { retired, waiting }: Absent, purge: boolean): Map<string, Action> {
  const steps = new Map<string, Action>();
  for (const { id } of bundled(before)) if (!waiting.has(id)) steps.set(id, purge ? "purge" : "retire");
  if (purge) for (const id of retired) steps.set(id, "purge");
  return steps;
}

/**
 * Refuses a genome that changes the number of parts of an existing processor.
 *
 * @param before `undefined` for an agent that had none
 * @param waiting processors that wait for their first call
 * @throws Fault `invalid`
 */
export function assertSameParts(before: Genome | undefined, after: Genome, waiting: ReadonlySet<string>): void {
  for (const { id, parts } of bundled(after)) {
    const old = bundledNode(before, id);
    if (old === undefined || old.parts === parts || waiting.has(id)) continue;
    throw new Fault(
      "invalid",
      `the genome's processor ${excerpt(id)} has ${inParts(parts)}, and was made with ${inParts(old.parts)}; a ` +
        "hotswap cannot change that: restore a backup of the agent with the new genome, or give the processor " +
        "another id",
    );
  }
}

function inParts(parts: number): string {
  return parts === 1 ? "1 part" : `${parts} parts`;
}

/** The processors that are objects of this deployment. */
function bundled(genome: Genome | undefined): PrimitiveNode[] {
  return genome === undefined ? [] : [...genome.primitives].filter(({ endpoint }) => endpoint === "");
}

function bundledNode(genome: Genome | undefined, id: string): PrimitiveNode | undefined {
  const node = genome?.primitive(id);
  return node?.endpoint === "" ? node : undefined;
}

/** Whether a processor has the same name and the same manipulatives in both genomes. */
function hasSameMembership(
  before: Genome | undefined,
  old: PrimitiveNode,
  after: Genome,
  node: PrimitiveNode,
): boolean {
  if (old.name !== node.name) return false;
  return JSON.stringify(before?.manipulativesOf(old)) === JSON.stringify(after.manipulativesOf(node));
}

function haveSameGenes(old: PrimitiveNode, node: PrimitiveNode): boolean {
  const [a, b] = [old, node].map(({ genes }) => changeGenes(genesFrom({}), genes).genes);
  return GENE_NAMES.every((name) => a?.[name] === b?.[name]);
}
