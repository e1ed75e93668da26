/** What `env` holds in the tests that run inside workerd. */

import type { AgentObject } from "../../src/object/agent-object";
import type { ProcessorObject } from "../../src/object/processor-object";

declare global {
  namespace Cloudflare {
    interface Env {
      PROCESSORS: DurableObjectNamespace<ProcessorObject>;
      AGENTS: DurableObjectNamespace<AgentObject>;
      NOEMA_LOCAL: string;
    }
  }
}
