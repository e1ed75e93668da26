/** A host of a processor over memory and the oracles, for tests of the services without an object. */

import type { Processor } from "../../../src/processor/processor";
import type { ProcessorHost } from "../../../src/rpc/services/serve";
import { MemoryStore } from "../memory-store";
import { openProcessor } from "../open-processor";

/** Hosts one processor, and can be made to fail. */
export class MemoryHost implements ProcessorHost {
  readonly store = new MemoryStore();
  /** The sessions that the verbs were about; empty for the processor's own memory. */
  readonly sessions: string[] = [];
  /** Thrown by every verb from now on. */
  failure: unknown;
  #processor = openProcessor(this.store);

  processor(): Processor {
    return this.#processor;
  }

  run<Reply>(writes: boolean, verb: (processor: Processor) => Reply, session: string): Reply {
    this.sessions.push(session);
    if (this.failure !== undefined) throw this.failure;
    const work = () => verb(this.#processor.in(session));
    return writes ? this.store.transaction(work) : work();
  }
}
