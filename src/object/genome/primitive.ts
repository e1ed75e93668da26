/** A node of type "primitive": a processor as a genome describes it. */

import { changeGenes, type GeneChange, type GeneValue, genesFrom } from "../../processor/genes/genes";
import { GENE_NAMES, genomeSettingOf } from "../../processor/genes/table";
import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import { distinctTextsAt, memberOf, objectAt, type Place, refused, textAt } from "./value";

/** A processor as a genome describes it. */
export interface PrimitiveNode {
  /** Unique in the genome. */
  readonly id: string;
  /** The friendly name, unique in the genome. */
  readonly name: string;
  /** Its initial genes; accepted by the table of genes. */
  readonly genes: readonly GeneChange[];
  /** The identifiers of its manipulatives, in their order. */
  readonly manipulatives: readonly string[];
  /** The URL at which it is served; empty when it is an object of this deployment. */
  readonly endpoint: string;
}

/** The longest identifier or name, in characters; the names of objects hold an identifier and an agent's name. */
const MAX_WORD_CHARACTERS = 200;

/** Words that begin paths of the interface that are no processor's. */
const RESERVED: ReadonlySet<string> = new Set(["agent", "gaius-api", "connect", "genome", "openapi.json"]);

/** What the names of services begin with, which paths begin with too. */
const SERVICES = "noema.v";

/**
 * A word that identifies a processor in paths and symbols.
 *
 * @throws Fault `invalid` when it cannot
 */
export function wordAt(place: Place): string {
  const word = textAt(place);
  if (word.length > MAX_WORD_CHARACTERS || /[|/]|\p{Cc}|\p{Cs}/u.test(word)) {
    throw refused(place, `a text of at most ${MAX_WORD_CHARACTERS} characters without "|", "/" and control characters`);
  }
  if (RESERVED.has(word) || word.startsWith(SERVICES))
    throw refused(place, `another word than ${[...RESERVED, `${SERVICES}*`].join(", ")}, which paths begin with`);
  return word;
}

/**
 * Reads a node of type "primitive".
 *
 * @param data the node's member `data`
 * @throws Fault `invalid` when a member is missing or wrong
 */
export function primitiveAt(data: Place): PrimitiveNode {
  const manipulatives = memberOf(data, "manipulatives");
  const endpoint = memberOf(data, "endpoint");
  return {
    id: wordAt(memberOf(data, "id")),
    name: wordAt(memberOf(data, "name")),
    genes: genesAt(data),
    manipulatives: manipulatives.value === undefined ? [] : distinctTextsAt(manipulatives),
    endpoint: endpoint.value === undefined ? "" : textAt(endpoint),
  };
}

/** The settings of a node that are genes. @throws Fault `invalid` when a gene does not accept its value */
function genesAt(data: Place): GeneChange[] {
  const settings = objectAt(data);
  const genes = GENE_NAMES.flatMap((name) => {
    const setting = genomeSettingOf(name);
    return Object.hasOwn(settings, setting) ? [{ name, value: geneValueAt(memberOf(data, setting)) }] : [];
  });
  const { refusal } = changeGenes(genesFrom({}), genes);
  if (refusal === "") return genes;
  throw new Fault("invalid", `the genome's ${data.path}, the processor ${excerpt(settings.name)}: ${refusal}`);
}

function geneValueAt(place: Place): GeneValue {
  const { value } = place;
  switch (typeof value) {
    case "boolean":
      return { value: { case: "flag", value } };
    case "number":
      return { value: { case: "number", value } };
    case "string":
      return { value: { case: "text", value } };
    default:
      throw refused(place, "true, false, a number or a text");
  }
}
