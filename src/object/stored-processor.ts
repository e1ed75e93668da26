/**
 * Owns one processor: builds it from the object's SQLite when it is first needed, runs its verbs, and is the only place that holds
 * a transaction. Memory never runs ahead of disk: when a verb that recorded something throws, what it recorded is rolled back,
 * and processor, kernel and store are dropped and built again from the rows.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import kernelModule from "../../build/kernel.wasm";
import type { GeneChange } from "../processor/genes/genes";
import { Fault } from "../processor/ports/fault";
import { Processor } from "../processor/processor";
import type { PlainStamp } from "../rpc/services/connect-error";
import type { ProcessorHost } from "../rpc/services/host";
import type { Place, Provisioner } from "../rpc/services/provisioning-service";
import { SqliteStore } from "../store/store";
import { type Identity, readIdentity, writeIdentity } from "../store/tables/identity";
import { KernelSuccession } from "./isolate-kernels";
import { outletRecords, outletsFrom } from "./manipulatives";

/**
 * How many bytes the models, symbols and vectors of one processor may take. An isolate has 128 MB for everything, and the
 * platform does not say no in time; a quarter is left for the code, the heap and the answers.
 */
export const KERNEL_LIMIT_BYTES = 96 * 1024 * 1024;

/** One for the isolate, as modules are: objects come and go in it. */
const kernels = new KernelSuccession(kernelModule);

/** A processor that is built, with the store that tells whether a verb recorded, and who it is. */
interface Built {
  processor: Processor;
  store: SqliteStore;
  identity: Identity;
}

/** What others have to do with a processor. */
export interface Correspondence {
  /** Events for other processors were recorded; called in the turn in which they were. */
  eventsRecorded(): void;
  /** Tells the agent that the processor's genes are about to differ from what its node says. */
  noteTuned(agent: string, id: string): Promise<void>;
}

/** The place of a processor that stands alone. */
const ALONE: Place = { agent: "", outlets: [] };

/** What others have to do with a processor that stands alone. */
const NO_CORRESPONDENCE: Correspondence = {
  eventsRecorded: () => undefined,
  noteTuned: () => Promise.resolve(),
};

/** Hosts the processor of one object's storage. */
export class StoredProcessor implements ProcessorHost, Provisioner {
  readonly #storage: DurableObjectStorage;
  readonly #limitBytes: number;
  readonly #correspondence: Correspondence;
  readonly #objectId: string;
  #built: Built | undefined;

  /**
   * @param limitBytes how many bytes the processor's models, symbols and vectors may take
   * @param objectId the object's, in whose earlier life's memory the kernel is made; otherwise only this host's own is used again
   */
  constructor(
    storage: DurableObjectStorage,
    limitBytes = KERNEL_LIMIT_BYTES,
    correspondence: Correspondence = NO_CORRESPONDENCE,
    objectId: string = crypto.randomUUID(),
  ) {
    this.#storage = storage;
    this.#limitBytes = limitBytes;
    this.#correspondence = correspondence;
    this.#objectId = objectId;
  }

  processor(): Processor {
    return this.#build().processor;
  }

  run<Reply>(writes: boolean, verb: (processor: Processor) => Reply): Reply {
    const { processor, store } = this.#build();
    const before = store.recorded;
    const { forwarded } = store;
    try {
      const reply = writes ? this.#storage.transactionSync(() => verb(processor)) : verb(processor);
      if (store.forwarded !== forwarded) this.#correspondence.eventsRecorded();
      return reply;
    } catch (error) {
      // A refusal that wrote nothing left memory as it was. Anything else, a trap of the kernel too, may not have.
      if (!(error instanceof Fault) || store.recorded !== before) this.#built = undefined;
      throw error;
    }
  }

  beforeTuning(): Promise<void> | undefined {
    const { identity } = this.#build();
    return identity.tuned || identity.agent === "" ? undefined : this.#noteTuned(identity);
  }

  /** Who the processor is, in service or not; `undefined` for an object that was never provisioned. */
  identity(): Identity | undefined {
    return this.#built?.identity ?? this.#storage.transactionSync(() => readIdentity(this.#storage.sql));
  }

  provision(id: string, name: string, genes: readonly GeneChange[], place = ALONE): PlainStamp {
    if (id === "")
      throw new Fault("invalid", "a processor's id is empty; it must be a text that is unique in its agent");
    const outlets = outletRecords(place.outlets);
    const identity = this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      const before = readIdentity(sql);
      if (before !== undefined && before.id !== id) {
        throw new Fault("invalid", `this object is the processor "${before.id}" and cannot become "${id}"`);
      }
      const { tuned = false, incarnation = crypto.randomUUID() } = before ?? {};
      const after = { id, name, inService: true, agent: place.agent, incarnation, tuned, outlets };
      writeIdentity(sql, after);
      if (before === undefined) Processor.provision(new SqliteStore(sql), genes);
      return after;
    });
    if (this.#built !== undefined) {
      this.#built.identity = identity;
      this.#built.processor.rename(name);
      this.#built.processor.relink(outletsFrom(outlets));
    }
    // Not built for this: an agent of a thousand processors would hold a thousand kernels that nobody has asked for yet.
    const time = this.#built?.processor.time ?? new SqliteStore(this.#storage.sql).state()?.time ?? 0;
    return { id, time };
  }

  async retire(purge: boolean): Promise<void> {
    const identity = this.identity();
    if (identity === undefined) throw notInService();
    this.#built = undefined;
    if (purge) await this.#storage.deleteAll();
    else this.#storage.transactionSync(() => writeIdentity(this.#storage.sql, { ...identity, inService: false }));
  }

  /** Only once in a processor's life: what it tells the agent lasts before any gene changes. */
  async #noteTuned({ agent, id }: Identity): Promise<void> {
    await this.#correspondence.noteTuned(agent, id);
    const identity = this.identity();
    // While it was told, the processor may have been retired.
    if (identity === undefined) return;
    const tuned = { ...identity, tuned: true };
    this.#storage.transactionSync(() => writeIdentity(this.#storage.sql, tuned));
    if (this.#built !== undefined) this.#built.identity = tuned;
  }

  #build(): Built {
    if (this.#built !== undefined) return this.#built;
    const identity = this.identity();
    if (identity === undefined || !identity.inService) throw notInService();
    const store = new SqliteStore(this.#storage.sql);
    const matcher = kernels.next(this.#objectId, this.#limitBytes);
    const { id, name } = identity;
    const manipulatives = outletsFrom(identity.outlets);
    const processor = Processor.open({ id, name, store, matcher, neighbours: matcher.neighbours, manipulatives });
    this.#built = { processor, store, identity };
    return this.#built;
  }
}

/** What an object says that no agent has put into service, or not any more. */
function notInService(): ConnectError {
  return new ConnectError("this processor is not in service: no agent has provisioned it", Code.FailedPrecondition);
}
