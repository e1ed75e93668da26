/** Owns one processor whose store is a journal: builds it when it is first needed, and commits after every verb. */

import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { Fault } from "../../src/processor/ports/fault";
import { PoolingForecaster } from "../../src/processor/prediction/estimator/pooling-forecaster";
import { Processor } from "../../src/processor/processor";
import type { ProcessorHost } from "../../src/rpc/services/serve";
import { JournalStore } from "./journal-store";

/** What the host needs. */
export interface JournalHostParts {
  /** The processor's identifier in its agent's genome. */
  id: string;
  /** The friendly name. */
  name: string;
  /** The file of the journal. */
  journal: string;
  /** The compiled `build/kernel.wasm`. */
  kernel: WebAssembly.Module;
}

/** Hosts one processor. */
export class JournalHost implements ProcessorHost {
  readonly #parts: JournalHostParts;
  #store: JournalStore;
  #processor: Processor | undefined;

  constructor(parts: JournalHostParts) {
    this.#parts = parts;
    this.#store = JournalStore.open(parts.journal);
    Processor.provision(this.#store, []);
    this.#store.commit();
  }

  processor(): Processor {
    if (this.#processor === undefined) {
      const { id, name, kernel } = this.#parts;
      const matcher = Kernel.create(new KernelMemory(kernel));
      const parts = {
        id,
        name,
        store: this.#store,
        matcher,
        neighbours: matcher.neighbours,
        forecaster: new PoolingForecaster(matcher.forecastRules),
      };
      this.#processor = Processor.open(parts);
    }
    return this.#processor;
  }

  run<Reply>(_writes: boolean, verb: (processor: Processor) => Reply, session: string): Reply {
    try {
      const reply = verb(this.processor().in(session));
      this.#store.commit();
      return reply;
    } catch (error) {
      // A refusal that recorded nothing left memory as it was. After anything else, everything is built again from the journal.
      if (!(error instanceof Fault) || this.#store.isDirty) this.#reopen();
      throw error;
    }
  }

  #reopen(): void {
    this.#store.close();
    this.#store = JournalStore.open(this.#parts.journal);
    this.#processor = undefined;
  }
}
