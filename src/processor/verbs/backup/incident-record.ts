/** Converts stored and running incidents to lines of a backup, and back with checks. */

import type { IncidentRecord, SeenEvent } from "../../../gen/plain";
import { nameRefusal } from "../../../text/chosen-names";
import { excerpt } from "../../../text/excerpt";
import { thresholdOf } from "../../incidents/daily-threshold";
import { evidenceUnits } from "../../incidents/evidence";
import { checkSymbols } from "../../input/gdf-input";
import { Fault } from "../../ports/fault";
import {
  type IncidentRow,
  MAX_CAUSES,
  MAX_EVIDENCE,
  MAX_NOTE,
  type RunningIncident,
  VERDICTS,
  type Verdict,
} from "../../ports/incident";

/** What a memory knows of a running incident. */
export type RunningRecord = Omit<RunningIncident, "units">;

/** An incident as a line. */
export function incidentRecord(row: IncidentRow): IncidentRecord {
  const { evidence, isLearned, isRunning, thresholds, verdict = "", ...incident } = row;
  return { incident: { ...incident, verdict }, learned: isLearned, running: isRunning, evidence, thresholds };
}

/** A running incident as a record. */
export function runningRecord({ units: _, ...lasting }: RunningIncident): RunningRecord {
  return lasting;
}

/**
 * The incident of a line.
 *
 * @param most the greatest id allowed
 * @throws Fault `invalid` naming the wrong value and the accepted ones
 */
export function incidentFrom(record: IncidentRecord, most: number): IncidentRow {
  const { incident, learned, running, evidence, thresholds } = record;
  if (incident === undefined) throw new Fault("invalid", "the line of an incident must have its incident");
  const { alert, session, verdict, note, interval, from, ...progress } = incident;
  const name = `the incident ${excerpt(incident.id)}`;
  const refusal = nameRefusal(alert) ?? (session === "" ? undefined : nameRefusal(session));
  if (refusal !== undefined) throw new Fault("invalid", `${name} must name alert and session by ${refusal}`);
  if (verdict !== "" && !VERDICTS.some((one) => one === verdict)) {
    throw new Fault(
      "invalid",
      `the verdict of ${name} must be empty or one of ${VERDICTS.join(", ")}, got ${excerpt(verdict)}`,
    );
  }
  if (note.length > MAX_NOTE)
    throw new Fault("invalid", `the note of ${name} must have at most ${MAX_NOTE} characters`);
  const wrong = thresholds.find(({ numbers }) => thresholdOf(numbers) === undefined);
  if (wrong !== undefined) throw new Fault("invalid", `the thresholds of ${name} must be lists of 9 numbers`);
  return {
    ...checkProgress(progress, most, name),
    alert,
    session,
    verdict: verdict === "" ? undefined : (verdict as Verdict),
    note,
    interval: checkNumber(interval, `the interval of ${name}`),
    from: checkNumber(from, `from of ${name}`),
    isLearned: learned,
    isRunning: running,
    evidence: checkSeen(evidence, name),
    thresholds: thresholds.map(({ alert: number, numbers }) => ({ alert: number, numbers: [...numbers] })),
  };
}

/** The running incident of a record. @throws Fault as {@link incidentFrom} */
export function runningFrom({ alert, last, first, worst, ...progress }: RunningRecord): RunningIncident {
  const name = `the lasting incident ${excerpt(progress.id)}`;
  const seen = { first: checkSeen(first, name), worst: checkSeen(worst, name) };
  return {
    ...checkProgress(progress, Number.MAX_SAFE_INTEGER, name),
    alert: checkNumber(alert, `the alert of ${name}`),
    last: checkNumber(last, `the last interval of ${name}`),
    ...seen,
    // The row may hold as much again, but an incident that ends within ten events needs no more.
    units: evidenceUnits([...seen.first, ...seen.worst]),
  };
}

type Progress = Pick<IncidentRow, "bits" | "causes" | "events" | "expected" | "id" | "to">;

function checkProgress({ id, bits, causes, events, expected, to }: Progress, most: number, name: string): Progress {
  if (!Number.isSafeInteger(id) || id < 1 || id > most) {
    throw new Fault("invalid", `the id of ${name} must be a whole number from 1 to ${most}`);
  }
  if (causes.length > MAX_CAUSES) throw new Fault("invalid", `${name} must have at most ${MAX_CAUSES} causes`);
  checkSymbols(
    [...causes, ...expected].map(({ symbol }) => symbol),
    `a symbol of ${name}`,
  );
  return {
    id,
    bits: checkNumber(bits, `the bits of ${name}`),
    causes: causes.map(({ symbol, bits: part }) => ({ symbol, bits: checkNumber(part, `a cause of ${name}`) })),
    events: checkNumber(events, `the events of ${name}`),
    expected: expected.map(({ symbol, probability }) => {
      return { symbol, probability: checkNumber(probability, `a probability of ${name}`) };
    }),
    to: checkNumber(to, `to of ${name}`),
  };
}

function checkSeen(events: readonly SeenEvent[], name: string): SeenEvent[] {
  const checked = events.map(({ bits, interval, symbols, time }) => ({
    ...(interval === undefined ? {} : { interval: checkNumber(interval, `an interval of ${name}`) }),
    ...(time === undefined ? {} : { time: checkNumber(time, `a time of ${name}`) }),
    ...(bits === undefined ? {} : { bits: checkNumber(bits, `bits of ${name}`) }),
    symbols: checkSymbols(symbols, `a symbol of ${name}`),
  }));
  if (evidenceUnits(checked) <= 2 * MAX_EVIDENCE) return checked;
  throw new Fault("invalid", `${name} has more evidence than is kept of an incident`);
}

/** @throws Fault `invalid` for anything but a number of 0 or more */
function checkNumber(value: number, what: string): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Fault("invalid", `${what} must be a number of 0 or more, got ${excerpt(value)}`);
}
