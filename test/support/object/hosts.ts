/** Processors in an object's storage without the object around them, for tests inside workerd. */

import { StoredProcessor } from "../../../src/object/stored-processor";

const LIMIT_BYTES = 96 * 1024 * 1024;

/** Hosts the processor in a storage. It stands alone: nobody hears of its events or genes. Its kernel takes over no other's memory. */
export function hostOn(storage: DurableObjectStorage, limitBytes = LIMIT_BYTES): StoredProcessor {
  const listener = { eventsRecorded: () => undefined, noteTuned: () => Promise.resolve() };
  return new StoredProcessor(storage, { objectId: crypto.randomUUID(), limitBytes, listener });
}

/** The same with a new processor in service. */
export function newHostOn(storage: DurableObjectStorage, limitBytes?: number): StoredProcessor {
  const host = hostOn(storage, limitBytes);
  host.provision("p1", "P1", [], { agent: "", manipulatives: [] });
  return host;
}
