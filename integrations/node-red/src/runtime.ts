/** What these nodes use of Node-RED's runtime API. */

/** A message between nodes. */
export interface Message {
  payload?: unknown;
  topic?: unknown;
  /** The processor for this message alone. */
  processor?: unknown;
  /** The session for this message alone; `null` for the processor's own memory. */
  session?: unknown;
  /** `true`: learn after it. */
  learn?: unknown;
  /** `true`: clear working memory before it. */
  clear?: unknown;
  [member: string]: unknown;
}

/** How a node shows its state in the editor. */
export interface Status {
  readonly fill: "green" | "yellow" | "red";
  readonly shape: "dot" | "ring";
  readonly text: string;
}

/** A node in a flow. */
export interface FlowNode {
  readonly id: string;
  readonly credentials?: { readonly key?: string };
  status(status: Status | Record<string, never>): void;
  send(message: Message): void;
  error(error: unknown, message?: Message): void;
  on(
    event: "input",
    handler: (message: Message, send: (message: Message) => void, done: (error?: Error) => void) => void,
  ): void;
  on(event: "close", handler: (done: () => void) => void): void;
}

/** The runtime, as it is given to a set of nodes. */
export interface Runtime {
  readonly nodes: {
    createNode(node: FlowNode, config: unknown): void;
    getNode(id: string): FlowNode | null;
    registerType(
      type: string,
      make: (this: FlowNode, config: never) => void,
      options?: { readonly credentials: { readonly key: { readonly type: "password" } } },
    ): void;
  };
}
