/** The types of incidents: events of one memory that passed one alert close together, kept with their evidence. */

import { JudgeIncidentRequest } from "../../gen/limits";
import type { Cause, ExpectedSymbol, SeenEvent } from "../../gen/plain";

/** Maximum number of incidents of a processor; beyond it the oldest is overwritten. */
export const MAX_INCIDENTS = 10_000;

/** Events of a memory that pass an alert are one incident if their intervals differ by less than this. */
export const INTERVALS_APART = 10;

/** Maximum number of symbols listed as causes of a surprise. */
export const MAX_CAUSES = 20;

/** Maximum size of an incident's evidence, in UTF-16 units of symbols and {@link EVENT_UNITS} an event. */
export const MAX_EVIDENCE = 16_384;

/** Maximum length of a note, in UTF-16 units. */
export const MAX_NOTE = JudgeIncidentRequest.note.longest;

/** Size of an event without its symbols, as counted in {@link MAX_EVIDENCE}. */
export const EVENT_UNITS = 64;

/** A person's verdict on an incident. */
export const VERDICTS = ["normal", "fault", "ignored"] as const;

/** One of {@link VERDICTS}. */
export type Verdict = (typeof VERDICTS)[number];

/** What changes while an incident lasts. */
export interface IncidentProgress {
  /** Number of events that passed, 1 or more. */
  events: number;
  /** Epoch seconds of the last of them. */
  to: number;
  /** Bits of the worst event. */
  bits: number;
  /** The symbols of the worst event, most bits first; at most {@link MAX_CAUSES}. */
  causes: Cause[];
  /** What was expected instead of the worst event. */
  expected: ExpectedSymbol[];
}

/**
 * A running incident, as its memory keeps it: what happened since the incident began. What came before stands in the
 * incident's row.
 */
export interface RunningIncident extends IncidentProgress {
  id: number;
  /** The alert's number. */
  alert: number;
  /** The interval of the last event that passed. */
  last: number;
  /** The events from the first passing one until ten have passed, in order, including those that did not pass. */
  first: SeenEvent[];
  /** The most surprising of the later ones that passed, in order. */
  worst: SeenEvent[];
  /** The size of its evidence together with its row's, as counted in {@link MAX_EVIDENCE}. */
  units: number;
}

/** A stored incident. While {@link isRunning}, its memory may know more. */
export interface IncidentRow extends IncidentProgress {
  /** 1 or more; greater is newer; never reused. */
  id: number;
  /** The alert's name when it began. */
  alert: string;
  /** Empty for the processor's own memory. */
  session: string;
  /** `undefined` until a person says one. */
  verdict: Verdict | undefined;
  /** Empty when there is none. */
  note: string;
  /** Whether it was ever judged normal, and learned. */
  isLearned: boolean;
  isRunning: boolean;
  /** Epoch seconds of the first event. */
  from: number;
  /** The time of the memory at the first event. */
  interval: number;
  /** Up to ten events before the first, the first, and later ones, in order. */
  evidence: SeenEvent[];
  /** The thresholds of all self-adjusting alerts when it began, as their trackers store them. */
  thresholds: KeptThreshold[];
}

/** An incident as notices and streams show it; the members are named as in the interface. */
export interface ShownIncident {
  bits: number;
  causes: Cause[];
  events: number;
  expected: ExpectedSymbol[];
  from: number;
  id: number;
  to: number;
}

/** An incident without what only its own page shows. */
export type IncidentSummary = Omit<IncidentRow, "evidence" | "thresholds">;

/** The incidents of one memory, counted. */
export interface MemoryIncidents {
  /** Empty for the processor's own memory. */
  session: string;
  /** Number of incidents without a verdict. */
  open: number;
  /** Bits of the worst event of its newest incident. */
  bits: number;
  /** Epoch seconds of the last event of that incident. */
  time: number;
}

/** Selects incidents. */
export interface IncidentFilter {
  /** Only those with lesser ids. */
  before?: number | undefined;
  /** Only those of this memory. */
  session?: string | undefined;
  verdict?: Verdict | "open" | undefined;
}

/** The state of a self-adjusting threshold, with the number of its alert. */
export interface KeptThreshold {
  alert: number;
  /** The members of `DailyThreshold`, in their order. */
  numbers: number[];
}

/** Selects memories. */
export interface DevicesAsked {
  /** Maximum number of memories, 1 or more. */
  readonly limit: number;
  /** Names of sessions, or prefixes that end with an asterisk; all memories if empty. */
  readonly sessions: readonly string[];
}
