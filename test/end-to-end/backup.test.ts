/**
 * Backups of agents after random lives: what is restored answers every read as the original did, and whatever is not
 * whole is refused. Takes 50 s: agents live three random lives, and each line of a backup is damaged in eight ways.
 */

import { gzipSync } from "node:zlib";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LineReader, LineWriter } from "../../src/gateway/backup/line";
import { type BackupRecord, BackupRecordSchema } from "../../src/gen/noema/v1/backup_pb";
import {
  AgentLife,
  backupOf,
  GENOME,
  readingsOf,
  type ServedAgent,
  send,
  timeless,
} from "../support/backup/agent-life";
import { Random } from "../support/random";
import { Server } from "../support/server/server";

const SEEDS = [1, 2, 3];
const LIFE = 220;
const WALK = 60;
/** When the events of walks happen. Each agent walks at another time, and models keep the times of their events. */
const WALK_TIME = 2_000_000_000;
const AGENTS = ["original", "empty", "used"];

let server: Server;
const agent = (name: string): ServedAgent => ({ server, name });

async function live(one: ServedAgent, seed: number, steps: number, time?: number): Promise<string[]> {
  const life = new AgentLife(new Random(seed), time);
  const answers: string[] = [];
  for (let step = 0; step < steps; step++) answers.push(timeless((await send(one, life.next())).text));
  return answers;
}

const restore = (one: ServedAgent, body: string | Uint8Array, query = "") => send(one, [`POST /restore${query}`, body]);

beforeAll(async () => {
  server = await Server.start(undefined, { NOEMA_AGENTS: AGENTS.join(" ") });
});

afterAll(() => server.discard());

/** The records of models in a backup. Each says when it was learned last, which no other answer says. */
function modelsOf(backup: string): unknown[] {
  const records = backup.split("\n").filter((line) => line.includes('"model":{'));
  const models = records.map((line) => JSON.parse(line).model);
  for (const { learned_at: learnedAt } of models) expect(learnedAt).toBeGreaterThan(1_700_000_000);
  return models;
}

describe.each(SEEDS)("life %i", (seed) => {
  test("is restored into an empty agent and over a used one, and goes on the same", async () => {
    const original = agent("original");
    await send(original, ["POST /genome/hotswap?purge=true", GENOME]);
    await live(original, seed, LIFE);
    const file = await backupOf(original);
    const before = await readingsOf(original);
    await send(agent("used"), ["POST /genome/hotswap", GENOME]);
    await live(agent("used"), seed + 50, LIFE / 2);
    for (const [copy, body] of [
      [agent("empty"), file],
      [agent("used"), gzipSync(file)],
    ] as const) {
      const answer = await restore(copy, body);
      expect([answer.status, answer.json.message?.processors]).toEqual([200, ["p1", "p2", "p3"]]);
      expect(await readingsOf(copy)).toEqual(before);
      expect(modelsOf(await backupOf(copy))).toEqual(modelsOf(file));
    }
    const walked = await live(original, seed + 100, WALK, WALK_TIME);
    for (const copy of [agent("empty"), agent("used")]) {
      expect(await live(copy, seed + 100, WALK, WALK_TIME)).toEqual(walked);
      expect(await readingsOf(copy)).toEqual(await readingsOf(original));
    }
  }, 300_000);
});

