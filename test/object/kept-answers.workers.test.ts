/** The answers that an object keeps by idempotency key: in its storage, and in the services of its processor. */

import { env, runInDurableObject } from "cloudflare:test";
import { create, type DescMethodUnary, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  ForgetModelsResponseSchema,
  KnowledgeService,
  RemoveSymbolsResponseSchema,
} from "../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService, ObserveResponseSchema } from "../../src/gen/noema/v1/memory_service_pb";
import { KeptAnswers } from "../../src/object/kept-answers";
import { toConnectError } from "../../src/rpc/services/connect-error";
import { registerProcessor } from "../../src/rpc/services/processor-services";
import type { ProcessorHost } from "../../src/rpc/services/serve";
import { methodPath, type UnaryReply } from "../../src/rpc/transport/unary";
import { UnaryServer } from "../../src/rpc/transport/unary-server";
import { billed, Database } from "../../src/store/database/database";
import { migrate } from "../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../src/store/database/schema";
import { type HostAtOnce, hostOn, newHostOn } from "../support/object/hosts";
import { inFreshObject } from "../support/store/in-object";

const DAY_MS = 24 * 60 * 60 * 1000;
const BUILD = { version: "0.0.0", date: "1970-01-01T00:00:00.000Z", number: "0" };

function idempotency(key: string, request = "the request") {
  return { key, fingerprint: new TextEncoder().encode(request) };
}

function answer(text: string) {
  return { reply: new TextEncoder().encode(text), isWhole: true };
}

/** Runs `work` on the answers of an object, with a way to open them again and a clock. */
function onAnswers<Outcome>(
  work: (answers: KeptAnswers, more: { again: () => KeptAnswers; sql: SqlStorage; clock: { ms: number } }) => Outcome,
): Promise<Outcome> {
  return inFreshObject(({ sql }) => {
    migrate(sql, PROCESSOR_MIGRATIONS);
    const clock = { ms: 1_800_000_000_000 };
    const again = () => new KeptAnswers(new Database(sql), () => clock.ms);
    return work(again(), { again, sql, clock });
  });
}

/** The texts of the answers kept under keys; `undefined` where there is none. */
function textsOf(answers: KeptAnswers, keys: readonly string[]): (string | undefined)[] {
  return keys.map((key) => {
    const kept = answers.find(idempotency(key));
    return kept === undefined ? undefined : new TextDecoder().decode(kept.reply);
  });
}

