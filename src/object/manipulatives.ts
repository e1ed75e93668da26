/**
 * Converts a processor's manipulatives from the form that its agent provisions to the stored form, and from that to the
 * processor's.
 */

import { Fault } from "../processor/ports/fault";
import {
  ABSTRACTION_FIELDS,
  type AbstractionField,
  isAbstractionField,
  type Manipulative,
} from "../processor/prediction/manipulative";
import type { ProvisionedManipulative } from "../rpc/services/provisioning-service";
import type { StoredManipulative } from "../store/tables/identity";
import { excerpt } from "../text/excerpt";

/**
 * Manipulatives in their stored form.
 *
 * @throws Fault `invalid` when one sends a field that predictions do not have
 */
export function toStored(manipulatives: readonly ProvisionedManipulative[]): StoredManipulative[] {
  return manipulatives.map(({ id, fields, targets }) => ({
    id,
    fields: fields.map(fieldOf),
    targets: targets.map(({ id: target, endpoint, locationHint, jurisdiction }) => ({
      id: target,
      endpoint,
      locationHint,
      jurisdiction,
    })),
  }));
}

/** Manipulatives in the processor's form. */
export function fromStored(manipulatives: readonly StoredManipulative[]): Manipulative[] {
  return manipulatives.map(({ id, fields, targets }) => ({
    id,
    fields: fields.map(fieldOf),
    targets: targets.map((target) => target.id),
  }));
}

function fieldOf(name: string): AbstractionField {
  if (isAbstractionField(name)) return name;
  throw new Fault(
    "invalid",
    `a manipulative passes on one or more of ${ABSTRACTION_FIELDS.join(", ")}, got ${excerpt(name)}`,
  );
}
