/** What the objects see of the Worker's environment. */

import type { EndpointEnv } from "../rpc/transport/endpoint-transport";
import type { UnaryObject } from "../rpc/transport/unary-reply";

/** The objects of one class, by name. */
interface Objects {
  getByName(name: string): UnaryObject;
}

/** The bindings that objects use. */
export interface ObjectEnv extends EndpointEnv {
  /** One object per processor, named `<agent>/<processor id>`. */
  PROCESSORS: Objects;
  /** One object per agent, named by it. */
  AGENTS: Objects;
  /** The agents besides the default one, separated by white space or commas. */
  NOEMA_AGENTS?: string;
}
