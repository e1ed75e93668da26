/**
 * The Worker that tests run: the deployed one with classes that can leave memory on demand. It is a bundle of its own;
 * nothing of it is deployed.
 */

import { WorkerEntrypoint } from "cloudflare:workers";
import worker, { AgentObject as DeployedAgent, ProcessorObject as DeployedProcessor } from "../worker";

export default worker;

/** The reason with which an evicted object ends; the caller of `evict` gets it as an error. */
const EVICTION_REASON = "evicted by a test";

type Binding = "AGENTS" | "PROCESSORS";

/** The names of the objects that have come into memory, by their namespace. One isolate holds them all. */
const names: Record<Binding, Set<string>> = { AGENTS: new Set(), PROCESSORS: new Set() };

/** Ends an object once its writes are on disk. Its next call gets a new one, built from storage. */
async function leaveMemory(ctx: DurableObjectState): Promise<void> {
  await ctx.storage.sync();
  ctx.abort(EVICTION_REASON);
}

/** An agent's object that can leave memory. */
export class AgentObject extends DeployedAgent {
  constructor(...args: ConstructorParameters<typeof DeployedAgent>) {
    super(...args);
    names.AGENTS.add(this.ctx.id.name ?? "");
  }

  /** Leaves memory. The call always fails, with {@link EVICTION_REASON}. */
  evict(): Promise<void> {
    return leaveMemory(this.ctx);
  }
}

/** A processor's object that can leave memory. */
export class ProcessorObject extends DeployedProcessor {
  constructor(...args: ConstructorParameters<typeof DeployedProcessor>) {
    super(...args);
    names.PROCESSORS.add(this.ctx.id.name ?? "");
  }

  /** Leaves memory. The call always fails, with {@link EVICTION_REASON}. */
  evict(): Promise<void> {
    return leaveMemory(this.ctx);
  }
}

interface Env {
  readonly AGENTS: DurableObjectNamespace<AgentObject>;
  readonly PROCESSORS: DurableObjectNamespace<ProcessorObject>;
}

/** Called by the test process. */
export class Eviction extends WorkerEntrypoint<Env> {
  /**
   * Evicts objects from memory. Resolves when they are gone.
   *
   * @param processor the name of a processor's object, `<agent>/<identifier>`; every object of every agent if absent
   */
  async evict(processor?: string): Promise<void> {
    const all = processor === undefined;
    const processors = all ? [...names.PROCESSORS] : [processor];
    const agents = all ? [...names.AGENTS] : [];
    await Promise.all([
      ...processors.map((name) => this.#evict("PROCESSORS", name)),
      ...agents.map((name) => this.#evict("AGENTS", name)),
    ]);
  }

  async #evict(binding: Binding, name: string): Promise<void> {
    names[binding].delete(name);
    const namespace = this.env[binding];
    try {
      await namespace.get(namespace.idFromName(name)).evict();
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(EVICTION_REASON))) throw error;
    } finally {
      // The call itself loads an object that was not in memory.
      names[binding].delete(name);
    }
  }
}
