/**
 * Owns one processor: builds it from the object's SQLite when it is first needed, runs its verbs, and is the only place that holds
 * a transaction. Memory never runs ahead of disk: when a verb that recorded something throws, what it recorded is rolled back,
 * and processor, kernel and store are dropped and built again from the rows.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import kernelModule from "../../build/kernel.wasm";
import { Kernel } from "../kernel/kernel";
import { Fault } from "../processor/fault";
import type { GeneChange } from "../processor/genes";
import { Processor } from "../processor/processor";
import type { PlainStamp } from "../rpc/fault-code";
import type { ProcessorHost } from "../rpc/host";
import type { Provisioner } from "../rpc/provisioning-service";
import { type Identity, readIdentity, writeIdentity } from "../store/identity";
import { SqliteStore } from "../store/store";

/**
 * How many bytes the models, symbols and vectors of one processor may take. An isolate has 128 MB for everything, and the
 * platform does not say no in time; a quarter is left for the code, the heap and the answers.
 */
export const KERNEL_LIMIT_BYTES = 96 * 1024 * 1024;

/** A processor that is built, with the store that tells whether a verb recorded. */
interface Built {
  processor: Processor;
  store: SqliteStore;
}

/** Hosts the processor of one object's storage. */
export class StoredProcessor implements ProcessorHost, Provisioner {
  readonly #storage: DurableObjectStorage;
  readonly #limitBytes: number;
  #built: Built | undefined;

  /** @param limitBytes how many bytes the processor's models, symbols and vectors may take */
  constructor(storage: DurableObjectStorage, limitBytes = KERNEL_LIMIT_BYTES) {
    this.#storage = storage;
    this.#limitBytes = limitBytes;
  }

  processor(): Processor {
    return this.#build().processor;
  }

  run<Reply>(writes: boolean, verb: (processor: Processor) => Reply): Reply {
    const { processor, store } = this.#build();
    const before = store.recorded;
    try {
      return writes ? this.#storage.transactionSync(() => verb(processor)) : verb(processor);
    } catch (error) {
      // A refusal that wrote nothing left memory as it was. Anything else, a trap of the kernel too, may not have.
      if (!(error instanceof Fault) || store.recorded !== before) this.#built = undefined;
      throw error;
    }
  }

  provision(id: string, name: string, genes: readonly GeneChange[]): PlainStamp {
    if (id === "")
      throw new Fault("invalid", "a processor's id is empty; it must be a text that is unique in its agent");
    this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      const identity = readIdentity(sql);
      if (identity !== undefined && identity.id !== id) {
        throw new Fault("invalid", `this object is the processor "${identity.id}" and cannot become "${id}"`);
      }
      writeIdentity(sql, { id, name, inService: true });
      if (identity === undefined) Processor.provision(new SqliteStore(sql), genes);
    });
    const { processor } = this.#build();
    processor.rename(name);
    return { id: processor.id, time: processor.time };
  }

  async retire(purge: boolean): Promise<void> {
    const identity = this.#identity();
    if (identity === undefined) throw notInService();
    this.#built = undefined;
    if (purge) await this.#storage.deleteAll();
    else this.#storage.transactionSync(() => writeIdentity(this.#storage.sql, { ...identity, inService: false }));
  }

  #identity(): Identity | undefined {
    return this.#storage.transactionSync(() => readIdentity(this.#storage.sql));
  }

  #build(): Built {
    if (this.#built !== undefined) return this.#built;
    const identity = this.#identity();
    if (identity === undefined || !identity.inService) throw notInService();
    const store = new SqliteStore(this.#storage.sql);
    const matcher = Kernel.create(kernelModule, this.#limitBytes);
    const { id, name } = identity;
    const processor = Processor.open({ id, name, store, matcher, neighbours: matcher.neighbours });
    this.#built = { processor, store };
    return this.#built;
  }
}

function notInService(): ConnectError {
  return new ConnectError("this processor is not in service: no agent has provisioned it", Code.FailedPrecondition);
}
