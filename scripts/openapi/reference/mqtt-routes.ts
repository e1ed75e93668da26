/** What the reference says of the rows in src/gateway/operations/mqtt-routes.ts. */

import type { Reference } from "./entry";
import { envelope, inData, ref, word } from "./schemas/schema";

const ROUTE = {
  learn: false,
  numbers: ["temperature"],
  processor: "p46b6b076c",
  session: "{2}",
  strings: ["occupancy"],
  topic: "zigbee2mqtt/+",
};

const PUT = {
  method: "PUT",
  path: "/mqtt/routes/zigbee",
  body: {
    data: {
      topic: "zigbee2mqtt/+",
      processor: "p46b6b076c",
      session: "{2}",
      strings: ["occupancy"],
      numbers: ["temperature"],
    },
  },
} as const;

/** By row. */
export const mqttRouteReference: Reference = {
  "GET /mqtt/routes": {
    operationId: ["listMqttRoutes"],
    doc: ["All routes by name."],
    returns: "`{name: route, ...}`, as GET /mqtt/routes/:route returns one.",
    answer: envelope(ref("MqttRoutes")),
    example: {
      after: [PUT],
      request: { method: "GET", path: "/mqtt/routes" },
      response: { id: "agent", interval: 0, message: { zigbee: ROUTE }, status: "okay", time_stamp: 1795250628 },
    },
  },
  "GET /mqtt/routes/:route": {
    operationId: ["getMqttRoute"],
    doc: ["One route.", "@throws NoemaError 404 if none has the name"],
    returns: "The route. HTTP 404 when there is none of the name.",
    answer: envelope(ref("MqttRoute")),
    example: {
      after: [PUT],
      request: { method: "GET", path: "/mqtt/routes/zigbee" },
      response: { id: "agent", interval: 0, message: ROUTE, status: "okay", time_stamp: 1795250628 },
    },
  },
  "PUT /mqtt/routes/:route": {
    operationId: ["putMqttRoute"],
    doc: [
      "Adds a route, or replaces the one with its name.",
      "@returns the route",
      "@throws NoemaError 400 if a member is wrong, 403 if the role manage is missing, 429 if the agent already has the maximum number of routes",
    ],
    takes:
      '`{"data": {"topic", "processor", "session"?, "strings"?, "numbers"?, "time"?, "learn"?}}`, or that object alone. [MQTT](mqtt.md) explains the members.',
    returns: "The route. It gives no right: each message needs a key that may observe there.",
    request: inData(ref("NewMqttRoute")),
    answer: envelope(ref("MqttRoute")),
    example: {
      request: PUT,
      response: { id: "agent", interval: 0, message: ROUTE, status: "okay", time_stamp: 1795250628 },
    },
  },
  "DELETE /mqtt/routes/:route": {
    operationId: ["deleteMqttRoute"],
    doc: ["Deletes the route with the name, if there is one."],
    returns: '`"route-deleted"`, also if there was no such route.',
    answer: envelope(word("route-deleted", "There is no route of the name.")),
    example: {
      request: { method: "DELETE", path: "/mqtt/routes/zigbee" },
      response: { id: "agent", interval: 0, message: "route-deleted", status: "okay", time_stamp: 1795250628 },
    },
  },
};
