/**
 * The genes that exist, read from the server's OpenAPI document, which is generated from the table of genes.
 */

/** A value of a gene. */
export type GeneValue = boolean | number | string;

/** A gene as the document declares it. */
export interface GeneDeclaration {
  readonly name: string;
  /** What the gene does. */
  readonly description: string;
  /** In the format of all-genes' answer. */
  readonly default: GeneValue;
  readonly type?: "boolean" | "integer" | "number" | "string";
  readonly enum?: readonly GeneValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Set if the processor does not use the gene: it is kept for other programs. */
  readonly "x-no-effect"?: true;
}

/** A bound this large only means that the number must be finite, so it is not shown. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;

/** Maximum number of choices listed in the sentence; the control has all of them. */
const MAX_CHOICES_LISTED = 4;

/** The part of the document that declares genes. */
interface OpenApi {
  readonly components: {
    readonly schemas: {
      readonly GeneChanges: { readonly properties: { readonly [name: string]: Omit<GeneDeclaration, "name"> } };
    };
  };
}

/** Reads the declarations. @throws Error if the document cannot be read */
export async function geneDeclarations(signal: AbortSignal): Promise<readonly GeneDeclaration[]> {
  const response = await fetch("/openapi.json", { signal });
  if (!response.ok) throw new Error(`/openapi.json, which declares the genes, was answered with ${response.status}`);
  const { components } = (await response.json()) as OpenApi;
  return Object.entries(components.schemas.GeneChanges.properties).map(([name, rest]) => ({ name, ...rest }));
}

/** Whether the gene has an effect. */
export function hasEffect(gene: GeneDeclaration): boolean {
  return gene["x-no-effect"] === undefined;
}

/** The values to choose from; `undefined` for a text field. */
export function choicesOf({
  type,
  enum: values,
  default: standard,
}: GeneDeclaration): readonly GeneValue[] | undefined {
  if (type === "boolean") return [true, false];
  // Switches accept true and false, too; the words are shown.
  return typeof standard === "string" ? values?.filter((value) => typeof value === "string") : values;
}

/** The accepted values, in words. */
export function acceptedBy(gene: GeneDeclaration): string {
  const choices = choicesOf(gene);
  if (choices !== undefined && choices.length > MAX_CHOICES_LISTED) return `one of the ${choices.length} choices`;
  if (choices !== undefined) return choices.join(" or ");
  const { type, minimum, maximum } = gene;
  if (type !== "integer" && type !== "number") return "a string";
  const noun = type === "integer" ? "a whole number" : "a number";
  if (maximum === undefined || maximum >= NO_BOUND)
    return minimum === undefined ? noun : `${noun} of ${minimum} or more`;
  return `${noun} from ${minimum ?? "−∞"} to ${maximum}`;
}

/**
 * The typed value.
 *
 * @throws Error that says what is accepted
 */
export function valueIn(gene: GeneDeclaration, typed: string): GeneValue {
  const { name, type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = gene;
  const chosen = choicesOf(gene)?.find((choice) => String(choice) === typed);
  if (chosen !== undefined) return chosen;
  if (type === "string") return typed;
  const value = typed.trim() === "" ? Number.NaN : Number(typed);
  const isRight =
    Number.isFinite(value) && value >= minimum && value <= maximum && (type !== "integer" || Number.isInteger(value));
  if (isRight) return value;
  throw new Error(`${name} must be ${acceptedBy(gene)}, got "${typed}"`);
}
