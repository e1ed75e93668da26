/**
 * How the gateway hands a WebSocket over to a processor's object: the request's headers, and the header
 * that describes the stream.
 */

/** The subprotocol of streams. */
export const SUBPROTOCOL = "noema.v1";

/** The stream that the gateway requests. */
export interface StreamPlace {
  /** The friendly name that the client used for the processor, if it used one. */
  readonly calledName?: string | undefined;
  /** The session whose memory the stream is about; empty for the processor's own memory. */
  readonly session: string;
  /** The client's name for its frames, so that each is accepted once; absent for none. */
  readonly source?: string | undefined;
  /** The roles of the key, which decide what frames may do in addition to observing; everything if absent. */
  readonly rights?: readonly string[] | undefined;
  /** The identifier of an issued key: the stream ends when the key is removed. */
  readonly keyId?: string | undefined;
}

const HEADER = "x-noema-stream";

/** The request that opens a stream at an object. */
export function streamRequest(place: StreamPlace): Request {
  const headers = { upgrade: "websocket", [HEADER]: encodeURIComponent(JSON.stringify(place)) };
  // The address is never resolved.
  return new Request("https://object/stream", { headers });
}

/** The stream that a request opens; `undefined` for any other request. */
export function placeIn({ headers }: Request): StreamPlace | undefined {
  const header = headers.get(HEADER);
  return header === null ? undefined : (JSON.parse(decodeURIComponent(header)) as StreamPlace);
}
