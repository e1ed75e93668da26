/** How the gateway hands an MQTT client's WebSocket over to the object with the agent's connections. */

/** The subprotocol of MQTT (MQTT 5, section 6). */
export const MQTT_SUBPROTOCOL = "mqtt";

/** The destination of a connection. */
export interface MqttPlace {
  readonly agent: string;
  /** The host that the client connected to, without a port. */
  readonly host: string;
}

const HEADER = "x-noema-mqtt";

/** The request that opens a connection at an object. */
export function mqttRequest(place: MqttPlace): Request {
  const headers = { upgrade: "websocket", [HEADER]: encodeURIComponent(JSON.stringify(place)) };
  // The address is never resolved.
  return new Request("https://object/mqtt", { headers });
}

/** The connection that a request opens; `undefined` for any other request. */
export function mqttPlaceIn({ headers }: Request): MqttPlace | undefined {
  const header = headers.get(HEADER);
  return header === null ? undefined : (JSON.parse(decodeURIComponent(header)) as MqttPlace);
}
