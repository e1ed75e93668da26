/** How the gateway hands a WebSocket of an MQTT client over to the object that has the agent's connections. */

/** The subprotocol of MQTT (MQTT 5, section 6). */
export const MQTT_SUBPROTOCOL = "mqtt";

/** Where a connection leads. */
export interface MqttPlace {
  readonly agent: string;
  /** The host that the client has called, without a port. */
  readonly host: string;
}

const HEADER = "x-noema-mqtt";

/** The request that opens a connection at an object. */
export function mqttRequest(place: MqttPlace): Request {
  const headers = { upgrade: "websocket", [HEADER]: encodeURIComponent(JSON.stringify(place)) };
  // The address is never resolved.
  return new Request("https://object/mqtt", { headers });
}

/** What a request says of the connection that it opens; `undefined` for any other request. */
export function mqttPlaceIn({ headers }: Request): MqttPlace | undefined {
  const header = headers.get(HEADER);
  return header === null ? undefined : (JSON.parse(decodeURIComponent(header)) as MqttPlace);
}
