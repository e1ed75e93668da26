/** What the rules of forecasts are called, and what each goes by, for people: in the order in which the forecaster mixes them (docs/forecast.md). */

/** A rule in words. */
export interface RuleWords {
  readonly name: string;
  /** One sentence. */
  readonly says: string;
}

/** One for each rule. */
export const RULE_WORDS: readonly RuleWords[] = [
  {
    name: "order",
    says: "What came where the same events stood in the same order: the longer they agree, the more it counts.",
  },
  { name: "follows", says: "What came right after the last event that a sequence shares with what is in mind." },
  { name: "behind", says: "What came anywhere later in sequences that share something with what is in mind." },
  { name: "behind the newest", says: "What came anywhere later in sequences that hold a symbol of the newest event." },
  { name: "frequency", says: "How often it occurs at all." },
  {
    name: "alike",
    says: "What came where the latest events were alike, though not the same: the more alike, the more it counts.",
  },
];
