/**
 * The part in an object: models of a split processor in a kernel, with nothing stored. It follows the log of its head,
 * answers its questions, and reports its place when the head assumes another. It may lose everything at any time; then
 * it reports that, and is filled again.
 */

import type { KernelPart } from "../../kernel/part";
import { Fault } from "../../processor/ports/fault";
import { type IsolateKernels, type KernelOwner, MemoryCleared } from "../isolate-kernels";
import type { FanOut } from "./fan-out";
import type {
  PartDelivery,
  PartFamily,
  PartFill,
  PartMark,
  PartMessage,
  PartOutcome,
  PartReply,
  PartUse,
  PartWork,
} from "./messages";

/** The contents of a part. */
interface Held {
  readonly models: KernelPart;
  readonly epoch: string;
  /** Its place in the log; `undefined` while it is being filled. */
  at: number | undefined;
  /** The number of the next piece that fills it. */
  piece: number;
  /** The stored state that it holds; `undefined` if its state is not stored. */
  mark: PartMark | undefined;
}

/** The context of a part. */
export interface PartHostParts {
  /** The object's own identifier. */
  readonly objectId: string;
  readonly kernels: IsolateKernels;
  readonly fanOut: FanOut;
}

/** The part of one object. */
export class PartHost implements KernelOwner {
  readonly #parts: PartHostParts;
  #held: Held | undefined;

  constructor(parts: PartHostParts) {
    this.#parts = parts;
  }

  /** Does what a message says, and carries others on meanwhile. */
  async take(family: PartFamily, { part, message, onwards, withinMs }: PartDelivery): Promise<PartOutcome[]> {
    const others = this.#parts.fanOut.carry(family, onwards, withinMs);
    return [{ part, reply: this.reply(message) }, ...(await others)];
  }

  kernelReleased(): void {
    this.#held = undefined;
  }

  /** Handles a message. Never throws. */
  reply(message: PartMessage): PartReply {
    const { kernels, objectId } = this.#parts;
    try {
      if (message.kind === "look") return this.#look();
      const reply = message.kind === "fill" ? this.#fill(message) : this.#work(message);
      if (this.#held !== undefined) kernels.use(objectId, 0);
      return reply;
    } catch (error) {
      const use = this.#held === undefined ? this.#noUse : this.#use(this.#held);
      this.#held = undefined;
      kernels.discard(objectId, error);
      if (error instanceof MemoryCleared) return this.#elsewhere;
      if (error instanceof Fault && error.kind === "exhausted") return { kind: "full", use };
      const name = error instanceof Error ? error.name : typeof error;
      console.error(`a part of a processor failed with ${name}: ${error instanceof Error ? error.stack : ""}`);
      return { kind: "failed", reason: name };
    }
  }

  #look(): PartReply {
    const held = this.#held;
    if (held?.at === undefined) return this.#elsewhere;
    return { kind: "done", at: held.at, use: this.#use(held), answer: undefined };
  }

  #work({ epoch, from, changes, mark, adopts, question }: PartWork): PartReply {
    const held = this.#held;
    if (held?.at === undefined) return this.#elsewhere;
    const isAdopted = held.epoch !== epoch && isSameMark(held.mark, adopts);
    if (held.epoch !== epoch && !isAdopted) return this.#elsewhere;
    const at = isAdopted ? from : held.at;
    if (at < from || at > from + changes.length) return this.#elsewhere;
    const left = changes.slice(at - from);
    const now = { ...held, epoch, at: from + changes.length, mark: left.length > 0 ? undefined : held.mark };
    for (const change of left) now.models.apply(change);
    if (mark !== undefined) now.mark = mark;
    this.#held = now;
    const answer = question === undefined ? undefined : now.models.answer(question);
    return { kind: "done", at: now.at, use: this.#use(now), answer };
  }

  #fill({ epoch, piece, symbols, models, end }: PartFill): PartReply {
    const held = piece === 0 ? this.#emptied(epoch) : this.#held;
    if (held?.epoch !== epoch || held.at !== undefined || held.piece !== piece) return this.#elsewhere;
    // The symbols of the first pieces come before the models, as those of the last ones after them: see fill.ts.
    for (const batch of models) held.models.addBatch(batch);
    if (symbols !== undefined) held.models.apply({ kind: "symbols", ...symbols });
    held.piece++;
    if (end !== undefined) {
      held.at = end.at;
      held.mark = end.mark;
    }
    return { kind: "done", at: end?.at ?? 0, use: this.#use(held), answer: undefined };
  }

  #emptied(epoch: string): Held {
    const { kernels, objectId } = this.#parts;
    const models = kernels.create(objectId, this).asPart();
    this.#held = { models, epoch, at: undefined, piece: 0, mark: undefined };
    return this.#held;
  }

  get #elsewhere(): PartReply {
    return {
      kind: "elsewhere",
      epoch: this.#held?.at === undefined ? undefined : this.#held.epoch,
      at: this.#held?.at ?? 0,
    };
  }

  #use({ models: { bytes, limitBytes, models } }: Held): PartUse {
    return { bytes, limitBytes, models };
  }

  get #noUse(): PartUse {
    return { bytes: 0, limitBytes: this.#parts.kernels.limitBytes, models: 0 };
  }
}

function isSameMark(one: PartMark | undefined, other: PartMark | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.count === other.count && one.incarnation === other.incarnation && one.revision === other.revision;
}
