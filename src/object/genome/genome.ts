/**
 * A parsed and checked genome: an agent's processors, their genes, and the processors to which they send predictions.
 * Other members of the JSON text are kept in the text, unread.
 */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import type { Located } from "../../text/located";
import { checkLinks } from "./links";
import { type ManipulativeNode, manipulativeAt } from "./manipulative";
import { type PrimitiveNode, primitiveAt } from "./primitive";
import { asList, asObject, memberOf, wrong } from "./value";

/** A manipulative of a processor, and where its targets are. */
export interface GenomeManipulative {
  id: string;
  /** The parts of each prediction that it sends, in order. */
  fields: string[];
  /**
   * The processors that observe what it sends, in order. `endpoint` is the URL of a processor on another server; empty
   * in this deployment.
   */
  targets: { id: string; endpoint: string }[];
}

/** A genome whose nodes and references are correct. */
export class Genome {
  /** The text, byte for byte as it was given. */
  readonly json: string;
  readonly #primitives: ReadonlyMap<string, PrimitiveNode>;
  readonly #manipulatives: ReadonlyMap<string, ManipulativeNode>;

  /**
   * Reads a genome.
   *
   * @param json `{agent, elements: {nodes: [{data: {type: "primitive" | "manipulative", id, name, ...}}]}, ...}`
   * @throws Fault `invalid` naming the wrong value and the accepted ones
   */
  constructor(json: string) {
    this.json = json;
    const root: Located = { value: parsed(json), path: "" };
    asObject(root);
    const agent = memberOf(root, "agent");
    if (typeof agent.value !== "string") throw wrong(agent, "a string");
    const nodes = asList(memberOf(memberOf(root, "elements"), "nodes")).map((node) => {
      asObject(node);
      return memberOf(node, "data");
    });
    const primitives = nodes.filter((data) => typeAt(data) === "primitive").map(primitiveAt);
    const manipulatives = nodes.filter((data) => typeAt(data) === "manipulative").map(manipulativeAt);
    checkUnique(
      [...primitives, ...manipulatives].map(({ id }) => id),
      "id",
    );
    checkUnique(
      primitives.map(({ name }) => name),
      "name",
    );
    this.#primitives = new Map(primitives.map((primitive) => [primitive.id, primitive]));
    this.#manipulatives = new Map(manipulatives.map((manipulative) => [manipulative.id, manipulative]));
    checkNames(primitives, this.#primitives);
    checkLinks({ primitives: this.#primitives, manipulatives: this.#manipulatives });
  }

  /** The processors, in order. */
  get primitives(): Iterable<PrimitiveNode> {
    return this.#primitives.values();
  }

  /** The processor with an identifier; `undefined` when there is none. */
  primitive(id: string): PrimitiveNode | undefined {
    return this.#primitives.get(id);
  }

  /** The processor with an identifier or a friendly name; `undefined` when there is none. */
  find(idOrName: string): PrimitiveNode | undefined {
    return this.#primitives.get(idOrName) ?? [...this.#primitives.values()].find(({ name }) => name === idOrName);
  }

  /** The manipulatives of a processor, in its order. */
  manipulativesOf({ manipulatives }: PrimitiveNode): GenomeManipulative[] {
    return manipulatives.flatMap((id) => {
      const node = this.#manipulatives.get(id);
      if (node === undefined) return [];
      const targets = node.targets.map((target) => ({
        id: target,
        endpoint: this.#primitives.get(target)?.endpoint ?? "",
      }));
      return [{ id, fields: [...node.fields], targets }];
    });
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Do not use the runtime's message: it quotes the text in its own way.
    throw new Fault("invalid", `the genome must be JSON, got ${excerpt(json)}`);
  }
}

function typeAt(data: Located): "primitive" | "manipulative" {
  asObject(data);
  const type = memberOf(data, "type");
  if (type.value === "primitive" || type.value === "manipulative") return type.value;
  throw wrong(type, '"primitive" or "manipulative"');
}

/** @throws Fault `invalid` when two nodes have the same text. @param member the nodes' member that holds the texts */
function checkUnique(texts: readonly string[], member: "id" | "name"): void {
  const seen = new Set<string>();
  for (const text of texts) {
    if (seen.has(text))
      throw new Fault("invalid", `two nodes of the genome have the ${member} ${excerpt(text)}; it must be unique`);
    seen.add(text);
  }
}

/** @throws Fault `invalid` when a name is the identifier of another processor, because either can begin a path */
function checkNames(primitives: readonly PrimitiveNode[], byId: ReadonlyMap<string, PrimitiveNode>): void {
  for (const { id, name } of primitives) {
    if (name === id || !byId.has(name)) continue;
    throw new Fault(
      "invalid",
      `the name ${excerpt(name)} of the genome's processor ${excerpt(id)} is the id of another; ` +
        "paths could mean either",
    );
  }
}
