/**
 * The parts of a split processor, as seen by its head: notes every change for the part concerned, asks all parts for a
 * waiting verb, and fills parts that do not hold the stored state. Only the head stores anything.
 */

import { Fault } from "../../processor/ports/fault";
import type { ModelBatch } from "../../processor/ports/matcher";
import {
  type ModelBody,
  type PartAnswer,
  type PartAnswers,
  type PartChange,
  type PartQuestion,
  type PartQuestionKind,
  type PartQuestionOf,
  type Parts,
  partOf,
} from "../../processor/ports/parts";
import { chosenAmong } from "../../processor/split/neighbour-choice";
import { ChangeLog } from "./change-log";
import { deliveriesOf, type FanOut, type PartItem } from "./fan-out";
import { fillOf } from "./fill";
import { HeadMemory, Journal, PartsNeeded } from "./journal";
import type { PartFamily, PartMark, PartMessage, PartReply, PartUse } from "./messages";

/**
 * Maximum number of attempts to reach a part that is lost or has lost its contents. Others of the isolate may need its
 * memory.
 */
const MOST_ATTEMPTS = 5;

/** The first pause before a lost part is tried again, in milliseconds; each pause is twice the previous one. */
const PAUSE_MS = 20;

/** Fraction of a part's memory that stays free for answering questions. */
const FREE_PART = 1 / 16;

/** Approximate bytes that a pending change takes in a part, as a multiple of its bytes in the log. */
const BYTES_PER_LOGGED_BYTE = 3;

/** Approximate maximum bytes of the logs of all parts together. */
const MOST_LOGGED_BYTES = 16 * 1024 * 1024;

/** About how many bytes all parts answer at once. */
const MOST_ROUND_BYTES = 16 * 1024 * 1024;

/** The answers of all parts, less what no forecast needs: of their neighbours, those that are the nearest of all. */
function together(question: PartQuestion, answers: PartAnswer[]): PartAnswer[] {
  if (question.kind !== "neighbours") return answers;
  const all = answers as PartAnswers["neighbours"][];
  const found = question.contexts.map((_, at) => chosenAmong(all.flatMap((one) => one.found[at] ?? [])));
  return [{ found, steps: all.reduce((most, { steps }) => Math.max(most, steps), 0) }];
}

/** What the head's knowledge provides. */
export interface HeadKnowledge {
  readonly symbolCount: number;
  readonly revision: number;
  readonly symbols: {
    /** Whether a symbol has this number. */
    isInUse(id: number): boolean;
    row(id: number): { readonly frequency: number };
    rows(): Iterable<{ readonly id: number; readonly frequency: number }>;
  };
}

/** The context of the head. */
export interface PartsHeadParts {
  /** Number of parts, 2 or more. */
  readonly count: number;
  readonly family: PartFamily;
  readonly incarnation: string;
  /** Maximum bytes of a part, until it reports its own limit. */
  readonly limitBytes: number;
  readonly fanOut: FanOut;
  /** The stored models. */
  corpusBatches(): Iterable<ModelBatch>;
  /** Notes that the head is working, so that others do not take its place in memory. */
  isUsed(): void;
}

/** The parts of one processor. */
export class PartsHead implements Parts {
  readonly #parts: PartsHeadParts;
  #logs: ChangeLog[];
  readonly #uses: (PartUse | undefined)[];
  #knowledge: HeadKnowledge | undefined;
  /** The stored state at which the first logs begin. */
  #first: PartMark | undefined;
  /** The stored state. */
  #mark: PartMark | undefined;
  /** What is known of the parts between verbs. */
  readonly #memory = new HeadMemory();
  #journal = new Journal(this.#memory);
  /** Number of changes made by the current run. */
  #changes = 0;
  readonly #symbols = new Map<number, number>();
  #isRunning = false;
  #isOpening = false;
  #isReplaced = false;
  #isTelling = false;

  constructor(parts: PartsHeadParts) {
    this.#parts = parts;
    this.#logs = Array.from({ length: parts.count }, () => new ChangeLog(MOST_LOGGED_BYTES / parts.count));
    this.#uses = new Array<PartUse | undefined>(parts.count).fill(undefined);
  }

  /** Number of parts. */
  get count(): number {
    return this.#parts.count;
  }

  /** The processor's incarnation. */
  get incarnation(): string {
    return this.#parts.incarnation;
  }

