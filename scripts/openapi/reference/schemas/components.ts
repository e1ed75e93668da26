/** All schemas that have names. */

import { agentSchemas } from "./agent";
import { alertSchemas } from "./alert";
import { envelopeSchemas } from "./envelope";
import { explanationSchemas } from "./explanation";
import { forecastSchemas } from "./forecast";
import { geneSchemas } from "./gene";
import { incidentSchemas } from "./incident";
import { keySchemas } from "./key";
import { knowledgeSchemas } from "./knowledge";
import { listSchemas } from "./list-page";
import { memorySchemas } from "./memory";
import { mqttRouteSchemas } from "./mqtt-route";
import { predictionSchemas } from "./prediction";
import type { Schemas } from "./schema";

/** By name. Genes and encoders are missing: scripts/openapi makes their schemas from the tables of genes and of kinds. */
export const schemas: Schemas = {
  ...envelopeSchemas,
  ...memorySchemas,
  ...predictionSchemas,
  ...forecastSchemas,
  ...explanationSchemas,
  ...knowledgeSchemas,
  ...listSchemas,
  ...geneSchemas,
  ...agentSchemas,
  ...keySchemas,
  ...alertSchemas,
  ...incidentSchemas,
  ...mqttRouteSchemas,
};