describe("kept answers", () => {
  test("are found by their key, also by the object's next life", async () => {
    const [before, after] = await onAnswers((answers, { again }) => {
      answers.keep(idempotency("a"), answer("A"));
      answers.keep(idempotency("b"), answer("B"));
      return [textsOf(answers, ["a", "b", "c"]), textsOf(again(), ["a", "b", "c"])];
    });
    expect(before).toEqual(["A", "B", undefined]);
    expect(after).toEqual(before);
  });

  test("are refused to another request", async () => {
    await onAnswers((answers) => {
      answers.keep(idempotency("a"), answer("A"));
      expect(() => answers.find(idempotency("a", "the requesu"))).toThrow(
        expect.objectContaining({ kind: "key-reused", message: expect.stringContaining("another request") }),
      );
      expect(() => answers.find(idempotency("a", "the reques"))).toThrow(
        expect.objectContaining({ kind: "key-reused" }),
      );
    });
  });

  test("are the last 1,000, each in one row that is written over", async () => {
    const { found, reopened, rows, written } = await onAnswers((answers, { again, sql }) => {
      const before = billed.rows;
      for (let n = 1; n <= 2_500; n++) answers.keep(idempotency(`k${n}`), answer(`A${n}`));
      const keys = ["k1", "k1500", "k1501", "k2500"];
      const [{ n: rows }] = sql.exec<{ n: number }>("SELECT count(*) AS n FROM answers").toArray() as [{ n: number }];
      return { found: textsOf(answers, keys), reopened: textsOf(again(), keys), rows, written: billed.rows - before };
    });
    expect(found).toEqual([undefined, undefined, "A1501", "A2500"]);
    expect(reopened).toEqual(found);
    expect([rows, written]).toEqual([1000, 2500]);
  });

  test("of one issued key make no room for those of another that has more", async () => {
    const of = (keyId: string, key: string) => ({ ...idempotency(key), keyId });
    const { found, reopened, rows } = await onAnswers((answers, { again, sql }) => {
      for (let n = 1; n <= 300; n++) answers.keep(of("quiet", `q${n}`), answer(`Q${n}`));
      answers.keep(idempotency("configured"), answer("C"));
      for (let n = 1; n <= 5_000; n++) answers.keep(of("busy", `b${n}`), answer(`B${n}`));
      const keys = ["q1", "q300", "configured", "b4301", "b4302", "b5000"];
      const first = textsOf(answers, keys);
      const next = again();
      // Also in the next life of the object, and for a key that comes later.
      for (let n = 1; n <= 400; n++) next.keep(of("late", `l${n}`), answer(`L${n}`));
      const rows = sql.exec<{ n: number }>("SELECT count(*) AS n FROM answers").one().n;
      return { found: first, reopened: textsOf(next, ["q1", "q300", "configured", "l1", "l400", "b5000"]), rows };
    });
    expect(found).toEqual(["Q1", "Q300", "C", undefined, "B4302", "B5000"]);
    expect(reopened).toEqual(["Q1", "Q300", "C", undefined, "L400", "B5000"]);
    expect(rows).toBe(1_000);
  });

  test("that are older than a day make room first, even if another key has more", async () => {
    const of = (keyId: string, key: string) => ({ ...idempotency(key), keyId });
    const found = await onAnswers((answers, { clock }) => {
      for (let n = 1; n <= 400; n++) answers.keep(of("old", `o${n}`), answer("O"));
      clock.ms += DAY_MS;
      for (let n = 1; n <= 1_000; n++) answers.keep(of("new", `n${n}`), answer("N"));
      return textsOf(answers, ["o400", "n1", "n1000"]);
    });
    expect(found).toEqual([undefined, "N", "N"]);
  });

  test("are found under whatever issued key their repetition comes", async () => {
    await onAnswers((answers, { again }) => {
      answers.keep({ ...idempotency("a"), keyId: "one" }, answer("A"));
      for (const each of [answers, again()]) {
        expect(new TextDecoder().decode(each.find({ ...idempotency("a"), keyId: "two" })?.reply)).toBe("A");
      }
    });
  });

  test("are kept for 24 hours, and then their key is free", async () => {
    await onAnswers((answers, { again, clock }) => {
      answers.keep(idempotency("a"), answer("old"));
      clock.ms += DAY_MS - 1000;
      expect(textsOf(answers, ["a"])).toEqual(["old"]);
      clock.ms += 1000;
      expect(textsOf(answers, ["a"])).toEqual([undefined]);
      answers.keep(idempotency("a", "another"), answer("new"));
      for (let n = 2; n <= 999; n++) answers.keep(idempotency(`k${n}`), answer("other"));
      for (const each of [answers, again()]) {
        expect(new TextDecoder().decode(each.find(idempotency("a", "another"))?.reply)).toBe("new");
      }
      // The old row of the key is written over. That must not forget the new one.
      answers.keep(idempotency("k1000"), answer("other"));
      for (const each of [answers, again()]) {
        expect(new TextDecoder().decode(each.find(idempotency("a", "another"))?.reply)).toBe("new");
      }
    });
  });

  test("may take a mebibyte", async () => {
    await onAnswers((answers) => {
      const reply = new Uint8Array(1024 * 1024 + 1);
      expect(() => answers.keep(idempotency("a"), { reply, isWhole: true })).toThrow(
        expect.objectContaining({
          kind: "too-large",
          message:
            "with an Idempotency-Key, an answer may take 1048576 bytes to keep; this one takes 1048577, so nothing was done",
        }),
      );
      expect(answers.find(idempotency("a"))).toBeUndefined();
      answers.keep(idempotency("a"), { reply: reply.subarray(1), isWhole: true });
      expect(answers.find(idempotency("a"))?.reply.length).toBe(1024 * 1024);
    });
  });

  test("say how much heap their keys take", async () => {
    await onAnswers((answers) => {
      expect(answers.heapBytes).toBe(0);
      for (let n = 0; n < 1_000; n++) answers.keep(idempotency(`${"x".repeat(250)}${1000 + n}`), answer(""));
      const full = answers.heapBytes;
      expect(full).toBeGreaterThan(250_000);
      for (let n = 1_000; n < 3_000; n++) answers.keep(idempotency(`${"x".repeat(250)}${1000 + n}`), answer(""));
      expect(answers.heapBytes).toBe(full);
    });
  });
});

/** Runs `work` in an object of its own that has a processor. */
function onHost<Outcome>(work: (host: HostAtOnce, storage: DurableObjectStorage) => Outcome): Promise<Outcome> {
  return runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_, { storage }) =>
    work(newHostOn(storage), storage),
  ) as Promise<Outcome>;
}

function serverOf(host: ProcessorHost): UnaryServer {
  const server = new UnaryServer(toConnectError);
  registerProcessor(server, host, BUILD);
  return server;
}

