/** The types of incidents: events of one memory that passed one alert close together, kept with their evidence. */

import type { ExpectedSymbol } from "./expected-symbol";

/** Maximum number of incidents of a processor; beyond it the oldest is overwritten. */
export const MOST_INCIDENTS = 10_000;

/** Events of a memory that pass an alert are one incident if their intervals differ by less than this. */
export const APART = 10;

/** Maximum number of symbols that say why an event was a surprise. */
export const MOST_CAUSES = 20;

/** Maximum size of an incident's evidence, in UTF-16 units of symbols and {@link EVENT_UNITS} an event. */
export const MOST_EVIDENCE = 16_384;

/** The longest note, in UTF-16 units. */
export const MOST_NOTE = 1_000;

/** What an event counts towards {@link MOST_EVIDENCE} in addition to its symbols. */
export const EVENT_UNITS = 64;

/** What a person says of an incident. */
export const VERDICTS = ["normal", "fault", "ignored"] as const;

/** One of them. */
export type Verdict = (typeof VERDICTS)[number];

/** A symbol of an event, and its part of the event's bits. */
export interface Cause {
  symbol: string;
  /** -log2 of its factor in the event's probability. */
  bits: number;
}

/** An event of a memory, as it is kept to look at. */
export interface SeenEvent {
  /** The time of the memory; `undefined` for an event of working memory of which only the order is known. */
  interval?: number | undefined;
  /** Epoch seconds; `undefined` where it is not known. */
  time?: number | undefined;
  /** How unexpected it was; `undefined` where that was not computed. */
  bits?: number | undefined;
  symbols: string[];
}

/** What changes while an incident lasts. */
export interface IncidentProgress {
  /** Number of events that passed, 1 or more. */
  events: number;
  /** Epoch seconds of the last of them. */
  to: number;
  /** Bits of the worst of them. */
  bits: number;
  /** The symbols of the worst, most bits first; at most {@link MOST_CAUSES}. */
  causes: Cause[];
  /** What was expected in the place of the worst. */
  expected: ExpectedSymbol[];
}

/**
 * An incident that lasts, as its memory keeps it. What it has seen since the incident began stands here; the row of the
 * incident has what came before.
 */
export interface RunningIncident extends IncidentProgress {
  id: number;
  /** The number of its alert. */
  alert: number;
  /** The interval of the last event that passed. */
  last: number;
  /** The events since the first until ten have passed, in order, whether they passed or not. */
  first: SeenEvent[];
  /** The most surprising of those that passed later, in order. */
  worst: SeenEvent[];
  /** The size of its evidence with that of its row, as {@link MOST_EVIDENCE} counts it. */
  units: number;
}

/** A stored incident. While {@link isRunning}, its memory may know more. */
export interface IncidentRow extends IncidentProgress {
  /** 1 or more; greater is newer; never used again. */
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
  /** The thresholds of all alerts that choose theirs when it began, as their trackers keep them. */
  thresholds: KeptThreshold[];
}

/** An incident as those see it who are told of it; the members are named as in the interface. */
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
  /** How many have no verdict. */
  open: number;
  /** Bits of the worst event of its newest incident. */
  bits: number;
  /** Epoch seconds of the last event of that incident. */
  time: number;
}

/** Which incidents are wanted. */
export interface IncidentFilter {
  /** Only those with lesser ids. */
  before?: number | undefined;
  /** Only those of this memory. */
  session?: string | undefined;
  verdict?: Verdict | "open" | undefined;
}

/** The state of a threshold that follows what is observed, with the number of its alert. */
export interface KeptThreshold {
  alert: number;
  /** The members of `DailyThreshold`, in their order. */
  numbers: number[];
}

/** A memory that has observed. */
export interface Device {
  /** Empty for the processor's own memory. */
  session: string;
  /** How many incidents have no verdict. */
  incidents: number;
  /** Epoch seconds. */
  lastObserved: number;
  /** Of the newest incident that is kept; `undefined` when there is none. */
  lastSurprise: { bits: number; time: number } | undefined;
  silent: boolean;
}

/** Which memories are wanted. */
export interface DevicesAsked {
  /** The most, 1 or more. */
  readonly limit: number;
  /** Only sessions of these names, or that begin with one, where it ends with an asterisk; all memories when empty. */
  readonly sessions: readonly string[];
}
