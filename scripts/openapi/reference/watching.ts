/** What the reference says of the rows in src/gateway/operations/watching.ts: what operators ask. */

import type { Reference } from "./entry";
import { envelope, list, ref, text } from "./schemas/schema";

/** A server that has answered one request. */
const METRICS = `# HELP noema_requests_total Requests answered, by operation and HTTP status.
# TYPE noema_requests_total counter
noema_requests_total{operation="POST /{id}/observe",status="200"} 1
# HELP noema_request_duration_seconds Time from a request's arrival until its answer begins.
# TYPE noema_request_duration_seconds histogram
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="0.001"} 0
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="0.002"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="0.005"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="0.01"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="0.025"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="0.05"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="0.1"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="0.25"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="0.5"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="1"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="2.5"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="5"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="10"} 1
noema_request_duration_seconds_bucket{operation="POST /{id}/observe",le="+Inf"} 1
noema_request_duration_seconds_sum{operation="POST /{id}/observe"} 0.002
noema_request_duration_seconds_count{operation="POST /{id}/observe"} 1
# HELP noema_calls_under_way Calls that were admitted and are not answered yet.
# TYPE noema_calls_under_way gauge
noema_calls_under_way 0
# HELP noema_overloads_total Calls refused because too many were under way, by whose limit was reached.
# TYPE noema_overloads_total counter
noema_overloads_total{limit="processor"} 0
noema_overloads_total{limit="server"} 0
# HELP noema_key_refusals_total Requests without an accepted key; no other metric counts them.
# TYPE noema_key_refusals_total counter
noema_key_refusals_total 0
# HELP noema_start_time_seconds When counting began, in seconds since 1970.
# TYPE noema_start_time_seconds gauge
noema_start_time_seconds 1760000000.125
# HELP noema_redeliveries_total Repeated deliveries of clients, without effect.
# TYPE noema_redeliveries_total counter
noema_redeliveries_total 0
# HELP noema_replays_total Answers that were kept under an Idempotency-Key and sent again.
# TYPE noema_replays_total counter
noema_replays_total 0
# HELP noema_unlogged_total Failed and slow requests without a line in the log: there were too many.
# TYPE noema_unlogged_total counter
noema_unlogged_total 0
# HELP noema_rows_written_total Rows and entries of indexes written, as they are billed.
# TYPE noema_rows_written_total counter
noema_rows_written_total 14
# HELP noema_alarms_set_total Alarms set; each is billed as a row.
# TYPE noema_alarms_set_total counter
noema_alarms_set_total 1
# HELP noema_live_processors Processors in memory.
# TYPE noema_live_processors gauge
noema_live_processors 1
# HELP noema_kernel_bytes Linear memory of the kernels.
# TYPE noema_kernel_bytes gauge
noema_kernel_bytes 196608
# HELP noema_kernel_limit_bytes Maximum linear memory of the kernels.
# TYPE noema_kernel_limit_bytes gauge
noema_kernel_limit_bytes 100663296
# HELP noema_outbox_events_total Events recorded for other processors.
# TYPE noema_outbox_events_total counter
noema_outbox_events_total 0
# HELP noema_outbox_delivered_total Events that have left an outbox.
# TYPE noema_outbox_delivered_total counter
noema_outbox_delivered_total 0
# HELP noema_outbox_failures_total Attempts to deliver that failed.
# TYPE noema_outbox_failures_total counter
noema_outbox_failures_total 0
# HELP noema_outbox_waiting Events that wait for another attempt.
# TYPE noema_outbox_waiting gauge
noema_outbox_waiting 0
# HELP noema_outbox_redeliveries_total Repeated deliveries between processors, without effect.
# TYPE noema_outbox_redeliveries_total counter
noema_outbox_redeliveries_total 0
# HELP noema_alerts_total Notices of alerts; one delivery may hold several.
# TYPE noema_alerts_total counter
noema_alerts_total 0
# HELP noema_alerts_delivered_total Deliveries of alerts that were accepted.
# TYPE noema_alerts_delivered_total counter
noema_alerts_delivered_total 0
# HELP noema_alerts_failures_total Attempts to deliver an alert that failed.
# TYPE noema_alerts_failures_total counter
noema_alerts_failures_total 0
# HELP noema_alerts_dropped_total Deliveries of alerts given up or dropped.
# TYPE noema_alerts_dropped_total counter
noema_alerts_dropped_total 0
# HELP noema_alerts_waiting Deliveries of alerts that wait.
# TYPE noema_alerts_waiting gauge
noema_alerts_waiting 0
# HELP noema_incidents_total Incidents that began.
# TYPE noema_incidents_total counter
noema_incidents_total 0
# HELP noema_verdicts_total Verdicts on incidents that were given or taken back.
# TYPE noema_verdicts_total counter
noema_verdicts_total 0
# HELP noema_build_info Always 1; the label says which version runs.
# TYPE noema_build_info gauge
noema_build_info{version="1.0.0"} 1
# HELP noema_records_total Records observed, over HTTP, streams and services.
# TYPE noema_records_total counter
noema_records_total 1
# HELP noema_records_near_limit_total Records after which a memory had used 90 % or more of what it may hold.
# TYPE noema_records_near_limit_total counter
noema_records_near_limit_total 0
# HELP noema_learned_total Models learned, new or again.
# TYPE noema_learned_total counter
noema_learned_total 0
# HELP noema_predictions_total Answers with predictions.
# TYPE noema_predictions_total counter
noema_predictions_total 0
# HELP noema_forecasts_total Answers with a forecast.
# TYPE noema_forecasts_total counter
noema_forecasts_total 0
# HELP noema_omitted_total Records for which something was left undone, because it takes too many steps or bytes.
# TYPE noema_omitted_total counter
noema_omitted_total{what="prediction"} 0
noema_omitted_total{what="autolearn"} 0
noema_omitted_total{what="manipulatives"} 0
# HELP noema_streams_open Streams and MQTT connections that are open.
# TYPE noema_streams_open gauge
noema_streams_open 0
# HELP noema_mqtt_connections_open MQTT connections that are open.
# TYPE noema_mqtt_connections_open gauge
noema_mqtt_connections_open 0
# HELP noema_stream_frames_total Messages received over streams, by outcome.
# TYPE noema_stream_frames_total counter
noema_stream_frames_total{outcome="taken"} 0
noema_stream_frames_total{outcome="redelivered"} 0
noema_stream_frames_total{outcome="refused"} 0
# HELP noema_stream_events_total Events sent over streams.
# TYPE noema_stream_events_total counter
noema_stream_events_total 0
# HELP noema_calls_total Calls of processors, by service and method; a frame of a stream is a call.
# TYPE noema_calls_total counter
noema_calls_total{call="MemoryService/Observe"} 1
# HELP noema_call_rows_written_total Rows and entries of indexes written, by the call that wrote them.
# TYPE noema_call_rows_written_total counter
noema_call_rows_written_total{call="MemoryService/Observe"} 1
noema_call_rows_written_total{call="other"} 13
`;

