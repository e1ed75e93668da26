/**
 * What all memories of a processor share, except the knowledge, as lines of a backup: converted from the mind, and back
 * with checks.
 */

import type { EncoderRecord, GeneChange, ProcessorRecord } from "../../../gen/plain";
import { nameRefusal } from "../../../text/chosen-names";
import { excerpt } from "../../../text/excerpt";
import { storedDefinitionOf, storedDefinitionText } from "../../encoding/collecting";
import { assertRoomFor } from "../../encoding/encoders";
import { changeGenes, genesFrom, genesToStore } from "../../genes/genes";
import { checkSymbols } from "../../input/gdf-input";
import { recordOf, recordText } from "../../knowledge/forecast-record";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import { EMPTY_RECORD } from "../../ports/forecaster";
import {
  type EncoderRow,
  type GeneSetting,
  newState,
  type ScoreBlock,
  type Staging,
  type State,
} from "../../ports/store";
import { MOST_SCORES, newestScores, scoresFrom } from "../../prediction/sequence/learn-scores";

/** What refusals call the record of forecasts. */
const RECORD = "the processor's forecast_record";

function changeOf(name: string, setting: GeneSetting): GeneChange {
  if (typeof setting === "boolean") return { name, value: { value: { case: "flag", value: setting } } };
  if (typeof setting === "number") return { name, value: { value: { case: "number", value: setting } } };
  return { name, value: { value: { case: "text", value: setting } } };
}

/**
 * The scores of a text that a backup holds.
 *
 * @throws Fault `invalid` when the text is not a list of at most 10,000 scores
 */
export function backedUpScores(text: string): number[] {
  if (text === "") return [];
  let scores: unknown;
  try {
    scores = JSON.parse(text);
  } catch {
    scores = undefined;
  }
  const isScore = (one: unknown) => Number.isSafeInteger(one) && Number(one) >= 0;
  if (Array.isArray(scores) && scores.length <= MOST_SCORES && scores.every(isScore)) return scores;
  throw new Fault(
    "invalid",
    `the processor's learn_scores must be at most ${MOST_SCORES} whole numbers of 0 or more as a JSON list, got ` +
      `${excerpt(text)}`,
  );
}

/** A processor's record. */
export function processorRecord({ shared, genes, knowledge, store }: Mind): ProcessorRecord {
  const { predict, autolearn, sleeping, awakeSince, vectorDimensionality } = shared.state;
  const changes = Object.entries(genesToStore(genes)).map(([name, setting]) => changeOf(name, setting));
  const { nextModelId, forecastRecord } = knowledge.counters;
  const scores = newestScores(shared.state.learnScores, store.scoreBlocks());
  const learned = {
    nextOrder: nextModelId,
    forecastRecord: recordText(forecastRecord),
    learnScores: scores.length === 0 ? "" : JSON.stringify(scores),
    lastIncident: store.lastIncident(),
  };
  const settings = { predict, autolearn, sleeping, awakeSince, vectorDimensionality, ...learned };
  return { id: shared.id, name: shared.name, unused: false, genes: changes, ...settings };
}

/**
 * The genes of a record in their stored form. @throws Fault `invalid` when one is unknown, given twice or has a wrong
 * value
 */
export function genesOf({ genes }: Pick<ProcessorRecord, "genes">): Record<string, GeneSetting> {
  const doubled = genes.map(({ name }) => name).find((name, at, names) => names.indexOf(name) < at);
  if (doubled !== undefined) throw new Fault("invalid", `the gene ${excerpt(doubled)} may be given once, got it twice`);
  const { genes: changed, refusal } = changeGenes(genesFrom({}), genes);
  if (changed === undefined) throw new Fault("invalid", refusal);
  return genesToStore(changed);
}