/** Calls a service of a host, under an idempotency key if there is one. */
async function call<Method extends DescMethodUnary>(
  host: ProcessorHost,
  method: Method,
  message: MessageInitShape<Method["input"]>,
  key: string | undefined,
): Promise<UnaryReply> {
  const body = toBinary(method.input, create(method.input, message));
  const repeatable = key === undefined ? {} : { idempotency: idempotency(key, JSON.stringify(message)) };
  return serverOf(host).call(methodPath(method), body, repeatable);
}

function observed(reply: UnaryReply) {
  return fromBinary(ObserveResponseSchema, reply as Uint8Array);
}

describe("a call with a key", () => {
  const { observe, learn } = MemoryService.method;
  const gdf = { strings: ["a"] };

  test("has one effect, also when it comes twice at once", async () => {
    const [replies, time] = await onHost(async (host) => {
      const calls = [1, 2, 3].map(() => call(host, observe, { gdf }, "k"));
      return [(await Promise.all(calls)).map(observed), host.processor().time] as const;
    });
    expect(time).toBe(1);
    expect(replies.map(({ stamp }) => stamp?.replayed ?? false)).toEqual([false, true, true]);
    expect(new Set(replies.map((each) => each.observed?.uniqueId)).size).toBe(1);
    expect(new Set(replies.map(({ stamp }) => stamp?.answeredAt)).size).toBe(1);
  });

  test("is one row more, and none when it comes again", async () => {
    const rows = await onHost(async (host) => {
      const counts: number[] = [];
      for (const key of [undefined, "k", "k"]) {
        const before = billed.rows;
        await call(host, observe, { gdf }, key);
        counts.push(billed.rows - before);
      }
      return counts;
    });
    expect(rows).toEqual([1, 2, 0]);
  });

  test("leaves its key free when it is refused", async () => {
    const outcome = await onHost(async (host) => {
      const refused = await call(host, observe, { gdf: { strings: ["a"], vectors: [{ components: [] }] } }, "k");
      const taken = await call(host, observe, { gdf }, "k");
      return [typeof refused, observed(taken).stamp?.time];
    });
    expect(outcome).toEqual(["string", 1]);
  });

  test("is refused with a key of another request, and by whom is told", async () => {
    const [error, time] = await onHost(async (host) => {
      await call(host, observe, { gdf }, "k");
      return [JSON.parse((await call(host, learn, {}, "k")) as string), host.processor().time] as const;
    });
    expect(error).toMatchObject({ code: "already_exists", message: expect.stringContaining("another request") });
    expect(error.details).toHaveLength(1);
    expect(time).toBe(1);
  });

  test("is kept only together with its effect", async () => {
    const [error, after] = await onHost(async (host, storage) => {
      const failing: ProcessorHost = {
        processor: () => host.processor(),
        run: (writes, verb) =>
          host.run(writes, (processor) => {
            verb(processor);
            throw new Error("the storage fails");
          }),
        answers: host.answers,
      };
      const failed = await call(failing, observe, { gdf }, "k");
      const again = observed(await call(hostOn(storage), observe, { gdf }, "k"));
      return [JSON.parse(failed as string).code, again.stamp?.time] as const;
    });
    expect([error, after]).toEqual(["internal", 1]);
  });
});

/** This many models, each with the symbol `gone`. */
function know(host: HostAtOnce, models: number): void {
  host.run(true, (processor) => {
    for (let n = 0; n < models; n++) {
      const events = [{ symbols: ["gone", `s${n}`] }, { symbols: ["end"] }];
      processor.knowledge.addModel({ sequence: { events } });
    }
  });
}

/** A host whose power is cut before it runs another verb than the first ones. @param parts how many these are */
function dyingAfter(host: HostAtOnce, parts: number): ProcessorHost {
  let run = 0;
  return {
    processor: () => host.processor(),
    run: (writes, verb) => {
      run++;
      if (run > parts) throw new Error("the power is cut");
      return host.run(writes, verb);
    },
    get answers() {
      return host.answers;
    },
  };
}

