/** The place where a node of a genome wants its processor to live, as written. Checks nothing. */

import { isJsonObject, type Located } from "../../text/located";
import { memberOf } from "./value";

/** The member that names a region of the platform. */
export const LOCATION_HINT = "location_hint";

/** The member that names a jurisdiction. */
export const JURISDICTION = "jurisdiction";

/** The members of a node that name its processor's place. */
export interface PlaceWish {
  readonly locationHint: Located;
  readonly jurisdiction: Located;
}

/** The wish of a node; `undefined` for none. Not checked, because a genome stored earlier may hold anything there. */
export function placeWishAt(data: Located): PlaceWish | undefined {
  const { value } = data;
  if (!isJsonObject(value) || !(Object.hasOwn(value, LOCATION_HINT) || Object.hasOwn(value, JURISDICTION))) {
    return undefined;
  }
  return { locationHint: memberOf(data, LOCATION_HINT), jurisdiction: memberOf(data, JURISDICTION) };
}
