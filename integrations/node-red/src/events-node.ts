/** The node `noema events`: a message for each thing that happens in a memory, with its kind as topic. */

import WebSocket from "ws";
import { type StreamEvent, type StreamOptions, stream } from "../../../src/client";
import { memoryOf, noemaOf } from "./agent-node";
import type { FlowNode, Runtime } from "./runtime";

/** What its form keeps. */
interface EventsConfig {
  /** The configuration node's id. */
  readonly agent: string;
  readonly processor: string;
  /** Empty: the processor's own memory, or all with `sessions`. */
  readonly session: string;
  /** Whether to hear of all sessions of the processor. */
  readonly sessions: boolean;
  /** The kinds, separated by commas. */
  readonly events: string;
}

/** Registers the node. */
export function registerEvents(red: Runtime): void {
  function construct(this: FlowNode, config: EventsConfig): void {
    red.nodes.createNode(this, config);
    const memory = memoryOf(noemaOf(red, config.agent), config.processor, config.session || null);
    const options: StreamOptions = {
      events: config.events.split(",").map((event) => event.trim()) as StreamEvent["event"][],
      ...(config.sessions && config.session === "" && { sessions: true }),
      webSocket: WebSocket as never,
      onEvent: (payload) => this.send({ topic: payload.event, payload }),
      onOpen: () => this.status({ fill: "green", shape: "dot", text: "listening" }),
      onLost: ({ message }) => this.status({ fill: "yellow", shape: "ring", text: message }),
    };
    const link = stream(memory, options);
    link.closed.catch((error: Error) => {
      this.status({ fill: "red", shape: "ring", text: error.message });
      this.error(error);
    });
    this.on("close", (done) => {
      link.close().then(done, done);
    });
  }
  red.nodes.registerType("noema-events", construct);
}
