/**
 * The Worker that is deployed, for a project of your own: its `src/worker.ts` re-exports all of this, and its
 * wrangler.toml binds the classes. `noema init` writes both. Needs the types of `@cloudflare/workers-types`.
 */

import { DurableObject } from "cloudflare:workers";

/**
 * The Durable Object of one processor: its memory, its knowledge, its genes. wrangler.toml binds it as `PROCESSORS`.
 */
export declare class ProcessorObject extends DurableObject {}

/** The Durable Object of one agent: its genome. wrangler.toml binds it as `AGENTS`. */
export declare class AgentObject extends DurableObject {}

declare const worker: {
  /**
   * Answers a request to any agent.
   *
   * @param env the bindings `PROCESSORS` and `AGENTS`, the secret `API_KEYS`, and the variables
   */
  fetch(request: Request, env: unknown, ctx: ExecutionContext): Promise<Response>;
};

export default worker;
