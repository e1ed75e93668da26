/** The rows by which operators watch the deployment. */

import { refuseUnknown } from "../decode/value";
import type { RequestContext } from "../request-context";
import { PROMETHEUS_TYPE, prometheusText } from "../watching/prometheus";
import { decodeNothing, type Operation } from "./operation";

/** Answers with the metrics of this isolate. */
async function metrics(context: RequestContext): Promise<string> {
  const body = await context.body();
  decodeNothing(body);
  refuseUnknown(body);
  return prometheusText();
}

/** What operators ask. */
export const watchingOperations: readonly Operation[] = [
  {
    methods: ["GET"],
    path: "/metrics",
    roles: ["read"],
    rpcs: [],
    isOwn: true,
    mediaType: PROMETHEUS_TYPE,
    answer: metrics,
    summary: "Returns what this server has counted since it started, as Prometheus reads it; asks no processor.",
  },
];
