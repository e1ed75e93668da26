/**
 * What all memories of a processor share, except the knowledge, as lines of a backup: converted from the mind, and back
 * with checks.
 */

import { ProcessorRecord as BOUNDS } from "../../../gen/limits";
import type { EncoderRecord, GeneChange, ProcessorRecord } from "../../../gen/plain";
import { nameRefusal } from "../../../text/chosen-names";
import { excerpt } from "../../../text/excerpt";
import { storedDefinitionOf, storedDefinitionText } from "../../encoding/collecting";
import { assertRoomFor } from "../../encoding/encoders";
import { changeGenes, genesFrom, genesToStore } from "../../genes/genes";
import { checkSymbols } from "../../input/gdf-input";
import { SYMBOL_BYTES } from "../../knowledge/blacklist";
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
import { MAX_SCORES, newestScores, scoresFrom } from "../../prediction/sequence/learn-scores";

/**
 * Maximum size of the blacklist in a backup, in bytes: earlier versions may have stored a larger one than is accepted
 * now, and all of it is in the heap.
 */
const MAX_BLACKLIST_BYTES = 33_554_432;

/** What refusals call the record of forecasts. */
const RECORD = "the processor's forecast_record";

/** The members of the state that a record has in another form, or that a restore finds out. */
const CONVERTED = ["forecastRecord", "learnScores", "nextModelId", "revision", "totals"] as const;

/** The members of the state that a record has under the same name. */
type Settings = Omit<State, (typeof CONVERTED)[number]>;

const SETTINGS = Object.keys(newState()).filter((name) => !CONVERTED.some((one) => one === name)) as (keyof Settings)[];

/** The settings in a state or a record, without those that an earlier release did not have. */
function settingsOf(from: Settings): Settings {
  const entries = SETTINGS.map((name) => [name, from[name]]).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Settings;
}

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
  if (Array.isArray(scores) && scores.length <= MAX_SCORES && scores.every(isScore)) return scores;
  throw new Fault(
    "invalid",
    `the processor's learn_scores must be at most ${MAX_SCORES} whole numbers of 0 or more as a JSON list, got ` +
      `${excerpt(text)}`,
  );
}

/** A processor's record. */
export function processorRecord({ shared, genes, knowledge, store }: Mind): ProcessorRecord {
  const { counters } = knowledge;
  const scores = newestScores(shared.state.learnScores, store.scoreBlocks());
  return {
    id: shared.id,
    name: shared.name,
    unused: false,
    genes: Object.entries(genesToStore(genes)).map(([name, setting]) => changeOf(name, setting)),
    ...settingsOf(shared.state),
    nextOrder: counters.nextModelId,
    forecastRecord: recordText(counters.forecastRecord),
    learnScores: scores.length === 0 ? "" : JSON.stringify(scores),
    lastIncident: store.incidents.last(),
  };
}

/**
 * The genes of a record in their stored form. @throws Fault `invalid` when one is unknown, given twice or has a wrong
 * value
 */
export function genesOf({ genes }: Pick<ProcessorRecord, "genes">): Record<string, GeneSetting> {
  const seen = new Set<string>();
  for (const { name } of genes) {
    if (seen.has(name)) throw new Fault("invalid", `the gene ${excerpt(name)} may be given once, got it twice`);
    seen.add(name);
  }
  const { genes: changed, refusal } = changeGenes(genesFrom({}), genes);
  if (changed === undefined) throw new Fault("invalid", refusal);
  return genesToStore(changed);
}

/** @throws Fault `invalid` when a member of a processor's record is wrong */
export function checkProcessor(record: ProcessorRecord): void {
  genesOf(record);
  recordOf(record.forecastRecord, RECORD);
  backedUpScores(record.learnScores);
  for (const [member, { least }] of Object.entries(BOUNDS)) {
    const value = record[member as keyof typeof BOUNDS];
    if (Number.isSafeInteger(value) && value >= least) continue;
    const name = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    throw new Fault(
      "invalid",
      `the processor's ${name} must be a whole number of ${least} or more, got ${excerpt(value)}`,
    );
  }
  const { nextOrder, unused } = record;
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

/** The number of symbols on a blacklist, and of their characters together. */
export interface BlacklistSize {
  readonly symbols: number;
  readonly characters: number;
}

/**
 * The size of a blacklist with more symbols.
 *
 * @throws Fault `over-limit` when it would not fit into the heap
 */
export function blacklistSizeWith(size: BlacklistSize, more: readonly string[]): BlacklistSize {
  const symbols = size.symbols + more.length;
  const characters = more.reduce((sum, { length }) => sum + length, size.characters);
  const bytes = SYMBOL_BYTES * symbols + characters;
  if (bytes <= MAX_BLACKLIST_BYTES) return { symbols, characters };
  throw new Fault(
    "over-limit",
    `the blacklist in a backup may take ${MAX_BLACKLIST_BYTES} bytes, and this one takes ${bytes} or more`,
  );
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
 * @param replaced the revision of the knowledge that it replaces; 0 for none
 * @throws Fault `invalid` when the next model would not be the newest
 */
export function restoredState(record: ProcessorRecord, staging: Staging, lastModelId: number, replaced: number): State {
  const { unused } = record;
  const nextOrder = unused ? lastModelId + 1 : record.nextOrder;
  if (nextOrder <= lastModelId) {
    throw new Fault(
      "invalid",
      `the processor's next_order must be greater than the order of every model, ${lastModelId}, got ${nextOrder}`,
    );
  }
  // The settings of a processor that was never called are not in its record.
  const settings = unused ? {} : settingsOf(record);
  return {
    ...newState(),
    ...settings,
    totals: staging.totals,
    nextModelId: nextOrder,
    revision: replaced + 1,
    forecastRecord: unused ? EMPTY_RECORD : recordOf(record.forecastRecord, RECORD),
    learnScores: scoresFrom(backedUpScores(record.learnScores)).scores,
  };
}
