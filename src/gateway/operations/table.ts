/** THE TABLE: every operation of the HTTP interface. Rows that stand earlier win. */

import { absentOperations } from "./absent";
import { coreOperations } from "./core";
import { gatewayOperations, inspectionOperations } from "./inspection";
import { baseOperations, modelOperations, symbolOperations } from "./knowledge";
import { geneOperations, modeOperations } from "./mode";
import type { Operation } from "./operation";

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
