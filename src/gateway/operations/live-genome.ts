/**
 * Shows the live genes of processors in the genome that they started from. Leaves every other byte of the genome
 * unchanged, including settings that still have their value, in whatever notation. If a node has no setting for a gene,
 * adds one after its members once the gene differs from the default.
 */

import { type Node, parseTree } from "jsonc-parser";
import type { Gene, GeneValue } from "../../gen/noema/v1/gene_pb";
import { geneValue } from "../encode/gene";
import { text } from "../json/writer";

/** The words of switches that are off, printed by older processors that do not send the genome's value. */
const OFF = /^(?:not sorting|less than|.* disabled)$/;

interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly json: string;
}

/**
 * @param genomeJson a genome that its agent has accepted
 * @param genes the live genes by identifier of the processor; a processor that is not in it keeps the genome's settings
 * @returns the genome with the live value of every gene that a node sets or that was changed
 */
export function liveGenome(genomeJson: string, genes: ReadonlyMap<string, readonly Gene[]>): string {
  const tree = parseTree(genomeJson);
  const nodes = tree && valueIn(valueIn(tree, "elements"), "nodes");
  const edits = (nodes?.children ?? []).flatMap((node) => editsOf(valueIn(node, "data"), genes));
  return applyEdits(genomeJson, edits);
}

function editsOf(data: Node | undefined, genes: ReadonlyMap<string, readonly Gene[]>): Edit[] {
  if (data === undefined || valueIn(data, "type")?.value !== "primitive") return [];
  return (genes.get(valueIn(data, "id")?.value) ?? []).flatMap((gene) => {
    const setting = valueIn(data, settingOf(gene));
    if (setting !== undefined) return editOf(setting, gene);
    return gene.tuned ? [additionOf(data, gene)] : [];
  });
}

/** The value of a member, the last one if there are several; undefined for none. */
function valueIn(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== "object") return undefined;
  return object.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

/** The name of a gene's setting. Older processors do not send it; SORT is their only gene with another name. */
function settingOf({ name, genomeName }: Gene): string {
  if (genomeName !== "") return genomeName;
  return name === "SORT" ? "sort" : name;
}

function editOf(setting: Node, gene: Gene): Edit[] {
  const live = setting.type === "boolean" ? switchOf(gene) : gene.value;
  if (live?.value.value === setting.value) return [];
  return [{ offset: setting.offset, length: setting.length, json: geneValue(live) }];
}

/** The value of a gene that is a switch, because its setting in the genome is true or false. */
function switchOf({ value, genomeValue }: Gene): Pick<GeneValue, "value"> | undefined {
  if (genomeValue !== undefined || value?.value.case !== "text") return genomeValue ?? value;
  return { value: { case: "flag", value: !OFF.test(value.value.value) } };
}

/**
 * Inserts a member after the last one of a nonempty object. A genome also accepts the word of a switch, which older
 * processors print.
 */
function additionOf(data: Node, gene: Gene): Edit {
  const json = geneValue(gene.genomeValue ?? gene.value);
  return { offset: data.offset + data.length - 1, length: 0, json: `,${text(settingOf(gene))}:${json}` };
}

function applyEdits(source: string, edits: Edit[]): string {
  let out = "";
  let from = 0;
  for (const { offset, length, json } of edits.sort((a, b) => a.offset - b.offset)) {
    out += source.slice(from, offset) + json;
    from = offset + length;
  }
  return out + source.slice(from);
}
