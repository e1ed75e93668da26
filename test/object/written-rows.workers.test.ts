/** How many rows calls write, which is most of what a deployment is billed for, and how many alarms they set. */

import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { Gdf } from "../../src/gen/plain";
import type { AlertCondition } from "../../src/processor/ports/alert";
import type { Processor } from "../../src/processor/processor";
import { billed } from "../../src/store/database/database";
import { processorNamed } from "../support/object/clients";
import { type HostAtOnce, newHostOn } from "../support/object/hosts";

/** Runs `work` on the host of a new processor, in an object of its own. */
function onHost<Outcome>(work: (host: HostAtOnce, storage: DurableObjectStorage) => Outcome): Promise<Outcome> {
  return runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()) as DurableObjectStub, (_, { storage }) =>
    work(newHostOn(storage), storage),
  );
}

/** Counts the rows that a verb writes. */
function rowsOf(host: HostAtOnce, verb: (processor: Processor) => unknown, session = ""): number {
  const before = billed.rows;
  host.run(true, verb, session);
  return billed.rows - before;
}

function gdf(strings: readonly string[], change: Partial<Gdf> = {}): Gdf {
  return {
    strings: [...strings],
    vectors: [],
    emotives: [],
    metadataJson: "",
    uniqueId: "record",
    command: "",
    numbers: [],
    ...change,
  };
}

function observe(strings: readonly string[], change?: Partial<Gdf>): (processor: Processor) => unknown {
  return (processor) => processor.memory.observe(gdf(strings, change), []);
}

const learn = (processor: Processor) => processor.memory.learn();
const clear = (processor: Processor) => processor.memory.clearWorkingMemory();

/** 32 symbols; the same number makes the same ones. */
function symbols(from = 0): string[] {
  return Array.from({ length: 32 }, (_, at) => `symbol ${from + at}`);
}

/** Observes as a device might, 1,000 times. @returns the numbers of rows that one observe wrote, each once */
function observeALot(host: HostAtOnce, session: string): number[] {
  const seen = new Set<number>();
  for (let at = 0; at < 1_000; at++) {
    const vectors = at % 3 === 0 ? [{ components: [at, 1, 2] }] : [];
    const emotives = at % 2 === 0 ? [{ name: "joy", value: at / 7 }] : [];
    const metadataJson = at % 5 === 0 ? `{"at":${at}}` : "";
    seen.add(rowsOf(host, observe([`a${at % 40}`, `b${at % 7}`], { vectors, emotives, metadataJson }), session));
    if (at % 250 === 249) host.run(true, clear, session);
  }
  return [...seen];
}

