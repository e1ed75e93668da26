/**
 * The parts of a split processor, as seen by its head: notes every change for the part concerned, asks all parts for a
 * waiting verb, and fills parts that do not hold the stored state. Only the head stores anything.
 */

import { Fault } from "../../processor/ports/fault";
import type { ModelBatch } from "../../processor/ports/matcher";
import {
  MAX_PARTS,
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
import { type Filled, fill } from "./fill";
import { HeadMemory, Journal, PartsNeeded } from "./journal";
import type { PartFamily, PartMark, PartMessage, PartOutcome, PartReply, PartUse } from "./messages";
import { PartSizes } from "./part-sizes";

/**
 * Maximum number of attempts to reach a part that is lost or has lost its contents. Others of the isolate may need its
 * memory.
 */
const MAX_ATTEMPTS = 5;

/** The first pause before a lost part is tried again, in milliseconds; each pause is twice the previous one. */
const PAUSE_MS = 20;

/** Time for which a silent part is not asked again, in milliseconds; calls that need it fail at once meanwhile. */
const SILENT_MS = 5_000;

/** How long `info` waits for a part, in milliseconds. */
const MAX_LOOK_MS = 3_000;

/** Fraction of a part's maximum bytes that stays free for the work of answering a question. */
const FREE_PART = 1 / 16;

/**
 * Of the bytes that the kernels of an isolate may take, how many one cannot fill with models: tables that all of them
 * share, the models that come in, and the room that the last models need before they are as small as all others.
 */
const KERNEL_BYTES = 1_536 * 1024;

/** Approximate bytes that a pending change takes in a part for each byte in the log. */
const BYTES_PER_LOGGED_BYTE = 3;

/** Approximate maximum bytes of the logs of all parts together. */
const MAX_LOGGED_BYTES = 16 * 1024 * 1024;

/** About how many bytes all parts answer at once. */
const MAX_ROUND_BYTES = 16 * 1024 * 1024;

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
    /** All numbers of symbols are less than this. */
    readonly numbers: number;
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
  /** Whether the changes of verbs may still be taken back after they have ended; never if absent. */
  isStoring?(): boolean;
  /** Lets others of the isolate be served. */
  readonly pause: () => Promise<void>;
}

/** The parts of one processor. */
export class PartsHead implements Parts {
  readonly #parts: PartsHeadParts;
  #logs: ChangeLog[];
  readonly #uses: (PartUse | undefined)[];
  readonly #sizes: PartSizes;
  /** Until when each part is asked nothing, epoch milliseconds. */
  readonly #silentUntil = new Map<number, number>();
  /** Parts that had no memory for what they are to hold, and which state of it that was. */
  readonly #tooSmall = new Map<number, string>();
  /** How many parts are filled at once, at most: about as many as their isolates have memory for. */
  #filledAtOnce: number;
  /** The revision of the stored state that each part was told last that it has. */
  readonly #toldRevisions: (number | undefined)[];
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
  #isReleased = false;
  /** Whether parts are asked or filled: that needs the symbols. */
  #isAnswering = false;
  #isReplaced = false;
  #isTelling = false;

  constructor(parts: PartsHeadParts) {
    this.#parts = parts;
    this.#logs = Array.from({ length: parts.count }, () => new ChangeLog(MAX_LOGGED_BYTES / parts.count));
    this.#uses = new Array<PartUse | undefined>(parts.count).fill(undefined);
    this.#toldRevisions = new Array<number | undefined>(parts.count).fill(undefined);
    this.#sizes = new PartSizes(parts.count);
    this.#filledAtOnce = parts.count;
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
    // What a run has counted that was taken back.
    this.#sizes.begins();
    try {
      const opened = open();
      this.#knowledge = opened.counted;
      this.#isReleased = false;
      this.#mark = this.#markNow();
      this.#first ??= this.#mark;
      this.#sizes.commits();
      return opened;
    } finally {
      this.#isOpening = false;
    }
  }

  /** The head has left memory: what it knows is read again when it opens. */
  released(): void {
    this.#isReleased = true;
    if (this.#isAnswering) return;
    this.#letGo();
    this.#memory.clear();
  }

  #letGo(): void {
    this.#knowledge = undefined;
    this.#symbols.clear();
  }

  /** About how many bytes of heap it holds. */
  get heapBytes(): number {
    return this.#logs.reduce((sum, { pendingBytes }) => sum + pendingBytes, this.#memory.heapBytes);
  }

  /** How many models each part is to hold. */
  get models(): readonly number[] {
    return this.#sizes.models;
  }

