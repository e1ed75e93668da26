/** The values of genes: prints them, checks new ones, and changes several of them, all or none. */

import type { GeneChange } from "../../gen/plain";
import { excerpt } from "../../text/excerpt";
import type { GeneSetting } from "../ports/store";
import { sixDecimals } from "../text/decimal";
import {
  GENE_NAMES,
  GENES,
  type GeneDeclaration,
  type GeneName,
  type Genes,
  genomeSettingOf,
  isGeneName,
} from "./table";

/** A gene's value as the rpcs carry it: exactly one of the three cases, or none when the sender left it out. */
export interface GeneValue {
  value:
    | { case: "flag"; value: boolean }
    | { case: "number"; value: number }
    | { case: "text"; value: string }
    | { case: undefined; value?: undefined };
}

/** One gene with its value. */
export interface Gene {
  name: string;
  /** The value as the list of all genes shows it. */
  value: GeneValue;
  /** The value as a call for this gene alone prints it. */
  text: string;
  /** Whether the value differs from the default. */
  tuned: boolean;
  /** The name of its setting in a genome's node. */
  genomeName: string;
  /** The value as a genome's node holds it: flags are true or false there, even if printed as words. */
  genomeValue: GeneValue;
}

/** The result of a change: the new genes, or a sentence saying why nothing changed. */
type GeneOutcome = { genes: Genes; refusal: "" } | { genes: undefined; refusal: string };

const DEFAULTS = Object.fromEntries(GENE_NAMES.map((name) => [name, GENES[name].default])) as unknown as Genes;

/** The genes of a processor that stored these values; the others have their defaults. */
export function genesFrom(stored: Record<string, GeneSetting>): Genes {
  return { ...DEFAULTS, ...stored } as Genes;
}

/** The values to store: those that differ from their defaults. */
export function genesToStore(genes: Genes): Record<string, GeneSetting> {
  const stored: Record<string, GeneSetting> = {};
  for (const name of GENE_NAMES) {
    if (genes[name] !== DEFAULTS[name]) stored[name] = genes[name];
  }
  return stored;
}

/** Reads one gene. */
export function readGene(genes: Genes, name: GeneName): Gene {
  const setting: GeneSetting = genes[name];
  const label = labelOf(GENES[name], setting);
  return {
    name,
    value: geneValueOf(label ?? setting),
    text: label ?? textOf(GENES[name], setting),
    tuned: setting !== DEFAULTS[name],
    genomeName: genomeSettingOf(name),
    genomeValue: geneValueOf(setting),
  };
}

/** All genes by name. */
export function everyGene(genes: Genes): Gene[] {
  return GENE_NAMES.map((name) => readGene(genes, name));
}

/**
 * The genes that a list of all genes shows, by name: those of the reference API, and those of Noema that differ from
 * their defaults.
 */
export function listedGenes(genes: Genes): Gene[] {
  return everyGene(genes).filter(({ name, tuned }) => tuned || !isOurs(name as GeneName));
}

function isOurs(name: GeneName): boolean {
  const declaration: GeneDeclaration = GENES[name];
  return declaration.ours === true;
}

/** The words that print a flag; `undefined` for a flag without words and for other genes. */
function labelOf(declaration: GeneDeclaration, setting: GeneSetting): string | undefined {
  return declaration.kind === "flag" ? declaration[setting ? "on" : "off"] : undefined;
}

function textOf({ kind }: GeneDeclaration, setting: GeneSetting): string {
  return typeof setting === "number" && kind === "float" ? sixDecimals(setting) : String(setting);
}

function geneValueOf(setting: GeneSetting): GeneValue {
  if (typeof setting === "boolean") return { value: { case: "flag", value: setting } };
  if (typeof setting === "number") return { value: { case: "number", value: setting } };
  return { value: { case: "text", value: setting } };
}

/** The refusal for an unknown gene name. */
export function unknownGene(name: string): string {
  return `there is no gene ${excerpt(name)}; the genes are ${GENE_NAMES.join(", ")}`;
}

function describeRange(declaration: GeneDeclaration & { kind: "integer" | "float" }): string {
  const noun = declaration.kind === "integer" ? "a whole number" : "a number";
  const top = declaration.kind === "integer" ? Number.MAX_SAFE_INTEGER : Number.POSITIVE_INFINITY;
  if (declaration.most < top) return `${noun} from ${declaration.least} to ${declaration.most}`;
  return Number.isFinite(declaration.least) ? `${noun} of ${declaration.least} or more` : "a finite number";
}

function describeAccepted(declaration: GeneDeclaration): string {
  switch (declaration.kind) {
    case "flag":
      return `true, false, ${excerpt(declaration.on ?? "true")} or ${excerpt(declaration.off ?? "false")}`;
    case "integer":
    case "float":
      return describeRange(declaration);
    case "choice":
      return `one of ${declaration.choices.map(excerpt).join(", ")}`;
    case "text":
      return "a string";
  }
}

function parseFlag(declaration: GeneDeclaration & { kind: "flag" }, value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === (declaration.on ?? "true")) return true;
  return value === (declaration.off ?? "false") ? false : undefined;
}

function parseNumber(declaration: GeneDeclaration & { kind: "integer" | "float" }, value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  if (declaration.kind === "integer" && !Number.isSafeInteger(value)) return undefined;
  // The addition turns -0 into 0, so that it prints the same everywhere.
  return value >= declaration.least && value <= declaration.most ? value + 0 : undefined;
}

function parseSetting(declaration: GeneDeclaration, value: unknown): GeneSetting | undefined {
  switch (declaration.kind) {
    case "flag":
      return parseFlag(declaration, value);
    case "integer":
    case "float":
      return parseNumber(declaration, value);
    case "choice":
      return typeof value === "string" && declaration.choices.includes(value) ? value : undefined;
    case "text":
      return typeof value === "string" ? value : undefined;
  }
}

/** Applies changes to genes, all or none. The refusal names the wrong value and the accepted ones. */
export function changeGenes(genes: Genes, changes: readonly GeneChange[]): GeneOutcome {
  const changed: Record<string, GeneSetting> = {};
  for (const { name, value } of changes) {
    if (!isGeneName(name)) return { genes: undefined, refusal: unknownGene(name) };
    const declaration = GENES[name];
    const requested = value?.value.value;
    const setting = parseSetting(declaration, requested);
    if (setting === undefined) {
      const got = requested === undefined ? "nothing" : excerpt(requested);
      return { genes: undefined, refusal: `${name} must be ${describeAccepted(declaration)}, got ${got}` };
    }
    changed[name] = setting;
  }
  return { genes: { ...genes, ...changed } as Genes, refusal: "" };
}
