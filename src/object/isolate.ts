/** What all objects of this isolate share: the kernels; and what they have counted. */

import kernelModule from "../../build/kernel.wasm";
import { version } from "../../package.json";
import { billed } from "../store/database/database";
import { IsolateKernels } from "./isolate-kernels";
import { outboxes } from "./outbox-counts";

/** One for the isolate, in which objects come and go. */
export const kernels = new IsolateKernels(kernelModule);

/** What the objects of this isolate have counted, and what they hold now. */
export function measureObjects() {
  let eventsWaiting = 0;
  for (const count of outboxes.waiting.values()) eventsWaiting += count;
  return {
    rowsWritten: billed.rows,
    alarmsSet: billed.alarms,
    liveProcessors: kernels.size,
    kernelBytes: kernels.bytes,
    kernelLimitBytes: kernels.limitBytes,
    eventsRecorded: outboxes.recorded,
    eventsDelivered: outboxes.delivered,
    deliveriesFailed: outboxes.failures,
    eventsWaiting,
    redeliveries: outboxes.redeliveries,
    version,
  };
}
