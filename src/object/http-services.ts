/** Services over HTTP, as Connect and gRPC-Web, for streams and for callers that are not of this deployment. */

import { type ConnectRouter, createConnectRouter } from "@connectrpc/connect";
import {
  type UniversalHandler,
  universalServerRequestFromFetch,
  universalServerResponseToFetch,
} from "@connectrpc/connect/protocol";

/** Answers the calls of registered services. */
export class HttpServices {
  readonly #handlers: ReadonlyMap<string, UniversalHandler>;

  /** @param register registers the services */
  constructor(register: (router: ConnectRouter) => void) {
    // Plain gRPC needs HTTP/2 trailers, which never reach an object.
    const router = createConnectRouter({ grpc: false });
    register(router);
    this.#handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  }

  /** Answers one request; a path that no service has gets 404. */
  async handle(request: Request): Promise<Response> {
    const handler = this.#handlers.get(new URL(request.url).pathname);
    if (handler === undefined) {
      // An unread body breaks the connection for the request that follows.
      await request.arrayBuffer();
      return new Response(null, { status: 404 });
    }
    return universalServerResponseToFetch(await handler(universalServerRequestFromFetch(request, {})));
  }
}
