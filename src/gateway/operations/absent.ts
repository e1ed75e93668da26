/**
 * The rows of calls that the official client makes for features that this service does not have. The envelope says
 * "failed" and why. The HTTP status is 200, because the client shows the sentence only then.
 */

import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import { Refusal } from "../refusal";
import { type HttpMethod, type Operation, processorCall } from "./operation";

function absent(method: HttpMethod, path: string, feature: string, instead: string): Operation {
  return processorCall({
    methods: [method],
    path,
    roles: [],
    rpc: InspectionService.method.ping,
    encode: ({ stamp }) => {
      throw new Refusal(200, `this processor has no ${feature}; ${instead}`, { stamp });
    },
    summary: `Fails: this service has no ${feature}.`,
  });
}

const CLUSTERS = "vectors are found by the genes classifier and near_vector_count";
const HYPOTHESES = "predictions are read with POST predictions";

/** Features that this service does not have. */
export const absentOperations: readonly Operation[] = [
  absent("POST", "/:id/snapshots/clear", "snapshots", "working memory is kept without them"),
  absent("POST", "/:id/clusters/info", "clusters of vectors", CLUSTERS),
  absent("POST", "/:id/clusters/switch", "clusters of vectors", CLUSTERS),
  absent("POST", "/:id/hypotheses/set", "hypotheses", HYPOTHESES),
  absent("POST", "/:id/hypotheses/get", "hypotheses", HYPOTHESES),
  absent("GET", "/:id/succesor/:model", "links to successors of a model", "models are read with GET model"),
];
