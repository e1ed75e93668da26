/**
 * Answers POST /restore: reads the lines of a backup, has each processor stage its own, and applies everything at the
 * end, all or nothing.
 */

import type { AgentRecord, BackupRecord, BackupStart, ProcessorRecord } from "../../gen/noema/v1/backup_pb";
import { AgentRestoreService, BackupService } from "../../gen/noema/v1/backup_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import type { MqttRoute } from "../../gen/noema/v1/route_service_pb";
import { yieldToEventLoop } from "../../rpc/transport/yield-to-event-loop";
import { excerpt } from "../../text/excerpt";
import type { Primitive } from "../agents/topology";
import { agentEnvelope } from "../encode/envelope";
import { number, texts } from "../json/writer";
import { Refusal, refusalOf } from "../refusal";
import type { RequestContext } from "../request-context";
import { assertHere, processorIn } from "./backup";
import { type FileLine, fileLines } from "./file-lines";
import { LineReader, VERSION, WrongLine } from "./line";

const { beginRestore, stageRestore, dropRestore, restoreAlone } = BackupService.method;

/** Size of the lines at which they are sent on, in bytes. */
const PART_BYTES = 512 * 1024;

/** Maximum number of processors of a backup that a refusal names. */
const MAX_NAMED = 20;

/** The object of a processor. */
type Target = Pick<Primitive, "id" | "place">;

/** The receiver of a backup's records. */
interface Destination {
  /** Handles the agent's line. @throws Refusal when it does not belong here */
  agent(record: AgentRecord): Promise<void>;
  /**
   * The processor that stages the following records; `undefined` to skip them.
   *
   * @throws Refusal when the processor does not belong here
   */
  processor(record: ProcessorRecord): Promise<Target | undefined>;
  /** Applies what was staged, once all lines were read. @returns the message of the answer, as JSON members */
  finish(restoreId: string, staged: readonly Target[]): Promise<string>;
}

/**
 * Answers a restore. With `processor=<id>` in the query, it replaces only that processor.
 *
 * @throws Refusal 400 with the number of the wrong line, 404 for an unknown processor
 * @throws ConnectError when the agent or a processor refuses
 */
export async function restore(context: RequestContext): Promise<string> {
  const only = processorIn(context.query);
  const restoring = new Restoring(context, only === undefined ? undefined : await target(context, only));
  const lines = fileLines(context.request, context.held());
  try {
    for await (const line of lines) await restoring.line(line);
    return agentEnvelope(await restoring.finish());
  } catch (reason) {
    await restoring.giveUp();
    throw reason;
  } finally {
    await lines.return();
  }
}

/** The only processor to be replaced, put into service. */
async function target({ agent }: RequestContext, idOrName: string): Promise<Primitive> {
  const processor = await agent.find(idOrName);
  assertHere(processor);
  await agent.call(processor.id, InspectionService.method.ping, {});
  return processor;
}

/** One restore. */
class Restoring {
  readonly #context: RequestContext;
  readonly #only: Primitive | undefined;
  readonly #id = crypto.randomUUID();
  readonly #reader: LineReader;
  readonly #staged: Target[] = [];
  #destination: Destination | undefined;
  #target: Target | undefined;
  #part: BackupRecord[] = [];
  #partBytes = 0;
  /** Size of the lines read since others were served last that are sent to no processor. */
  #skippedBytes = 0;
  #lines = 0;
  /** Whether the processor of the current lines was never called. */
  #isUnused = false;
  #hasEnded = false;

  constructor(context: RequestContext, only: Primitive | undefined) {
    this.#context = context;
    this.#only = only;
    this.#reader = new LineReader(context.budgets.memorySymbols);
  }

