/** What docs/http.md says of the rows in ../inspection.ts: the gateway, the agent and what a processor tells about itself. */

import type { Reference } from "./entry";

/** By row. */
export const inspectionReference: Reference = {
  "GET /agent/ping": {
    returns: "No envelope.",
    example: {
      request: { method: "GET", path: "/agent/ping" },
      response: { status: "okay" },
    },
  },
  "GET /gaius-api/ping": {
    returns: "No envelope. Older clients use this path.",
    example: {
      request: { method: "GET", path: "/gaius-api/ping" },
      response: { status: "okay" },
    },
  },
  "GET /connect": {
    returns:
      'No envelope: `{agent_name, connection, genie, genome, status}`. `connection` is `"failed"` if a processor that the gateway had to ask for its genes did not answer.',
    example: {
      request: { method: "GET", path: "/connect" },
      response: {
        agent_name: "simple",
        connection: "okay",
        genie: "simple",
        genome: {
          agent: "simple",
          description: "",
          elements: {
            nodes: [
              {
                data: {
                  always_update_frequencies: false,
                  auto_act_method: "none",
                  auto_act_threshold: 0.8,
                  auto_learn_method: "none",
                  classifier: "CVC",
                  datastore: "mongodb",
                  dynamic_sequence_length: true,
                  id: "p46b6b076c",
                  manipulatives: [],
                  max_predictions: 100,
                  max_sequence_length: 0,
                  name: "P1",
                  persistence: 5,
                  process_predictions: true,
                  quiescence: 3,
                  recall_threshold: 0.1,
                  search_depth: 10,
                  smoothness: 3,
                  sort: true,
                  sources: ["observables"],
                  type: "primitive",
                  faveColor: "#6FB1FC",
                  faveShape: "hexagon",
                  height: 25,
                  width: 30,
                },
              },
            ],
            edges: [],
          },
          style: [],
        },
        status: "okay",
      },
    },
  },
  "GET /:id/connect": {
    returns: "No envelope; the same as GET /connect.",
    example: {
      request: { method: "GET", path: "/p46b6b076c/connect" },
      response: {
        agent_name: "simple",
        connection: "okay",
        genie: "simple",
        genome: {
          agent: "simple",
          description: "",
          elements: {
            nodes: [
              {
                data: {
                  always_update_frequencies: false,
                  auto_act_method: "none",
                  auto_act_threshold: 0.8,
                  auto_learn_method: "none",
                  classifier: "CVC",
                  datastore: "mongodb",
                  dynamic_sequence_length: true,
                  id: "p46b6b076c",
                  manipulatives: [],
                  max_predictions: 100,
                  max_sequence_length: 0,
                  name: "P1",
                  persistence: 5,
                  process_predictions: true,
                  quiescence: 3,
                  recall_threshold: 0.1,
                  search_depth: 10,
                  smoothness: 3,
                  sort: true,
                  sources: ["observables"],
                  type: "primitive",
                  faveColor: "#6FB1FC",
                  faveShape: "hexagon",
                  height: 25,
                  width: 30,
                },
              },
            ],
            edges: [],
          },
          style: [],
        },
        status: "okay",
      },
    },
  },
  "POST /genome/hotswap": {
    takes:
      'A genome, or `{"data": genome}`. The query `?purge=true` deletes the data of processors that go, and of those that went earlier. `?dry_run=true` changes nothing.',
    returns:
      '`"hotswapped-genome"`; the envelope\'s `id` is `"agent"`. If processors go out of service, the envelope has their ids in `retired`; if data is deleted, the ids are in `purged`. If the genome [places](placement.md) new processors, `placed` has `{id, jurisdiction, location_hint}` for each, without what its node does not say. A dry run returns `{added, kept, placed, purged, renamed, retired}`: the ids of the processors that would come, stay, lose their data and go; `renamed` has `{from, id, to}` for those that would stay under another name.',
    example: {
      request: {
        method: "POST",
        path: "/genome/hotswap",
        body: {
          agent: "simple",
          elements: {
            nodes: [
              { data: { type: "primitive", id: "p46b6b076c", name: "P1", recall_threshold: 0.1 } },
              { data: { type: "primitive", id: "p2", name: "P2", recall_threshold: 0.3 } },
            ],
          },
        },
      },
      response: { id: "agent", interval: 0, message: "hotswapped-genome", status: "okay", time_stamp: 1795250628 },
    },
  },
  "POST /:id/genome/hotswap": {
    takes: "As POST /genome/hotswap.",
    returns: "As POST /genome/hotswap, with the processor's id or name as the path has it.",
    example: {
      request: {
        method: "POST",
        path: "/p46b6b076c/genome/hotswap?dry_run=true",
        body: { agent: "simple", elements: { nodes: [{ data: { type: "primitive", id: "p3", name: "P3" } }] } },
      },
      response: {
        id: "p46b6b076c",
        interval: 0,
        message: { added: ["p3"], kept: [], placed: [], purged: [], renamed: [], retired: ["p46b6b076c"] },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/ping": {
    returns: "No envelope.",
    example: {
      request: { method: "GET", path: "/p46b6b076c/ping" },
      response: { message: "okay", status: "okay" },
    },
  },
  "GET /:id/status": {
    returns:
      "`AUTOLEARN`, `PREDICT` and `SLEEPING` are flags; `HYPOTHESIZED` and `SNAPSHOT` are always false. `size_WM` counts symbols, `num_observe_call` the observations since the last learn, clear or sleep. `vector_dimensionality` is -1 until a vector is learned.",
    example: {
      request: { method: "GET", path: "/p46b6b076c/status" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          AUTOLEARN: false,
          HYPOTHESIZED: false,
          PREDICT: true,
          SLEEPING: false,
          SNAPSHOT: false,
          emotives: {},
          last_learned_model_name: "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
          models_kb: "{KB| objects: 1}",
          name: "P1",
          num_observe_call: 1,
          size_WM: 2,
          target: "",
          time: 3,
          vector_dimensionality: -1,
          vectors_kb: "{KB| objects: 0}",
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/name": {
    returns: "A string.",
    example: {
      request: { method: "GET", path: "/p46b6b076c/name" },
      response: { id: "p46b6b076c", interval: 3, message: "P1", status: "okay", time_stamp: 1795250628 },
    },
  },
  "GET /:id/info": {
    returns:
      "`memory_bytes` is how much memory the processor's models, symbols and vectors hold, `memory_limit_bytes` how much they may hold.",
    example: {
      request: { method: "GET", path: "/p46b6b076c/info" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: {
          build_date: "2026-11-21T12:00:00Z",
          build_number: "0a1b2c3d4e5f",
          classifier: "CVC",
          id: "p46b6b076c",
          memory_bytes: 196608,
          memory_limit_bytes: 100663296,
          name: "P1",
          time: 3,
          version: "0.1.0",
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/time": {
    returns: "A string.",
    example: {
      request: { method: "GET", path: "/p46b6b076c/time" },
      response: { id: "p46b6b076c", interval: 3, message: "3", status: "okay", time_stamp: 1795250628 },
    },
  },
};