describe("an observe", () => {
  test.each([
    "",
    "a session",
  ])("writes one row, with vectors waiting and a clearing now and then (session %j)", async (session) => {
    expect(await onHost((host) => observeALot(host, session))).toEqual([1]);
  });

  test("writes one row where memory has a limit, and where it predicts from what was learned", async () => {
    const rows = await onHost((host) => {
      host.run(true, (processor) => {
        processor.genes.change([{ name: "max_sequence_length", value: { value: { case: "number", value: 20 } } }]);
        for (const symbol of ["a1", "a2", "a3"]) processor.memory.observe(gdf([symbol]), []);
        processor.memory.learn();
      });
      return observeALot(host, "");
    });
    expect(rows).toEqual([1]);
  });

  test("with numbers writes one row, whatever bins the memory keeps", async () => {
    const rows = await onHost((host) => {
      const put = (name: string, change: object) =>
        rowsOf(host, (processor) =>
          processor.encoders.put(name, JSON.stringify({ kind: "step", size: 0.5, ...change })),
        );
      const puts = [put("a", { hysteresis: 0.2 }), put("b", { on_change: true }), put("c", {}), put("c", {})];
      const seen = new Set<number>();
      for (let at = 0; at < 500; at++) {
        const numbers = ["a", "b", "c"].map((name) => ({ name, value: Math.sin(at / 9) }));
        seen.add(rowsOf(host, observe(at % 2 === 0 ? [] : ["s"], { numbers }), at % 3 === 0 ? "s" : ""));
      }
      return { seen: [...seen], isPutAgainFree: puts[3] };
    });
    expect(rows).toEqual({ seen: [1], isPutAgainFree: 0 });
  });

  test("of an encoder that looks for its edges writes one row, and one more when it finds them", async () => {
    const rows = await onHost((host) => {
      host.run(true, (processor) => processor.encoders.put("a", '{"kind":"auto"}'));
      return Array.from({ length: 210 }, (_, at) => {
        const numbers = [{ name: "a", value: Math.sin(at / 9) }];
        return rowsOf(host, observe([], { numbers }), at % 3 === 0 ? "s" : "");
      });
    });
    expect(rows.map((count, at) => [at, count]).filter(([, count]) => count !== 1)).toEqual([[199, 2]]);
  });

  test("writes no row for alerts that do not tell, two for a delivery that it queues, one for what it adds to it, and one for an incident that begins", async () => {
    const rows = await onHost((host) => {
      const put = (name: string, when: AlertCondition) =>
        host.run(true, (processor) =>
          processor.alerts.putAlert({
            name,
            when,
            url: "https://a.example/",
            format: "standard",
            secret: `whsec_${"A".repeat(32)}`,
          }),
        );
      host.run(true, (processor) => {
        for (const symbol of ["a", "b", "c"]) processor.memory.observe(gdf([symbol]), []);
        processor.memory.learn();
      });
      put("learned", { kind: "learned" });
      put("never", { kind: "surprise", above: 1_022 });
      put("risen", { kind: "forecast", symbol: "b", above: 0.3, horizon: 1 });
      host.run(true, clear);
      // b rises above its threshold with the first, and is there already with the second.
      const quiet = ["x", "a", "a"].map((symbol) => rowsOf(host, observe([symbol])));
      put("any", { kind: "surprise", above: 0 });
      const session = "s";
      host.run(true, observe(["a"]), session);
      const told = ["y", "z"].map((symbol) => rowsOf(host, observe([symbol]), session));
      return { quiet, told };
    });
    // Of the surprise and of the incident a delivery each; the second event adds to that of the surprise.
    expect(rows).toEqual({ quiet: [1, 3, 1], told: [6, 2] });
  });

  test("asleep, or of a number that came before, writes none", async () => {
    const rows = await onHost((host) => {
      const delivered = (processor: Processor) =>
        processor.memory.observe(gdf(["a"]), [], { source: "device", number: 7 });
      const first = rowsOf(host, delivered);
      const again = rowsOf(host, delivered);
      host.run(true, (processor) => processor.modes.setSleeping(true));
      return [first, again, rowsOf(host, observe(["a"]))];
    });
    expect(rows).toEqual([1, 0, 0]);
  });

  test("of many at once writes one row, as long as it fits", async () => {
    const rows = await onHost((host) => {
      const sequence = Array.from({ length: 1_000 }, (_, at) => gdf([`a${at}`, `b${at}`]));
      return rowsOf(host, (processor) => processor.memory.observeSequence({ sequence, learn: false, clear: false }));
    });
    expect(rows).toBe(1);
  });

  test("of a megabyte at once writes one row, and a row for every two megabytes of what is more", async () => {
    const rows = await onHost((host) => {
      const sequence = (of: string) => Array.from({ length: 1_000 }, () => gdf([of]));
      const written = (of: string) =>
        rowsOf(host, (processor) =>
          processor.memory.observeSequence({ sequence: sequence(of), learn: false, clear: true }),
        );
      // As much as a frame may hold, of letters of one byte and of three; then twice and six times as much.
      return ["x".repeat(1_000), "\u20ac".repeat(333), "x".repeat(2_000), "\u20ac".repeat(2_000)].map(written);
    });
    expect(rows.slice(0, 2)).toEqual([1, 1]);
    expect(rows[2]).toBeGreaterThan(1);
    expect(rows[3]).toBeLessThanOrEqual(12);
  });

  test("of any number of sources writes one row", async () => {
    const rows = await onHost((host) => {
      const seen = new Set<number>();
      for (let at = 0; at < 3_000; at++) {
        const delivery = { source: `device-${at % 1_000}`, number: at + 1 };
        const frame = { sequence: [gdf([`a${at % 40}`]), gdf(["b"])], learn: false, clear: false, delivery };
        seen.add(rowsOf(host, (processor) => processor.memory.takeFrame(frame)));
      }
      return [...seen];
    });
    expect(rows).toEqual([1]);
  });
});