  /**
   * Opens the processor from the store. What it tells its matcher meanwhile is already in the parts, or will be filled
   * in.
   *
   * @param open opens it
   */
  opening<Opened extends { readonly counted: HeadKnowledge }>(open: () => Opened): Opened {
    this.#isOpening = true;
    try {
      const opened = open();
      this.#knowledge = opened.counted;
      this.#mark = this.#markNow();
      this.#first ??= this.#mark;
      return opened;
    } finally {
      this.#isOpening = false;
    }
  }

  /** About how many bytes of heap it holds. */
  get heapBytes(): number {
    return this.#memory.heapBytes;
  }

  /** The journal of a verb. */
  newJournal(): Journal {
    return new Journal(this.#memory);
  }

  /** Whether a run is under way that has asked what is not known yet: whatever it makes of that stands for nothing. */
  get isAhead(): boolean {
    return this.#isRunning && this.#journal.isAhead;
  }

  /** The same verb, which ends with {@link PartsNeeded} when it has asked what is not known yet. */
  whole<Given, Reply>(verb: (given: Given) => Reply): (given: Given) => Reply {
    return (given) => {
      const reply = verb(given);
      this.assertKnown();
      return reply;
    };
  }

  /** The run under way has ended. @returns whether it had asked what is not known yet */
  ends(): boolean {
    const { isAhead } = this;
    this.#isRunning = false;
    return isAhead;
  }

  /** @throws PartsNeeded when the run under way has asked what is not known yet */
  assertKnown(): void {
    if (this.isAhead) throw new PartsNeeded();
  }

  /** Forgets everything, because all that is stored was replaced: the parts are filled anew. */
  #forgetAll(): void {
    this.#memory.clear();
    for (const log of this.#logs) log.renew();
    this.#symbols.clear();
  }

  /** Notes that a verb begins whose questions go into this journal. */
  begins(journal: Journal): void {
    this.#journal = journal;
  }

  /** Notes that the verb runs from its beginning. */
  runs(): void {
    this.#journal.begins();
    this.#isRunning = true;
    this.#changes = 0;
    this.#symbols.clear();
    this.#isReplaced = false;
    for (const log of this.#logs) log.begins();
  }

  /** Notes that the changes of the verb are stored. */
  commits(): void {
    this.#isRunning = false;
    this.#noteSymbols();
    this.#journal.commits(this.#changes);
    for (const log of this.#logs) log.commits();
    this.#mark = this.#markNow();
    if (this.#isReplaced) this.#forgetAll();
    else if (this.#changes > 0) void this.#tell();
  }

  /** Notes that the verb has failed for good and its changes are rolled back. */
  fails(): void {
    this.#symbols.clear();
    this.#journal.fails();
    for (const log of this.#logs) log.fails();
  }

  ask<Kind extends PartQuestionKind>(question: PartQuestionOf<Kind>): readonly PartAnswers[Kind][] {
    this.#asks();
    return this.#journal.answersTo(question as PartQuestion, this.#changes) as PartAnswers[Kind][];
  }

  bodiesOf(ids: Float64Array): readonly ModelBody[] | undefined {
    this.#asks();
    return this.#journal.bodiesOf(ids, this.#changes);
  }

  /** Comes before every question. */
  #asks(): void {
    if (this.#symbols.size > 0) this.assertKnown();
    this.#noteSymbols();
    if (this.#isReplaced) throw new Error("a verb asks the parts what it has replaced");
  }

  changed(change: PartChange): void {
    if (this.#isOpening || this.#isReplaced) return;
    if (change.kind === "symbols") {
      for (const [at, id] of change.ids.entries()) this.#symbols.set(id, change.frequencies[at] ?? 0);
      return;
    }
    // What the parts are asked, they are asked before the change.
    this.assertKnown();
    const part = partOf(change.kind === "add" ? change.model.id : change.id, this.count);
    if (change.kind === "add") {
      this.#assertRoom(part);
      this.#journal.adds(change.model.id, change.model);
    } else if (change.kind === "remove") this.#journal.removes(change.id);
    this.#note(part, change.kind === "add" ? { ...change, model: { ...change.model } } : change);
  }

  replaced(): void {
    if (this.#isOpening) return;
    this.assertKnown();
    this.#isReplaced = true;
  }

  frequencyOf(symbol: number): number {
    const symbols = this.#knowledge?.symbols;
    return symbols?.isInUse(symbol) ? symbols.row(symbol).frequency : 0;
  }

  get symbolCount(): number {
    return this.#knowledge?.symbolCount ?? 0;
  }

  get bytes(): number {
    return this.#uses.reduce((sum, use) => sum + (use?.bytes ?? 0), 0);
  }

  get limitBytes(): number {
    return this.#uses.reduce((sum, use) => sum + (use?.limitBytes ?? this.#parts.limitBytes), 0);
  }

  /** Bytes of memory used by each part; 0 for one that is not in memory, or cannot be reached. */
  async look(): Promise<number[]> {
    const items = this.#logs.map((_, part) => ({ part, message: { kind: "look" } as const }));
    const bytes = new Array<number>(this.count).fill(0);
    for (const { part, reply } of await this.#carry(items)) {
      if (reply?.kind !== "done") continue;
      this.#uses[part] = reply.use;
      bytes[part] = reply.use.bytes;
    }
    return bytes;
  }

  /**
   * Asks the parts the question for which the current verb ended, and notes their answers, or that they cannot be
   * reached.
   */
  async answer(): Promise<void> {
    const journal = this.#journal;
    const { open } = journal;
    // Take the places now: the next run resets them.
    const places = this.#logs.map(({ now }) => now);
    try {
      journal.answered(await this.#answersTo(open, places));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      journal.failed(error);
    }
  }

  /** What the parts answer to the first questions, one or more. */
  async #answersTo(questions: readonly PartQuestion[], places: readonly number[]): Promise<PartAnswer[][]> {
    const [first, second] = questions;
    if (first === undefined) throw new Error("a verb waits for the parts, and has asked them nothing");
    const mostBytes = MOST_ROUND_BYTES / this.count;
    const several: PartQuestionOf<"several"> = { kind: "several", questions: [...questions], mostBytes };
    const asked = second === undefined ? first : several;
    const answers = await this.#askAll(this.#askedOf(asked), asked, places);
    if (asked.kind !== "several") return [together(asked, answers)];
    const lists = answers.map((answer) => (answer as PartAnswers["several"]).answers);
    const answered = questions.slice(0, Math.min(...lists.map(({ length }) => length)));
    const answersAt = (at: number) => lists.map((list) => list[at] as PartAnswer);
    return answered.map((question, at) => together(question, answersAt(at)));
  }

  /** The parts that a question concerns. */
  #askedOf(question: PartQuestion): number[] {
    if (question.kind === "explain") return [partOf(question.id, this.count)];
    return this.#logs.map((_, part) => part);
  }

  /** @throws Fault `unavailable` when a part does not answer */
  async #askAll(parts: readonly number[], question: PartQuestion, places: readonly number[]): Promise<PartAnswer[]> {
    const answers = new Map<number, PartAnswer>();
    const reachable = parts.filter((part) => !this.#logAt(part, places).needsFill);
    const items = reachable.map((part) => ({ part, message: this.#work(part, places, question) }));
    for (const { part, reply } of await this.#carry(items)) {
      const answer = this.#answerIn(part, reply);
      if (answer !== undefined) answers.set(part, answer);
    }
    // One after the other: if parts share an isolate, each may need the memory of the last.
    for (const part of parts) {
      if (!answers.has(part)) answers.set(part, await this.#askOne(part, question, places));
    }
    return parts.map((part) => answers.get(part) as PartAnswer);
  }

  /** Asks one part until it answers, and fills it if necessary. */
  async #askOne(part: number, question: PartQuestion, places: readonly number[]): Promise<PartAnswer> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** attempt));
      if (this.#logAt(part, places).needsFill && !(await this.#fill(part))) continue;
      const [outcome] = await this.#carry([{ part, message: this.#work(part, places, question) }]);
      const answer = this.#answerIn(part, outcome?.reply);
      if (answer !== undefined) return answer;
    }
    throw new Fault(
      "unavailable",
      `part ${part + 1} of the ${this.count} parts of this processor cannot be reached; nothing has changed: try again`,
    );
  }

  /** The log of a part. It starts over if its part is ahead of the verb. */
  #logAt(part: number, places: readonly number[]): ChangeLog {
    const log = this.#log(part);
    if ((log.known ?? 0) > (places[part] ?? 0)) log.renew();
    return log;
  }

  /** @throws Fault `unavailable` when the part cannot hold its contents */
  #answerIn(part: number, reply: PartReply | undefined): PartAnswer | undefined {
    const log = this.#log(part);
    switch (reply?.kind) {
      case "done":
        log.isAt(reply.at);
        this.#uses[part] = reply.use;
        return reply.answer;
      case "elsewhere":
        if (reply.epoch !== log.epoch || !log.isAt(reply.at)) log.renew();
        return undefined;
      case "full":
        log.renew();
        throw this.#tooFull(part);
      case "failed":
        log.renew();
        return undefined;
      default:
        return undefined;
    }
  }

  #work(part: number, places: readonly number[], question: PartQuestion | undefined): PartMessage {
    const log = this.#log(part);
    const { begin, epoch, isFirst, stored } = log;
    const to = places[part] ?? stored;
    return {
      kind: "work",
      epoch,
      from: begin,
      changes: log.from(begin, to),
      mark: to === stored ? this.#mark : undefined,
      adopts: isFirst && begin === 0 ? this.#first : undefined,
      question,
    };
  }

  /** Fills a part with the stored state. @returns whether it holds all of it */
  async #fill(part: number): Promise<boolean> {
    const log = this.#log(part);
    const { epoch, stored } = log;
    const mark = this.#mark;
    if (mark === undefined || this.#knowledge === undefined)
      throw new Error("a part is filled before its head is open");
    const share = { part, count: this.count };
    const end = { at: stored, mark };
    for (const message of fillOf(this.#parts.corpusBatches(), this.#knowledge.symbols.rows(), share, { epoch, end })) {
      const [outcome] = await this.#carry([{ part, message }]);
      const reply = outcome?.reply;
      if (reply?.kind === "full") throw this.#tooFull(part);
      if (reply?.kind !== "done") return false;
      this.#uses[part] = reply.use;
    }
    if (log.epoch !== epoch) return false;
    log.isFilled();
    return true;
  }

  /**
   * Sends the stored changes to the parts, in the background. Parts that cannot be reached get them with the next
   * question.
   */
  async #tell(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (;;) {
        const behind = this.#logs.flatMap((log, part) =>
          log.known !== undefined && !log.needsFill && log.known < log.stored ? [part] : [],
        );
        if (behind.length === 0) return;
        const places = this.#logs.map(({ stored }) => stored);
        const items = behind.map((part) => ({ part, message: this.#work(part, places, undefined) }));
        const before = behind.map((part) => this.#log(part).known);
        for (const { part, reply } of await this.#carry(items)) {
          if (reply?.kind === "done") {
            this.#log(part).isAt(reply.at);
            this.#uses[part] = reply.use;
          }
        }
        if (behind.every((part, at) => this.#log(part).known === before[at])) return;
      }
    } finally {
      this.#isTelling = false;
    }
  }

  #carry(items: readonly PartItem[]) {
    this.#parts.isUsed();
    return this.#parts.fanOut.carry(this.#parts.family, deliveriesOf(items));
  }

  #noteSymbols(): void {
    if (this.#symbols.size === 0) return;
    const ids = Uint32Array.from(this.#symbols.keys());
    const frequencies = Float64Array.from(this.#symbols.values());
    this.#symbols.clear();
    for (let part = 0; part < this.count; part++) this.#note(part, { kind: "symbols", ids, frequencies });
  }

  #note(part: number, change: PartChange): void {
    this.#changes++;
    this.#log(part).add(change);
  }

  /** @throws Fault `exhausted` when a part has no room for another model */
  #assertRoom(part: number): void {
    const use = this.#uses[part];
    if (use === undefined) return;
    const pending = BYTES_PER_LOGGED_BYTE * this.#log(part).pendingBytes;
    if (use.bytes + pending > use.limitBytes * (1 - FREE_PART)) throw this.#full(part);
  }

  /**
   * The refusal of questions when a load or restore has brought more than a part can hold. Observing goes on without
   * their answers.
   */
  #tooFull(part: number): Fault {
    return new Fault("unavailable", this.#full(part).message);
  }

  #full(part: number): Fault {
    return new Fault(
      "exhausted",
      `the memory of part ${part + 1} of the ${this.count} parts of this processor is used up; delete models, or restore a ` +
        "backup of it into more parts",
    );
  }

  #markNow(): PartMark | undefined {
    const { count, incarnation } = this.#parts;
    return this.#knowledge && { count, incarnation, revision: this.#knowledge.revision };
  }

  #log(part: number): ChangeLog {
    const log = this.#logs[part];
    if (log === undefined) throw new Error(`there is no part ${part}`);
    return log;
  }
}
