/**
 * Answers load_kb: reads the file piece by piece, stages it at the processor in parts, and finally replaces the
 * knowledge base with it or merges it.
 */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ForecastRecordSchema } from "../../gen/noema/v1/forecast_pb";
import { KnowledgeService } from "../../gen/noema/v1/knowledge_service_pb";
import type { ModelSchema, VectorRecordSchema } from "../../gen/noema/v1/model_pb";
import { yieldToEventLoop } from "../../rpc/transport/yield-to-event-loop";
import { describe } from "../decode/value";
import { okay } from "../encode/envelope";
import { textChunks } from "../json/body";
import { JsonStream } from "../json/stream";
import { text } from "../json/writer";
import { Refusal } from "../refusal";
import type { Query, RequestContext } from "../request-context";
import { type KnowledgeSink, readKnowledge } from "./file";

/** Maximum size of a file, in bytes; it is never held as a whole. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/** Approximate characters of a part at which it is sent; each symbol, number and record adds FLAT_RATE. */
const PART_SIZE = 128 * 1024;

/** Characters counted for a symbol, a number or a record in addition. */
const FLAT_RATE = 16;

const { beginLoad, loadKnowledge, commitLoad, mergeLoad, abortLoad } = KnowledgeService.method;

/**
 * Answers load_kb. All or nothing: the processor keeps its knowledge until the last call. With `mode=merge` in the
 * query, that knowledge stays, and known models merge.
 *
 * @throws Refusal 400 for another mode, and when the file is wrong, naming the record and the member, 413 when it is
 *   too large
 * @throws ConnectError when the processor refuses a record, or the file as a whole
 */
export async function loadKnowledgeBase(context: RequestContext): Promise<string> {
  const finish = modeOf(context.query) === "merge" ? mergeLoad : commitLoad;
  const chunks = textChunks(context.request, MAX_FILE_BYTES);
  const staging = new Staging(context);
  try {
    const { ignored } = await readKnowledge(new JsonStream(chunks, context.held()), staging);
    return okay(await staging.finish(finish), '"success"', ignored === "" ? {} : { detail: text(ignored) });
  } catch (reason) {
    await staging.abort();
    throw reason;
  } finally {
    await chunks.return();
  }
}

/** @throws Refusal 400 for an unknown mode */
function modeOf({ mode = "replace" }: Query): "merge" | "replace" {
  if (mode === "merge" || mode === "replace") return mode;
  throw new Refusal(400, `the query's mode must be "merge" or "replace", got ${describe(mode)}`);
}

/** A load at the processor. It begins with the first part, so that a file with an error at its start costs no call. */
class Staging implements KnowledgeSink {
  readonly #context: RequestContext;
  #loadId: string | undefined;
  #models: MessageInitShape<typeof ModelSchema>[] = [];
  #vectors: MessageInitShape<typeof VectorRecordSchema>[] = [];
  #size = 0;
  #forecastRecord: MessageInitShape<typeof ForecastRecordSchema> | undefined;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  async model(model: MessageInitShape<typeof ModelSchema>): Promise<void> {
    this.#models.push(model);
    for (const event of model.sequence ?? []) {
      for (const symbol of event.symbols ?? []) this.#size += FLAT_RATE + symbol.length;
    }
    for (const json of model.metadataJson ?? []) this.#size += FLAT_RATE + json.length;
    for (const { values } of model.emotives ?? []) this.#size += FLAT_RATE * (values?.length ?? 0);
    await this.#sendWhenFull();
  }

  async vector(vector: MessageInitShape<typeof VectorRecordSchema>): Promise<void> {
    this.#vectors.push(vector);
    this.#size += FLAT_RATE * (vector.components?.length ?? 0);
    await this.#sendWhenFull();
  }

  forecastRecord(told: MessageInitShape<typeof ForecastRecordSchema>): void {
    this.#forecastRecord = told;
  }

  /** Sends the rest, and then replaces the knowledge base or merges. */
  async finish(rpc: typeof commitLoad | typeof mergeLoad) {
    await this.#send();
    const forecastRecord = this.#forecastRecord;
    const asked = { loadId: this.#loadId ?? "", ...(forecastRecord === undefined ? {} : { forecastRecord }) };
    return rpc === mergeLoad ? this.#context.call(mergeLoad, asked) : this.#context.call(commitLoad, asked);
  }

  /** Drops what is staged. */
  async abort(): Promise<void> {
    if (this.#loadId === undefined) return;
    try {
      await this.#context.call(abortLoad, { loadId: this.#loadId });
    } catch {
      // The client should get the error that ended the load, not this one. The processor drops the parts when the next
      // load begins.
    }
  }

  async #sendWhenFull(): Promise<void> {
    this.#size += FLAT_RATE;
    if (this.#size >= PART_SIZE) await this.#send();
  }

  async #send(): Promise<void> {
    this.#loadId ??= (await this.#context.call(beginLoad, {})).loadId;
    if (this.#models.length === 0 && this.#vectors.length === 0) return;
    const part = { loadId: this.#loadId, models: this.#models, vectors: this.#vectors };
    this.#models = [];
    this.#vectors = [];
    this.#size = 0;
    await this.#context.call(loadKnowledge, part);
    await yieldToEventLoop();
  }
}
