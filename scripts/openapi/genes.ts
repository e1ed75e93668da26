/** Schemas of genes, made from the table of genes, so that no gene is forgotten. */

import {
  GENE_NAMES,
  GENES,
  type GeneDeclaration,
  type GeneName,
  genomeSettingOf,
  hasEffect,
} from "../../src/processor/genes/table";
import type { Schema } from "./reference/entry";
import type { Schemas } from "./reference/schemas/schema";

/** The schemas `Genes` and `GeneChanges`, and the settings of a node in a genome. */
export function geneSchemas(): Schemas {
  return {
    Genes: {
      type: "object",
      description: "The genes by name. The defaults are those of a new processor whose genome says nothing else.",
      properties: Object.fromEntries(GENE_NAMES.map((name) => [name, described(name, shown(GENES[name]))])),
      required: GENE_NAMES.filter((name) => !isOurs(name)),
    },
    GeneChanges: {
      type: "object",
      description: "New values of genes by name. All are changed, or none.",
      properties: Object.fromEntries(GENE_NAMES.map((name) => [name, described(name, accepted(GENES[name]))])),
      additionalProperties: false,
    },
  };
}

function isOurs(name: GeneName): boolean {
  const gene: GeneDeclaration = GENES[name];
  return gene.ours === true;
}

/** The genes as a node of a genome may set them, by their names in genomes. */
export function geneSettings(): Schemas {
  return Object.fromEntries(
    GENE_NAMES.map((name) => [genomeSettingOf(name), described(name, accepted(GENES[name]))] as const),
  );
}

/** `x-no-effect` marks the genes that nothing reads. */
function described(name: GeneName, schema: Schema): Schema {
  const gene: GeneDeclaration = GENES[name];
  const told = hasEffect(name) ? {} : { "x-no-effect": true };
  return { ...schema, description: gene.says ?? "Has no effect.", default: shownDefault(gene), ...told };
}

function shownDefault(gene: GeneDeclaration): boolean | number | string {
  if (gene.kind !== "flag") return gene.default;
  return (gene.default ? gene.on : gene.off) ?? gene.default;
}

/** A gene as all-genes shows it. */
function shown(gene: GeneDeclaration): Schema {
  if (gene.kind === "flag" && gene.on !== undefined && gene.off !== undefined) return { enum: [gene.on, gene.off] };
  return accepted(gene);
}

/** A gene as a change accepts it. */
function accepted(gene: GeneDeclaration): Schema {
  switch (gene.kind) {
    case "flag":
      if (gene.on === undefined || gene.off === undefined) return { type: "boolean" };
      return { enum: [true, false, gene.on, gene.off] };
    case "integer":
      return { type: "integer", minimum: gene.least, maximum: gene.most };
    case "float":
      return { type: "number", format: "double", ...bounds(gene) };
    case "choice":
      return { enum: gene.choices };
    case "text":
      return { type: "string" };
  }
}

/** JSON has no infinity: a bound that is infinite is none. */
function bounds({ least, most }: { readonly least: number; readonly most: number }): Schema {
  return {
    ...(Number.isFinite(least) ? { minimum: least } : {}),
    ...(Number.isFinite(most) ? { maximum: most } : {}),
  };
}
