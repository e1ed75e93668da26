/**
 * Checks before training that working memory holds the longest sequence as a whole: beyond the gene
 * `max_sequence_length` it drops the oldest events, and only the rest would be learned. Knows no file.
 */

import { getAllGenes, getStatus, NoemaError, type Processor, type Schemas } from "../../client";
import type { Extent, Survey } from "../table/groups";

/** HTTP status of a call that the key does not allow. */
const FORBIDDEN = 403;

/** The longest sequences to learn. */
export type Longest = Survey["longest"];

/**
 * Nothing is checked if the key may not read the genes.
 *
 * @throws Error if working memory would drop events of the longest sequence
 */
export async function assertHeldWhole(processor: Processor, longest: Longest, signal: AbortSignal): Promise<void> {
  const genes = await readable(getAllGenes(processor, { signal }));
  const limit = Number(genes?.max_sequence_length ?? 0);
  if (genes === undefined || limit === 0) return;
  const what = genes.wm_resolution === "event" ? "events" : "symbols";
  const { line, name, ...extent } = longest[what];
  if (extent[what] <= limit || (await learnsBySize(processor, genes, signal))) return;
  throw new Error(
    `of the ${extent[what]} ${what} of the group ${name} from line ${line}, only the newest ${limit} would be ` +
      `learned, because of the gene max_sequence_length; set it to 0 or to at least ${extent[what]} first`,
  );
}

/** Whether autolearning learns what memory would drop. */
async function learnsBySize(processor: Processor, genes: Schemas.Genes, signal: AbortSignal): Promise<boolean> {
  if (genes.auto_learn_metric !== "wm_size") return false;
  return (await readable(getStatus(processor, { signal })))?.AUTOLEARN === true;
}

/** An answer; `undefined` if the key does not allow the call. */
async function readable<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NoemaError && error.status === FORBIDDEN) return undefined;
    throw error;
  }
}

/** The longest of sequences that are learned in pieces of at most `most` events. */
export function inPieces({ events: longest }: Longest, most: number): Longest {
  const events = Math.min(longest.events, most);
  // A piece has at least as many symbols.
  const piece: Extent = { ...longest, events, symbols: events };
  return { events: piece, symbols: piece };
}
