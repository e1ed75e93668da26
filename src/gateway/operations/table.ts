/** THE TABLE: every operation of the HTTP interface. If two rows fit a request, the earlier one answers. */

import { absentOperations } from "./absent";
import { backupOperations } from "./backup";
import { explainingOperations, observingOperations, predictingOperations, sessionOperations } from "./core";
import { encoderOperations } from "./encoders";
import { incidentOperations } from "./incidents";
import { gatewayOperations, inspectionOperations } from "./inspection";
import { keyOperations } from "./keys";
import { baseOperations, modelOperations, symbolOperations } from "./knowledge";
import { geneOperations, modeOperations } from "./mode";
import { mqttRouteOperations } from "./mqtt-routes";
import type { Operation } from "./operation";
import { alertOperations, watchingOperations } from "./watching";

/** All operations. The busiest come first, because the router tries the rows in this order. */
export const operations: readonly Operation[] = [
  ...observingOperations,
  ...predictingOperations,
  ...explainingOperations,
  ...sessionOperations,
  ...gatewayOperations,
  ...keyOperations,
  ...backupOperations,
  ...mqttRouteOperations,
  ...watchingOperations,
  ...inspectionOperations,
  ...modeOperations,
  ...geneOperations,
  ...encoderOperations,
  ...alertOperations,
  ...incidentOperations,
  ...modelOperations,
  ...symbolOperations,
  ...baseOperations,
  ...absentOperations,
];
