/** The parts of a processor as objects that fail, and heads that ask them, for tests inside workerd. */

import { env, runInDurableObject } from "cloudflare:test";
import type { IsolateKernels } from "../../../src/object/isolate-kernels";
import { FanOut } from "../../../src/object/parts/fan-out";
import type { PartDelivery, PartFamily, PartOutcome } from "../../../src/object/parts/messages";
import { PartHost } from "../../../src/object/parts/part-host";
import { StoredProcessor } from "../../../src/object/stored-processor";
import { Random } from "../random";
import { kernelsWithin, LISTENER } from "./hosts";

/** Number of parts, where a test does not say. */
export const COUNT = 3;
/** After how many milliseconds a part counts as silent, where a test does not say: longer than one takes on a busy machine. */
const ANSWER_MS = 30_000;

/** The parts of a processor, as objects that fail. */
export class LossyParts {
  readonly count: number;
  readonly #random: Random;
  readonly #hosts: PartHost[] = [];
  /** After how many milliseconds a part counts as silent. */
  readonly #answerMs: number;
  readonly fanOut: FanOut;
  /** Of how many messages one is lost, one its answer, and before one the part; 0 for none. */
  failing = 0;
  /** How often the first part was asked. */
  rounds = 0;
  /** Parts that cannot be reached. */
  readonly away = new Set<number>();
  /** Parts that never answer. */
  readonly silent = new Set<number>();
  /** How many bytes those may hold that begin anew. */
  memoryBytes: number | undefined;
  /** The kernels of those that begin anew and share an isolate. */
  shared: IsolateKernels | undefined;
  /** How many messages of each kind were sent. */
  readonly sent = new Map<string, number>();
  /** Of how many messages one comes with a part or the head that leaves memory; 0 for none. */
  evicting = 0;
  /** The head that asks last. */
  head: StoredProcessor | undefined;
  /** How often the head and a part have left memory. */
  readonly evicted = { head: 0, part: 0 };
  /** What goes wrong on purpose: the test must find it. */
  planted: ((family: PartFamily, delivery: PartDelivery) => PartDelivery) | undefined;

  constructor(seed: number, count = COUNT, answerMs = ANSWER_MS) {
    this.count = count;
    this.#answerMs = answerMs;
    this.#random = new Random(seed);
    this.fanOut = new FanOut((family, delivery) => this.#call(family, delivery), answerMs);
    for (let part = 0; part < this.count; part++) this.lose(part);
  }

  /** All parts begin anew, in one isolate with the head. */
  share(kernels: IsolateKernels): void {
    this.shared = kernels;
    for (let part = 0; part < this.count; part++) this.lose(part);
  }

  /** A part begins anew, with nothing. */
  lose(part: number): void {
    const own = new FanOut((family, delivery) => this.#call(family, delivery), this.#answerMs);
    const alone = kernelsWithin(this.memoryBytes === undefined ? {} : { memoryBytes: this.memoryBytes });
    const kernels = this.shared ?? alone;
    this.#hosts[part] = new PartHost({ objectId: `part ${part}`, kernels, fanOut: own });
  }

  /** A part leaves memory, because others of its isolate need it. */
  #evict(part: number): void {
    this.shared?.release(`part ${part}`);
    this.#hosts[part]?.kernelReleased();
    this.evicted.part++;
  }

  /** The head leaves memory, because others of its isolate need it. */
  evictHead(): void {
    this.shared?.release("head");
    this.head?.kernelReleased();
    this.evicted.head++;
  }

  #evictOne(): void {
    if (this.evicting === 0 || this.#random.below(this.evicting) > 0) return;
    const which = this.#random.below(this.count + 1);
    if (which === this.count) this.evictHead();
    else this.#evict(which);
  }

  async #call(family: PartFamily, delivery: PartDelivery): Promise<PartOutcome[]> {
    const { message, part } = delivery;
    if (part === 0 && message.kind === "work" && message.question !== undefined) this.rounds++;
    const dice = this.failing === 0 ? -1 : this.#random.below(this.failing);
    this.sent.set(delivery.message.kind, (this.sent.get(delivery.message.kind) ?? 0) + 1);
    if (this.silent.has(part)) return new Promise(() => {});
    if (dice === 0) this.lose(part);
    if (dice === 1 || this.away.has(part)) throw new Error("the message was lost");
    await Promise.resolve();
    this.#evictOne();
    const told = this.planted?.(family, structuredClone(delivery)) ?? structuredClone(delivery);
    const outcomes = await this.#hosts[part]?.take(family, told);
    if (dice === 2) throw new Error("the answer was lost");
    return structuredClone(outcomes ?? []);
  }
}

/**
 * A head with these parts.
 *
 * @param grade grades its knowledge after a load
 */
export function headOn(storage: DurableObjectStorage, parts: LossyParts, grade?: () => Promise<void>): StoredProcessor {
  const split = { fanOut: parts.fanOut, jurisdiction: "" };
  const { memoryBytes } = parts;
  const kernels = parts.shared ?? kernelsWithin(memoryBytes === undefined ? {} : { memoryBytes });
  const listener = { ...LISTENER, ...(grade && { grade }) };
  parts.head = new StoredProcessor(storage, { objectId: "head", kernels, listener, split });
  return parts.head;
}

/** Works with a new processor of parts. */
export async function onNewHead<Outcome>(
  parts: LossyParts,
  work: (head: StoredProcessor, storage: DurableObjectStorage) => Promise<Outcome>,
): Promise<Outcome> {
  return runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), async (_, { storage }) => {
    const head = headOn(storage, parts);
    head.provision("p1", "P1", [], { agent: "", manipulatives: [], parts: parts.count });
    return work(head, storage);
  });
}