describe("a learn", () => {
  /** Learns models of known symbols, all different. @returns the rows of each learn, without those of its observes */
  function learnMany(host: HostAtOnce, count: number): number[] {
    host.run(true, (processor) => {
      processor.memory.observe(gdf(Array.from({ length: 100 }, (_, at) => `a${at}`)), []);
      for (let at = 0; at < 100; at++) processor.memory.observe(gdf([`b${at}`]), []);
      processor.memory.learn();
    });
    return Array.from({ length: count }, (_, at) => {
      host.run(true, observe([`a${at % 100}`, `a${(at + 1) % 100}`]));
      host.run(true, observe([`b${Math.floor(at / 100)}`]));
      return rowsOf(host, learn);
    });
  }

  test("of known symbols writes four rows, and one more when a chunk of models is packed", async () => {
    const { rows, chunks } = await onHost((host, { sql }) => {
      host.run(true, (processor) => processor.modes.setPredicting(false));
      const learned = learnMany(host, 10_000);
      return { rows: learned, chunks: sql.exec<{ n: number }>("SELECT count(*) AS n FROM chunks").one().n };
    });
    expect(chunks).toBe(2);
    // Besides, each 64th learn that is scored writes its block of scores: of ten thousand, so few.
    const packed = rows.filter((written) => written > 4).length;
    expect(packed).toBeGreaterThanOrEqual(chunks);
    expect(packed).toBeLessThanOrEqual(chunks + 12);
    expect(rows.filter((written) => written === 4).length).toBe(rows.length - packed);
  });

  test("writes one row more for each new symbol, and two for each new vector", async () => {
    const rows = await onHost((host) => {
      const learned = (...observed: ((processor: Processor) => unknown)[]) => {
        for (const each of observed) host.run(true, each);
        return rowsOf(host, learn);
      };
      return {
        allNew: learned(observe(symbols())),
        allKnown: learned(observe(symbols().reverse().slice(1)), observe(["symbol 0"])),
        threeNew: learned(observe(["symbol 1", "x", "y", "z"])),
        again: learned(observe(["symbol 1", "x", "y", "z"])),
        // The name of a vector is a symbol, too.
        vector: learned(observe(["x"], { vectors: [{ components: [1, 2] }] })),
        session: (() => {
          host.run(true, observe(["x", "y"]), "s");
          return rowsOf(host, learn, "s");
        })(),
        nothing: rowsOf(host, learn),
      };
    });
    expect(rows).toEqual({ allNew: 36, allKnown: 4, threeNew: 7, again: 3, vector: 7, session: 4, nothing: 0 });
  });

  test("of packed models again writes four rows each, and the packing is shared by a thousand", async () => {
    const rows = await onHost((host) => {
      host.run(true, (processor) => processor.modes.setPredicting(false));
      learnMany(host, 4_200);
      return Array.from({ length: 2_100 }, (_, at) => {
        host.run(true, observe([`a${at % 100}`, `a${(at + 1) % 100}`]));
        host.run(true, observe([`b${Math.floor(at / 100)}`]));
        return rowsOf(host, learn);
      });
    });
    const packing = rows.filter((written) => written > 5);
    expect(packing.length).toBe(2);
    // Each 64th learn that is scored writes its block of scores, too.
    const [four, five] = [4, 5].map((most) => rows.filter((written) => written === most).length);
    expect([four, five]).toEqual([rows.length - packing.length - (five ?? 0), expect.any(Number)]);
    expect(five).toBeLessThanOrEqual(2);
    // The chunk is replaced, and the list of its changed models is emptied.
    for (const written of packing) expect(written).toBe(4 + 2 + 1_024);
  });
});

