/** Checks what a caller asks to be predicted. */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { Event } from "../ports/gdf";
import { checkSymbols } from "./gdf-input";

/** The most predictions that a caller may ask for. */
const MOST_TOP = 10_000;

/** What a caller asks, beside which observation it means. */
export interface Question {
  /** Asks what this sequence would predict if it were working memory, whatever was observed; no event is empty. */
  readonly sequence?: { readonly events: readonly Event[] } | undefined;
  /** At most so many predictions, 1 to 10000; as many as the gene max_predictions says when absent. */
  readonly top?: number | undefined;
}

/**
 * Checks a question.
 *
 * @param uniqueId the identifier that the last observation must have had; empty for any
 * @param mostSymbols how many symbols its sequence may have
 * @throws Fault `invalid` when it is wrong; `too-large` when its sequence has more symbols
 */
export function checkQuestion({ sequence, top }: Question, uniqueId: string, mostSymbols: number): void {
  if (top !== undefined && !(Number.isSafeInteger(top) && top >= 1 && top <= MOST_TOP)) {
    throw new Fault("invalid", `top must be a whole number from 1 to ${MOST_TOP}, got ${excerpt(top)}`);
  }
  if (sequence === undefined) return;
  if (uniqueId !== "") {
    throw new Fault(
      "invalid",
      "unique_id asks about the last observation and sequence about another memory: give one of them",
    );
  }
  checkSequence(sequence.events, mostSymbols);
}

function checkSequence(events: readonly Event[], mostSymbols: number): void {
  const empty = events.findIndex(({ symbols }) => symbols.length === 0);
  if (empty >= 0) throw new Fault("invalid", `sequence[${empty}] must hold at least one symbol, got []`);
  const count = events.reduce((sum, { symbols }) => sum + symbols.length, 0);
  if (count > mostSymbols) {
    throw new Fault(
      "too-large",
      `a sequence may have as many symbols as working memory may hold, ${mostSymbols} (NOEMA_MEMORY_SYMBOLS), got ${count}`,
    );
  }
  for (const [at, { symbols }] of events.entries()) checkSymbols(symbols, `a symbol of sequence[${at}]`);
}
