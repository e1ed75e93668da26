/**
 * The budgets of one request's work, of the exports under way and of the calls under way. One thread serves every
 * processor of an isolate, so work without a bound would stop everyone. What one request may ask for is known before
 * the work, or counted in steps that knowledge and memory alone decide, never by a clock; how many calls may be under
 * way depends on how long they take.
 */

import { excerpt } from "./excerpt";

/** A budget: its default, the values that the variable accepts, and the variable's name. */
interface Budget {
  readonly variable: string;
  readonly standard: number;
  readonly most: number;
}

/** All budgets. docs/limits.md describes each. */
export const BUDGETS = {
  /** How many deliveries to other processors one observe can cause, through all of them. */
  deliveries: { variable: "NOEMA_DELIVERIES", standard: 256, most: 1_000_000 },
  /** How many symbols working memory may hold. */
  memorySymbols: { variable: "NOEMA_MEMORY_SYMBOLS", standard: 100_000, most: 1_000_000 },
  /**
   * How many bytes one memory may hold: events and waiting vectors, as a backup writes them. Its line of 24 MiB must
   * hold them, with the last observation and the numbers of sources, so more cannot be allowed.
   */
  memoryBytes: { variable: "NOEMA_MEMORY_BYTES", standard: 12_000_000, most: 12_000_000 },
  /**
   * From how many bytes on that a processor stores it observes no more: sessions, memories and models together.
   * The platform stores 10 GB.
   */
  storageBytes: { variable: "NOEMA_STORAGE_BYTES", standard: 8_000_000_000, most: 1_000_000_000_000_000 },
  /** How many records one sequence may have. */
  sequenceRecords: { variable: "NOEMA_SEQUENCE_RECORDS", standard: 50_000, most: 1_000_000 },
  /**
   * How many steps one request may take to match models with memory, besides some for each
   * model; some nanoseconds each.
   */
  matchingSteps: { variable: "NOEMA_MATCHING_STEPS", standard: 75_000_000, most: 4_000_000_000 },
  /** How many steps one request may take to compare patterns with symbols; at most a hundred nanoseconds each. */
  patternSteps: { variable: "NOEMA_PATTERN_STEPS", standard: 10_000_000, most: 4_000_000_000 },
  /** How many sessions one processor may have. */
  sessions: { variable: "NOEMA_SESSIONS", standard: 100_000, most: 1_000_000 },
  /**
   * How many bytes of memory the sessions of one processor may take; those that nobody has used
   * for longest leave memory.
   */
  sessionBytes: { variable: "NOEMA_SESSION_BYTES", standard: 8_000_000, most: 1_000_000_000 },
  /** How many keys one agent may have issued. */
  keys: { variable: "NOEMA_KEYS", standard: 1_000, most: 10_000 },
  /** How many bytes of changed rows all exports under way in an isolate may keep. */
  exportBytes: { variable: "NOEMA_EXPORT_BYTES", standard: 8_000_000, most: 1_000_000_000 },
  /** How long the calls of one processor that are under way may take together, in milliseconds. */
  processorWaitMs: { variable: "NOEMA_PROCESSOR_WAIT_MS", standard: 200, most: 60_000 },
  /** How long the calls of all processors that are under way may take together, in milliseconds. */
  serverWaitMs: { variable: "NOEMA_SERVER_WAIT_MS", standard: 300, most: 60_000 },
  /** How many calls may be under way even if they take longer than the two waits above, up to 2.5 s together. */
  burstCalls: { variable: "NOEMA_BURST_CALLS", standard: 256, most: 100_000 },
  /** From how many milliseconds on the log has a line for a request that did not fail. */
  slowMs: { variable: "NOEMA_SLOW_MS", standard: 1_000, most: 3_600_000 },
} as const satisfies { readonly [name: string]: Budget };

/** The value of each budget. */
export type Budgets = { readonly [Name in keyof typeof BUDGETS]: number };

/** The variables that set budgets. One that is not set may be absent, null or empty. */
export type BudgetsEnv = {
  readonly [Name in keyof typeof BUDGETS as (typeof BUDGETS)[Name]["variable"]]?: string | null;
};

/** Why a variable cannot be a budget; `undefined` when all can. */
export function budgetsRefusal(env: BudgetsEnv): string | undefined {
  for (const budget of Object.values(BUDGETS)) {
    const text = env[budget.variable];
    if (text && wholeFrom(text, budget) === undefined) {
      return `the variable ${budget.variable} must be a whole number from 1 to ${budget.most}, got ${excerpt(text)}`;
    }
  }
  return undefined;
}

/** The budgets that the variables set. A wrong value counts as absent: the gateway refuses every request then. */
export function budgetsOf(env: BudgetsEnv): Budgets {
  const entries = Object.entries(BUDGETS).map(([name, budget]) => {
    const text = env[budget.variable];
    return [name, (text ? wholeFrom(text, budget) : undefined) ?? budget.standard];
  });
  return Object.fromEntries(entries) as Budgets;
}

/** The budgets where no variable sets any. */
export const STANDARD_BUDGETS: Budgets = budgetsOf({});

function wholeFrom(text: string, { most }: Budget): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && value <= most ? value : undefined;
}
