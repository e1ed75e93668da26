/**
 * A split processor whose parts lose answers, all they have, and themselves: every answer is that of a processor that is not split, or a
 * refusal that has changed nothing.
 */

import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { FanOut } from "../../../src/object/parts/fan-out";
import type { PartDelivery, PartFamily, PartOutcome } from "../../../src/object/parts/messages";
import { PartHost } from "../../../src/object/parts/part-host";
import { StoredProcessor } from "../../../src/object/stored-processor";
import { Fault } from "../../../src/processor/ports/fault";
import type { Processor } from "../../../src/processor/processor";
import { kernelsWithin, LISTENER, newHostOn } from "../../support/object/hosts";
import { Random } from "../../support/random";

const COUNT = 3;
const CALLS = 110;

/** The parts of a processor, as objects that fail. */
class LossyParts {
  readonly #random: Random;
  readonly #hosts: PartHost[] = [];
  readonly fanOut: FanOut;
  /** Of how many messages one is lost, one its answer, and before one the part; 0 for none. */
  failing = 0;
  /** How often the first part was asked. */
  rounds = 0;
  /** Parts that cannot be reached. */
  readonly away = new Set<number>();
  /** What goes wrong on purpose: the test must find it. */
  planted: ((family: PartFamily, delivery: PartDelivery) => PartDelivery) | undefined;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.fanOut = new FanOut((family, delivery) => this.#call(family, delivery), 1_000);
    for (let part = 0; part < COUNT; part++) this.lose(part);
  }

  /** A part begins anew, with nothing. */
  lose(part: number): void {
    const own = new FanOut((family, delivery) => this.#call(family, delivery), 1_000);
    this.#hosts[part] = new PartHost({ objectId: `part ${part}`, kernels: kernelsWithin(), fanOut: own });
  }

  async #call(family: PartFamily, delivery: PartDelivery): Promise<PartOutcome[]> {
    const { message, part } = delivery;
    if (part === 0 && message.kind === "work" && message.question !== undefined) this.rounds++;
    const dice = this.failing === 0 ? -1 : this.#random.below(this.failing);
    if (dice === 0) this.lose(part);
    if (dice === 1 || this.away.has(part)) throw new Error("the message was lost");
    await Promise.resolve();
    const told = this.planted?.(family, structuredClone(delivery)) ?? structuredClone(delivery);
    const outcomes = await this.#hosts[part]?.take(family, told);
    if (dice === 2) throw new Error("the answer was lost");
    return structuredClone(outcomes ?? []);
  }
}

type Verb = (processor: Processor) => unknown;

const SYMBOLS = Array.from({ length: 9 }, (_, at) => `s${at}`);

/** A random verb. */
function verbOf(random: Random, time: number): { writes: boolean; verb: Verb } {
  const event = () => Array.from({ length: 1 + random.below(2) }, () => random.pick(SYMBOLS));
  const record = () => ({
    strings: event(),
    vectors: [],
    emotives: [],
    metadataJson: "",
    uniqueId: `u${time}`,
    command: "",
    numbers: [],
    time,
  });
  const sequence = { events: Array.from({ length: 1 + random.below(3) }, () => ({ symbols: event() })) };
  const records = Array.from({ length: 1 + random.below(4) }, record);
  const one = record();
  const [symbol = ""] = event();
  const learn = random.below(2) === 0;
  const verbs: [number, boolean, Verb][] = [
    [10, true, ({ memory }) => memory.observe(one, [], undefined, learn)],
    [8, true, ({ memory }) => memory.learn()],
    [6, true, ({ memory }) => memory.observeSequence({ sequence: records, learn, clear: learn, explain: learn })],
    [3, false, ({ memory }) => memory.getPredictions("", { sequence })],
    [3, false, ({ memory }) => memory.getForecast({ sequence, horizon: 2 })],
    [2, false, ({ memory }) => memory.getSequenceSurprise(sequence.events, learn)],
    [2, true, ({ knowledge }) => knowledge.addModel({ sequence })],
    [1, true, ({ knowledge }) => knowledge.forgetModels({ keepAtMost: 20, dryRun: false })],
    [1, true, ({ modes }) => modes.setAutolearning(learn)],
    [
      1,
      true,
      ({ genes }) =>
        genes.change([{ name: "max_sequence_length", value: { value: { case: "number", value: learn ? 3 : 0 } } }]),
    ],
    [1, true, ({ knowledge }) => knowledge.removeSymbols({ symbols: [], patterns: [symbol] })],
  ];
  let left = random.below(verbs.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, writes, verb] of verbs) {
    left -= weight;
    if (left < 0) return { writes, verb };
  }
  throw new Error("no verb was drawn");
}

