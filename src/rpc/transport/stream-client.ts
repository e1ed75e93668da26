/** The gateway's half of opening a stream: asks an object for a WebSocket. */

import { Code, ConnectError } from "@connectrpc/connect";
import { type ObjectName, storageFailure } from "./storage-failure";
import { type StreamPlace, streamRequest } from "./stream-upgrade";
import { errorFromReply } from "./unary-transport";

/** An object that answers a request with a WebSocket. */
export interface StreamObject {
  fetch(request: Request): Promise<Response>;
}

/**
 * Opens a stream at an object.
 *
 * @param called the object's name, for the log
 * @throws ConnectError as the object refuses it, or `Unavailable` when the object cannot be reached
 */
export async function openStreamAt(
  object: StreamObject,
  called: () => ObjectName,
  place: StreamPlace,
): Promise<WebSocket> {
  let response: Response;
  try {
    response = await object.fetch(streamRequest(place));
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    const lost = new ConnectError("the object was lost before the stream was open; try again", Code.Unavailable);
    throw (await storageFailure(error, called)) ?? lost;
  }
  if (response.webSocket !== null) return response.webSocket;
  throw errorFromReply(await response.text());
}
