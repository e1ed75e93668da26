/** `GET /mqtt`: opens a connection of an MQTT client. The key comes in CONNECT, so it is unknown here. */

import { MQTT_SUBPROTOCOL, type MqttPlace, mqttRequest } from "../../rpc/transport/mqtt-upgrade";
import type { Transports } from "../../rpc/transport/transports";
import { Refusal } from "../refusal";
import { checkUpgrade } from "../streams/upgrade";

/** The path of the MQTT endpoint. */
export const MQTT_PATH = "/mqtt";

/** Its row in metrics and in the log. */
export const mqttOperation = { summary: "Opens a WebSocket over which an MQTT client publishes and subscribes." };

/** Whether a request is for the endpoint. */
export function isMqtt({ pathname }: Pick<URL, "pathname">): boolean {
  return pathname === MQTT_PATH;
}

/** The origins from which web pages may call. */
interface Origins {
  allows(origin: string): boolean;
}

/**
 * Answers with the client's end of a connection.
 *
 * @throws Refusal 405 for a method other than GET; 426, 400 or 403 as for a stream; 503 when the endpoint is unreachable
 */
export async function openMqtt(
  request: Request,
  url: URL,
  place: MqttPlace,
  parts: { readonly transports: Pick<Transports, "mqtt">; readonly origins: Origins },
): Promise<WebSocket> {
  if (request.method !== "GET") {
    const message = `the method ${request.method} is not known at ${JSON.stringify(MQTT_PATH)}; accepted: GET`;
    throw new Refusal(405, message, { allow: "GET" });
  }
  checkUpgrade(request, url, parts.origins, MQTT_SUBPROTOCOL);
  let response: Response;
  try {
    response = await parts.transports.mqtt(place.agent).fetch(mqttRequest(place));
  } catch (error) {
    console.error(`the MQTT endpoint could not be reached: ${error}`);
    throw new Refusal(503, "the MQTT endpoint cannot be reached; try again in 5 s", { retryAfterS: 5 });
  }
  if (response.webSocket !== null) return response.webSocket;
  throw new Refusal(503, "the server stops: connect again in a few seconds", { retryAfterS: 2 });
}
