/** What the objects see of the Worker's environment. */

import type { UnaryObject } from "../rpc/unary-reply";

/** The bindings that objects use. */
export interface ObjectEnv {
  /** One object per processor, named `<agent>/<processor id>`. */
  PROCESSORS: { getByName(name: string): UnaryObject };
}
