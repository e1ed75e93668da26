/**
 * The sets that forecasts are measured on, and their protocols: what is learned, what is asked, and what is right. The
 * files belong to others and are no part of the repository.
 */

import { shuffle } from "../../scripts/demos/shuffle.mjs";

/** A forecast that is asked for. */
export interface Question {
  /** The newest symbols before what comes, each an event, oldest first; empty where there is nothing to ask from. */
  context: readonly string[];
  /** How many events ahead the forecast looks, 1 to 10. */
  horizon: number;
  /** The first symbol is right when it is one of these. */
  right: readonly string[];
  /** The symbol that comes next. */
  next: string;
  /** A symbol that is known not to come next; absent if none is. */
  excluded?: string;
}

/** What is learned, in order, and what is asked then. */
export interface Fold {
  learned: readonly (readonly string[])[];
  asked: readonly Question[];
}

/** A set with its protocol. */
export interface ForecastSet {
  name: string;
  /** What is read, below the folder of the data. */
  files: readonly string[];
  folds: number;
  /** How many events ahead the forecasts look. */
  ahead: number;
  /** How many of the most probable symbols count as a list of hits; 0 where only the first counts. */
  list: number;
  /** Whether it is measured only where it is asked for by name. */
  isOptional?: boolean;
  /** @param textOf reads one of the files @param fold from 0 */
  read(textOf: TextOf, fold: number): Fold;
}

/** The text of a file of the data, by its path. */
export type TextOf = (file: string) => string;

const FOLDS = 14;

/** The symbols that begin and end a case. */
const START = "[START]";
const END = "[END]";

/** What a question about a case or a visit holds at most. */
const CASE_CONTEXT = 6;
const VISIT_CONTEXT = 10;

/** How many items a recommendation lists. */
const VISIT_LIST = 20;

/** The status that an activity of bpi_13 leaves a case in. */
const STATUS_OF: Readonly<Record<string, string>> = {
  1: "Accepted",
  2: "Queued",
  3: "Completed",
  4: "Accepted",
  5: "Completed",
  6: "Accepted",
  7: "Accepted",
  8: "Accepted",
  9: "Completed",
  10: "Accepted",
  11: "Accepted",
  12: "Unmatched",
  13: "Completed",
};