  /**
   * Call it before everything is replaced for good.
   *
   * @throws Fault `too-large` when a part cannot hold what it is to hold
   */
  assertHoldsAll(): void {
    const most = this.#logs.reduce(
      (part, _, other) => (this.#expected(other) > this.#expected(part) ? other : part),
      0,
    );
    if (this.#expected(most) <= this.#mostBytes(most)) return;
    throw new Fault("too-large", `${this.#shortage(most)}; nothing has changed: ${this.#wayOut(most)}`);
  }

  /** The journal of a verb. */
  newJournal(): Journal {
    return new Journal(this.#memory);
  }

  /** Whether a run is under way whose result stands for nothing, see {@link Journal.isAhead}. */
  get isAhead(): boolean {
    return this.#isRunning && this.#journal.isAhead;
  }

  /**
   * The same verb, which ends with {@link PartsNeeded} when it has asked what is not known yet, and with a refusal when
   * it has replaced everything by what the parts cannot hold.
   */
  whole<Given, Reply>(verb: (given: Given) => Reply): (given: Given) => Reply {
    return (given) => {
      const reply = verb(given);
      this.assertKnown();
      if (this.#isReplaced) this.assertHoldsAll();
      return reply;
    };
  }

  /** The run under way has ended. @returns whether its result stands for nothing */
  ends(): boolean {
    const { isAhead } = this;
    this.#isRunning = false;
    return isAhead;
  }

  /** @throws PartsNeeded when the result of the run under way stands for nothing */
  assertKnown(): void {
    if (this.isAhead) throw new PartsNeeded();
  }

  /** Forgets everything, because all that is stored was replaced: the parts are filled again. */
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
    this.#sizes.begins();
    for (const log of this.#logs) log.begins();
  }

  /** Notes that the changes of the verb are stored. */
  commits(): void {
    this.#isRunning = false;
    this.#noteSymbols();
    this.#journal.commits(this.#changes);
    for (const log of this.#logs) log.commits();
    this.#sizes.commits();
    this.#mark = this.#markNow();
    if (this.#isReplaced) this.#forgetAll();
    else if (this.#changes > 0 && this.#parts.isStoring?.() !== true) void this.#tell();
  }

  /** Tells the parts what was stored while {@link PartsHeadParts.isStoring} held. */
  tellStored(): void {
    void this.#tell();
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
    if (this.#isOpening) return;
    if (change.kind === "symbols") {
      if (this.#isReplaced) return;
      for (const [at, id] of change.ids.entries()) this.#symbols.set(id, change.frequencies[at] ?? 0);
      return;
    }
    // What the parts are asked, they are asked before the change.
    this.assertKnown();
    const part = partOf(change.kind === "add" ? change.model.id : change.id, this.count);
    if (change.kind === "add") this.#assertRoom(part);
    this.#sizes.note(change);
    if (this.#isReplaced) return;
    if (change.kind === "add") this.#journal.adds(change.model.id, change.model);
    else if (change.kind === "remove") this.#journal.removes(change.id);
    this.#note(part, change.kind === "add" ? { ...change, model: { ...change.model } } : change);
  }

  replaced(): void {
    if (!this.#isOpening) {
      this.assertKnown();
      this.#isReplaced = true;
    }
    this.#sizes.clear();
  }

  holds(batch: ModelBatch): void {
    this.#sizes.addBatch(batch);
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
    for (const { part, reply } of await this.#carry(items, MAX_LOOK_MS)) {
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
    // A rehearsal has asked nothing new.
    if (open.length === 0) return;
    // Take the places now: the next run resets them.
    const places = this.#logs.map(({ now }) => now);
    this.#isAnswering = true;
    try {
      journal.answered(await this.#answersTo(open, places));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      journal.failed(error);
    } finally {
      this.#isAnswering = false;
      if (this.#isReleased) this.#letGo();
    }
  }

  /** What the parts answer to the first questions, one or more. */
  async #answersTo(questions: readonly PartQuestion[], places: readonly number[]): Promise<PartAnswer[][]> {
    const [first, second] = questions;
    if (first === undefined) throw new Error("a verb waits for the parts, and has asked them nothing");
    const mostBytes = MAX_ROUND_BYTES / this.count;
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
    const begunAt = Date.now();
    for (const part of parts) if ((this.#silentUntil.get(part) ?? 0) > begunAt) throw this.#away(part);
    const answers = new Map<number, PartAnswer>();
    const ask = async (asked: readonly number[]) => {
      const items = asked.map((part) => ({ part, message: this.#work(part, places, question) }));
      for (const outcome of await this.#carry(items)) {
        const answer = this.#answerIn(outcome);
        if (answer !== undefined) answers.set(outcome.part, answer);
      }
    };
    await ask(parts.filter((part) => !this.#logAt(part, places).needsFill));
    await this.#fillInGroups(() => parts.filter((part) => !answers.has(part) && this.#logAt(part, places).needsFill), {
      ask,
      answers,
    });
    // Those that have lost their contents again, or were not reached.
    for (const part of parts) {
      if (!answers.has(part)) answers.set(part, await this.#askOne(part, question, places));
    }
    return parts.map((part) => answers.get(part) as PartAnswer);
  }

  /**
   * Fills parts, and asks them before the next ones are filled: parts of one isolate that do not fit into it together
   * push each other out of memory. How many of them fit shows in how many of a group have answered.
   *
   * @param unfilled the parts that are still to be filled
   */
  async #fillInGroups(
    unfilled: () => number[],
    { ask, answers }: { ask(parts: readonly number[]): Promise<void>; readonly answers: ReadonlyMap<number, unknown> },
  ): Promise<void> {
    let hasRoom = false;
    for (let left = unfilled(); left.length > 1; left = unfilled()) {
      const group = left.slice(0, this.#filledAtOnce);
      await ask([...(await this.#fill(group))]);
      const answered = group.filter((part) => answers.has(part)).length;
      if (answered === 0) return;
      if (answered === group.length) hasRoom ||= group.length === this.#filledAtOnce;
      else {
        this.#filledAtOnce = answered;
        hasRoom = false;
      }
    }
    // Others of the isolate may have left it.
    if (hasRoom) this.#filledAtOnce = Math.min(this.count, this.#filledAtOnce + 1);
  }

  /** Asks one part until it answers, and fills it if necessary. */
  async #askOne(part: number, question: PartQuestion, places: readonly number[]): Promise<PartAnswer> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** attempt));
      if (this.#logAt(part, places).needsFill && !(await this.#fill([part])).has(part)) continue;
      for (const outcome of await this.#carry([{ part, message: this.#work(part, places, question) }])) {
        const answer = this.#answerIn(outcome);
        if (answer !== undefined) return answer;
      }
    }
    throw this.#away(part);
  }

  /** The refusal of what needs a part that does not answer. */
  #away(part: number): Fault {
    return new Fault(
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

  /** @throws Fault `unavailable` when the part is silent, or cannot hold what it is to hold */
  #answerIn({ part, reply, isSilent }: PartOutcome): PartAnswer | undefined {
    const log = this.#log(part);
    if (isSilent) {
      this.#silentUntil.set(part, Date.now() + SILENT_MS);
      throw this.#away(part);
    }
    switch (reply?.kind) {
      case "done":
        this.#noteDone(part, reply);
        return reply.answer;
      case "elsewhere":
        if (reply.epoch !== log.epoch || !log.isAt(reply.at)) log.renew();
        return undefined;
      case "full":
        log.renew();
        this.#noteFull(part);
        throw this.#tooFull(part);
      case "failed":
        log.renew();
        return undefined;
      default:
        return undefined;
    }
  }

  #noteDone(part: number, { at, use }: Extract<PartReply, { kind: "done" }>): void {
    this.#log(part).isAt(at);
    this.#uses[part] = use;
    this.#silentUntil.delete(part);
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

  /**
   * Fills parts with what is stored, all of them in one pass over it.
   *
   * @returns those that have all of it
   * @throws Fault `unavailable` when one cannot hold it, or is silent
   */
  async #fill(parts: readonly number[]): Promise<ReadonlySet<number>> {
    const mark = this.#mark;
    const knowledge = this.#knowledge;
    if (mark === undefined || knowledge === undefined) throw new Error("parts are filled before their head is open");
    for (const part of parts) if (this.#tooSmall.get(part) === stateOf(mark)) throw this.#tooFull(part);
    const filled = parts.map((part) => {
      const { epoch, stored } = this.#log(part);
      return { part, epoch, end: { at: stored, mark } };
    });
    const symbols = knowledge.symbols.rows();
    const silent: number[] = [];
    const said = await fill(
      filled,
      { corpus: this.#parts.corpusBatches(), symbols },
      {
        count: this.count,
        send: async (part, message) => {
          const [outcome] = await this.#carry([{ part, message }]);
          if (outcome?.isSilent) silent.push(part);
          return outcome?.reply;
        },
        pause: this.#parts.pause,
        now: () => Date.now(),
      },
    );
    const whole = this.#filledOf(said, filled);
    for (const part of silent) this.#answerIn({ part, reply: undefined, isSilent: true });
    const full = parts.find((part) => said.get(part)?.kind === "full");
    if (full !== undefined) throw this.#tooFull(full);
    return whole;
  }

  /** Notes what came of filling parts. @returns those that have all of it */
  #filledOf(said: Filled, filled: readonly { readonly part: number; readonly epoch: string }[]): ReadonlySet<number> {
    const whole = new Set<number>();
    for (const { part, epoch } of filled) {
      const reply = said.get(part);
      const log = this.#log(part);
      if (reply?.kind === "full") this.#noteFull(part);
      if (reply?.kind !== "done" || log.epoch !== epoch) continue;
      log.isFilled();
      this.#uses[part] = reply.use;
      this.#toldRevisions[part] = this.#mark?.revision;
      this.#tooSmall.delete(part);
      whole.add(part);
    }
    return whole;
  }

  /** A part had no memory for what is stored: it is not filled with the same again. */
  #noteFull(part: number): void {
    if (this.#mark !== undefined) this.#tooSmall.set(part, stateOf(this.#mark));
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
        const behind = this.#behind();
        if (behind.length === 0) return;
        const places = this.#logs.map(({ stored }) => stored);
        const revision = this.#mark?.revision;
        const items = behind.map((part) => ({ part, message: this.#work(part, places, undefined) }));
        let isAny = false;
        for (const { part, reply, isSilent } of await this.#carry(items)) {
          if (isSilent) this.#silentUntil.set(part, Date.now() + SILENT_MS);
          if (reply?.kind !== "done") continue;
          isAny = true;
          this.#noteDone(part, reply);
          this.#toldRevisions[part] = revision;
        }
        if (!isAny) return;
      }
    } finally {
      this.#isTelling = false;
    }
  }

  /** The parts that have not all that is stored, or do not know that it is stored. */
  #behind(): number[] {
    const now = Date.now();
    return this.#logs.flatMap((log, part) => {
      if (log.known === undefined || log.needsFill || (this.#silentUntil.get(part) ?? 0) > now) return [];
      return log.known < log.stored || this.#toldRevisions[part] !== this.#mark?.revision ? [part] : [];
    });
  }

  #carry(items: readonly PartItem[], withinMs?: number): Promise<PartOutcome[]> {
    this.#parts.isUsed();
    return this.#parts.fanOut.carry(this.#parts.family, deliveriesOf(items), withinMs);
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
    if (this.#expected(part) <= this.#mostBytes(part) && !this.#isTooSmall(part)) return;
    throw new Fault("exhausted", `${this.#shortage(part)}; nothing was learned: ${this.#wayOut(part)}`);
  }

  #isTooSmall(part: number): boolean {
    return !this.#isReplaced && this.#mark !== undefined && this.#tooSmall.get(part) === stateOf(this.#mark);
  }

  /** About how many bytes a part will take, at most. Where it has not said what it takes, that is estimated. */
  #expected(part: number): number {
    const use = this.#uses[part];
    const log = this.#log(part);
    if (use === undefined || log.needsFill || this.#isReplaced) return this.#sizes.bytesOf(part, this.#numbers);
    return use.bytes + BYTES_PER_LOGGED_BYTE * log.pendingBytes;
  }

  /** How many bytes a part may take, without what questions need. */
  #mostBytes(part: number): number {
    return (this.#uses[part]?.limitBytes ?? this.#parts.limitBytes) * (1 - FREE_PART) - KERNEL_BYTES;
  }

  get #numbers(): number {
    return this.#knowledge?.symbols.numbers ?? 0;
  }

  /** What a question gets, without which observing goes on: the bytes of parts may be fewer than they were. */
  #tooFull(part: number): Fault {
    return new Fault("unavailable", `${this.#shortage(part)}; ${this.#wayOut(part)}`);
  }

  #shortage(part: number): string {
    const models = this.#sizes.models[part] ?? 0;
    const bytes = Math.ceil(this.#sizes.bytesOf(part, this.#numbers));
    return (
      `part ${part + 1} of the ${this.count} parts of this processor has no memory for what it is to hold: ${models} ` +
      `models and ${this.#numbers} symbols take about ${bytes} bytes, and it may take ` +
      `${Math.floor(this.#mostBytes(part))}`
    );
  }

  #wayOut(part: number): string {
    const enough = this.#sizes.fittingParts(this.#numbers, this.#mostBytes(part), MAX_PARTS);
    if (enough === undefined) return `they do not fit into ${MAX_PARTS} parts either; delete models`;
    return `delete models, or restore a backup into ${Math.max(enough, this.count + 1)} parts or more`;
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

/** Names a stored state. */
function stateOf({ incarnation, revision }: PartMark): string {
  return `${incarnation} ${revision}`;
}