  /** Handles the next line. @throws Refusal with its number when it is wrong */
  async line({ text, bytes }: FileLine): Promise<void> {
    this.#lines++;
    const number = this.#lines;
    if (this.#hasEnded) throw wrongLine(number, "nothing may follow the last line of a backup");
    const record = await this.#located(number, async () => this.#reader.read(text, bytes));
    if (record.case === "end") {
      this.#hasEnded = true;
      await this.#send();
    } else if (record.case === "backup" || record.case === "agent" || record.case === "processor") {
      await this.#send();
      await this.#located(number, () => this.#open(record, number));
    } else if (this.#reader.counts.processors === 0) {
      throw wrongLine(number, "the line of a processor must come before those of its parts");
    } else if (this.#isUnused) {
      throw wrongLine(number, "the processor of this line was never used, so it has no parts");
    }
    if (record.case === "end" || record.case === "backup" || record.case === "agent") return;
    if (this.#target !== undefined) await this.#add(record, bytes.length);
    else await this.#skip(bytes.length);
  }

  /** Lets others be served now and then: a small gzip file may hold millions of lines about unknown processors. */
  async #skip(bytes: number): Promise<void> {
    this.#skippedBytes += bytes;
    if (this.#skippedBytes < PART_BYTES) return;
    this.#skippedBytes = 0;
    await yieldToEventLoop();
  }

  /** Applies the restore once all lines were read. @returns the message of the answer */
  async finish(): Promise<string> {
    if (!this.#hasEnded || this.#destination === undefined) {
      throw wrongLine(this.#lines + 1, "the backup is cut short: its last line, which counts the others, is missing");
    }
    await this.#context.rights.confirm?.();
    return await this.#located(this.#lines, async () => {
      const { lines, memories, models, vectors } = this.#reader.counts;
      const applied = await this.#destination?.finish(this.#id, this.#staged);
      return (
        `{"lines":${number(lines)},"memories":${number(memories)},"models":${number(models)},${applied},` +
        `"vectors":${number(vectors)}}`
      );
    });
  }

  /** Drops what was staged. Never throws: an object drops abandoned staging anyway. */
  async giveUp(): Promise<void> {
    const drops = this.#staged.map((processor) =>
      this.#context.agent.callObject(processor, dropRestore, { restoreId: this.#id }),
    );
    await Promise.allSettled(drops);
  }

  async #open(record: BackupRecord["record"], line: number): Promise<void> {
    if (record.case === "backup") this.#destination = this.#begin(record.value, line);
    else if (this.#destination === undefined) throw new WrongLine("the first line of a backup must be its start");
    else if (record.case === "agent") await this.#destination.agent(record.value);
    else if (record.case === "processor") {
      this.#isUnused = record.value.unused;
      this.#target = await this.#destination.processor(record.value);
      if (this.#target === undefined) return;
      await this.#context.agent.callObject(this.#target, beginRestore, { restoreId: this.#id });
      this.#staged.push(this.#target);
    }
  }

  #begin({ version, processor }: BackupStart, line: number): Destination {
    if (line !== 1) throw new WrongLine("only the first line of a backup is its start");
    if (version !== VERSION)
      throw new WrongLine(`the backup has version ${version}; this server reads version ${VERSION}`);
    if (this.#only !== undefined) return new OneProcessor(this.#context, this.#only, processor);
    if (processor === "") return new WholeAgent(this.#context);
    throw new WrongLine(
      `this is a backup of the processor ${excerpt(processor)} alone; ?processor=<id> says which one it replaces`,
    );
  }

  async #add(record: BackupRecord["record"], bytes: number): Promise<void> {
    this.#part.push({ $typeName: "noema.v1.BackupRecord", record });
    this.#partBytes += bytes;
    if (this.#partBytes >= PART_BYTES) await this.#send(1);
  }

  /**
   * Sends the held records to be staged.
   *
   * @param own 1 if the line read last is one of them, 0 if it follows them
   */
  async #send(own = 0): Promise<void> {
    const records = this.#part;
    if (records.length === 0 || this.#target === undefined) return;
    this.#part = [];
    this.#partBytes = 0;
    const firstLine = this.#lines + own - records.length;
    await this.#context.agent.callObject(this.#target, stageRestore, { restoreId: this.#id, firstLine, records });
    await yieldToEventLoop();
  }

  /** Adds to a refusal the line at which it came. */
  async #located<T>(line: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (reason) {
      if (reason instanceof WrongLine) throw wrongLine(line, reason.message);
      const refusal = refusalOf(reason);
      if (refusal.http === 500 || refusal.http === 503) throw reason;
      throw new Refusal(refusal.http, `line ${line}: ${refusal.message}`, refusal.extras);
    }
  }
}

