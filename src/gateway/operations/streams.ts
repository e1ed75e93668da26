/** The row of streams. It answers with a WebSocket; docs/streams.md describes its messages. */

import { sourceIn } from "../streams/upgrade";
import type { Operation } from "./operation";

/** Connections that stay open. */
export const streamOperations: readonly Operation[] = [
  {
    methods: ["GET"],
    path: "/:id/stream",
    inSessions: true,
    roles: ["observe"],
    rpcs: [],
    isOwn: true,
    query: ["source"],
    opensStream: true,
    summary: "Opens a WebSocket over which a device observes, learns and hears what happens.",
    answer: (context) => context.openStream(sourceIn(context)),
  },
];
