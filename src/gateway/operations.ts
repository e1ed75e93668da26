/** THE TABLE: every operation of the HTTP interface. Rows that stand earlier win. */

import type { Operation } from "./operation";
import { absentOperations } from "./operations-absent";
import { coreOperations } from "./operations-core";
import { gatewayOperations, inspectionOperations } from "./operations-inspection";
import { baseOperations, modelOperations, symbolOperations } from "./operations-knowledge";
import { geneOperations, modeOperations } from "./operations-mode";

/** All operations; the hot ones first, because the router tries them in this order. */
export const operations: readonly Operation[] = [
  ...coreOperations,
  ...gatewayOperations,
  ...inspectionOperations,
  ...modeOperations,
  ...geneOperations,
  ...modelOperations,
  ...symbolOperations,
  ...baseOperations,
  ...absentOperations,
];