function wrongLine(line: number, message: string): Refusal {
  return new Refusal(400, `line ${line}: ${message}`);
}

/** A restore of a whole agent. */
class WholeAgent implements Destination {
  readonly #context: RequestContext;
  #genomeJson: string | undefined;
  #routes: MqttRoute[] = [];
  /** The processors of the genome whose lines have not come yet. */
  readonly #missing = new Map<string, Target & { readonly isNew: boolean }>();

  constructor(context: RequestContext) {
    this.#context = context;
  }

  async agent({ genomeJson, routes }: AgentRecord): Promise<void> {
    if (this.#genomeJson !== undefined) throw new WrongLine("a backup has one line of the agent");
    this.#genomeJson = genomeJson;
    this.#routes = routes;
    const { processors } = await this.#context.agent.ask(AgentRestoreService.method.planRestore, { genomeJson });
    for (const { id, place, isNew } of processors) {
      const { locationHint = "", jurisdiction = "" } = place ?? {};
      this.#missing.set(id, { id, place: { locationHint, jurisdiction }, isNew });
    }
  }

  async processor({ id, unused }: ProcessorRecord): Promise<Target | undefined> {
    if (this.#genomeJson === undefined)
      throw new WrongLine("the line of the agent must come before those of processors");
    const planned = this.#missing.get(id);
    if (planned === undefined)
      throw new WrongLine(`the processor ${excerpt(id)} is not in the genome, or has a line already`);
    this.#missing.delete(id);
    // It has no data, neither now nor in the backup.
    return unused && planned.isNew ? undefined : planned;
  }

  async finish(restoreId: string, staged: readonly Target[]): Promise<string> {
    const [missing] = this.#missing.keys();
    if (this.#genomeJson === undefined) throw new WrongLine("the backup has no line of the agent");
    if (missing !== undefined)
      throw new WrongLine(`the backup has no line of the processor ${excerpt(missing)}, which its genome has`);
    const ids = staged.map(({ id }) => id);
    const asked = { restoreId, genomeJson: this.#genomeJson, staged: ids, routes: this.#routes };
    const {
      added = [],
      kept = [],
      renamed = [],
      retired = [],
    } = (await this.#context.agent.restore(asked)).change ?? {};
    const processors = [...added, ...kept, ...renamed.map(({ id }) => id)];
    return `"processors":${texts(processors)},"retired":${texts(retired)}`;
  }
}

/** A restore of one processor. */
class OneProcessor implements Destination {
  readonly #context: RequestContext;
  readonly #target: Primitive;
  readonly #source: string;
  /** Some of the backup's other processors. */
  readonly #others: string[] = [];
  #isFound = false;

  /**
   * @param source the processor of the backup; empty for a backup of a whole agent, which yields the processor with the
   *   same id
   */
  constructor(context: RequestContext, processor: Primitive, source: string) {
    this.#context = context;
    this.#target = processor;
    this.#source = source === "" ? processor.id : source;
  }

  async agent(): Promise<void> {}

  async processor({ id, unused }: ProcessorRecord): Promise<Target | undefined> {
    if (id !== this.#source) {
      if (this.#others.length < MAX_NAMED) this.#others.push(id);
      return undefined;
    }
    if (this.#isFound) throw new WrongLine(`the processor ${excerpt(id)} comes twice`);
    if (unused) throw new WrongLine(`the processor ${excerpt(id)} was never used, so there is nothing to restore`);
    this.#isFound = true;
    return this.#target;
  }

  async finish(restoreId: string): Promise<string> {
    if (!this.#isFound) {
      const others = this.#others.map((id) => excerpt(id)).join(", ") || "none";
      throw new WrongLine(`the backup has no processor ${excerpt(this.#source)}; it has ${others}`);
    }
    await this.#context.agent.callObject(this.#target, restoreAlone, { restoreId });
    return `"processors":${texts([this.#target.id])},"retired":[]`;
  }
}
