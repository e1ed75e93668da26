/** Schemas of the routes of MQTT. */

import { MqttRouteSchema } from "../../../../src/gen/noema/v1/route_service_pb";
import { answered, asked } from "../../from-contract";
import { byName, ref, type Schemas } from "./schema";

const WITHOUT_NAME = { without: ["name"] };

/** By name. */
export const mqttRouteSchemas: Schemas = {
  MqttRoute: answered(MqttRouteSchema, WITHOUT_NAME),
  NewMqttRoute: asked(MqttRouteSchema, WITHOUT_NAME),
  MqttRoutes: byName("Routes by name.", ref("MqttRoute")),
};
