/** A node of type "manipulative": sends parts of a processor's predictions to other processors. */

import { Fault } from "../../processor/ports/fault";
import {
  ABSTRACTION_FIELDS,
  type AbstractionField,
  isAbstractionField,
  type Manipulative,
} from "../../processor/prediction/manipulative";
import type { Located } from "../../text/located";
import { asIdentifier } from "./primitive";
import { asDistinctTexts, asList, asText, memberOf, wrong } from "./value";

/** A manipulative as a genome describes it. */
export interface ManipulativeNode extends Manipulative {
  /** The identifier of the processor that it belongs to. */
  readonly primitive: string;
}

/** The only type of manipulative. */
const OUTPUT = "output";

/** The only manipulative. */
const ABSTRACTION = "abstraction";

/**
 * Reads a node of type "manipulative".
 *
 * @param data the node's member `data`
 * @throws Fault `invalid` when a member is missing or wrong, or the manipulative is unknown
 */
export function manipulativeAt(data: Located): ManipulativeNode {
  const genes = memberOf(data, "genes");
  checkText(memberOf(data, "mtype"), OUTPUT);
  checkText(memberOf(data, "name"), ABSTRACTION);
  return {
    id: asIdentifier(memberOf(data, "id")),
    primitive: asText(memberOf(data, "primitive")),
    fields: fieldsAt(memberOf(memberOf(genes, "field"), "value")),
    targets: asDistinctTexts(memberOf(memberOf(genes, "primitives"), "value")),
  };
}

function checkText(located: Located, accepted: string): void {
  if (located.value !== accepted) throw wrong(located, JSON.stringify(accepted));
}

function fieldsAt(located: Located): AbstractionField[] {
  const fields = asList(located).map(fieldAt);
  if (fields.length === 0) throw wrong(located, `a list of one or more of ${ABSTRACTION_FIELDS.join(", ")}`);
  const repeated = fields.find((field, at) => fields.indexOf(field) < at);
  if (repeated !== undefined) throw new Fault("invalid", `the genome's ${located.path} names ${repeated} twice`);
  return fields;
}

function fieldAt(located: Located): AbstractionField {
  if (typeof located.value === "string" && isAbstractionField(located.value)) return located.value;
  throw wrong(located, `one of ${ABSTRACTION_FIELDS.join(", ")}`);
}
