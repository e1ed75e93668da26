/** Schemas of agents, genomes and pings. */

import {
  GenomeChangeSchema,
  ProcessorPlaceSchema,
  ProcessorRenameSchema,
} from "../../../../src/gen/noema/v1/agent_service_pb";
import { LinkSchema } from "../../../../src/gen/noema/v1/inspection_service_pb";
import { answered, commentOn } from "../../from-contract";
import { choice, list, loose, open, ref, type Schemas, text, whole, word } from "./schema";

/** By name. */
export const agentSchemas: Schemas = {
  FrontPage: open("What the server is, for programs.", {
    links: open("Paths of this server.", {
      console: text("What a processor remembers, for people. The page asks for the key."),
      docs: text("The reference, for people. Needs no key."),
      health: text("Says whether storage works. Needs no key."),
      openapi: text("The OpenAPI document. Needs no key."),
      ping: text("Answers as long as the server runs."),
    }),
    name: word("Noema", "What it is."),
    version: text("The version of Noema."),
  }),
  Health: open("Whether storage works.", {
    status: choice(["okay", "failed"], "`okay` when it does."),
  }),
  RecentRequests: open("The requests that a server remembers because they failed, were refused or were slow.", {
    requests: list("The requests, newest first: at most 100 of each kind.", ref("RecentRequest")),
    since: text("Since when the server remembers: when its first request came, ISO 8601 in UTC."),
  }),
  RecentRequest: open(
    "A request that failed, was refused or was slow. Members have the names that they have in the log.",
    {
      event: choice(
        ["failed", "key-refused", "refused", "slow"],
        "`failed`: status 500 or more. `key-refused`: it had no accepted key. `refused`: status 400 to 499. `slow`: it was answered, but took as long as NOEMA_SLOW_MS says.",
      ),
      message: {
        type: ["string", "null"],
        description:
          "Why it failed: the sentence that its client was sent. Null where the sentence may quote the request.",
      },
      milliseconds: {
        type: "number",
        minimum: 0,
        description: "From the arrival of the request until its answer began.",
      },
      operation: {
        type: ["string", "null"],
        description:
          "Methods and path as in this document, or the method of a service. Null if there is none, or its key was not accepted.",
      },
      processor: {
        type: ["string", "null"],
        description: "The processor's identifier. Null if the request is about none, or about one that there is not.",
      },
      request_id: text("The identifier of the request, as in the header X-Request-Id."),
      status: whole("The HTTP status.", 100),
      time: text("When the answer began, ISO 8601 in UTC."),
    },
  ),
  ProcessorUsage: open("How much a processor has learned, and how full it is.", {
    id: text("The identifier."),
    max_models: {
      type: ["integer", "null"],
      minimum: 0,
      description: "The gene max_models: the most models; 0 for no limit.",
    },
    memory_bytes: {
      type: ["integer", "null"],
      minimum: 0,
      description: "Bytes of memory for models, symbols and vectors. Null if it is not in memory.",
    },
    memory_limit_bytes: {
      type: ["integer", "null"],
      minimum: 0,
      description: "Bytes that memory_bytes may be where no other processor shares the memory.",
    },
    models: { type: ["integer", "null"], minimum: 0, description: "The number of models." },
    name: text("The friendly name."),
    percent_full: {
      type: ["number", "null"],
      minimum: 0,
      description: "The greater share of memory and storage, in percent.",
    },
    sessions: { type: ["integer", "null"], minimum: 0, description: "The number of sessions that are stored." },
    status: choice(["okay", "unused", "failed"], "Whether it answered."),
    storage_bytes: {
      type: ["integer", "null"],
      minimum: 0,
      description: "Bytes of storage. Null if it is served elsewhere or unused.",
    },
    storage_limit_bytes: {
      type: "integer",
      minimum: 0,
      description: "Bytes of storage that one Durable Object may have on Cloudflare.",
    },
    symbols: { type: ["integer", "null"], minimum: 0, description: "The number of symbols in models." },
    vectors: { type: ["integer", "null"], minimum: 0, description: "The number of learned vectors." },
  }),
  ToldOthers: open("What a processor has told others.", {
    counted_since: {
      type: ["integer", "null"],
      minimum: 0,
      description:
        "Since when it counts, in epoch seconds: when its object began. Null if it did not answer or is unused.",
    },
    id: text("The identifier."),
    links: list("Each manipulative with each processor that observes it.", ref("Link")),
    name: text("The friendly name."),
    status: choice(["okay", "unused", "failed"], "Whether it answered."),
    waiting: {
      type: ["integer", "null"],
      minimum: 0,
      description: "How many events wait to be delivered. Null if it did not answer.",
    },
    waits_for: {
      type: ["string", "null"],
      description: "The identifier of the processor that the first of them is for. Null if none waits.",
    },
  }),
  Link: answered(LinkSchema),
  Alive: open("The gateway runs.", { status: word("okay", "Always `okay`.") }),
  ProcessorAlive: open("The processor answers.", {
    message: word("okay", "Always `okay`."),
    status: word("okay", "Always `okay`."),
  }),
  Connection: open("An agent and its genome.", {
    agent_name: text("The name of the agent."),
    connection: choice(["okay", "failed"], "`failed`: a processor that had to be asked for its genes did not answer."),
    genie: text("The genome's name for the agent."),
    genome: ref("Genome"),
    "rights?": ref("KeyRights"),
    status: word("okay", "Always `okay`."),
  }),
  Genome: loose("The description of an agent: its processors, and which of them send predictions to which others.", {
    agent: text("The genome's name for the agent."),
    "description?": { description: "For people." },
    elements: loose("The graph, as Cytoscape.js has it.", {
      nodes: list("The processors and the manipulatives between them.", ref("GenomeNode")),
      "edges?": { description: "For programs that draw the graph; has no effect." },
    }),
    "style?": { description: "For programs that draw the graph; has no effect." },
  }),
  GenomeNode: loose("A node of the graph.", {
    data: { description: "A processor or a manipulative.", anyOf: [ref("Primitive"), ref("Manipulative")] },
  }),
  Primitive: loose(
    "A processor. Its other members may be genes under their names in genomes: the genes of a new processor.",
    {
      type: word("primitive", "Says that the node is a processor."),
      id: ref("Identifier"),
      name: ref("Identifier"),
      "manipulatives?": list(
        "The identifiers of the processor's manipulatives, in the order in which they act. Each once.",
        text("An identifier.", { minLength: 1 }),
        { uniqueItems: true },
      ),
      "jurisdiction?": ref("Jurisdiction"),
      "location_hint?": ref("LocationHint"),
      "endpoint?": text("The URL of the server that has the processor, where it is not this one.", { minLength: 1 }),
    },
  ),
  Identifier: text(
    "An identifier or a friendly name: 1 to 200 UTF-16 units without `|`, `/` and control characters. Not agent, gaius-api, connect, genome or openapi.json, and not a word that begins with noema.v. Unique in a genome.",
    {
      minLength: 1,
      maxLength: 200,
      pattern: "^(?!(?:agent|gaius-api|connect|genome|openapi\\.json)$)(?!noema\\.v)[^|/\\p{Cc}\\p{Cs}]+$",
    },
  ),
  Manipulative: loose("Sends parts of a processor's predictions to other processors, which observe them.", {
    type: word("manipulative", "Says that the node is a manipulative."),
    id: ref("Identifier"),
    name: word("abstraction", "The only manipulative there is."),
    mtype: word("output", "The only type there is."),
    primitive: text("The identifier of the processor that it belongs to.", { minLength: 1 }),
    genes: loose("What it sends, and where to.", {
      field: loose("What it sends.", {
        value: list(
          "The parts of a prediction, in order. One or more, each once.",
          choice(
            ["name", "past", "present", "future", "missing", "extras", "matches", "classification"],
            "A part of a prediction. `classification`: the last event of future, or of present if there is no future.",
          ),
          { minItems: 1, uniqueItems: true },
        ),
      }),
      primitives: loose("Where it sends to.", {
        value: list("The identifiers of processors, in order, each once.", text("An identifier.", { minLength: 1 }), {
          uniqueItems: true,
        }),
      }),
    }),
  }),
  PlacedProcessor: answered(ProcessorPlaceSchema),
  Jurisdiction: choice(
    ["eu", "us", "fedramp", "fedramp-high"],
    "Where alone a processor runs and its data stays. Local servers know none.",
  ),
  LocationHint: choice(
    ["afr", "apac", "eeur", "enam", "me", "oc", "sam", "weur", "wnam"],
    "The region near which a processor is made.",
  ),
  GenomeChange: answered(GenomeChangeSchema, {
    says: "What a hotswap would do.",
    further: { renamed: list(commentOn("noema.v1.GenomeChange.renamed"), answered(ProcessorRenameSchema)) },
  }),
};
