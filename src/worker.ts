/** The Worker: sends requests to the gateway and exports the Durable Objects behind it. */

import { type GatewayEnv, handle, reportObjects } from "./gateway/gateway";
import { AgentObject } from "./object/agent-object";
import { measureObjects } from "./object/isolate";
import { ProcessorObject } from "./object/processor-object";

export { AgentObject, ProcessorObject };

reportObjects(measureObjects);

export default { fetch: handle } satisfies ExportedHandler<GatewayEnv>;