/** A whole number below 2^32 that looks random. */
export function hashOf(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function linesOf(text: string): string[] {
  return text.trim().split("\n");
}

/**
 * Asks about a place of a sequence.
 *
 * @param place how many symbols come before what is asked
 * @param most the most of them that are given
 */
function questionAt(sequence: readonly string[], place: number, most: number, horizon = 1): Question {
  const right = sequence.slice(place, place + horizon);
  return { context: sequence.slice(Math.max(0, place - most), place), horizon, right, next: sequence[place] ?? "" };
}

/** The sequences of a text, a line each. */
function sequencesOf(text: string): string[][] {
  return linesOf(text).map((line) => line.trim().split(/\s+/));
}

/** The sequences of a fold are asked about, all others are learned. */
function foldOf(
  sequences: readonly string[][],
  fold: number,
  ask: (sequence: string[], at: number) => Question[],
): Fold {
  const size = Math.floor(sequences.length / FOLDS);
  const from = fold * size;
  const to = fold === FOLDS - 1 ? sequences.length : from + size;
  const learned = [...sequences.slice(0, from), ...sequences.slice(to)];
  return { learned, asked: sequences.slice(from, to).flatMap((sequence, at) => ask(sequence, from + at)) };
}

/**
 * IPredict's protocol: one symbol, for the last ones of each sequence of a fold. A sequence that is too short is asked
 * about, and wrong.
 *
 * @param ends how many of the last symbols are right
 * @param most how many symbols before these are given
 */
export function endsFold(sequences: readonly string[][], fold: number, ends: number, most: number): Fold {
  return foldOf(sequences, fold, (sequence) => {
    if (sequence.length <= ends) return [{ context: [], horizon: ends, right: [], next: "" }];
    return [questionAt(sequence, sequence.length - ends, most, ends)];
  });
}

/**
 * One place of each sequence of a fold, by a hash of its number: what comes next, or among the next `horizon`, wherever
 * the sequence ends.
 */
function middleFold(sequences: readonly string[][], fold: number, horizon: number, most: number): Fold {
  return foldOf(sequences, fold, (sequence, at) => {
    const places = sequence.length - horizon;
    return places < 1 ? [] : [questionAt(sequence, 1 + (hashOf(at) % places), most, horizon)];
  });
}

/** A set of {@link FOLDS} folds. @param foldOf the fold of a number */
function crossed(
  name: string,
  file: string,
  ahead: number,
  foldOf: (sequences: string[][], fold: number) => Fold,
): ForecastSet {
  const path = `next-symbol/${file}`;
  return {
    name,
    files: [path],
    folds: FOLDS,
    ahead,
    list: 0,
    read: (textOf, fold) => foldOf(sequencesOf(textOf(path)), fold),
  };
}

/** The ends of sequences. */
function endsOf(name: string, file: string, ends: number, most: number): ForecastSet {
  return crossed(name, file, ends, (sequences, fold) => endsFold(sequences, fold, ends, most));
}

/** Places anywhere in sequences. */
function middlesOf(name: string, file: string, horizon: number, most: number): ForecastSet {
  return crossed(name, file, horizon, (sequences, fold) => middleFold(sequences, fold, horizon, most));
}

/** The cases of a log in the order of the file. @returns by case: its activities */
function casesOf(text: string): Map<string, string[]> {
  const cases = new Map<string, string[]>();
  for (const line of linesOf(text).slice(1)) {
    const [name = "", activity = ""] = line.split(",");
    const known = cases.get(name);
    if (known === undefined) cases.set(name, [activity]);
    else known.push(activity);
  }
  return cases;
}

/** How a log is split into cases that are learned and cases that are asked, and what of these is asked. */
interface Split {
  /** Ends the name of the set. */
  name: string;
  /** How many times the cases are divided at random; 0 for once, as published. */
  draws: number;
  /** Whether it is also asked whether a case ends, where the protocol does not. */
  asksEnds?: boolean;
  /** Whether it is known that the cases asked about go on. */
  isGoingOn?: boolean;
}

/** The splits of a log. */
const PUBLISHED: Split = { name: "", draws: 0 };
const DRAWN: Split = { name: "-drawn", draws: 4 };
const WITH_ENDS: Split = { name: "-ends", draws: 0, asksEnds: true };
const GOING_ON: Split = { name: "-going-on", draws: 0, isGoingOn: true };

/** The cases, drawn at random if the split is not the published one. @param number of the draw, from 0 */
function drawn<Case>(cases: Case[], { draws }: Split, number: number): Case[] {
  return draws === 0 ? cases : shuffle(cases, number + 1);
}

/** A set that reads a split of a log, a draw at a time. */
function logOf(
  name: string,
  files: readonly string[],
  split: Split,
  read: (textOf: TextOf, draw: number) => Fold,
): ForecastSet {
  const isOptional = split !== PUBLISHED;
  return { name: `${name}${split.name}`, files, folds: Math.max(1, split.draws), ahead: 1, list: 0, isOptional, read };
}

/**
 * The protocol of Tax et al.: the first two thirds are learned; of the others every prefix of two and more activities
 * is asked whose case goes on.
 */
function taxLog(name: string, split = PUBLISHED): ForecastSet {
  const path = `processes/${name}.csv`;
  const read = (textOf: TextOf, draw: number): Fold => {
    const cases = drawn([...casesOf(textOf(path)).values()], split, draw);
    const learned = cases.slice(0, Math.floor((cases.length * 2) / 3));
    const asked = cases.slice(learned.length).flatMap((activities) => {
      const events = split.asksEnds === true ? [...activities, END] : activities;
      const excluded = split.isGoingOn === true ? { excluded: END } : {};
      return events.slice(2).map((_, at) => ({ ...questionAt(events, at + 2, CASE_CONTEXT), ...excluded }));
    });
    return { learned: learned.map((activities) => [...activities, END]), asked };
  };
  return logOf(name, [path], split, read);
}

/**
 * The incidents: statuses, from the empty case to its end, both included; which cases are learned and asked is in a
 * file, or as many are drawn.
 */
function incidents(split = PUBLISHED): ForecastSet {
  const files = ["processes/bpi_13_incidents.csv", "processes/bpi_13_split.txt"];
  const read = (textOf: TextOf, draw: number): Fold => {
    const [log = "", kinds = ""] = files;
    const named = new Map(
      linesOf(textOf(kinds)).map((line) => {
        const [kind = "", ...names] = line.trim().split(/\s+/);
        return [kind, new Set(names)];
      }),
    );
    const cases = [...casesOf(textOf(log))].map(([name, activities]) => {
      return { name, events: [START, ...activities.map((activity) => STATUS_OF[activity] ?? activity), END] };
    });
    const sizeOf = (kind: string) => named.get(kind)?.size ?? 0;
    const all = drawn(cases, split, draw).map(({ events }) => events);
    const first = sizeOf("learned");
    const kindOf = (kind: string) => cases.filter(({ name }) => named.get(kind)?.has(name)).map(({ events }) => events);
    const [learned, others] =
      split.draws === 0
        ? [kindOf("learned"), kindOf("asked")]
        : [all.slice(0, first), all.slice(first, first + sizeOf("asked"))];
    const asked = others.flatMap((events) => events.slice(1).map((_, at) => questionAt(events, at + 1, CASE_CONTEXT)));
    return { learned, asked };
  };
  return logOf("bpi_13", files, split, read);
}

/** The visits of a file, each with its items, in the order in which they begin in the file. */
function visitsOf(text: string): string[][] {
  const visits = new Map<string, string[]>();
  for (const line of linesOf(text).slice(1)) {
    const [visit = "", item = ""] = line.split("\t");
    const known = visits.get(visit);
    if (known === undefined) visits.set(visit, [item]);
    else known.push(item);
  }
  return [...visits.values()];
}

/** Every prefix of a visit is asked about whose next item was learned. */
function visits(): ForecastSet {
  const files = ["visits/train.tsv", "visits/test.tsv"];
  const read = (textOf: TextOf): Fold => {
    const [train = "", test = ""] = files;
    const learned = visitsOf(textOf(train));
    const known = new Set(learned.flat());
    const asked = visitsOf(textOf(test)).flatMap((items) =>
      items.slice(1).map((_, at) => questionAt(items, at + 1, VISIT_CONTEXT)),
    );
    return { learned, asked: asked.filter(({ next }) => known.has(next)) };
  };
  return { name: "visits", files, folds: 1, ahead: 1, list: VISIT_LIST, read };
}

/** All sets, in the order in which they are measured. */
export const FORECAST_SETS: readonly ForecastSet[] = [
  endsOf("SIGN", "sign.txt", 3, 7),
  endsOf("LEVIATHAN", "leviathan.txt", 1, 5),
  middlesOf("SIGN-middle", "sign.txt", 1, 7),
  middlesOf("SIGN-middle-3", "sign.txt", 3, 7),
  middlesOf("LEVIATHAN-middle", "leviathan.txt", 1, 5),
  taxLog("helpdesk"),
  taxLog("bpi_12_w"),
  incidents(),
  visits(),
  ...[DRAWN, WITH_ENDS, GOING_ON].flatMap((split) => [taxLog("helpdesk", split), taxLog("bpi_12_w", split)]),
  incidents(DRAWN),
];