/** What the first processor predicts, the second observes. */
const TWO_PROCESSORS = {
  agent: "simple",
  elements: {
    nodes: [
      { data: { type: "primitive", id: "p46b6b076c", name: "P1", manipulatives: ["m1"] } },
      { data: { type: "primitive", id: "p2", name: "P2" } },
      {
        data: {
          type: "manipulative",
          id: "m1",
          name: "abstraction",
          mtype: "output",
          primitive: "p46b6b076c",
          genes: { field: { value: ["future"] }, primitives: { value: ["p2"] } },
        },
      },
    ],
  },
};

/** By row. */
export const watchingReference: Reference = {
  "GET /metrics": {
    operationId: ["getMetrics"],
    returns:
      "No envelope: text in Prometheus' format, version 0.0.4. [watching.md](watching.md) says what each metric means.",
    answer: text("Metrics in Prometheus' text format, version 0.0.4."),
    example: { request: { method: "GET", path: "/metrics" }, response: METRICS },
  },
  "GET /requests/recent": {
    operationId: ["getRecentRequests"],
    doc: [
      "The newest requests to the agent that failed, were refused or were slow, as far as the server remembers them: they are not stored.",
    ],
    returns:
      "`{requests, since}`. `requests` is a list of `{event, message, milliseconds, operation, processor, request_id, status, time}`, newest first, at most 100 of each kind: `failed`, `refused` and `slow`. Nothing is stored: one isolate tells what it remembers since it started, which is `since`. [watching.md](watching.md#requests-that-went-wrong) says what is kept.",
    answer: envelope(ref("RecentRequests")),
    example: {
      request: { method: "GET", path: "/requests/recent" },
      response: {
        id: "agent",
        interval: 0,
        message: {
          requests: [
            {
              event: "refused",
              message: null,
              milliseconds: 3,
              operation: "POST /{id}/observe",
              processor: "p46b6b076c",
              request_id: "5a1c1f0e-7c5b-4c55-9d0a-0f6f4f1d8a77",
              status: 400,
              time: "2026-11-22T07:00:00.000Z",
            },
          ],
          since: "2026-11-22T06:55:00.000Z",
        },
        status: "okay",
        time_stamp: 1760000000,
      },
    },
  },
  "GET /processors": {
    operationId: ["getProcessors"],
    doc: [
      "How much each processor of the agent has learned and how full it is, in the order of the genome. Loads no processor into memory, but queries each: do not call it every second.",
    ],
    returns:
      "A list of `{id, max_models, memory_bytes, memory_limit_bytes, models, name, percent_full, sessions, status, storage_bytes, storage_limit_bytes, symbols, vectors}` in the order of the genome. `percent_full` is the greater share of what limits a processor: memory, if it is in memory, and storage. `status` is `okay`, `unused` if the processor has had no call yet, or `failed` if it did not answer. What is not known is null. [watching.md](watching.md#the-processors-of-an-agent) says what asking costs.",
    answer: envelope(list("The processors of the agent.", ref("ProcessorUsage"))),
    example: {
      request: { method: "GET", path: "/processors" },
      response: {
        id: "agent",
        interval: 0,
        message: [
          {
            id: "p46b6b076c",
            max_models: 0,
            memory_bytes: 1024,
            memory_limit_bytes: 100663296,
            models: 1,
            name: "P1",
            percent_full: 0.1,
            sessions: 0,
            status: "okay",
            storage_bytes: 98304,
            storage_limit_bytes: 10000000000,
            symbols: 3,
            vectors: 0,
          },
        ],
        status: "okay",
        time_stamp: 1760000000,
      },
    },
  },
  "GET /links": {
    operationId: ["getLinks"],
    doc: [
      "The number of events sent from processor to processor since each began to count, and the number waiting: one item for each processor that has manipulatives, in the order of the genome. Cheap enough to be called every few seconds.",
    ],
    returns:
      "A list of `{counted_since, id, links, name, status, waiting, waits_for}`, one for each processor that has manipulatives, in the order of the genome. `links` has each manipulative with each processor that observes it: how many events were `delivered` there, and how many were `given_up` because it refused them for good or had left. They are counted in memory since `counted_since` (epoch seconds), when the object of the processor began. `waiting` events wait now, the first of them for `waits_for`. `status` is as in GET /processors.",
    answer: envelope(list("The processors that have manipulatives.", ref("ToldOthers"))),
    example: {
      after: [
        { method: "POST", path: "/genome/hotswap", body: TWO_PROCESSORS },
        { method: "POST", path: "/P1/observe", body: { data: { strings: ["hello"] } } },
      ],
      request: { method: "GET", path: "/links" },
      response: {
        id: "agent",
        interval: 0,
        message: [
          {
            counted_since: 1760000000,
            id: "p46b6b076c",
            links: [{ delivered: 1, given_up: 0, manipulative: "m1", processor: "p2" }],
            name: "P1",
            status: "okay",
            waiting: 0,
            waits_for: null,
          },
        ],
        status: "okay",
        time_stamp: 1760000000,
      },
    },
  },
};