async function answerOf(host: StoredProcessor, { writes, verb }: ReturnType<typeof verbOf>): Promise<string> {
  try {
    return JSON.stringify(await host.run(writes, verb));
  } catch (error) {
    if (error instanceof Fault) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

/** Runs the same calls on a processor that is not split and on one that is. */
async function compare(seed: number, failing: number, planted?: LossyParts["planted"]): Promise<void> {
  const inObject = <Outcome>(work: (storage: DurableObjectStorage) => Promise<Outcome>) =>
    runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_, { storage }) => work(storage));
  const drawn = new Random(seed);
  const seeds = Array.from({ length: CALLS }, () => drawn.below(2 ** 30));
  const callOf = (call: number) => verbOf(new Random(seeds[call] ?? 0), 1_000 + 60 * call);
  const expected = await inObject(async (storage) => {
    const whole = newHostOn(storage);
    const answers: string[] = [];
    for (const call of seeds.keys()) answers.push(await answerOf(whole, callOf(call)));
    return answers;
  });
  await inObject(async (storage) => {
    const parts = new LossyParts(seed);
    parts.failing = failing;
    parts.planted = planted;
    let head = headOn(storage, parts);
    head.provision("p1", "P1", [], { agent: "", manipulatives: [], parts: COUNT });
    for (const call of seeds.keys()) {
      // An object that is lost leaves its rows.
      if (failing > 0 && drawn.below(20) === 0) head = headOn(storage, parts);
      let answer = await answerOf(head, callOf(call));
      for (let again = 0; again < 20 && answer.startsWith("unavailable"); again++)
        answer = await answerOf(head, callOf(call));
      // Where a part could not be reached, observing went on.
      if (failing > 0 && /"omitted":\{"prediction":[1-9]/.test(answer)) continue;
      expect(answer, `call ${call}, seed ${seed}`).toBe(expected[call]);
    }
  });
}

function headOn(storage: DurableObjectStorage, parts: LossyParts): StoredProcessor {
  const split = { fanOut: parts.fanOut, jurisdiction: "" };
  return new StoredProcessor(storage, { objectId: "head", kernels: kernelsWithin(), listener: LISTENER, split });
}

test("what is lost on the way and in parts changes no answer", async () => {
  await compare(11, 25);
});

test.each<[string, NonNullable<LossyParts["planted"]>]>([
  [
    "a change that is not told",
    (_, delivery) => {
      const { message } = delivery;
      if (message.kind !== "work") return delivery;
      return {
        ...delivery,
        message: {
          ...message,
          changes: message.changes.map((change) =>
            change.kind === "frequency"
              ? { kind: "symbols", ids: new Uint32Array(), frequencies: new Float64Array() }
              : change,
          ),
        },
      };
    },
  ],
  [
    "a part that is filled with too little",
    (_, delivery) => {
      const { message } = delivery;
      return message.kind === "fill" ? { ...delivery, message: { ...message, models: [] } } : delivery;
    },
  ],
])("and %s is found", async (_, planted) => {
  await expect(compare(12, 60, planted)).rejects.toThrow(/call \d+, seed 12|no model has/);
});

test("while a part is away, what needs it is refused, and observing and learning go on", async () => {
  await runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), async (_, { storage }) => {
    const parts = new LossyParts(1);
    const head = headOn(storage, parts);
    head.provision("p1", "P1", [], { agent: "", manipulatives: [], parts: COUNT });
    const observe = (symbol: string) =>
      head.run(true, ({ memory }) =>
        memory.observe(
          { strings: [symbol], vectors: [], emotives: [], metadataJson: "", uniqueId: "u", command: "", numbers: [] },
          [],
          undefined,
          false,
        ),
      );
    for (const symbol of ["a", "b", "c"]) await observe(symbol);
    await head.run(true, ({ memory }) => memory.learn());
    parts.away.add(1);
    expect((await observe("a")).observed.predictionMade).toBe(false);
    await expect(head.run(false, ({ memory }) => memory.getPredictions(""))).rejects.toThrow(
      "part 2 of the 3 parts of this processor cannot be reached; nothing has changed: try again",
    );
    parts.away.clear();
    expect((await head.run(false, ({ memory }) => memory.getPredictions(""))).predictions).toHaveLength(1);
  });
});

