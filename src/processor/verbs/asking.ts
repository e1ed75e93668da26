/** Answers what a sequence would predict, or what memory predicts best. Changes nothing. */

import { excerpt } from "../../text/excerpt";
import { checkSymbols } from "../input/gdf-input";
import { type AskedSymbols, askedSequence } from "../memory/asked-sequence";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";
import type { Event } from "../ports/gdf";
import { askedSymbols } from "./event-symbols";

/** The most predictions that a caller may ask for. */
const MOST_TOP = 10_000;

/** What a caller asks, beside which observation it means. */
export interface Question {
  /** Asks what this sequence would predict if it were working memory, whatever was observed; no event is empty. */
  readonly sequence?: { readonly events: readonly Event[] } | undefined;
  /** At most so many predictions, 1 to 10000; as many as the gene max_predictions says when absent. */
  readonly top?: number | undefined;
}

/** @throws Fault `invalid` or `too-large` when a question is wrong */
function checkQuestion(mind: Mind, uniqueId: string, { sequence, top }: Question): void {
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
  checkSequence(sequence.events, mind.budgets.memorySymbols);
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

/** The symbols that a question is about; none when memory predicts nothing. */
function symbolsOf(mind: Mind, { sequence }: Question): AskedSymbols {
  const { memory, knowledge } = mind;
  if (sequence !== undefined) {
    const events = sequence.events.map(({ symbols }) => askedSymbols(mind, symbols));
    return askedSequence(events, knowledge.symbols);
  }
  return memory.hasEnsemble
    ? { numbers: memory.ensembleNumbers(), nameOf: (id) => memory.nameOf(id) }
    : askedSequence([], knowledge.symbols);
}

/**
 * The predictions that a question asks for, in the form that `read` gives them.
 *
 * @param uniqueId the identifier that the last observation must have had; empty for any
 * @param read reads the ensemble kept for memory, or makes that of other symbols
 * @returns `undefined` when the last observation had another identifier
 * @throws Fault `invalid` when the question is wrong; `too-large` when it asks for more than a budget allows
 */
export function ask<Form>(
  mind: Mind,
  uniqueId: string,
  question: Question,
  read: { kept(): Form; asked(symbols: AskedSymbols, most: number | undefined): Form },
): Form | undefined {
  checkQuestion(mind, uniqueId, question);
  if (uniqueId !== "" && uniqueId !== mind.state.percept?.gdf.uniqueId) return undefined;
  if (question.sequence === undefined && question.top === undefined) return read.kept();
  return read.asked(symbolsOf(mind, question), question.top);
}
