/** A processor's manipulatives in their two forms: as they are provisioned and stored, and as the processor uses them. */

import { Fault } from "../processor/ports/fault";
import {
  ABSTRACTION_FIELDS,
  type AbstractionField,
  isAbstractionField,
  type Manipulative,
} from "../processor/prediction/manipulative";
import type { Place } from "../rpc/services/provisioning-service";
import type { OutletRecord } from "../store/tables/identity";
import { excerpt } from "../text/excerpt";

function fieldOf(name: string): AbstractionField {
  if (isAbstractionField(name)) return name;
  throw new Fault("invalid", `a manipulative tells ${ABSTRACTION_FIELDS.join(", ")}; it cannot tell ${excerpt(name)}`);
}

/**
 * Manipulatives as they are stored.
 *
 * @throws Fault `invalid` when one tells what no prediction has
 */
export function outletRecords(outlets: Place["outlets"]): OutletRecord[] {
  return outlets.map(({ manipulative, fields, targets }) => ({
    manipulative,
    fields: fields.map(fieldOf),
    targets: targets.map(({ id, endpoint }) => ({ id, endpoint })),
  }));
}

/** Manipulatives as the processor uses them. */
export function outletsFrom(records: readonly OutletRecord[]): Manipulative[] {
  return records.map(({ manipulative, fields, targets }) => ({
    id: manipulative,
    fields: fields.map(fieldOf),
    targets: targets.map(({ id }) => id),
  }));
}
