/**
 * A split processor whose parts lose answers, all they have, and themselves: every answer is that of a processor that is not split, or a
 * refusal that has changed nothing.
 */

import { env, runInDurableObject } from "cloudflare:test";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { describe, expect, test, vi } from "vitest";
import {
  SettleSourceRequestSchema,
  TakePublicationsRequestSchema,
} from "../../../src/gen/noema/v1/publication_service_pb";
import { Kernel } from "../../../src/kernel/kernel";
import { IsolateKernels } from "../../../src/object/isolate-kernels";
import { publicationService } from "../../../src/object/mqtt/publication-service";
import { StoredProcessor } from "../../../src/object/stored-processor";
import { modelName } from "../../../src/processor/knowledge/names";
import { Fault } from "../../../src/processor/ports/fault";
import { Processor } from "../../../src/processor/processor";
import { SplitForecastRules } from "../../../src/processor/split/split-forecast-rules";
import { Database } from "../../../src/store/database/database";
import { SqliteStore } from "../../../src/store/store";
import { MemoryTable } from "../../../src/store/tables/memory-table";
import { PublicationTable } from "../../../src/store/tables/publication-table";
import { kernelsWithin, LISTENER, newHostOn } from "../../support/object/hosts";
import { COUNT, headOn, LossyParts, onNewHead } from "../../support/object/lossy-parts";
import { Random } from "../../support/random";

/** An empty record. */
const RECORD = { strings: [], vectors: [], emotives: [], metadataJson: "", uniqueId: "u", command: "", numbers: [] };
const CALLS = 110;

type Verb = (processor: Processor) => unknown;

const SYMBOLS = Array.from({ length: 9 }, (_, at) => `s${at}`);

const DAILY = { name: "daily", when: { kind: "daily", perDay: 40 }, url: "", format: "text", secret: "" } as const;

/** A call of a verb. */
interface VerbCall {
  readonly writes: boolean;
  readonly verb: Verb;
  readonly session: string;
}

/** Random verbs of what is kept in memory besides models, and of sessions. */
function keptVerbOf(random: Random, time: number): VerbCall {
  const session = random.pick(["", "a", "b"]);
  const symbols = [random.pick(SYMBOLS)];
  const gdf = {
    strings: [random.pick(SYMBOLS)],
    vectors: [],
    emotives: [],
    metadataJson: "",
    uniqueId: "",
    command: "",
  };
  const numbers = random.below(2) === 0 ? [{ name: random.pick(["n", "m"]), value: random.below(500) / 10 }] : [];
  const name = random.pick(["daily", "rare"]);
  const alert = { ...DAILY, name };
  const encoder = JSON.stringify(
    random.pick([
      { kind: "auto", bins: 4 },
      { kind: "edges", edges: [10, 20, 30] },
    ]),
  );
  const thresholds: Verb = ({ alerts }) => alerts.getAlerts().map((one) => [one.name, alerts.thresholdOf(one)]);
  const rare: Verb[] = [
    ({ alerts }) => alerts.putAlert(alert),
    ({ alerts }) => alerts.deleteAlert(name),
    ({ encoders }) => encoders.put(random.pick(["n", "m"]), encoder),
    ({ encoders }) => encoders.get(""),
    ({ knowledge }) => knowledge.addBlacklistedSymbols(symbols),
    ({ knowledge }) => knowledge.removeBlacklistedSymbols(symbols),
  ];
  const record = { ...gdf, numbers, time };
  const sequence = [record, { ...record, strings: [random.pick(SYMBOLS)], time: time + 9 }, record];
  const observing: Verb = ({ memory }) => memory.observe(record, [], undefined, false);
  const many: Verb = ({ memory }) => memory.observeSequence({ sequence, learn: false, clear: false, explain: false });
  return { writes: true, session, verb: random.pick([observing, many, many, thresholds, random.pick(rare)]) };
}

/** A random verb. */
function verbOf(random: Random, time: number): VerbCall {
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
    if (left < 0) return { writes, verb, session: "" };
  }
  throw new Error("no verb was drawn");
}

