/**
 * Shows the genes that processors have now in the genome that they started from. Every other byte of the genome stays as it
 * is, and so does a setting that still has its value, however it is written. A gene that the node says nothing of is added
 * behind its members once it has another value than the default.
 */

import { type Node, parseTree } from "jsonc-parser";
import type { Gene, GeneValue } from "../../gen/noema/v1/gene_pb";
import { geneValue } from "../encode/gene";
import { text } from "../json/writer";

/** The one gene whose setting in a genome has another name. */
const SETTING_OF: { readonly [gene: string]: string } = { SORT: "sort" };

/** How a switch is printed when it is on or off, where it has words; a genome has true and false. */
const ON = /^(?:sorting|greater than|.* enabled)$/;
const OFF = /^(?:not sorting|less than|.* disabled)$/;

interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly json: string;
}

/**
 * @param genomeJson a genome that its agent has accepted
 * @param genes the live genes by identifier of the processor; a processor that is missing keeps the genome's settings
 * @returns the genome with the live value of every gene that a node has a setting for or that was changed
 */
export function liveGenome(genomeJson: string, genes: ReadonlyMap<string, readonly Gene[]>): string {
  const tree = parseTree(genomeJson);
  const nodes = tree && valueIn(valueIn(tree, "elements"), "nodes");
  const edits = (nodes?.children ?? []).flatMap((node) => editsOf(valueIn(node, "data"), genes));
  return applied(genomeJson, edits);
}

function editsOf(data: Node | undefined, genes: ReadonlyMap<string, readonly Gene[]>): Edit[] {
  if (data === undefined || valueIn(data, "type")?.value !== "primitive") return [];
  return (genes.get(valueIn(data, "id")?.value) ?? []).flatMap((gene) => {
    const name = SETTING_OF[gene.name] ?? gene.name;
    const setting = valueIn(data, name);
    if (setting !== undefined) return editOf(setting, gene.value);
    return gene.tuned ? [addition(data, name, gene.value)] : [];
  });
}

/** The value of a member, the last one when there are several; undefined when there is none. */
function valueIn(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== "object") return undefined;
  return object.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

function editOf(setting: Node, gene: GeneValue | undefined): Edit[] {
  const json = setting.type === "boolean" ? inGenome(gene) : geneValue(gene);
  const isSame =
    typeof setting.value === "boolean" ? String(setting.value) === json : setting.value === gene?.value.value;
  return isSame ? [] : [{ offset: setting.offset, length: setting.length, json }];
}

/** A member behind the last of an object that has some. */
function addition(data: Node, name: string, gene: GeneValue | undefined): Edit {
  return { offset: data.offset + data.length - 1, length: 0, json: `,${text(name)}:${inGenome(gene)}` };
}

/** A value as genomes have it: a switch that has words is true or false there. */
function inGenome(gene: GeneValue | undefined): string {
  if (gene?.value.case !== "text") return geneValue(gene);
  if (ON.test(gene.value.value)) return "true";
  return OFF.test(gene.value.value) ? "false" : geneValue(gene);
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
