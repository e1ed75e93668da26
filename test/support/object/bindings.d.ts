/** What `env` holds in the tests that run inside workerd. */

import type {} from "@cloudflare/vitest-pool-workers/types";
import type { AgentObject } from "../../../src/object/agent-object";
import type { ProcessorObject } from "../../../src/object/processor-object";

declare global {
  // biome-ignore lint/style/noNamespace: the types of the runtime take bindings in no other form.
  namespace Cloudflare {
    interface Env {
      PROCESSORS: DurableObjectNamespace<ProcessorObject>;
      AGENTS: DurableObjectNamespace<AgentObject>;
      NOEMA_LOCAL: string;
    }
  }
}
