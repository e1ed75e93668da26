/** The Worker: sends requests to the gateway and exports the Durable Objects behind it. */

import { type GatewayEnv, handle, reportObjects } from "./gateway/gateway";
import { streamCodec } from "./gateway/streams/stream-codec";
import { AgentObject } from "./object/agent-object";
import { measureObjects } from "./object/isolate";
import { ProcessorObject as StreamlessProcessorObject } from "./object/processor-object";

export { AgentObject };

/** Joins the towers once more: the gateway's half reads and writes what streams carry. */
export class ProcessorObject extends StreamlessProcessorObject {
  protected override readonly codec = streamCodec;
}

reportObjects(measureObjects);

export default { fetch: handle } satisfies ExportedHandler<GatewayEnv>;
