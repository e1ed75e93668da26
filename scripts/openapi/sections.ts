/**
 * The table of operations in sections, as documents show it, and the entry of each row. Knows no particular document.
 */

import { absentOperations } from "../../src/gateway/operations/absent";
import { backupOperations } from "../../src/gateway/operations/backup";
import {
  explainingOperations,
  observingOperations,
  predictingOperations,
  sessionOperations,
} from "../../src/gateway/operations/core";
import { encoderOperations } from "../../src/gateway/operations/encoders";
import { incidentOperations } from "../../src/gateway/operations/incidents";
import { gatewayOperations, inspectionOperations } from "../../src/gateway/operations/inspection";
import { keyOperations } from "../../src/gateway/operations/keys";
import { baseOperations, modelOperations, symbolOperations } from "../../src/gateway/operations/knowledge";
import { geneOperations, modeOperations } from "../../src/gateway/operations/mode";
import { mqttRouteOperations } from "../../src/gateway/operations/mqtt-routes";
import type { Operation } from "../../src/gateway/operations/operation";
import { alertOperations, watchingOperations } from "../../src/gateway/operations/watching";
import type { Entry } from "./reference/entry";
import { reference } from "./reference/page";

/** Rows that belong together. */
interface Section {
  readonly title: string;
  /** What its operations are for, in one sentence. */
  readonly description: string;
  readonly rows: readonly Operation[];
}

/** All sections. Together they are the table. */
export const sections: readonly Section[] = [
  {
    title: "Observing and learning",
    description: "What a device calls all the time.",
    rows: observingOperations,
  },
  {
    title: "Predicting",
    description:
      "What comes next, how likely it is, and how unusual a sequence would be: [predictions.md](predictions.md), [forecast.md](forecast.md).",
    rows: predictingOperations,
  },
  {
    title: "Explaining",
    description: "What the numbers of predictions, forecasts and surprises are computed from.",
    rows: explainingOperations,
  },
  {
    title: "Sessions",
    description: "The memories of many devices that share what a processor has learned.",
    rows: sessionOperations,
  },
  {
    title: "Gateway and agent",
    description: "Whether the server runs, and which processors an agent has.",
    rows: gatewayOperations,
  },
  {
    title: "Keys",
    description: "Keys with some rights, which an agent issues.",
    rows: keyOperations,
  },
  {
    title: "Keeping",
    description: "Whole agents as files: [Keeping and moving agents](backup.md).",
    rows: backupOperations,
  },
  {
    title: "MQTT",
    description: "Which messages of MQTT become records: [mqtt.md](mqtt.md).",
    rows: mqttRouteOperations,
  },
  { title: "Watching", description: "What operators ask of a deployment.", rows: watchingOperations },
  { title: "Processor", description: "What a processor tells about itself.", rows: inspectionOperations },
  {
    title: "Flags and target class",
    description: "Whether a processor predicts, learns by itself and observes, and what it predicts.",
    rows: modeOperations,
  },
  { title: "Genes", description: "The settings of a processor.", rows: geneOperations },
  {
    title: "Encoders",
    description:
      "What turns the numbers of records, and the time of events, into symbols: [Numbers](numbers.md), [Time](time.md).",
    rows: encoderOperations,
  },
  {
    title: "Alerts",
    description: "Webhooks that a processor calls when something happens: [Alerts](alerts.md).",
    rows: alertOperations,
  },
  {
    title: "Incidents",
    description: "What stood out, kept with its evidence: [incidents.md](incidents.md).",
    rows: incidentOperations,
  },
  { title: "Models", description: "What a processor has learned, model by model.", rows: modelOperations },
  {
    title: "Symbols, vectors, blacklist",
    description: "What models are made of, and what observations leave out.",
    rows: symbolOperations,
  },
  { title: "Knowledge base", description: "All that a processor has learned, as one file.", rows: baseOperations },
  {
    title: "What this service does not have",
    description: "Calls of the original agent's client that always fail here.",
    rows: absentOperations,
  },
];

/** The name of a row: its methods and its path. */
export function rowName({ methods, path }: Operation): string {
  return `${methods.join(", ")} ${path}`;
}

/** What the documents say of a row. Throws Error when the reference has no entry for it. */
export function entryOf(row: Operation): Entry {
  const entry = reference[rowName(row)];
  if (entry === undefined) {
    throw new Error(
      `${rowName(row)} has no entry in scripts/openapi/reference; write one in the file of the same name as its row's`,
    );
  }
  return entry;
}