async function answerOf(host: StoredProcessor, { writes, verb, session }: VerbCall): Promise<string> {
  try {
    return `${JSON.stringify(await host.run(writes, verb, session))}`;
  } catch (error) {
    if (error instanceof Fault) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

/** The answer when the parts can be reached again. */
async function answerAtLast(head: StoredProcessor, call: VerbCall): Promise<string> {
  let answer = await answerOf(head, call);
  for (let again = 0; again < 20 && answer.startsWith("unavailable"); again++) answer = await answerOf(head, call);
  return answer;
}

/** What happens to the parts and the head while calls are compared. */
interface Trials {
  /** As in {@link LossyParts}. */
  readonly failing?: number;
  readonly evicting?: number;
  readonly planted?: LossyParts["planted"];
  /** Draws a call; of all verbs if missing. */
  drawOne?(random: Random, time: number): VerbCall;
}

/** Runs the same calls on a processor that is not split and on one that is. */
async function compare(
  seed: number,
  { failing = 0, evicting = 0, planted, drawOne = verbOf }: Trials = {},
): Promise<LossyParts> {
  const inObject = <Outcome>(work: (storage: DurableObjectStorage) => Promise<Outcome>) =>
    runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_, { storage }) => work(storage));
  const drawn = new Random(seed);
  const seeds = Array.from({ length: CALLS }, () => drawn.below(2 ** 30));
  const callOf = (call: number) => drawOne(new Random(seeds[call] ?? 0), 1_000 + 60 * call);
  const expected = await inObject(async (storage) => {
    const whole = newHostOn(storage);
    const answers: string[] = [];
    for (const call of seeds.keys()) answers.push(await answerOf(whole, callOf(call)));
    return answers;
  });
  return inObject(async (storage) => {
    const parts = new LossyParts(seed);
    if (evicting > 0) parts.share(kernelsWithin());
    Object.assign(parts, { failing, evicting });
    parts.planted = planted;
    let head = headOn(storage, parts);
    head.provision("p1", "P1", [], { agent: "", manipulatives: [], parts: COUNT });
    for (const call of seeds.keys()) {
      // An object that is lost leaves its rows.
      if (failing > 0 && drawn.below(20) === 0) head = headOn(storage, parts);
      const answer = await answerAtLast(head, callOf(call));
      // Where a part could not be reached, observing went on.
      if (failing > 0 && /"omitted":\{"prediction":[1-9]/.test(answer)) continue;
      expect(answer, `call ${call}, seed ${seed}`).toBe(expected[call]);
    }
    return parts;
  });
}

/** Observes one event. */
function observe(head: StoredProcessor, symbol: string) {
  const record = { vectors: [], emotives: [], metadataJson: "", uniqueId: "u", command: "", numbers: [] };
  return head.run(true, ({ memory }) => memory.observe({ ...record, strings: [symbol] }, [], undefined, false));
}

/** The events of a model with many symbols that no other model has. */
function eventsOf(model: number): { symbols: string[] }[] {
  const own = Array.from({ length: 100 }, (_, at) => ({ symbols: [`s${model} ${at}`] }));
  return [{ symbols: ["a"] }, { symbols: ["b"] }, ...own];
}

/** What a call is refused with; `undefined` when it is not. */
async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What a call answers; `undefined` when it is refused for now. */
async function refusedOr<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unavailable) return undefined;
    throw error;
  }
}

/** Stages models in one load. @param first the number of the first */
async function stage(head: StoredProcessor, models: number, first = 0): Promise<void> {
  await head.run(true, ({ knowledge }) => knowledge.beginLoad("load"));
  for (let from = first; from < first + models; from += 50) {
    const part = Array.from({ length: 50 }, (_, at) => {
      const sequence = eventsOf(from + at);
      const name = modelName(sequence.map(({ symbols }) => symbols));
      return { name, sequence, frequency: 1, emotives: [], metadataJson: [] };
    });
    await head.run(true, ({ knowledge }) => knowledge.loadKnowledge({ loadId: "load", models: part, vectors: [] }));
  }
}

