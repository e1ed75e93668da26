/** The Worker: requests go to the gateway, and the Durable Objects behind it are exported. */

import { type GatewayEnv, handle } from "./gateway/gateway";
import { AgentObject } from "./object/agent-object";
import { ProcessorObject } from "./object/processor-object";

export { AgentObject, ProcessorObject };

export default { fetch: handle } satisfies ExportedHandler<GatewayEnv>;
