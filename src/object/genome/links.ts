/**
 * Checks how the nodes of a genome refer to each other: every reference has its node, and predictions never return to
 * their processor.
 */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import type { ManipulativeNode } from "./manipulative";
import type { PrimitiveNode } from "./primitive";

/** The nodes of a genome by identifier. */
export interface Nodes {
  readonly primitives: ReadonlyMap<string, PrimitiveNode>;
  readonly manipulatives: ReadonlyMap<string, ManipulativeNode>;
}

/**
 * Checks all references between nodes.
 *
 * @throws Fault `invalid` for a reference to a missing node, a manipulative and a processor that do not both
 *   name each other, or a cycle
 */
export function checkLinks(nodes: Nodes): void {
  for (const primitive of nodes.primitives.values()) checkPrimitive(primitive, nodes);
  for (const manipulative of nodes.manipulatives.values()) checkManipulative(manipulative, nodes);
  checkCycles(nodes);
}

function checkPrimitive({ id, manipulatives, endpoint }: PrimitiveNode, nodes: Nodes): void {
  const subject = `the genome's processor ${excerpt(id)}`;
  for (const name of manipulatives) {
    const owner = nodes.manipulatives.get(name)?.primitive;
    if (owner === id) continue;
    const reason =
      owner === undefined ? "which the genome does not have" : `which belongs to the processor ${excerpt(owner)}`;
    throw new Fault("invalid", `${subject} lists the manipulative ${excerpt(name)}, ${reason}`);
  }
  if (endpoint !== "" && manipulatives.length > 0) {
    throw new Fault(
      "invalid",
      `${subject} has an endpoint, so it is served elsewhere, and its list of manipulatives must be empty, ` +
        `got ${excerpt(manipulatives)}`,
    );
  }
}

function checkManipulative({ id, primitive, targets }: ManipulativeNode, { primitives }: Nodes): void {
  const subject = `the genome's manipulative ${excerpt(id)}`;
  const owner = primitives.get(primitive);
  if (owner === undefined) {
    throw new Fault(
      "invalid",
      `${subject} belongs to the processor ${excerpt(primitive)}, which the genome does not have`,
    );
  }
  if (!owner.manipulatives.includes(id)) {
    throw new Fault(
      "invalid",
      `${subject} belongs to the processor ${excerpt(primitive)}, whose list of manipulatives does not name it`,
    );
  }
  const unknown = targets.find((target) => !primitives.has(target));
  if (unknown !== undefined) {
    throw new Fault("invalid", `${subject} has the target ${excerpt(unknown)}, which is not a processor of the genome`);
  }
}

/** @throws Fault `invalid` when a processor's predictions return to it through others */
function checkCycles({ primitives, manipulatives }: Nodes): void {
  const targetsOf = ({ manipulatives: names }: PrimitiveNode): string[] =>
    names.flatMap((name) => manipulatives.get(name)?.targets ?? []);
  const acyclic = new Set<string>();
  for (const start of primitives.keys()) {
    // No recursion: a chain may be longer than the stack allows. `path` is the chain from `start` to the current node.
    const path: { id: string; rest: string[] }[] = [];
    const onPath = new Set<string>();
    const enter = (id: string): void => {
      if (onPath.has(id)) throw cycleFault([...path.map((step) => step.id), id]);
      const node = primitives.get(id);
      if (node === undefined || acyclic.has(id)) return;
      onPath.add(id);
      path.push({ id, rest: targetsOf(node) });
    };
    enter(start);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const next = step.rest.pop();
      if (next !== undefined) {
        enter(next);
        continue;
      }
      path.pop();
      onPath.delete(step.id);
      acyclic.add(step.id);
    }
  }
}

/** Maximum number of processors that a message about a cycle names. */
const MAX_NAMED = 10;

/** @param path a chain of processors whose last one occurs before */
function cycleFault(path: readonly string[]): Fault {
  const round = path.slice(path.indexOf(path.at(-1) ?? ""));
  const shown = round.length <= MAX_NAMED ? round : [...round.slice(0, MAX_NAMED - 1), "...", ...round.slice(-1)];
  return new Fault(
    "invalid",
    `the genome's manipulatives lead from a processor back to itself: ${shown.join(" -> ")}; there must be no cycle`,
  );
}