describe("a file", () => {
  let file: string;
  let lines: string[];
  let before: Record<string, string>;
  const used = () => agent("used");

  /** The lines with their checks made anew, as for a backup that was edited with care. */
  async function rewritten(change: (records: MessageInitShape<typeof BackupRecordSchema>[]) => void): Promise<string> {
    const reader = new LineReader();
    const records: MessageInitShape<typeof BackupRecordSchema>[] = [];
    for (const line of lines.slice(0, -1)) {
      const record = await reader.read(line, new TextEncoder().encode(`${line}\n`));
      records.push({ record } as MessageInitShape<typeof BackupRecordSchema>);
    }
    change(records);
    const writer = new LineWriter();
    let text = "";
    for (const record of records) text += await writer.lineOf(create(BackupRecordSchema, record));
    return text + (await writer.end());
  }

  const indexOf = (records: unknown[], kind: BackupRecord["record"]["case"], nth = 0): number =>
    records.flatMap((each, at) => ((each as BackupRecord).record.case === kind ? [at] : []))[nth] ?? -1;

  // biome-ignore lint/suspicious/noExplicitAny: tests write into records what their types forbid
  const valueAt = (records: unknown[], kind: BackupRecord["record"]["case"], nth = 0): any =>
    (records[indexOf(records, kind, nth)] as BackupRecord).record.value;

  const doubleFirst = (list: unknown[]) => void list.push(list[0]);

  /** Puts lines of the blacklist behind the first processor. */
  function blacklist(records: MessageInitShape<typeof BackupRecordSchema>[], ...lists: string[][]): void {
    const given = lists.map((symbols) => ({ record: { case: "blacklist" as const, value: { symbols } } }));
    records.splice(indexOf(records, "processor") + 1, 0, ...given);
  }

  beforeAll(async () => {
    await send(agent("original"), ["POST /genome/hotswap?purge=true", GENOME]);
    await live(agent("original"), 7, 120);
    file = await backupOf(agent("original"));
    lines = file.trimEnd().split("\n");
    await send(used(), ["POST /genome/hotswap?purge=true", GENOME]);
    await live(used(), 8, 60);
    before = await readingsOf(used());
  });

  async function expectRefused(body: string | Uint8Array, message: RegExp, status = 400): Promise<void> {
    const answer = await restore(used(), body);
    expect([answer.status, answer.json.status, answer.json.message]).toEqual([
      status,
      "failed",
      expect.stringMatching(message),
    ]);
  }

  test("of which a line is missing, moved, doubled, edited or cut is refused at that line", async () => {
    for (let at = 0; at < lines.length; at++) {
      const [line = "", next] = lines.slice(at);
      const with_ = (...middle: string[]) =>
        [...lines.slice(0, at), ...middle, ...lines.slice(at + 1)].join("\n").concat("\n");
      const here = new RegExp(`^line ${at + 1}: `);
      const after = new RegExp(`^line ${at + 2}: `);
      if (next !== undefined) {
        await expectRefused(with_(), here);
        await expectRefused([...lines.slice(0, at), next, line, ...lines.slice(at + 2)].join("\n").concat("\n"), here);
      } else await expectRefused(with_(), here);
      await expectRefused(with_(line, line), after);
      await expectRefused(with_(`${line} `), here);
      await expectRefused(with_(line.replace(/[0-9a-f](?=",)/, (digit) => (digit === "0" ? "1" : "0"))), here);
      await expectRefused(with_(line.slice(0, -2)), here);
      await expectRefused(
        `${lines.slice(0, at).join("\n")}\n${line}`.trimStart(),
        new RegExp(`^line ${at + 1} is cut short`),
      );
      await expectRefused(with_(""), here);
    }
    expect(await readingsOf(used())).toEqual(before);
  });

  test("of which any byte differs is refused", async () => {
    const random = new Random(5);
    const bytes = Buffer.from(file);
    for (let trial = 0; trial < 150; trial++) {
      const edited = Buffer.from(bytes);
      const at = random.below(bytes.length);
      edited[at] = (edited[at] ?? 0) ^ (1 << random.below(8));
      await expectRefused(edited, /^line \d+/);
    }
    const gzipped = gzipSync(file);
    for (const cut of [3, 20, gzipped.length >> 1, gzipped.length - 1])
      await expectRefused(gzipped.subarray(0, cut), /gzip file is damaged|^line/);
    await expectRefused("", /^line 1: the backup is cut short/);
    await expectRefused(`${file}${lines.at(-1)}\n`, /nothing may follow the last line/);
    expect(await readingsOf(used())).toEqual(before);
  });

  test.each<[string, (records: MessageInitShape<typeof BackupRecordSchema>[]) => void, RegExp]>([
    [
      "of another version",
      (r) => {
        valueAt(r, "backup").version = 2;
      },
      /^line 1: the backup has version 2; this server reads version 1/,
    ],
    [
      "of one processor",
      (r) => {
        valueAt(r, "backup").processor = "p1";
      },
      /^line 1: this is a backup of the processor "p1" alone/,
    ],
    [
      "without its agent",
      (r) => {
        r.splice(indexOf(r, "agent"), 1);
      },
      /^line 2: the line of the agent must come before/,
    ],
    [
      "with a genome that is none",
      (r) => {
        valueAt(r, "agent").genomeJson = "{}";
      },
      /^line 2: /,
    ],
    [
      "without a processor of its genome",
      (r) => {
        r.splice(indexOf(r, "processor", 2), 1);
      },
      /has no line of the processor "p3"/,
    ],
    [
      "with a processor twice",
      (r) => {
        valueAt(r, "processor", 1).id = "p1";
      },
      /^line \d+: the processor "p1" is not in the genome, or has a line already/,
    ],
    [
      "with a model under another name",
      (r) => {
        valueAt(r, "model").name = "0".repeat(40);
      },
      /^line \d+: .*must be the name of its sequence/,
    ],
    [
      "with a model without order",
      (r) => {
        valueAt(r, "model").order = undefined;
      },
      /^line \d+: the model has no order/,
    ],
    [
      "with two models of one order",
      (r) => {
        valueAt(r, "model", 1).order = valueAt(r, "model").order;
      },
      /^line \d+: .*order must be different/,
    ],
    [
      "with a next model that is not the newest",
      (r) => {
        valueAt(r, "processor").nextOrder = 1;
      },
      /next_order must be greater than the order of every model/,
    ],
    [
      "with a session twice",
      (r) => {
        valueAt(r, "memory", 2).session = valueAt(r, "memory", 1).session;
      },
      /^line \d+: the memory of the session .* may be given once/,
    ],
    [
      "with a session that has no name",
      (r) => {
        valueAt(r, "memory", 1).session = "..";
      },
      /^line \d+: a session must have a name of 1 to 128 bytes/,
    ],
    [
      "with a memory beyond its events",
      (r) => {
        valueAt(r, "memory").memoryStart = 99;
      },
      /^line \d+: the memory's memory_start must be a whole number/,
    ],
    [
      "with a gene that there is not",
      (r) => {
        valueAt(r, "processor").genes[0].name = "wit";
      },
      /^line \d+: .*wit/,
    ],
    [
      "with a gene twice",
      (r) => doubleFirst(valueAt(r, "processor").genes),
      /^line \d+: the gene "\w+" may be given once/,
    ],
    [
      "with a symbol twice in a line",
      (r) => blacklist(r, ["a", "b", "a"]),
      /^line \d+: the blacklist may hold "a" once/,
    ],
    [
      "with a symbol in two lines",
      (r) => blacklist(r, ["a"], ["b", "a"]),
      /^line \d+: the blacklist may hold "a" once/,
    ],
    [
      "with parts of a processor that was never used",
      (r) => {
        valueAt(r, "processor", 1).unused = true;
      },
      /^line \d+: the processor of this line was never used, so it has no parts/,
    ],
    [
      "with a number that is none",
      (r) => {
        valueAt(r, "memory").time = -1;
      },
      /^line \d+: the memory's time must be a whole number/,
    ],
  ])("%s is refused, however well its checks are made", async (_, change, message) => {
    await expectRefused(await rewritten(change), message);
    expect(await readingsOf(used())).toEqual(before);
  });

  test("that is rewritten and not changed is restored, and is the same again", async () => {
    expect(await rewritten(() => {})).toBe(file);
  });

  test("holds one processor when the query asks for one, which takes the place of another", async () => {
    const one = await backupOf(agent("original"), "?processor=P1");
    expect(one).not.toContain("genome_json");
    expect((await restore(used(), one)).json.message).toMatch(/\?processor=<id> says which one it replaces/);
    const answer = await restore(used(), one, "?processor=p3");
    expect([answer.status, answer.json.message?.processors]).toEqual([200, ["p3"]]);
    const [theirs, ours] = [
      await send(agent("original"), ["GET /p1/get_kb?order=true"]),
      await send(used(), ["GET /p3/get_kb?order=true"]),
    ];
    expect(ours.json.message).toEqual(theirs.json.message);
    expect((await send(used(), ["GET /p3/name"])).json.message).toBe("P3");
    const whole = await restore(used(), file, "?processor=P2");
    expect([whole.status, whole.json.message?.processors]).toEqual([200, ["p2"]]);
    const after = await readingsOf(used());
    expect(after["GET /p1/get_kb?order=true"]).toBe(before["GET /p1/get_kb?order=true"]);
    expect((await restore(used(), file, "?processor=P9")).status).toBe(404);
    expect((await restore(used(), file, "?all=1")).json.message).toMatch(/the query parameter "all" is unknown/);
  });
});

test("processors that were never called are uncalled again after a restore", async () => {
  const one = agent("empty");
  const nodes = Array.from({ length: 70 }, (_, at) => ({
    data: { type: "primitive", id: `n${at}`, name: `N${at}`, persistence: 2 },
  }));
  await send(one, ["POST /genome/hotswap?purge=true", JSON.stringify({ agent: "many", elements: { nodes } })]);
  const file = await backupOf(one);
  expect(file.match(/"unused":true/g)?.length).toBe(70 - 64);
  await send(one, ["POST /N69/observe", { data: { strings: ["a", "b"] } }]);
  await send(one, ["POST /N69/genes/change", { data: { recall_threshold: 0.7 } }]);
  expect((await restore(one, file)).status).toBe(200);
  expect((await send(one, ["GET /N69/working-memory"])).json.message).toEqual([]);
  expect((await send(one, ["GET /N69/all-genes"])).json.message.genes).toMatchObject({
    recall_threshold: 0.1,
    persistence: 2,
  });
  expect((await restore(one, file, "?processor=n69")).json.message).toMatch(/"n69" was never used/);
});

test("two restores at once leave one of both, whole", async () => {
  const files: string[] = [];
  const states: Record<string, string>[] = [];
  for (const seed of [11, 12]) {
    await send(agent("original"), [
      "POST /genome/hotswap?purge=true",
      JSON.stringify({ agent: "none", elements: { nodes: [] } }),
    ]);
    await send(agent("original"), ["POST /genome/hotswap", GENOME]);
    await live(agent("original"), seed, 100);
    files.push(await backupOf(agent("original")));
    states.push(await readingsOf(agent("original")));
  }
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(files.map((file) => restore(agent("used"), file)));
    expect(answers.map(({ status }) => status).filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const after = await readingsOf(agent("used"));
    expect(states).toContainEqual(after);
  }
});

test("a backup is of one moment while sessions go on", async () => {
  const one = agent("");
  const count = 300;
  const name = (at: number) => `s${String(at).padStart(4, "0")}`;
  let observed = 0;
  const observe = () =>
    send(one, [
      `POST /P1/sessions/${name(observed++ % count)}/observe`,
      { data: { strings: [`x${observed}`, "a long symbol that fills pages"] } },
    ]);
  for (let at = 0; at < count; at++) await observe();
  let isOver = false;
  const going = (async () => {
    while (!isOver) await observe();
  })();
  for (let round = 0; round < 12; round++) {
    const memories = (await backupOf(one)).split("\n").filter((line) => line.includes('"memory":{"session":"s'));
    const times = memories.map((line) => JSON.parse(line).memory.time as number);
    expect(times.length).toBe(count);
    // Observed one after the other: at any moment, those before some session have been observed once more than those after.
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect((times[0] ?? 0) - (times.at(-1) ?? 0)).toBeLessThanOrEqual(1);
  }
  isOver = true;
  await going;
  expect(observed).toBeGreaterThan(count + 20);
});
