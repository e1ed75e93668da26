/** Processors in an object's storage without the object around them, for tests inside workerd. */

import kernelModule from "../../../build/kernel.wasm";
import { IsolateKernels, type IsolateLimits } from "../../../src/object/isolate-kernels";
import { StoredProcessor } from "../../../src/object/stored-processor";
import { atOnce } from "./at-once";

/** The kernels of an isolate of its own, with the shipped limits but for those given. */
export function kernelsWithin(limits: IsolateLimits = {}): IsolateKernels {
  return new IsolateKernels(kernelModule, limits);
}

/** Hears nothing. */
export const LISTENER = {
  eventsRecorded: () => undefined,
  noticesQueued: () => undefined,
  noteTuned: () => Promise.resolve(),
  returned: () => undefined,
  sessionChanged: () => undefined,
  sessionTtlChanged: () => undefined,
  silenceChanged: () => undefined,
  arrived: () => undefined,
  storageDeleted: () => undefined,
  deletionDue: () => undefined,
  endIncidents: () => Promise.resolve(),
  gradingDue: () => undefined,
  grade: () => Promise.resolve(),
  processorReleased: () => undefined,
  heapBytes: () => 0,
  isListening: () => false,
  wantsSurprise: () => false,
  notify: () => undefined,
  retired: () => undefined,
};

/** The host of a processor that is not split: it answers at once. */
export class HostAtOnce extends StoredProcessor {
  override run<Reply>(...call: Parameters<typeof StoredProcessor.prototype.run<Reply>>): Reply {
    return atOnce(super.run(...call));
  }
}

/**
 * Hosts the processor in a storage. Its events and genes are reported nowhere.
 * @param kernels those of its isolate, which it has for itself if they are missing
 * @param heapBytes what its object holds besides it
 */
export function hostOn(storage: DurableObjectStorage, kernels = kernelsWithin(), heapBytes = 0): HostAtOnce {
  const listener = { ...LISTENER, heapBytes: () => heapBytes };
  return new HostAtOnce(storage, { objectId: crypto.randomUUID(), kernels, listener });
}

/** The same with a new processor in service. */
export function newHostOn(storage: DurableObjectStorage, kernels?: IsolateKernels): HostAtOnce {
  const host = hostOn(storage, kernels);
  host.provision("p1", "P1", [], { agent: "", manipulatives: [] });
  return host;
}
