/**
 * Reports why streams broke off. When a disk is full, the object is lost together with a frame's changes, and the
 * runtime ends its streams without a reason. So the next stream to open checks the disk, and is closed with the reason.
 */

import { SUBPROTOCOL } from "../../rpc/transport/stream-upgrade";
import { CLOSE } from "./link";

/** At most 123 bytes. */
const FULL = "the disk of the server is full: nothing is accepted until there is room";

/**
 * Opens a stream; if every frame would break it again, opens one that is closed at once with the reason.
 *
 * @param hasRoom whether there is room on the disk
 * @param open opens it
 */
export async function openedWithRoom(hasRoom: Promise<boolean>, open: () => Response): Promise<Response> {
  if (await hasRoom) return open();
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.close(CLOSE.overload, FULL);
  return new Response(null, { status: 101, webSocket: client, headers: { "sec-websocket-protocol": SUBPROTOCOL } });
}
