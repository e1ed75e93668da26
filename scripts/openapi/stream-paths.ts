/**
 * What opens a WebSocket, as the OpenAPI document has it: it can say how one opens, and docs/streams.md and docs/mqtt.md
 * say what it carries.
 */

import { MQTT_PATH, mqttOperation } from "../../src/gateway/mqtt/open-mqtt";
import type { Operation } from "../../src/gateway/operations/operation";
import { streamOperations } from "../../src/gateway/operations/streams";
import { pathParametersOf } from "./parameters";
import type { Json } from "./reference/entry";

const QUERY = [
  {
    name: "source",
    in: "query",
    required: false,
    description:
      "The client's name for what it sends: 1 to 128 bytes of UTF-8. The memory keeps the number of its last frame, so that each is taken once.",
    schema: { type: "string", minLength: 1, maxLength: 128 },
  },
];

const PROTOCOLS = {
  name: "Sec-WebSocket-Protocol",
  in: "header",
  required: true,
  description:
    "`noema.v1`. A client that cannot set headers, such as a browser, also offers `noema.key.` and the base64url of its key, unpadded.",
  schema: { type: "string" },
  example: "noema.v1",
};

const OTHER_FAILURE = {
  description: "Any other failure.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
};

/**
 * The path at which MQTT clients connect. The key comes in CONNECT, and not in the request.
 *
 * @param tag the tag of the operation
 * @param failureOf what describes the failures with a status
 */
export function mqttPath(tag: string, failureOf: (status: number) => Json): { readonly [path: string]: Json } {
  const operation = {
    operationId: "connectMqtt",
    summary: mqttOperation.summary,
    description:
      "The client sends CONNECT within 10 s, with a key as the password and any user name. The key's roles are asked for at each message.",
    "x-stream": true,
    externalDocs: { url: "/docs/guides/mqtt", description: "What MQTT clients publish and hear, with examples" },
    tags: [tag],
    security: [],
    parameters: [
      {
        name: "Sec-WebSocket-Protocol",
        in: "header",
        required: true,
        description: "`mqtt`.",
        schema: { type: "string" },
        example: "mqtt",
      },
    ],
    responses: {
      101: { description: "The WebSocket. docs/mqtt.md says what it carries." },
      ...Object.fromEntries([400, 403, 426, 503].map((status) => [status, failureOf(status)])),
      default: OTHER_FAILURE,
    },
  };
  return { [MQTT_PATH]: { get: operation } };
}

/**
 * The paths of streams.
 *
 * @param tag the tag of the operations
 * @param statuses the statuses of failures, and what describes each
 */
export function streamPaths(
  tag: string,
  failureOf: (status: number) => Json,
  inSession: (row: Operation) => Pick<Operation, "path">,
): { readonly [path: string]: Json } {
  return Object.fromEntries(
    streamOperations.flatMap((row) =>
      [row, inSession(row)].map((place, at) => {
        const operation = {
          operationId: at === 0 ? "stream" : "streamInSession",
          summary: row.summary.replace(/\.$/, at === 0 ? "" : "; in a session"),
          ...(at === 0 ? {} : { "x-session-of": "stream" }),
          "x-stream": true,
          externalDocs: { url: "/docs/guides/streams", description: "What a stream carries, with examples" },
          tags: [tag],
          "x-strict": true,
          "x-roles": row.roles,
          parameters: [...QUERY, PROTOCOLS],
          responses: {
            101: { description: "The WebSocket. docs/streams.md says what it carries." },
            ...Object.fromEntries([400, 403, 404, 426, 429, 500, 503].map((status) => [status, failureOf(status)])),
            default: OTHER_FAILURE,
          },
        };
        return [place.path.replace(/:(\w+)\+?/g, "{$1}"), { ...pathParametersOf(place), get: operation }];
      }),
    ),
  );
}
