/** What the reference says of the rows in src/gateway/operations/absent.ts: features that this service does not have. */

import type { Reference } from "./entry";
import { ref } from "./schemas/schema";

/** By row. */
export const absentReference: Reference = {
  "POST /:id/snapshots/clear": {
    operationId: ["clearSnapshots"],
    returns: "Always a failure; the HTTP status is 200.",
    answer: ref("Failure"),
    example: {
      request: { method: "POST", path: "/p46b6b076c/snapshots/clear" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "this processor has no snapshots; working memory is kept without them",
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/clusters/info": {
    operationId: ["getClusters"],
    returns: "Always a failure; the HTTP status is 200.",
    answer: ref("Failure"),
    example: {
      request: { method: "POST", path: "/p46b6b076c/clusters/info" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message:
          "this processor has no clusters of vectors; vectors are found by the genes classifier and near_vector_count",
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/clusters/switch": {
    operationId: ["switchClusters"],
    returns: "Always a failure; the HTTP status is 200.",
    answer: ref("Failure"),
    example: {
      request: { method: "POST", path: "/p46b6b076c/clusters/switch" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message:
          "this processor has no clusters of vectors; vectors are found by the genes classifier and near_vector_count",
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/hypotheses/set": {
    operationId: ["setHypotheses"],
    returns: "Always a failure; the HTTP status is 200.",
    answer: ref("Failure"),
    example: {
      request: { method: "POST", path: "/p46b6b076c/hypotheses/set" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "this processor has no hypotheses; predictions are read with POST predictions",
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
  "POST /:id/hypotheses/get": {
    operationId: ["getHypotheses"],
    returns: "Always a failure; the HTTP status is 200.",
    answer: ref("Failure"),
    example: {
      request: { method: "POST", path: "/p46b6b076c/hypotheses/get" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "this processor has no hypotheses; predictions are read with POST predictions",
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
  "GET /:id/succesor/:model": {
    operationId: ["getSuccessor"],
    returns: "Always a failure; the HTTP status is 200.",
    answer: ref("Failure"),
    example: {
      request: { method: "GET", path: "/p46b6b076c/succesor/dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "this processor has no links to successors of a model; models are read with GET model",
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
};
