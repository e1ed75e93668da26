/** The recorded and the generated examples. */

import generated from "../../conformance/generated.json";
import recorded from "../../conformance/recorded.json";
import type { Precision } from "./expectation";

/** One request, and what its answer must be. */
export interface Step {
  method: string;
  path: string;
  body?: unknown;
  /** The HTTP status; 200 when absent. */
  http?: number;
  /** The envelope's message, whole. */
  message?: unknown;
  /** Only these members of the message. */
  subset?: Record<string, unknown>;
  interval?: number;
  status?: string;
  /** Set where the order of the predictions is not determined. */
  ties?: boolean;
}

/** Steps that start on a processor as its genome makes it. */
export interface Example {
  id: string;
  genome: string;
  compare: Precision;
  steps: Step[];
}

/** All examples. */
export const EXAMPLES = [...recorded.cases, ...generated.cases] as Example[];
