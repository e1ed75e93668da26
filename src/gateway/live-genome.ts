/**
 * Shows the genes that processors have now in the genome that they started from. Every other byte of the genome stays as it
 * is, and so does a setting that still has its value, however it is written.
 */

import { type Node, parseTree } from "jsonc-parser";
import type { Gene, GeneValue } from "../gen/noema/v1/gene_pb";
import { geneValue } from "./encode-gene";

/** The one gene whose setting in a genome has another name. */
const SETTING_OF: { readonly [gene: string]: string } = { SORT: "sort" };

/** How a switch is printed when it is off, where it has words. */
const OFF = /^(?:not sorting|less than|.* disabled)$/;

interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly json: string;
}

/**
 * @param genomeJson a genome that its agent has accepted
 * @param genes the live genes by identifier of the processor; a processor that is missing keeps the genome's settings
 * @returns the genome with the live value of every gene that a node has a setting for
 */
export function liveGenome(genomeJson: string, genes: ReadonlyMap<string, readonly Gene[]>): string {
  const tree = parseTree(genomeJson);
  const nodes = tree && valueIn(valueIn(tree, "elements"), "nodes");
  const edits: Edit[] = [];
  for (const node of nodes?.children ?? []) {
    const data = valueIn(node, "data");
    if (valueIn(data, "type")?.value !== "primitive") continue;
    for (const gene of genes.get(valueIn(data, "id")?.value) ?? []) {
      const setting = valueIn(data, SETTING_OF[gene.name] ?? gene.name);
      if (setting !== undefined) edits.push(...editOf(setting, gene.value));
    }
  }
  return applied(genomeJson, edits);
}

/** The value of a member, the last one when there are several; undefined when there is none. */
function valueIn(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== "object") return undefined;
  return object.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

function editOf(setting: Node, gene: GeneValue | undefined): Edit[] {
  const flag = setting.type === "boolean" && gene?.value.case === "text" ? !OFF.test(gene.value.value) : undefined;
  if (setting.value === (flag ?? gene?.value.value)) return [];
  return [
    { offset: setting.offset, length: setting.length, json: flag === undefined ? geneValue(gene) : String(flag) },
  ];
}

function applied(source: string, edits: Edit[]): string {
  let out = "";
  let from = 0;
  for (const { offset, length, json } of edits.sort((a, b) => a.offset - b.offset)) {
    out += source.slice(from, offset) + json;
    from = offset + length;
  }
  return out + source.slice(from);
}
