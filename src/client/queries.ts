/** What the queries of generated functions take, under the names that programs import. */

import type {
  AskedRecords,
  AskForecast,
  AskForecastExplanation,
  AskPredictionExplanation,
  AskSequenceSurprise,
  AskSurpriseExplanation,
} from "./gen/operations";

/** What to forecast from, how far ahead, and how much of it to return. */
export type ForecastQuery = AskForecast;

/** Which prediction to explain, and what to predict it from. */
export type PredictionExplanationQuery = AskPredictionExplanation;

/** Which probability to explain, and what it is forecast from. */
export type ForecastExplanationQuery = AskForecastExplanation;

/** The event whose surprise to explain, and the events before it. */
export type SurpriseExplanationQuery = AskSurpriseExplanation;

/** A sequence to judge as a whole, and whether it has ended. */
export type SequenceSurpriseQuery = AskSequenceSurprise;

/** Records whose symbols to compute. */
export type RecordSymbolsQuery = AskedRecords;

/** Which sessions to list. */
export interface SessionQuery {
  /** Only sessions whose names come after this one. */
  readonly after?: string;
  /** Maximum number of sessions, 1 to 1000; 100 if absent. */
  readonly limit?: number;
}

/** Which incidents to list; the filters must all hold. */
export interface IncidentQuery {
  /** An id: only older incidents. */
  readonly after?: number;
  /** Maximum number of incidents, 1 to 1000; 100 if absent. */
  readonly limit?: number;
  /** Only those of this session; empty for the processor's own memory. */
  readonly session?: string;
  /** Only those with this verdict; `open`: those without one. */
  readonly verdict?: "open" | "normal" | "fault" | "ignored";
}

/** Which events of a history to list. */
export interface HistoryQuery {
  /** An interval: only earlier events. */
  readonly before?: number;
  /** Maximum number of events, 1 to 1000; 100 if absent. */
  readonly limit?: number;
}

/** Which memories to list. */
export interface DeviceQuery {
  /** Maximum number of memories, 1 to 10000; 1000 if absent. */
  readonly limit?: number;
}

/** Which page of a list. */
export interface PageQuery {
  /** Whether the smallest or the greatest comes first; `desc` if absent. */
  readonly direction?: "asc" | "desc";
  /** The `next` or `previous` of another page in the same order; the first page if absent. */
  readonly cursor?: string;
  /** Maximum number of rows, 1 to 500; 50 if absent. */
  readonly limit?: number;
}

/** Filters for models, which must all hold. */
export interface ModelListQuery extends PageQuery {
  /** What to sort by; `order`, the order of learning, if absent. */
  readonly sort?: "order" | "learned_at" | "frequency" | "length" | "name";
  /** Prefix of the hash. */
  readonly name?: string;
  /** Symbols that a model holds, all of them. */
  readonly symbols?: readonly string[];
  /** Regular expressions as for Python's `re`. Each must match a whole symbol of the model. */
  readonly patterns?: readonly string[];
}

/** Filters for symbols, which must all hold. */
export interface SymbolListQuery extends PageQuery {
  /** What to sort by; `frequency` if absent. */
  readonly sort?: "frequency" | "model_member_frequency" | "name";
  /** Prefix of the symbol. */
  readonly name?: string;
  /** Regular expressions as for Python's `re`. Each must match the whole symbol. */
  readonly patterns?: readonly string[];
}

/** Which learned vectors to list. */
export interface VectorListQuery extends PageQuery {
  /** What to sort by; `order`, the order of learning, if absent. */
  readonly sort?: "order" | "frequency" | "name";
  /** Prefix of the hash. */
  readonly name?: string;
}
