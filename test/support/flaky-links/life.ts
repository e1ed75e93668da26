/** The calls of a device's life, drawn at random with a seed. Some depend on an answer before them. */

import type { Random } from "../random";
import type { Call } from "./device";

/** Where a device lives: in a processor of its own, or in a session of one that it shares with others. */
export type Home = "processor" | "session";

/** How a device makes its calls repeatable. */
export type Repeatable = "delivery numbers" | "idempotency keys";

/** Call number `n` of a device, 1 or more. `model` is the name of a model that the device has learned; empty when there is none. */
type Step = (random: Random, n: number, model: string) => Call;

const SYMBOLS = ["a", "b", "c", "d", "e", "f", "g", "h"];

function gdf(random: Random, id: string) {
  const strings = Array.from({ length: 1 + random.below(3) }, () => random.pick(SYMBOLS));
  return {
    strings,
    unique_id: id,
    ...(random.below(5) === 0 && { vectors: [[random.below(4), random.below(4)]] }),
    ...(random.below(3) === 0 && { emotives: { joy: random.fraction() } }),
    ...(random.below(6) === 0 && { metadata: { at: id } }),
  };
}

/** What the first device's processor knows, so that it predicts, and others are told. */
export const KNOWN = { sequence: [["a", "b"], ["c"]] };

/** The first call of every life. */
const first: Step = () => ({
  method: "POST",
  path: "observe",
  body: { data: { strings: ["a", "b"], unique_id: "1" } },
});

const observe: Step = (random, n) => ({ method: "POST", path: "observe", body: { data: gdf(random, `${n}`) } });

function observeSequence(learns: boolean): Step {
  return (random, n) => {
    const sequence = Array.from({ length: 1 + random.below(4) }, (_, at) => gdf(random, `${n}.${at}`));
    const data = { sequence, learn: learns && random.below(2) === 0, clear: random.below(4) === 0 };
    return { method: "POST", path: "sequence-observe", body: { data } };
  };
}

function post(path: string, body?: unknown): Step {
  return () => ({ method: "POST", path, ...(body !== undefined && { body }) });
}

const addModel: Step = (random) => ({
  method: "PUT",
  path: "add-model",
  body: { sequence: [[random.pick(SYMBOLS)], [random.pick(SYMBOLS)]], frequency: 1 + random.below(3) },
});

const updateModel: Step = (random, _, model) => ({
  method: "PUT",
  path: `model/${model || "0".repeat(40)}`,
  body: { model: { frequency: 1 + random.below(5) } },
});

const deleteModel: Step = (_, __, model) => ({ method: "DELETE", path: `model/${model || "0".repeat(40)}` });

function symbolsCall(method: string, path: string): Step {
  return (random) => ({ method, path, body: { data: [random.pick(SYMBOLS)] } });
}

const changeGene: Step = (random) => ({
  method: "POST",
  path: "genes/change",
  body: { data: { recall_threshold: random.below(10) / 10, max_sequence_length: random.below(6) } },
});

const setTarget: Step = (random) => ({
  method: "POST",
  path: "set-target-class",
  body: { data: random.pick(SYMBOLS) },
});

/** The calls that a delivery number makes repeatable. */
const DELIVERED: readonly Step[] = [observe, observe, observe, observeSequence(true)];

/** The same without learning: what devices learn together depends on who is first. */
const DELIVERED_UNLEARNED: readonly Step[] = [observe, observe, observe, observeSequence(false)];

/** All others that change a processor, which only a key makes repeatable. */
const OTHERS: readonly Step[] = [
  post("learn"),
  post("learn"),
  post("learn"),
  post("working-memory/clear"),
  post("predicting/start"),
  post("predicting/stop"),
  post("predicting/start"),
  post("autolearning/start"),
  post("autolearning/stop"),
  post("sleeping/start"),
  post("sleeping/stop"),
  post("sleeping/stop"),
  post("sleeping/stop"),
  post("gene/increment-recall-threshold", { increment: 0.01 }),
  post("clear-target-class"),
  post("clear-target-class"),
  setTarget,
  changeGene,
  addModel,
  updateModel,
  deleteModel,
  symbolsCall("DELETE", "symbols/remove"),
  symbolsCall("DELETE", "patterns/remove"),
  symbolsCall("POST", "blacklisted-symbols/add"),
  symbolsCall("DELETE", "blacklisted-symbols/remove"),
  symbolsCall("DELETE", "blacklisted-symbols/remove"),
];

/** The others that are about one memory and learn nothing, so that devices may live them in sessions of one processor. */
const OTHERS_OF_A_MEMORY: readonly Step[] = [post("working-memory/clear"), setTarget, post("clear-target-class")];

/** Rarely, everything is forgotten. */
const CLEAR_ONCE_IN = 400;

/** The calls of a device, one after the other. */
export class Life {
  readonly #random: Random;
  readonly #how: Repeatable;
  readonly #home: Home;
  readonly #source: string;
  #number = 0;
  #model = "";

  /** @param source tells this device from others */
  constructor(random: Random, how: Repeatable, home: Home, source: string) {
    this.#random = random;
    this.#how = how;
    this.#home = home;
    this.#source = source;
  }

  /** The next call. The same as in another life with the same seed, when all answers were. */
  next(): Call {
    this.#number++;
    const call = this.#step()(this.#random, this.#number, this.#model);
    if (this.#how === "idempotency keys") {
      return { ...call, headers: { "idempotency-key": `${this.#source}/${this.#number}` } };
    }
    // Gaps are allowed.
    this.#number += this.#random.below(3);
    return { ...call, body: { ...(call.body as object), delivery: { source: this.#source, number: this.#number } } };
  }

  /** Takes the answer to the last call. */
  answered(text: string): void {
    if (this.#how === "idempotency keys") this.#model = /MODEL\|([0-9a-f]{40})/.exec(text)?.[1] ?? this.#model;
  }

  #step(): Step {
    if (this.#number === 1) return first;
    const delivered = this.#home === "session" ? DELIVERED_UNLEARNED : DELIVERED;
    if (this.#how === "delivery numbers") return this.#random.pick(delivered);
    if (this.#home === "session") return this.#random.pick([...delivered, ...OTHERS_OF_A_MEMORY]);
    if (this.#random.below(CLEAR_ONCE_IN) === 0) return post("clear-all-memory");
    return this.#random.pick(this.#random.below(2) === 0 ? delivered : OTHERS);
  }
}
