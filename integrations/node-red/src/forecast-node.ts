/** The node `noema forecast`: each message goes on with what comes next in a memory. */

import { getForecast } from "../../../src/client";
import { memoryOf, noemaOf } from "./agent-node";
import type { FlowNode, Message, Runtime } from "./runtime";

/** What its form keeps. */
interface ForecastConfig {
  /** The configuration node's id. */
  readonly agent: string;
  readonly processor: string;
  /** Empty: the processor's own memory. */
  readonly session: string;
  /** How many events ahead, 1 to 10. */
  readonly horizon: number | string;
  /** The most symbols of each step, 1 to 1,000. */
  readonly top: number | string;
}

/** Registers the node. */
export function registerForecast(red: Runtime): void {
  function construct(this: FlowNode, config: ForecastConfig): void {
    red.nodes.createNode(this, config);
    const noema = noemaOf(red, config.agent);
    const ask = async (message: Message) => {
      const { processor, session } = message;
      const chosen = session === undefined ? config.session : session;
      const memory = memoryOf(
        noema,
        typeof processor === "string" ? processor : config.processor,
        typeof chosen === "string" && chosen !== "" ? chosen : null,
      );
      return getForecast(memory, {
        horizon: Number(config.horizon),
        top: Number(config.top),
        ...(Array.isArray(message.sequence) && { sequence: message.sequence as string[][] }),
      });
    };
    this.on("input", (message, send, done) => {
      ask(message).then(
        (payload) => {
          const [first] = payload.steps[0]?.symbols ?? [];
          const text =
            first === undefined ? "nothing is known" : `${first.symbol} ${Math.round(first.probability * 100)}%`;
          this.status({ fill: "green", shape: "dot", text });
          send({ ...message, payload });
          done();
        },
        (error: Error) => {
          this.status({ fill: "red", shape: "ring", text: error.message });
          done(error);
        },
      );
    });
  }
  red.nodes.registerType("noema-forecast", construct);
}
