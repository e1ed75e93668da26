/**
 * A genome, understood: which processors an agent has, with which genes, and who tells whom what it predicts. Reads and checks the
 * JSON text; whatever is not named here is not ours to interpret, and stays in the text as it is.
 */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import { checkLinks } from "./links";
import { type ManipulativeNode, manipulativeAt } from "./manipulative";
import { type PrimitiveNode, primitiveAt } from "./primitive";
import { listAt, memberOf, objectAt, type Place, refused } from "./value";

/** A manipulative of a processor: what it tells, and whom. */
export interface GenomeOutlet {
  manipulative: string;
  fields: string[];
  /** The processors that are told; `endpoint` is empty for objects of this deployment. */
  targets: { id: string; endpoint: string }[];
}

/** A genome whose nodes and references are as they must be. */
export class Genome {
  /** The text, byte for byte as it was given. */
  readonly json: string;
  readonly #primitives: ReadonlyMap<string, PrimitiveNode>;
  readonly #manipulatives: ReadonlyMap<string, ManipulativeNode>;

  /**
   * Reads a genome.
   *
   * @param json `{agent, elements: {nodes: [{data: {type: "primitive" | "manipulative", id, name, ...}}]}, ...}`
   * @throws Fault `invalid` that names what is wrong and what is accepted
   */
  constructor(json: string) {
    this.json = json;
    const root: Place = { value: parsed(json), path: "" };
    objectAt(root);
    const agent = memberOf(root, "agent");
    if (typeof agent.value !== "string") throw refused(agent, "a text");
    const nodes = listAt(memberOf(memberOf(root, "elements"), "nodes")).map((node) => memberOf(node, "data"));
    const primitives = nodes.filter((data) => typeAt(data) === "primitive").map(primitiveAt);
    const manipulatives = nodes.filter((data) => typeAt(data) === "manipulative").map(manipulativeAt);
    refuseTwice([...primitives.map(({ id }) => id), ...manipulatives.map(({ id }) => id)], "id");
    refuseTwice(
      primitives.map(({ name }) => name),
      "name",
    );
    this.#primitives = new Map(primitives.map((primitive) => [primitive.id, primitive]));
    this.#manipulatives = new Map(manipulatives.map((manipulative) => [manipulative.id, manipulative]));
    refuseShadows(primitives, this.#primitives);
    checkLinks({ primitives: this.#primitives, manipulatives: this.#manipulatives });
  }

  /** The processors, in order. */
  get primitives(): Iterable<PrimitiveNode> {
    return this.#primitives.values();
  }

  /** A processor; `undefined` when there is none of this identifier. */
  primitive(id: string): PrimitiveNode | undefined {
    return this.#primitives.get(id);
  }

  /** A processor by identifier or friendly name; `undefined` when there is none of either. */
  find(word: string): PrimitiveNode | undefined {
    return this.#primitives.get(word) ?? [...this.#primitives.values()].find(({ name }) => name === word);
  }

  /** The manipulatives of a processor, in its order. */
  outletsOf({ manipulatives }: PrimitiveNode): GenomeOutlet[] {
    return manipulatives.flatMap((name) => {
      const node = this.#manipulatives.get(name);
      if (node === undefined) return [];
      const targets = node.targets.map((id) => ({ id, endpoint: this.#primitives.get(id)?.endpoint ?? "" }));
      return [{ manipulative: name, fields: [...node.fields], targets }];
    });
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // What the runtime says of it quotes the text in its own ways.
    throw new Fault("invalid", `the genome must be JSON, got ${excerpt(json)}`);
  }
}

function typeAt(data: Place): "primitive" | "manipulative" {
  objectAt(data);
  const type = memberOf(data, "type");
  if (type.value === "primitive" || type.value === "manipulative") return type.value;
  throw refused(type, '"primitive" or "manipulative"');
}

function refuseTwice(words: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const word of words) {
    if (seen.has(word))
      throw new Fault("invalid", `two nodes of the genome have the ${what} ${excerpt(word)}; it must be unique`);
    seen.add(word);
  }
}

/** Refuses names that are another processor's identifier: both begin paths. */
function refuseShadows(primitives: readonly PrimitiveNode[], byId: ReadonlyMap<string, PrimitiveNode>): void {
  for (const { id, name } of primitives) {
    if (name === id || !byId.has(name)) continue;
    throw new Fault(
      "invalid",
      `the name ${excerpt(name)} of the genome's processor ${excerpt(id)} is the id of another; paths could mean either`,
    );
  }
}
