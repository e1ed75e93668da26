/** A node of type "primitive": a processor as a genome describes it. */

import type { GeneChange } from "../../gen/plain";
import { changeGenes, type GeneValue, genesFrom } from "../../processor/genes/genes";
import { GENE_NAMES, genomeSettingOf } from "../../processor/genes/table";
import { Fault } from "../../processor/ports/fault";
import { MAX_PARTS } from "../../processor/ports/parts";
import { excerpt } from "../../text/excerpt";
import type { Located } from "../../text/located";
import { type PlaceWish, placeWishAt } from "./place-wish";
import { asDistinctTexts, asObject, asText, memberOf, wrong } from "./value";

/** A processor as a genome describes it. */
export interface PrimitiveNode {
  /** Unique in the genome. */
  readonly id: string;
  /** The friendly name, unique in the genome. */
  readonly name: string;
  /** Its initial genes, which the table of genes accepts. */
  readonly genes: readonly GeneChange[];
  /** The identifiers of its manipulatives, in their order. */
  readonly manipulatives: readonly string[];
  /** The URL of the server that has it; empty for an object of this deployment. */
  readonly endpoint: string;
  /** Number of parts that hold its models, 1 to {@link MAX_PARTS}; 1 if the node holds anything else. Unchecked. */
  readonly parts: number;
  /** The node's own value, for checks. */
  readonly partsWish: Located;
  /** Where it is to live, unchecked; `undefined` if the node does not say. */
  readonly placeWish: PlaceWish | undefined;
}

/**
 * Maximum length of an identifier or name, in UTF-16 units. An object's name holds an identifier and the agent's name.
 */
const MAX_IDENTIFIER_UNITS = 200;

/** Words that begin paths of the interface, and so cannot name a processor. */
const RESERVED: ReadonlySet<string> = new Set(["agent", "gaius-api", "connect", "genome", "openapi.json"]);

/** Prefix of the names of services, which also begin paths. */
const SERVICES = "noema.v";

/**
 * An identifier or a friendly name that paths and symbols can hold.
 *
 * @throws Fault `invalid` when the value is neither
 */
export function asIdentifier(located: Located): string {
  const text = asText(located);
  if (text.length > MAX_IDENTIFIER_UNITS || /[|/]|\p{Cc}|\p{Cs}/u.test(text)) {
    throw wrong(
      located,
      `a string of at most ${MAX_IDENTIFIER_UNITS} characters without "|", "/" and control characters`,
    );
  }
  if (RESERVED.has(text) || text.startsWith(SERVICES))
    throw wrong(located, `a word other than ${[...RESERVED, `${SERVICES}*`].join(", ")}, which paths begin with`);
  return text;
}

/**
 * Reads a node of type "primitive".
 *
 * @param data the node's member `data`
 * @throws Fault `invalid` when a member is missing or wrong
 */
export function primitiveAt(data: Located): PrimitiveNode {
  const manipulatives = memberOf(data, "manipulatives");
  const endpoint = memberOf(data, "endpoint");
  const partsWish = memberOf(data, "parts");
  return {
    id: asIdentifier(memberOf(data, "id")),
    name: asIdentifier(memberOf(data, "name")),
    genes: genesAt(data),
    manipulatives: manipulatives.value === undefined ? [] : asDistinctTexts(manipulatives),
    endpoint: endpoint.value === undefined ? "" : asText(endpoint),
    parts: isParts(partsWish.value) ? partsWish.value : 1,
    partsWish,
    placeWish: placeWishAt(data),
  };
}

function isParts(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_PARTS;
}

/**
 * Checks a node's number of parts.
 *
 * @param most the deployment's maximum
 * @throws Fault `invalid` when it is not a number of parts, or the processor is on another server
 */
export function assertParts({ id, endpoint, parts, partsWish }: PrimitiveNode, most: number): void {
  if (partsWish.value === undefined) return;
  if (!isParts(partsWish.value)) throw wrong(partsWish, `a whole number from 1 to ${MAX_PARTS}`);
  if (endpoint !== "" && parts > 1) throw wrong(partsWish, "1 or missing, because the processor has an endpoint");
  if (parts <= most) return;
  throw new Fault(
    "invalid",
    `the genome's processor ${excerpt(id)} has ${parts} parts; this deployment allows at most ${most} (NOEMA_PARTS)`,
  );
}

/** The settings of a node that are genes. @throws Fault `invalid` when a gene does not accept its value */
function genesAt(data: Located): GeneChange[] {
  const settings = asObject(data);
  const genes = GENE_NAMES.flatMap((name) => {
    const setting = genomeSettingOf(name);
    return Object.hasOwn(settings, setting) ? [{ name, value: geneValueAt(memberOf(data, setting)) }] : [];
  });
  const { refusal } = changeGenes(genesFrom({}), genes);
  if (refusal === "") return genes;
  throw new Fault("invalid", `the genome's ${data.path}, the processor ${excerpt(settings.name)}: ${refusal}`);
}

function geneValueAt(located: Located): GeneValue {
  const { value } = located;
  switch (typeof value) {
    case "boolean":
      return { value: { case: "flag", value } };
    case "number":
      return { value: { case: "number", value } };
    case "string":
      return { value: { case: "text", value } };
    default:
      throw wrong(located, "true, false, a number or a string");
  }
}