const status = (head: StoredProcessor) => head.run(false, ({ inspection }) => inspection.getStatus());
/** Of a sequence that shares this many events with a model. */
const predictions = (head: StoredProcessor, events = 60) =>
  head.run(false, ({ memory }) => memory.getPredictions("", { sequence: { events: eventsOf(1).slice(0, events) } }));

/** Merges what is staged in pieces. @param fails whether the third piece fails */
async function mergeInPieces(head: StoredProcessor, fails: boolean): Promise<void> {
  let pieces = 0;
  let merge: ReturnType<Processor["knowledge"]["beginMerge"]> | undefined;
  await head.inPieces(() => {
    if (++pieces === 3 && fails) throw new Error("defect");
    const isDone = head.run(true, ({ knowledge }) => {
      merge ??= knowledge.beginMerge("load");
      knowledge.mergePart(merge);
      return merge.isDone;
    });
    if (isDone instanceof Promise) throw new Error("a piece of a merge waits for its parts");
    return isDone;
  });
}

test("a merge in pieces that fails is forgotten by the parts too, and one that does not is asked about", async () => {
  const learned = async (merges: (head: StoredProcessor) => Promise<unknown>) => {
    let answers: unknown;
    await onNewHead(new LossyParts(3), async (head) => {
      await head.run(true, ({ knowledge }) => knowledge.addModel({ sequence: { events: eventsOf(2_000) } }));
      await predictions(head);
      await stage(head, 600);
      await merges(head);
      answers = [await predictions(head), await status(head)];
    });
    return answers;
  };
  const whole = await learned((head) =>
    Promise.resolve(head.run(true, ({ knowledge }) => knowledge.mergeLoad("load"))),
  );
  const inPieces = await learned(async (head) => {
    await expect(mergeInPieces(head, true)).rejects.toThrow("defect");
    const { status: told } = await status(head);
    expect(told.models).toBe(1);
    await predictions(head);
    await mergeInPieces(head, false);
  });
  expect(inPieces).toStrictEqual(whole);
});

test("what is lost on the way and in parts changes no answer", async () => {
  await compare(11, { failing: 25 });
});

test("what leaves memory in the middle of a call changes no answer", async () => {
  const { evicted } = await compare(15, { evicting: 4 });
  expect(Math.min(evicted.head, evicted.part)).toBeGreaterThan(20);
});

test("runs that are taken back leave thresholds, encoders and blacklist as they are stored", async () => {
  const drawOne: Trials["drawOne"] = (random, time) => {
    if (time === 1_000) return { writes: true, session: "", verb: ({ alerts }) => alerts.putAlert(DAILY) };
    return (random.below(3) === 0 ? verbOf : keptVerbOf)(random, time);
  };
  await compare(14, { drawOne });
});

test("they do not read all memories for what they keep", async () => {
  await onNewHead(new LossyParts(1), async (head) => {
    await head.run(true, ({ alerts }) => alerts.putAlert(DAILY));
    await head.run(true, ({ encoders }) => encoders.put("n", JSON.stringify({ kind: "auto" })));
    for (const symbol of ["a", "b", "a", "b"]) await observe(head, symbol);
    const reads = [
      ...(["newestThresholds", "encoders", "blacklist"] as const).map((what) => vi.spyOn(SqliteStore.prototype, what)),
      vi.spyOn(MemoryTable.prototype, "collectedNumbers"),
    ];
    const runs = vi.spyOn(Processor.prototype, "in");
    const before = runs.mock.calls.length;
    await head.run(true, ({ memory }) => memory.learn());
    for (const symbol of ["a", "b", "a", "b"]) await observe(head, symbol);
    expect(runs.mock.calls.length - before).toBeGreaterThan(8);
    expect(reads.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0, 0]);
    vi.restoreAllMocks();
  });
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
  await expect(compare(12, { failing: 60, planted })).rejects.toThrow(/call \d+, seed 12|no model has/);
});

