/** What the reference says of the rows in src/gateway/operations/inspection.ts: the gateway, the agent and what a processor tells about itself. */

import type { Reference } from "./entry";
import { choice, either, envelope, list, ref, text, word } from "./schemas/schema";

/** The body of both hotswaps. */
const hotswapRequest = either(
  "A genome inside `data`, or by itself.",
  {
    type: "object",
    description: "A genome inside `data`.",
    properties: { data: ref("Genome") },
    required: ["data"],
    additionalProperties: false,
  },
  ref("Genome"),
);

/** The query of both hotswaps. */
const hotswapQuery = {
  purge: choice(
    ["true", "false"],
    "Whether to delete the data of processors that leave, and of those that left earlier.",
  ),
  dry_run: choice(["true", "false"], "Whether to change nothing, and to answer what would change."),
};

/** The query of both connects. */
const connectQuery = {
  rights: choice(["true", "false"], "Whether to answer with what the key allows, as `rights`."),
};

const IDS = text("The identifier of a processor.");

/** The answer of both hotswaps. */
const hotswapAnswer = envelope(
  either("What has changed.", word("hotswapped-genome", "The genome is in force."), ref("GenomeChange")),
  {
    "placed?": list("Where new processors were placed.", ref("PlacedProcessor")),
    "purged?": list("The processors whose data was deleted.", IDS),
    "retired?": list("The processors that have gone out of service.", IDS),
  },
);

/** By row. */
export const inspectionReference: Reference = {
  "GET /agent/ping": {
    operationId: ["pingAgent"],
    returns: "No envelope.",
    answer: ref("Alive"),
    example: {
      request: { method: "GET", path: "/agent/ping" },
      response: { status: "okay" },
    },
  },
  "GET /gaius-api/ping": {
    operationId: ["pingGateway"],
    returns: "No envelope. Older clients use this path.",
    answer: ref("Alive"),
    example: {
      request: { method: "GET", path: "/gaius-api/ping" },
      response: { status: "okay" },
    },
  },
  "GET /connect": {
    operationId: ["connect"],
    returns:
      'No envelope: `{agent_name, connection, genie, genome, status}`. `connection` is `"failed"` if a processor that the gateway had to ask for its genes did not answer. With `?rights=true`, there is `rights: {roles, processors, sessions}`: [what the key allows](keys.md#what-a-key-allows); `processors` and `sessions` only where it is limited to them.',
    query: connectQuery,
    answer: ref("Connection"),
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
    operationId: ["connectProcessor"],
    returns: "No envelope; the same as GET /connect.",
    query: connectQuery,
    answer: ref("Connection"),
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
    operationId: ["hotswapGenome"],
    takes:
      'A genome, or `{"data": genome}`. The query `?purge=true` deletes the data of processors that go, and of those that went earlier. `?dry_run=true` changes nothing.',
    returns:
      '`"hotswapped-genome"`; the envelope\'s `id` is `"agent"`. If processors go out of service, the envelope has their ids in `retired`; if data is deleted, the ids are in `purged`. If the genome [places](placement.md) new processors, `placed` has `{id, jurisdiction, location_hint}` for each, without what its node does not say. A dry run returns `{added, kept, placed, purged, renamed, retired}`: the ids of the processors that would come, stay, lose their data and go; `renamed` has `{from, id, to}` for those that would stay under another name.',
    request: hotswapRequest,
    query: hotswapQuery,
    answer: hotswapAnswer,
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
    operationId: ["hotswapProcessorGenome"],
    takes: "As POST /genome/hotswap.",
    returns: "As POST /genome/hotswap, with the processor's id or name as the path has it.",
    request: hotswapRequest,
    query: hotswapQuery,
    answer: hotswapAnswer,
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
    operationId: ["ping"],
    doc: ["Resolves if the processor can be reached."],
    returns: "No envelope.",
    answer: ref("ProcessorAlive"),
    example: {
      request: { method: "GET", path: "/p46b6b076c/ping" },
      response: { message: "okay", status: "okay" },
    },
  },
  "GET /:id/status": {
    operationId: ["getStatus"],
    doc: ["The flags, counters and sizes of a memory and its processor."],
    returns:
      "`AUTOLEARN`, `PREDICT` and `SLEEPING` are flags; `HYPOTHESIZED` and `SNAPSHOT` are always false. `size_WM` counts symbols, `num_observe_call` the observations since the last learn, clear or sleep. `vector_dimensionality` is -1 until a vector is learned.",
    answer: envelope(ref("Status")),
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
    operationId: ["getName"],
    doc: ["The processor's friendly name."],
    returns: "A string.",
    answer: envelope(text("The friendly name.")),
    example: {
      request: { method: "GET", path: "/p46b6b076c/name" },
      response: { id: "p46b6b076c", interval: 3, message: "P1", status: "okay", time_stamp: 1795250628 },
    },
  },
  "GET /:id/info": {
    operationId: ["getInfo"],
    doc: ["Version, build, classifier and memory use (in bytes)."],
    returns:
      "`memory_bytes` is how much memory the processor's models, symbols and vectors hold, `memory_limit_bytes` how much they may hold.",
    answer: envelope(ref("Info")),
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
          version: "1.0.0",
        },
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/time": {
    operationId: ["getTime"],
    returns: "A string.",
    answer: envelope(
      text("How many observations the processor has taken, in decimal digits.", { pattern: "^[0-9]+$" }),
    ),
    example: {
      request: { method: "GET", path: "/p46b6b076c/time" },
      response: { id: "p46b6b076c", interval: 3, message: "3", status: "okay", time_stamp: 1795250628 },
    },
  },
};
