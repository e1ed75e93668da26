/**
 * Budgets for the work of one request, for open exports and for running calls. One thread serves every processor of an
 * isolate, so unbounded work would block them all. The work of a request is known in advance, or counted in steps that
 * depend only on knowledge and memory, never on a clock; the number of running calls depends on their duration.
 */

import { excerpt } from "./excerpt";

/** A budget: its default, the values that the variable accepts, and the variable's name. */
interface Budget {
  readonly variable: string;
  readonly standard: number;
  readonly most: number;
}

/** All budgets. docs/limits-of-a-request.md and the other pages of limits describe each. */
export const BUDGETS = {
  /** Maximum number of deliveries that one observe can cause, across all processors. */
  deliveries: { variable: "NOEMA_DELIVERIES", standard: 256, most: 1_000_000 },
  /** Maximum number of symbols in working memory. */
  memorySymbols: { variable: "NOEMA_MEMORY_SYMBOLS", standard: 100_000, most: 1_000_000 },
  /**
   * Maximum size of one memory in bytes: events and waiting vectors, as a backup writes them. A backup's line of 24 MiB
   * must hold them with the last observation and the numbers of sources, which limits the value.
   */
  memoryBytes: { variable: "NOEMA_MEMORY_BYTES", standard: 12_000_000, most: 12_000_000 },
  /**
   * Stored bytes at which a processor stops observing: sessions, memories and models together. The
   * platform's limit is 10 GB.
   */
  storageBytes: { variable: "NOEMA_STORAGE_BYTES", standard: 8_000_000_000, most: 1_000_000_000_000_000 },
  /** Maximum number of records in one sequence. */
  sequenceRecords: { variable: "NOEMA_SEQUENCE_RECORDS", standard: 50_000, most: 1_000_000 },
  /**
   * Maximum number of steps for matching models with memory in one request, plus some for each
   * model; a few nanoseconds each.
   */
  matchingSteps: { variable: "NOEMA_MATCHING_STEPS", standard: 75_000_000, most: 4_000_000_000 },
  /** Maximum number of steps for comparing patterns with symbols in one request; at most a hundred nanoseconds each. */
  patternSteps: { variable: "NOEMA_PATTERN_STEPS", standard: 10_000_000, most: 4_000_000_000 },
  /** Maximum number of sessions of one processor. */
  sessions: { variable: "NOEMA_SESSIONS", standard: 100_000, most: 1_000_000 },
  /** Maximum memory of the sessions of one processor, in bytes; beyond it, the least recently used ones are evicted. */
  sessionBytes: { variable: "NOEMA_SESSION_BYTES", standard: 8_000_000, most: 1_000_000_000 },
  /** Maximum number of parts of one processor. */
  parts: { variable: "NOEMA_PARTS", standard: 64, most: 64 },
  /** Maximum number of issued keys of one agent. */
  keys: { variable: "NOEMA_KEYS", standard: 1_000, most: 10_000 },
  /** Maximum size of the changed rows that all open exports in an isolate keep, in bytes. */
  exportBytes: { variable: "NOEMA_EXPORT_BYTES", standard: 8_000_000, most: 1_000_000_000 },
  /** Total expected time of the running calls of one processor, in milliseconds. */
  processorWaitMs: { variable: "NOEMA_PROCESSOR_WAIT_MS", standard: 200, most: 60_000 },
  /** Total expected time of the running calls of all processors, in milliseconds. */
  serverWaitMs: { variable: "NOEMA_SERVER_WAIT_MS", standard: 300, most: 60_000 },
  /** Number of calls that may run even if they exceed the two times above, up to 2.5 s in total. */
  burstCalls: { variable: "NOEMA_BURST_CALLS", standard: 256, most: 100_000 },
  /** Duration in milliseconds from which a successful request is logged. */
  slowMs: { variable: "NOEMA_SLOW_MS", standard: 1_000, most: 3_600_000 },
} as const satisfies { readonly [name: string]: Budget };

/** The value of each budget. */
export type Budgets = { readonly [Name in keyof typeof BUDGETS]: number };

/** The variables that set budgets. One that is not set may be absent, null or empty. */
export type BudgetsEnv = {
  readonly [Name in keyof typeof BUDGETS as (typeof BUDGETS)[Name]["variable"]]?: string | null;
};

/** Why a variable is not a valid budget; `undefined` if all are valid. */
export function budgetsRefusal(env: BudgetsEnv): string | undefined {
  for (const budget of Object.values(BUDGETS)) {
    const text = env[budget.variable];
    if (text && wholeFrom(text, budget) === undefined) {
      return `the variable ${budget.variable} must be a whole number from 1 to ${budget.most}, got ${excerpt(text)}`;
    }
  }
  return undefined;
}

/** The budgets that the variables set. A wrong value counts as absent: then the gateway refuses every request. */
export function budgetsOf(env: BudgetsEnv): Budgets {
  const entries = Object.entries(BUDGETS).map(([name, budget]) => {
    const text = env[budget.variable];
    return [name, (text ? wholeFrom(text, budget) : undefined) ?? budget.standard];
  });
  return Object.fromEntries(entries) as Budgets;
}

/** The default budgets. */
export const DEFAULT_BUDGETS: Budgets = budgetsOf({});

function wholeFrom(text: string, { most }: Budget): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && value <= most ? value : undefined;
}
