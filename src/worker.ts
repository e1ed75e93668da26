/** The Worker: sends requests to the gateway and exports the Durable Objects behind it. */

import { arrivals } from "./gateway/arrivals";
import { type GatewayEnv, handle, reportObjects } from "./gateway/gateway";
import { type AgentPort, agentPort } from "./gateway/mqtt/agent-port";
import { answerStop, isStop } from "./gateway/stop";
import { streamCodec } from "./gateway/streams/stream-codec";
import { AgentObject as PortlessAgentObject } from "./object/agent-object";
import { endAllMqtt, endAllStreams, measureObjects } from "./object/isolate";
import { ProcessorObject as StreamlessProcessorObject } from "./object/processor-object";

/** Joins gateway and objects: the gateway's half checks keys, and calls processors for MQTT clients. */
export class AgentObject extends PortlessAgentObject {
  protected override portOf(agent: string): AgentPort {
    return agentPort(this.env, agent);
  }
}

/** Joins gateway and objects: the gateway's half reads and writes the messages of streams. */
export class ProcessorObject extends StreamlessProcessorObject {
  protected override readonly codec = streamCodec;
  protected override readonly arrivals = arrivals;
}

reportObjects(measureObjects);

/** The Worker's environment, with the objects themselves: the gateway reaches them by calls only. */
type WorkerEnv = GatewayEnv & {
  readonly PROCESSORS: DurableObjectNamespace<ProcessorObject>;
  readonly AGENTS: DurableObjectNamespace<AgentObject>;
};

async function endAll({ PROCESSORS, AGENTS }: WorkerEnv): Promise<void> {
  await Promise.all([endAllStreams(PROCESSORS), endAllMqtt(AGENTS)]);
}

export default {
  fetch: (request, env, ctx) =>
    isStop(request, env) ? answerStop(request, () => endAll(env)) : handle(request, env, ctx),
} satisfies ExportedHandler<WorkerEnv>;
