/** What all objects of this isolate share: the kernels, the thread, and the counters. */

import kernelModule from "../../build/kernel.wasm";
import { version } from "../../package.json";
import { matching } from "../processor/prediction/step-budget";
import { incidentCounts } from "../rpc/services/memory/incident-counts";
import { memoryCounts } from "../rpc/services/memory/memory-counts";
import { billed } from "../store/database/database";
import { alertCounts, callCounts, mqttCounts, outboxes, streamCounts } from "./counts/counts";
import { IsolateKernels } from "./isolate-kernels";
import { Thread } from "./turns/thread";

/** One for the isolate, which outlives its objects. */
export const kernels = new IsolateKernels(kernelModule);

/** The thread on which the objects of the isolate work. */
export const thread = new Thread(
  () => Date.now(),
  () => matching.steps,
);

/** The counters of this isolate's objects, and what they hold now. */
export function measureObjects() {
  return {
    rowsWritten: billed.rows,
    alarmsSet: billed.alarms,
    liveProcessors: kernels.size,
    kernelBytes: kernels.bytes,
    kernelLimitBytes: kernels.limitBytes,
    eventsRecorded: outboxes.recorded,
    eventsDelivered: outboxes.delivered,
    deliveriesFailed: outboxes.failures,
    eventsWaiting: sumOf(outboxes.waiting),
    redeliveries: outboxes.redeliveries,
    alertsTold: alertCounts.told,
    alertsDelivered: alertCounts.delivered,
    alertFailures: alertCounts.failures,
    alertsDropped: alertCounts.dropped,
    alertsWaiting: sumOf(alertCounts.waiting),
    incidents: incidentCounts.begun,
    verdicts: incidentCounts.judged,
    records: memoryCounts.records,
    nearLimit: memoryCounts.nearLimit,
    learned: memoryCounts.learned,
    predictions: memoryCounts.predictions,
    forecasts: memoryCounts.forecasts,
    omitted: { ...memoryCounts.omitted },
    streamsOpen: sumOf(streamCounts.open) + sumOf(mqttCounts.open),
    mqttOpen: sumOf(mqttCounts.open),
    framesTaken: streamCounts.taken,
    framesRedelivered: streamCounts.redelivered,
    framesRefused: streamCounts.refused,
    streamEvents: streamCounts.events,
    calls: callCounts,
    version,
  };
}

/** The objects with streams. */
interface Objects {
  idFromString(id: string): DurableObjectId;
  get(id: DurableObjectId): { endStreams(): Promise<void> };
}

/** Closes the open streams of all objects; no stream can open afterwards. Never rejects. */
export async function endAllStreams(objects: Objects): Promise<void> {
  streamCounts.isStopping = true;
  const ids = [...streamCounts.open.keys()].map((id) => objects.idFromString(id));
  await Promise.allSettled(ids.map((id) => objects.get(id).endStreams()));
}

/** The objects with MQTT connections. */
interface MqttObjects {
  idFromString(id: string): DurableObjectId;
  get(id: DurableObjectId): { endMqtt(): Promise<void> };
}

/** Closes the open MQTT connections of all agents. Never rejects. */
export async function endAllMqtt(objects: MqttObjects): Promise<void> {
  const ids = [...mqttCounts.open.keys()].map((id) => objects.idFromString(id));
  await Promise.allSettled(ids.map((id) => objects.get(id).endMqtt()));
}

/** The sum of all counts. */
function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
