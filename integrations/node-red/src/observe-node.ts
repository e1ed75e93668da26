/** The node `noema observe`: each message becomes a record, and goes on with what the observation did. */

import { noemaOf } from "./agent-node";
import { Links } from "./links";
import { type ObservationConfig, observationOf } from "./observation";
import type { FlowNode, Message, Runtime } from "./runtime";

/** What its form keeps. */
interface ObserveConfig extends ObservationConfig {
  /** The configuration node's id. */
  readonly agent: string;
  /** Whether to learn after each message. */
  readonly learn: boolean;
  /** Whether to say how unexpected each message was. */
  readonly explain: boolean;
}

/** Registers the node. */
export function registerObserve(red: Runtime): void {
  function construct(this: FlowNode, config: ObserveConfig): void {
    red.nodes.createNode(this, config);
    const links = new Links(noemaOf(red, config.agent), `node-red ${this.id}`, (reason) =>
      this.status({ fill: "yellow", shape: "ring", text: reason }),
    );
    this.on("input", (message, send, done) => {
      observe(links, config, message).then(
        (payload) => {
          this.status({ fill: "green", shape: "dot", text: surpriseText(payload.surprise) });
          send({ ...message, payload });
          done();
        },
        (error: Error) => {
          this.status({ fill: "red", shape: "ring", text: error.message });
          done(error);
        },
      );
    });
    this.on("close", (done) => {
      links.close().then(done, done);
    });
  }
  red.nodes.registerType("noema-observe", construct);
}

/** What a message goes on with: the observation, and the model if it learned. */
interface Outcome {
  readonly surprise?: { readonly bits: number } | null;
  readonly [member: string]: unknown;
}

async function observe(links: Links, config: ObserveConfig, message: Message): Promise<Outcome> {
  const { processor, session, record } = observationOf(config, message);
  const learns = config.learn || message.learn === true;
  const answer = await links.of(processor, session).observe(record, {
    ...(message.clear === true && { clear: true }),
    ...(learns && { learn: true }),
    ...(config.explain && { explain: true }),
  });
  const [observed] = answer.observed ?? [];
  return {
    ...observed,
    processor,
    session,
    ...(learns && { learned: answer.learned ?? null }),
    ...(answer.redelivered && { redelivered: true }),
  } as Outcome;
}

function surpriseText(surprise: Outcome["surprise"]): string {
  if (surprise === undefined || surprise === null) return "observed";
  return `${surprise.bits.toFixed(1)} bits of surprise`;
}