describe("a forgetting in parts", () => {
  const { forgetModels } = KnowledgeService.method;
  const modelsIn = (reply: UnaryReply) => fromBinary(ForgetModelsResponseSchema, reply as Uint8Array).models;

  test("goes on where it broke off, counts all, and answers the same when it is repeated", async () => {
    const [broken, left, answers, rest] = await onHost(async (host, storage) => {
      know(host, 1_700);
      const asked = { keepAtMost: 100 };
      const failed = JSON.parse((await call(dyingAfter(host, 2), forgetModels, asked, "k")) as string).code;
      const next = hostOn(storage);
      const remaining = next.processor().inspection.getUsage().models;
      const finished = modelsIn(await call(next, forgetModels, asked, "k"));
      const repeated = modelsIn(await call(next, forgetModels, asked, "k"));
      const again = hostOn(storage).processor().inspection.getUsage();
      return [failed, remaining, [finished, repeated], [again.models, again.symbols]] as const;
    });
    expect([broken, left, answers]).toEqual(["internal", 700, [1_600, 1_600]]);
    expect(rest).toEqual([100, 102]);
  });

  test("has one effect when it comes twice at once, and a dry run has none", async () => {
    const [dry, replies, models] = await onHost(async (host) => {
      know(host, 1_700);
      const dry = modelsIn(await call(host, forgetModels, { frequencyBelow: 2, dryRun: true }, "dry"));
      const calls = [1, 2].map(() => call(host, forgetModels, { frequencyBelow: 2 }, "k"));
      const replies = (await Promise.all(calls)).map(modelsIn);
      return [dry, replies, host.processor().inspection.getUsage().models] as const;
    });
    expect([dry, replies, models]).toEqual([1_700, [1_700, 1_700], 0]);
  });
});

describe("a removal in parts", () => {
  const { removeSymbols } = KnowledgeService.method;

  function renames(reply: UnaryReply) {
    return fromBinary(RemoveSymbolsResponseSchema, reply as Uint8Array).renames;
  }

  test("goes on where it broke off, and answers as if it had not", async () => {
    const whole = await onHost(async (host) => {
      know(host, 1_700);
      return renames(await call(host, removeSymbols, { symbols: ["gone"] }, "k"));
    });
    const [broken, left, again, repeated, models] = await onHost(async (host, storage) => {
      know(host, 1_700);
      const mortal = dyingAfter(host, 2);
      const failed = JSON.parse((await call(mortal, removeSymbols, { symbols: ["gone"] }, "k")) as string).code;
      const next = hostOn(storage);
      const holding = () => next.processor().knowledge.findModels({ symbols: ["gone"], patterns: [] }).names.length;
      const remaining = holding();
      const finished = await call(next, removeSymbols, { symbols: ["gone"] }, "k");
      const replay = await call(next, removeSymbols, { symbols: ["gone"] }, "k");
      return [failed, remaining, renames(finished), renames(replay), holding()] as const;
    });
    expect([broken, left, models]).toEqual(["internal", 700, 0]);
    expect(whole).toHaveLength(1_700);
    expect(again).toEqual(whole);
    expect(repeated).toEqual(whole);
  });

  test("has one effect and one answer when it comes twice at once", async () => {
    const replies = await onHost(async (host) => {
      know(host, 1_700);
      const calls = [1, 2].map(() => call(host, removeSymbols, { symbols: ["gone"] }, "k"));
      return (await Promise.all(calls)).map((reply) => fromBinary(RemoveSymbolsResponseSchema, reply as Uint8Array));
    });
    expect(replies[0]?.renames).toHaveLength(1_700);
    expect(replies[1]?.renames).toEqual(replies[0]?.renames);
    expect(replies.filter(({ stamp }) => stamp?.replayed)).toHaveLength(1);
  });

  test("is refused before it has an effect when its answer would be too large", async () => {
    const [error, holding, blacklist] = await onHost(async (host) => {
      know(host, 12_300);
      const failed = JSON.parse((await call(host, removeSymbols, { symbols: ["gone"] }, "k")) as string);
      const { knowledge } = host.processor();
      const found = knowledge.findModels({ symbols: ["gone"], patterns: [] }).names.length;
      return [failed, found, knowledge.listBlacklistedSymbols()] as const;
    });
    expect(error).toMatchObject({ code: "out_of_range", message: expect.stringContaining("1048576 bytes") });
    expect([holding, blacklist]).toEqual([12_300, { symbols: [] }]);
  });
});

test.each([
  DAY_MS,
  3_650 * DAY_MS,
])("an answer kept when the clock was %d ms ahead is kept for a day from now", async (ms) => {
  const found = await onAnswers((answers, { clock }) => {
    clock.ms += ms;
    answers.keep(idempotency("a"), answer("A"));
    clock.ms -= ms;
    const now = textsOf(answers, ["a"]);
    clock.ms += DAY_MS - 1_000;
    const late = textsOf(answers, ["a"]);
    clock.ms += 1_000;
    return [now, late, textsOf(answers, ["a"])];
  });
  expect(found).toEqual([["A"], ["A"], [undefined]]);
});
