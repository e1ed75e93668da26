/** A node of type "manipulative": what of a processor's predictions is told to which others. */

import { Fault } from "../../processor/ports/fault";
import {
  ABSTRACTION_FIELDS,
  type AbstractionField,
  isAbstractionField,
  type Manipulative,
} from "../../processor/prediction/manipulative";
import { wordAt } from "./primitive";
import { distinctTextsAt, listAt, memberOf, type Place, refused, textAt } from "./value";

/** A manipulative as a genome describes it. */
export interface ManipulativeNode extends Manipulative {
  /** The identifier of the processor that it belongs to. */
  readonly primitive: string;
}

/** The one type of manipulative. */
const OUTPUT = "output";

/** The one manipulative. */
const ABSTRACTION = "abstraction";

/**
 * Reads a node of type "manipulative".
 *
 * @param data the node's member `data`
 * @throws Fault `invalid` when a member is missing or wrong, or it is a manipulative that does not exist here
 */
export function manipulativeAt(data: Place): ManipulativeNode {
  const genes = memberOf(data, "genes");
  expectWord(memberOf(data, "mtype"), OUTPUT);
  expectWord(memberOf(data, "name"), ABSTRACTION);
  return {
    id: wordAt(memberOf(data, "id")),
    primitive: textAt(memberOf(data, "primitive")),
    fields: fieldsAt(memberOf(memberOf(genes, "field"), "value")),
    targets: distinctTextsAt(memberOf(memberOf(genes, "primitives"), "value")),
  };
}

function expectWord(place: Place, word: string): void {
  if (place.value !== word) throw refused(place, JSON.stringify(word));
}

function fieldsAt(place: Place): AbstractionField[] {
  const fields = listAt(place).map(fieldAt);
  if (fields.length === 0) throw refused(place, `a list of one or more of ${ABSTRACTION_FIELDS.join(", ")}`);
  const again = fields.find((field, at) => fields.indexOf(field) < at);
  if (again !== undefined) throw new Fault("invalid", `the genome's ${place.path} names ${again} twice`);
  return fields;
}

function fieldAt(place: Place): AbstractionField {
  if (typeof place.value === "string" && isAbstractionField(place.value)) return place.value;
  throw refused(place, `one of ${ABSTRACTION_FIELDS.join(", ")}`);
}
