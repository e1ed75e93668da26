/** The Worker: sends requests to the gateway and exports the Durable Objects behind it. */

import { type GatewayEnv, handle } from "./gateway/gateway";
import { AgentObject } from "./object/agent-object";
import { ProcessorObject } from "./object/processor-object";

export { AgentObject, ProcessorObject };

export default { fetch: handle } satisfies ExportedHandler<GatewayEnv>;