test("while a part is away, what needs it is refused, and observing and learning go on", async () => {
  const parts = new LossyParts(1);
  await onNewHead(parts, async (head) => {
    for (const symbol of ["a", "b", "c"]) await observe(head, symbol);
    await head.run(true, ({ memory }) => memory.learn());
    parts.away.add(1);
    expect((await observe(head, "a")).observed.predictionMade).toBe(false);
    await expect(head.run(false, ({ memory }) => memory.getPredictions(""))).rejects.toThrow(
      "part 2 of the 3 parts of this processor cannot be reached; nothing has changed: try again",
    );
    parts.away.clear();
    expect((await head.run(false, ({ memory }) => memory.getPredictions(""))).predictions).toHaveLength(1);
  });
});

test("MQTT messages behind one that a part refuses for now are not taken, and their numbers not counted", async () => {
  const parts = new LossyParts(1);
  await onNewHead(parts, async (head, storage) => {
    const numbers = new PublicationTable(new Database(storage.sql));
    const nothing = () => {};
    const others = { abort: nothing, workedMs: () => 0, watchedChanged: nothing };
    const service = publicationService({ processor: head, numbers, ...others });
    const context = {} as HandlerContext;
    const observed = { observe: { gdfs: [{ strings: ["a"] }] } };
    const publications = [observed, observed, { learn: true }, observed, observed].map((work, at) => {
      return { session: "", frame: { ...work, n: at + 1 } };
    });
    /** Sends what is left, as an endpoint does. @returns how many were taken, and whether one was refused for now */
    const send = async (from: number): Promise<readonly [taken: number, isRefused: boolean]> => {
      for (let taken = from; taken < publications.length; ) {
        const request = create(TakePublicationsRequestSchema, { source: "s", publications: publications.slice(taken) });
        const reply = await refusedOr(async () => service.takePublications(request, context));
        if (reply === undefined) return [taken, true];
        expect(reply.outcomes?.map(({ code }) => code)).not.toContain(Code.Unavailable);
        taken += reply.outcomes?.length ?? 0;
        if (reply.reason) return [taken, true];
      }
      return [publications.length, false];
    };
    /** The number of the last message taken. Closes no numbers. */
    const settle = async () => {
      const request = create(SettleSourceRequestSchema, { source: "s", session: "", number: 0 });
      return (await service.settleSource(request, context)).last;
    };
    for (const symbol of ["a", "b", "c", "a", "d"]) await observe(head, symbol);
    await head.run(true, ({ memory }) => memory.learn());
    parts.away.add(1);
    for (let again = 0; again < 2; again++) {
      expect(await send(again === 0 ? 0 : 2)).toEqual([2, true]);
      expect(await settle()).toBe(2);
    }
    parts.away.clear();
    expect(await send(2)).toEqual([5, false]);
    expect(await settle()).toBe(5);
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

test("a call computes its forecasts once, however often it runs", async () => {
  const parts = new LossyParts(1);
  await onNewHead(parts, async (head) => {
    const random = new Random(8);
    const observe = (count: number, learn: boolean, explain: boolean) => {
      const sequence = Array.from({ length: count }, () => ({ ...RECORD, strings: [random.pick(SYMBOLS)] }));
      return head.run(true, ({ memory }) => memory.observeSequence({ sequence, learn, clear: true, explain }));
    };
    for (let models = 0; models < 40; models++) await observe(8, true, false);
    const loaded = vi.spyOn(Kernel.prototype, "setFirstFrequencies");
    const { rounds } = parts;
    await observe(600, false, true);
    // More questions than one run asks.
    expect(parts.rounds - rounds).toBeGreaterThan(2);
    expect(loaded.mock.calls.length).toBeGreaterThan(300);
    expect(loaded.mock.calls.length).toBeLessThanOrEqual(600);
    vi.restoreAllMocks();
  });
});

test("what a head keeps for its forecasts counts in its isolate", async () => {
  await onNewHead(new LossyParts(1), async (head) => {
    await head.run(true, ({ knowledge }) => knowledge.addModel({ sequence: { events: eventsOf(0) } }));
    const noted = vi.spyOn(IsolateKernels.prototype, "use");
    const kept = vi.spyOn(SplitForecastRules.prototype, "heapBytes", "get");
    await head.run(false, ({ memory }) => memory.getForecast({ sequence: { events: eventsOf(0).slice(0, 9) } }));
    // Two tables of 4,096 numbers of 4 bytes.
    expect(kept.mock.results.at(-1)?.value).toBe(32_768);
    const before = noted.mock.lastCall?.[1] ?? 0;
    kept.mockReturnValue(1_032_768);
    await status(head);
    expect((noted.mock.lastCall?.[1] ?? 0) - before).toBe(1_000_000);
    vi.restoreAllMocks();
  });
});

test("a head with more heap than all may hold leaves its parts in their common isolate", async () => {
  const parts = new LossyParts(1);
  const kernels = kernelsWithin({ memoryBytes: 8 * 1024 * 1024 });
  parts.share(kernels);
  await runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), async (_, { storage }) => {
    const split = { fanOut: parts.fanOut, jurisdiction: "" };
    const head = new StoredProcessor(storage, { objectId: "head", kernels, listener: LISTENER, split });
    head.provision("p1", "P1", [], { agent: "", manipulatives: [], parts: COUNT });
    await head.run(true, ({ knowledge }) => knowledge.addModel({ sequence: { events: eventsOf(1) } }));
    vi.spyOn(SplitForecastRules.prototype, "heapBytes", "get").mockReturnValue(100_000_000);
    await predictions(head, 60);
    const fills = parts.sent.get("fill");
    for (const events of [61, 62, 63]) await predictions(head, events);
    expect(parts.sent.get("fill")).toBe(fills);
    vi.restoreAllMocks();
  });
});

test("a head that restarts need not fill parts that were told all, also by a call that asked after its last change", async () => {
  const parts = new LossyParts(1);
  await onNewHead(parts, async (head, storage) => {
    const record = {
      strings: ["a"],
      vectors: [],
      emotives: [],
      metadataJson: "",
      uniqueId: "",
      command: "",
      numbers: [],
    };
    const sequence = ["a", "b", "a", "c"].map((symbol) => ({ ...record, strings: [symbol] }));
    const learn: Verb = ({ memory }) => {
      const learned = memory.observeSequence({ sequence, learn: true, clear: false, explain: false });
      memory.getPredictions("", { sequence: { events: [{ symbols: ["a"] }] } });
      return learned;
    };
    await head.run(true, learn);
    await head.run(true, learn);
    const told = () => parts.sent.get("work");
    // Messages to the parts after a call are not awaited.
    for (let before = 0; before !== told(); ) {
      before = told() ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const fills = parts.sent.get("fill");
    await predictions(headOn(storage, parts), 61);
    expect(parts.sent.get("fill")).toBe(fills);
  });
});

test("a silent part is named after one wait, and then others do not wait for it", async () => {
  // Long beside what a busy machine takes for all the rest.
  const waitMs = 4_000;
  const parts = new LossyParts(1, COUNT, waitMs);
  await onNewHead(parts, async (head) => {
    for (const symbol of ["a", "b", "c"]) await observe(head, symbol);
    await head.run(true, ({ memory }) => memory.learn());
    await predictions(head);
    parts.silent.add(2);
    const begunAt = Date.now();
    const asked = expect(predictions(head, 61)).rejects.toThrow(
      "part 3 of the 3 parts of this processor cannot be reached",
    );
    // They wait behind the question, and not each for the part again.
    const behind = [1, 2, 3].map(() => observe(head, "a"));
    await asked;
    for (const { observed } of await Promise.all(behind)) expect(observed.predictionMade).toBe(false);
    expect(Date.now() - begunAt).toBeLessThan(2 * waitMs);
  });
});

describe("what parts cannot hold", () => {
  const TOO_LARGE =
    /^part \d of the 3 parts of this processor has no memory for what it is to hold: \d+ models and \d+ symbols take about \d+ bytes, and it may take \d+; nothing has changed: they do not fit into 64 parts either; delete models$/;

  test("is not loaded, and what was there stays", async () => {
    const parts = new LossyParts(1);
    parts.memoryBytes = 2 ** 22;
    for (let part = 0; part < COUNT; part++) parts.lose(part);
    await onNewHead(parts, async (head) => {
      await head.run(true, ({ knowledge }) => knowledge.addModel({ sequence: { events: eventsOf(0) } }));
      const before = JSON.stringify(await status(head));
      await stage(head, 900);
      const refusal = await refusalOf(() => head.run(true, ({ knowledge }) => knowledge.commitLoad("load")));
      expect(refusal).toMatchObject({ name: "Fault", kind: "too-large", message: expect.stringMatching(TOO_LARGE) });
      expect(JSON.stringify(await status(head))).toBe(before);
      await expect(predictions(head)).resolves.toBeDefined();
      // What fits is loaded, and can be asked.
      await stage(head, 250);
      await head.run(true, ({ knowledge }) => knowledge.commitLoad("load"));
      expect((await predictions(head)).predictions.length).toBeGreaterThan(0);
    });
  });

  test("is not restored, and what was there stays", async () => {
    const parts = new LossyParts(1);
    parts.memoryBytes = 2 ** 22;
    await onNewHead(parts, async (head, storage) => {
      await head.run(true, ({ knowledge }) => knowledge.addModel({ sequence: { events: eventsOf(0) } }));
      const before = JSON.stringify(await status(head));
      await stage(head, 900);
      const restore = () => {
        const store = new SqliteStore(storage.sql);
        const state = store.state();
        const totals = store.staging()?.totals;
        if (state === undefined || totals === undefined) throw new Error("nothing is staged");
        store.record({ kind: "staging-committed" });
        store.record({ kind: "state", state: { ...state, totals, nextModelId: 901, revision: state.revision + 1 } });
      };
      for (const rehearsal of [true, false]) {
        const refusal = await refusalOf(() => head.replace(restore, undefined, rehearsal));
        expect(refusal).toMatchObject({ kind: "too-large", message: expect.stringMatching(TOO_LARGE) });
      }
      expect(JSON.stringify(await status(head))).toBe(before);
    });
  });

  test("is not learned, also while it is not known what they hold", async () => {
    const parts = new LossyParts(1);
    parts.memoryBytes = 2 ** 22;
    for (let part = 0; part < COUNT; part++) parts.lose(part);
    await onNewHead(parts, async (_, storage) => {
      let learned = 0;
      let refusal: unknown;
      while (refusal === undefined && learned < 900) {
        // A head that has asked its parts nothing.
        const head = headOn(storage, parts);
        await stage(head, 100, learned);
        refusal = await refusalOf(() => head.run(true, ({ knowledge }) => knowledge.mergeLoad("load")));
        if (refusal === undefined) learned += 100;
      }
      expect(refusal).toMatchObject({
        name: "Fault",
        kind: "exhausted",
        message: expect.stringContaining("; nothing was learned: "),
      });
      expect(learned).toBeGreaterThanOrEqual(200);
      await expect(predictions(headOn(storage, parts))).resolves.toBeDefined();
    });
  });

  test("is said where it was stored before: observing goes on", async () => {
    const parts = new LossyParts(1);
    await onNewHead(parts, async (large, storage) => {
      await stage(large, 900);
      await large.run(true, ({ knowledge }) => knowledge.commitLoad("load"));
      parts.memoryBytes = 2 ** 22;
      for (let part = 0; part < COUNT; part++) parts.lose(part);
      const head = headOn(storage, parts);
      await expect(predictions(head)).rejects.toMatchObject({
        kind: "unavailable",
        message: expect.stringMatching(
          /^part \d of the 3 parts .* take about \d+ bytes, .*; they do not fit into 64 parts either; delete models$/,
        ),
      });
      expect((await observe(head, "s1")).observed.predictionMade).toBe(false);
      // It is not tried again and again.
      const fills = parts.sent.get("fill");
      await expect(predictions(head)).rejects.toMatchObject({ kind: "unavailable" });
      expect(parts.sent.get("fill")).toBe(fills);
    });
  });
});
