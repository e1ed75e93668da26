/** The Worker: sends requests to the gateway and exports the Durable Objects behind it. */

import { arrivals } from "./gateway/arrivals";
import { type GatewayEnv, handle, reportObjects } from "./gateway/gateway";
import { answerStop, isStop } from "./gateway/stop";
import { streamCodec } from "./gateway/streams/stream-codec";
import { AgentObject } from "./object/agent-object";
import { endAllStreams, measureObjects } from "./object/isolate";
import { ProcessorObject as StreamlessProcessorObject } from "./object/processor-object";

export { AgentObject };

/** Joins the towers once more: the gateway's half reads and writes what streams carry. */
export class ProcessorObject extends StreamlessProcessorObject {
  protected override readonly codec = streamCodec;
  protected override readonly arrivals = arrivals;
}

reportObjects(measureObjects);

/** The Worker's environment, with the objects themselves: the gateway reaches them by calls only. */
type WorkerEnv = GatewayEnv & { readonly PROCESSORS: DurableObjectNamespace<ProcessorObject> };

export default {
  fetch: (request, env, ctx) =>
    isStop(request, env) ? answerStop(request, () => endAllStreams(env.PROCESSORS)) : handle(request, env, ctx),
} satisfies ExportedHandler<WorkerEnv>;