test("a call asks the parts all at once that it will ask, and what is known not again", async () => {
  await runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), async (_, { storage }) => {
    const parts = new LossyParts(1);
    const head = headOn(storage, parts);
    head.provision("p1", "P1", [], { agent: "", manipulatives: [], parts: COUNT });
    const random = new Random(5);
    const record = () => ({
      strings: [random.pick(SYMBOLS)],
      vectors: [],
      emotives: [],
      metadataJson: "",
      uniqueId: "u",
      command: "",
      numbers: [],
    });
    const roundsOf = async (writes: boolean, verb: Verb) => {
      const before = parts.rounds;
      await head.run(writes, verb);
      return parts.rounds - before;
    };
    const observe = (count: number, learn: boolean, explain: boolean) => {
      const sequence = Array.from({ length: count }, record);
      return roundsOf(true, ({ memory }) => memory.observeSequence({ sequence, learn, clear: false, explain }));
    };
    for (let models = 0; models < 12; models++) await observe(8, true, false);
    const learning: number[] = [];
    for (let models = 0; models < 8; models++) {
      await observe(8, false, false);
      learning.push(await roundsOf(true, ({ memory }) => memory.learn()));
    }
    // It is graded after some, and its place and those of models drawn are asked for together.
    expect(Math.max(...learning)).toBe(2);
    expect(await observe(100, false, true)).toBeLessThanOrEqual(3);
    const one = record();
    const asked: [number, boolean, Verb][] = [
      // Whether there is any prediction, and how unexpected it was.
      [2, true, ({ memory }) => memory.observe(one, [], undefined, true)],
      // The sums, then the predictions.
      [2, false, ({ memory }) => memory.getPredictions("")],
      [0, false, ({ memory }) => memory.getPredictions("")],
      [2, false, ({ memory }) => memory.getForecast({ horizon: 3 })],
      [0, false, ({ memory }) => memory.explainForecast({ symbol: "s1", horizon: 2, within: true })],
      [
        3,
        false,
        ({ memory }) =>
          memory.getSequenceSurprise(
            [["s1"], ["s2"], ["s4"]].map((symbols) => ({ symbols })),
            true,
          ),
      ],
    ];
    for (const [most, writes, verb] of asked) expect(await roundsOf(writes, verb), `${verb}`).toBeLessThanOrEqual(most);
    const { predictions } = await head.run(false, ({ memory }) => memory.getPredictions(""));
    const name = predictions.at(-1)?.name ?? "";
    const explain: Verb = ({ memory }) => memory.explainPrediction(name);
    // The sums are known, and one part is asked.
    expect(await roundsOf(false, explain)).toBeLessThanOrEqual(1);
    expect(await roundsOf(false, explain)).toBe(0);
    await observe(2, true, false);
    expect(
      await roundsOf(false, ({ memory }) => memory.getPredictions("", { sequence: { events: [{ symbols: ["s1"] }] } })),
    ).toBe(2);
  });
});