/** Asks why: of a prediction, a forecast and a surprise. */
function explainAll(host: HostAtOnce, session: string): void {
  const sequence = { events: [{ symbols: ["a"] }] };
  const [{ name = "" } = {}] = host.run(
    false,
    ({ memory }) => memory.getPredictions("", { sequence }),
    session,
  ).predictions;
  const answers = [
    host.run(false, ({ memory }) => memory.explainPrediction(name, sequence), session),
    host.run(false, ({ memory }) => memory.explainForecast({ symbol: "b", within: false, sequence }), session),
    host.run(false, ({ memory }) => memory.explainSurprise({ event: { symbols: ["b"] }, sequence }), session),
  ];
  expect(answers.every(({ explanation }) => explanation !== undefined)).toBe(true);
}

test("what only reads writes nothing", async () => {
  const rows = await onHost((host) => {
    for (const session of ["", "s"]) {
      for (const symbol of ["a", "b"]) host.run(true, observe([symbol]), session);
      host.run(true, learn, session);
      host.run(true, observe(["a"]), session);
    }
    const before = billed.rows;
    for (const session of ["", "s", "never seen"]) {
      host.run(false, (processor) => processor.memory.getPredictions(""), session);
      const sequence = { events: [{ symbols: ["a", "new"] }] };
      const asked = host.run(false, (processor) => processor.memory.getPredictions("", { sequence, top: 1 }), session);
      expect(asked.predictions).toHaveLength(1);
      host.run(false, (processor) => processor.memory.getPackedPredictions("", { sequence }), session);
      host.run(false, (processor) => processor.memory.countMatchingModels(), session);
      explainAll(host, session);
      host.run(false, (processor) => processor.memory.getCognition(), session);
      host.run(false, (processor) => processor.inspection.getStatus(), session);
      host.run(true, learn, "never seen");
      host.run(true, clear, "never seen");
    }
    return [
      billed.rows - before,
      host.run(false, (processor) => processor.memory.listSessions("", 10).sessions.length),
    ];
  });
  expect(rows).toEqual([0, 1]);
});

test("a thousand sessions set one alarm", async () => {
  const name = `test/${crypto.randomUUID()}`;
  const own = processorNamed(name);
  await own.provisioning.provision({ id: "p1", name: "P1" });
  const before = { ...billed };
  for (let at = 0; at < 1_000; at++) {
    const { memory } = processorNamed(name, `session ${at % 500}`);
    await memory.observe({ gdf: { strings: ["a"], uniqueId: "1" } });
  }
  expect(billed.alarms - before.alarms).toBe(1);
  expect(billed.rows - before.rows).toBe(1_000);
});

test("lists of what was learned write nothing", async () => {
  const rows = await onHost((host) => {
    host.run(true, (processor) => {
      for (const symbol of ["a", "b"])
        processor.memory.observe(gdf([symbol], { vectors: [{ components: [1, 2] }] }), []);
      processor.memory.learn();
    });
    const before = billed.rows;
    const sought = { name: "", symbols: [], patterns: [] };
    const found = host.run(false, ({ knowledge }) => [
      ...["order", "learned_at", "frequency", "length", "name"].map((sort) => {
        const page = { sort, descending: true, cursor: "" };
        return knowledge.listModels({ ...sought, page }).place.total;
      }),
      knowledge.listModels({ ...sought, patterns: ["a"] }).place.total,
      knowledge.listSymbols(sought).place.total,
      knowledge.listVectors(sought).place.total,
    ]);
    return [billed.rows - before, found];
  });
  expect(rows).toEqual([0, [1, 1, 1, 1, 1, 1, 3, 1]]);
});
