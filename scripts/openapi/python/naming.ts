/** Which operations the Python client has methods for, and under which names: those of the TypeScript client. */

import { CALLS, SAME } from "../operation-calls";
import type { Naming } from "./methods";

/** The TypeScript client's names. `getHealth` needs no key and so has no row, but programs ask for it. */
export const NAMING: Naming = {
  same: SAME,
  as: (operation) => CALLS[operation]?.as,
  isCalled: (operation) => operation in CALLS || operation === "getHealth",
};