/** @throws Fault `invalid` when a member of a processor's record is wrong */
export function checkProcessor(record: ProcessorRecord): void {
  genesOf(record);
  recordOf(record.forecastRecord, RECORD);
  backedUpScores(record.learnScores);
  const { awakeSince, lastIncident, nextOrder, vectorDimensionality, unused } = record;
  if (!Number.isSafeInteger(awakeSince) || awakeSince < 0) {
    throw new Fault(
      "invalid",
      `the processor's awake_since must be a whole number of 0 or more, got ${excerpt(awakeSince)}`,
    );
  }
  if (!Number.isSafeInteger(lastIncident) || lastIncident < 0) {
    throw new Fault(
      "invalid",
      `the processor's last_incident must be a whole number of 0 or more, got ${excerpt(lastIncident)}`,
    );
  }
  if (!Number.isInteger(vectorDimensionality) || vectorDimensionality < -1) {
    const got = excerpt(vectorDimensionality);
    throw new Fault(
      "invalid",
      `the processor's vector_dimensionality must be a whole number of -1 or more, got ${got}`,
    );
  }
  if (unused || (Number.isInteger(nextOrder) && nextOrder >= 1 && nextOrder <= Number.MAX_SAFE_INTEGER)) return;
  throw new Fault(
    "invalid",
    `the processor's next_order must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}, got ${excerpt(nextOrder)}`,
  );
}

/**
 * The symbols of a line of the blacklist.
 *
 * @param isStaged whether an earlier line holds a symbol
 * @throws Fault `invalid` when one is malformed or given twice
 */
export function blacklistFrom({ symbols }: { symbols: string[] }, isStaged: (symbol: string) => boolean): string[] {
  const seen = new Set<string>();
  for (const symbol of checkSymbols(symbols, "a symbol of the blacklist")) {
    if (seen.has(symbol) || isStaged(symbol)) {
      throw new Fault("invalid", `the blacklist may hold ${excerpt(symbol)} once, got it twice`);
    }
    seen.add(symbol);
  }
  return symbols;
}

/** The encoders of a processor, in the order of their numbers. */
export function encoderRecords({ shared: { encoders } }: Mind): EncoderRecord[] {
  return encoders.storedWhole().map(({ name, number, definition }) => ({ name, number, encoderJson: definition }));
}

/**
 * What the store keeps of an encoder's record.
 *
 * @param staged the encoders of the earlier records
 * @throws Fault `invalid` when it is wrong, or an earlier one has its name or number; `over-limit` when there are too
 *   many
 */
export function encoderFrom({ name, number, encoderJson }: EncoderRecord, staged: readonly EncoderRow[]): EncoderRow {
  const refusal = nameRefusal(name);
  if (refusal !== undefined) throw new Fault("invalid", `an encoder must have ${refusal}, got ${excerpt(name)}`);
  if (!Number.isSafeInteger(number) || number < 1) {
    const most = Number.MAX_SAFE_INTEGER;
    throw new Fault("invalid", `the encoder's number must be a whole number from 1 to ${most}, got ${excerpt(number)}`);
  }
  if (staged.some((other) => other.name === name || other.number === number)) {
    throw new Fault(
      "invalid",
      `each encoder must have a name and a number of its own, got ${excerpt(name)} with ${number}`,
    );
  }
  const definition = storedDefinitionText(storedDefinitionOf(encoderJson));
  assertRoomFor(
    definition,
    staged.map((other) => other.definition),
  );
  return { name, number, definition };
}

/** The blocks of scores of a restored processor. */
export function restoredScores({ learnScores }: Pick<ProcessorRecord, "learnScores">): ScoreBlock[] {
  return scoresFrom(backedUpScores(learnScores)).blocks;
}

/**
 * The state of a restored processor.
 * @param staging the counts of its staged knowledge
 * @param lastModelId the greatest id of a staged model
 * @param revision of the knowledge that it replaces; 0 for none
 * @throws Fault `invalid` when the next model would not be the newest
 */
export function restoredState(record: ProcessorRecord, staging: Staging, lastModelId: number, revision: number): State {
  // Earlier releases staged no awakeSince.
  const { predict, autolearn, sleeping, awakeSince = 0, vectorDimensionality, unused } = record;
  const nextOrder = unused ? lastModelId + 1 : record.nextOrder;
  if (nextOrder <= lastModelId) {
    throw new Fault(
      "invalid",
      `the processor's next_order must be greater than the order of every model, ${lastModelId}, got ${nextOrder}`,
    );
  }
  // The settings of a processor that was never called are not in its record.
  const settings = unused ? {} : { predict, autolearn, sleeping, awakeSince, vectorDimensionality };
  const forecastRecord = unused ? EMPTY_RECORD : recordOf(record.forecastRecord, RECORD);
  const { scores: learnScores } = scoresFrom(backedUpScores(record.learnScores));
  const learned = { nextModelId: nextOrder, revision: revision + 1, forecastRecord, learnScores };
  return { ...newState(), ...settings, totals: staging.totals, ...learned };
}
