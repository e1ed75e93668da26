/**
 * A processor's manipulatives: from how its agent provisions them to how they are stored, and from there to
 * how the processor has them.
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
 * Manipulatives as they are stored.
 *
 * @throws Fault `invalid` when one sends a field that no prediction has
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

/** Manipulatives as the processor has them. */
export function fromStored(manipulatives: readonly StoredManipulative[]): Manipulative[] {
  return manipulatives.map(({ id, fields, targets }) => ({
    id,
    fields: fields.map(fieldOf),
    targets: targets.map((target) => target.id),
  }));
}

function fieldOf(name: string): AbstractionField {
  if (isAbstractionField(name)) return name;
  throw new Fault("invalid", `a manipulative tells ${ABSTRACTION_FIELDS.join(", ")}; it cannot tell ${excerpt(name)}`);
}
