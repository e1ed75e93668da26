/** How the nodes of a genome refer to each other: that all they name is there, and that nothing a processor predicts comes back to it. */

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
 * @throws Fault `invalid` for a reference to what is not there, one that is not returned, or processors that feed each other
 */
export function checkLinks(nodes: Nodes): void {
  for (const primitive of nodes.primitives.values()) checkPrimitive(primitive, nodes);
  for (const manipulative of nodes.manipulatives.values()) checkManipulative(manipulative, nodes);
  refuseCycles(nodes);
}

function checkPrimitive({ id, manipulatives, endpoint }: PrimitiveNode, nodes: Nodes): void {
  const which = `the genome's processor ${excerpt(id)}`;
  for (const name of manipulatives) {
    const owner = nodes.manipulatives.get(name)?.primitive;
    if (owner === id) continue;
    const reason = owner === undefined ? "which is not there" : `which belongs to the processor ${excerpt(owner)}`;
    throw new Fault("invalid", `${which} lists the manipulative ${excerpt(name)}, ${reason}`);
  }
  if (endpoint !== "" && manipulatives.length > 0) {
    throw new Fault(
      "invalid",
      `${which} has an endpoint, so it is served elsewhere, and its list of manipulatives must be empty, got ${excerpt(manipulatives)}`,
    );
  }
}

function checkManipulative({ id, primitive, targets }: ManipulativeNode, { primitives }: Nodes): void {
  const which = `the genome's manipulative ${excerpt(id)}`;
  const owner = primitives.get(primitive);
  if (owner === undefined) {
    throw new Fault("invalid", `${which} belongs to the processor ${excerpt(primitive)}, which is not there`);
  }
  if (!owner.manipulatives.includes(id)) {
    throw new Fault(
      "invalid",
      `${which} belongs to the processor ${excerpt(primitive)}, whose list of manipulatives does not name it`,
    );
  }
  const unknown = targets.find((target) => !primitives.has(target));
  if (unknown !== undefined) {
    throw new Fault("invalid", `${which} tells the processor ${excerpt(unknown)}, which is not there`);
  }
}

/** Refuses a processor that is told, by way of others, what it predicts itself. */
function refuseCycles({ primitives, manipulatives }: Nodes): void {
  const targetsOf = ({ manipulatives: names }: PrimitiveNode): string[] =>
    names.flatMap((name) => manipulatives.get(name)?.targets ?? []);
  const harmless = new Set<string>();
  for (const start of primitives.keys()) {
    // A walk by hand, for a chain may be longer than the stack is deep. `way` is the chain from `start` to where the walk is.
    const way: { id: string; rest: string[] }[] = [];
    const onWay = new Set<string>();
    const enter = (id: string): void => {
      if (onWay.has(id)) throw cycle([...way.map((step) => step.id), id]);
      const node = primitives.get(id);
      if (node === undefined || harmless.has(id)) return;
      onWay.add(id);
      way.push({ id, rest: targetsOf(node) });
    };
    enter(start);
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const next = step.rest.pop();
      if (next !== undefined) {
        enter(next);
        continue;
      }
      way.pop();
      onWay.delete(step.id);
      harmless.add(step.id);
    }
  }
}

/** How many processors of a cycle a message names. */
const NAMED = 10;

function cycle(way: readonly string[]): Fault {
  const round = way.slice(way.indexOf(way.at(-1) ?? ""));
  const shown = round.length <= NAMED ? round : [...round.slice(0, NAMED - 1), "...", ...round.slice(-1)];
  return new Fault(
    "invalid",
    `the genome's manipulatives lead from a processor back to itself: ${shown.join(" -> ")}; there must be no cycle`,
  );
}
