/**
 * The built command line against `npm start`: its page's examples, every operation, training, and completion. Takes 40 s: it starts
 * the command many times, and each start takes a while.
 */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entryOf, sections } from "../../scripts/openapi/sections";
import { NOEMA, noema, type Run, type RunOptions, start } from "../support/cli/noema";
import { blocks, blocksOf } from "../support/docs/blocks";
import { Server } from "../support/server/server";

const PAGE = readFileSync("docs/command-line.md", "utf8");

/** The defaults of the genes that make a memory endless. */
const ENDED = { max_sequence_length: 0, wm_mode: "clear", wm_resolution: "symbol" };

/** So often a test may try to hit a run in its middle. */
const MAX_TRIES = 10;

let server: Server;
let folder: string;
let options: RunOptions;

beforeAll(async () => {
  // The example of an alert names this host.
  server = await Server.start(undefined, { NOEMA_ALERT_HOSTS: "hooks.example.org" });
  folder = mkdtempSync(join(tmpdir(), "noema-cli-"));
  mkdirSync(join(folder, "bin"));
  const shim = join(folder, "bin", "noema");
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${NOEMA}" "$@"\n`);
  chmodSync(shim, 0o755);
  const PATH = `${join(folder, "bin")}:${process.env.PATH}`;
  options = { cwd: folder, env: { NOEMA_ADDRESS: server.address, PATH } };
});

afterAll(async () => {
  await server.discard();
  rmSync(folder, { recursive: true });
});

const filed = (name: string) => readFileSync(join(folder, name), "utf8");

const okay = async (...args: string[]) => {
  const run = await noema(args, options);
  expect(run.stderr.split("\n").filter((line) => line.startsWith("noema:"))).toEqual([]);
  expect(run.code).toBe(0);
  return run.stdout;
};

/** The examples of a console block: a command behind `$`, and below it what it prints. */
const examplesOf = (block: string) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((example) => {
      const [command = "", ...printed] = example.split("\n");
      return { command, printed: printed.join("\n") };
    });

/** Runs an example, and compares what it prints. Where that is long, the page shows a part: `…`. */
async function expectExample({ command, printed }: ReturnType<typeof examplesOf>[number]): Promise<void> {
  const { stdout, stderr } = await start("bash", ["-c", command], options).ended;
  const pattern = printed
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(/^…$/gm, "[^]*")
    .replaceAll("…", ".+?");
  expect(stdout + stderr.replace(PROGRESS, ""), command).toMatch(new RegExp(`^${pattern}$`));
}

const EXAMPLES = blocks("docs/command-line.md", "console").flatMap(examplesOf);

/** Progress, which is not compared: it depends on time. */
const PROGRESS = /^(?:Learning|Asking|Scoring|Exporting records|Sending records) .*\n/gm;

test("the examples of docs/command-line.md print what it says", { timeout: 300_000 }, async () => {
  const [, csv = ""] = /```csv\n([\s\S]*?)```/.exec(PAGE) ?? [];
  writeFileSync(join(folder, "machines.csv"), csv);
  expect(EXAMPLES.length).toBeGreaterThan(20);
  for (const example of EXAMPLES) await expectExample(example);
});

test("docs/score-a-file.md runs from its top to its end, and finds the three faults", {
  timeout: 300_000,
}, async () => {
  await server.okay("POST /P1/clear-all-memory");
  await server.okay("POST /P1/genes/change", ENDED);
  await server.call("DELETE /P1/encoders/temp");
  const page = blocksOf("docs/score-a-file.md");
  expect(page.map(({ language }) => language)).toEqual(["ts", "csv", "console", "console"]);
  for (const { language, text } of page) {
    if (language === "ts") {
      writeFileSync(join(folder, "machine.mjs"), text);
      await start(process.execPath, ["machine.mjs"], options).ended;
    }
    if (language === "csv")
      expect(filed("week.csv").split("\n")).toEqual(expect.arrayContaining(text.trim().split("\n")));
    if (language === "console") for (const example of examplesOf(text)) await expectExample(example);
  }
  expect(filed("report.html")).toContain("vibration 7 to 10.6");
  for (const name of ["temp", "vibration", "current"]) await server.okay(`DELETE /P1/encoders/${name}`);
  await server.okay("POST /P1/clear-all-memory");
  await server.okay("POST /P1/genes/change", ENDED);
});

test("--agent reaches another agent, also where no system finds its host", async () => {
  const several = await Server.start(undefined, { NOEMA_AGENTS: "kitchen" });
  try {
    const env = { NOEMA_ADDRESS: several.address };
    expect(several.address).toContain("127.0.0.1");
    const observed = await noema(["observe", "tea", "--agent", "kitchen"], { env });
    expect(observed).toMatchObject({ code: 0, stdout: "Observed.\n" });
    const memoryOf = async (...agent: string[]) =>
      JSON.parse((await noema(["call", "getWorkingMemory", "--processor", "P1", ...agent], { env })).stdout).message;
    expect([await memoryOf("--agent", "kitchen"), await memoryOf()]).toEqual([[["tea"]], []]);
  } finally {
    await several.discard();
  }
});

test("the page describes every command", async () => {
  const listed = (await okay("--help")).split("\n").flatMap((line) => /^ {2}([a-z]+)(?: |$)/.exec(line)?.[1] ?? []);
  expect(listed).toContain("train");
  const missing = listed.filter((name) => !["help", "complete"].includes(name) && !PAGE.includes(`noema ${name}`));
  expect(missing).toEqual([]);
});

test("noema init says how to enter a folder whose name a shell would divide", async () => {
  const run = await noema(["init", "Ann's agent"], options);
  const [, step = ""] = /^ {2}(cd .*)$/m.exec(run.stdout) ?? [];
  const { stdout } = await start("bash", ["-c", `${step} && ls`], options).ended;
  expect(stdout).toContain("wrangler.toml");
});

describe("noema call", () => {
  test("has every operation of the table", async () => {
    const operations: { id: string; method: string; path: string; inSessions?: true }[] = JSON.parse(
      await okay("call", "--json"),
    );
    const called = operations.map(({ id, method, path, inSessions = false }) => [id, method, path, inSessions]);
    const table = sections.flatMap(({ rows }) =>
      rows.flatMap((row) =>
        row.methods.map((method, at) => [
          entryOf(row).operationId[at],
          method,
          row.path.replace(/:(\w+)\+?/g, "{$1}"),
          row.inSessions === true,
        ]),
      ),
    );
    expect(table.length).toBeGreaterThan(60);
    expect(called).toEqual(expect.arrayContaining(table));
  });

  test("writes answers that are text as they come", async () => {
    expect(await okay("call", "getMetrics")).toMatch(/^# HELP noema_[\s\S]*\n# TYPE noema_/);
  });

  test("sends parameters of the path and the query, bodies, sessions and keys", async () => {
    const call = async (...args: string[]) => JSON.parse(await okay("call", ...args)).message;
    await call("clearAllMemory");
    await call("observe", "--data", '{"data": {"strings": ["a b/c"]}}', "--session", "s 1");
    expect(await call("getWorkingMemory", "--session", "s 1")).toEqual([["a b/c"]]);
    for (const _ of [1, 2]) {
      await call("observe", "--data", '{"strings": ["once"]}', "--session", "s 1", "--idempotency-key", "k1");
    }
    expect(await call("getWorkingMemory", "--session", "s 1")).toEqual([["a b/c"], ["once"]]);
    await call("learn", "--session", "s 1");
    expect(await call("getSymbol", "a b/c")).toMatchObject({ name: "a b/c" });
    expect(await call("listSessions", "--after", "s 0", "--limit", "1")).toMatchObject([{ name: "s 1" }]);
    expect(await call("endSession", "s 1")).toBe("session-ended");
    writeFileSync(join(folder, "genome.json"), JSON.stringify((await noemaGenome()).genome));
    const swapped = await call("hotswapGenome", "--data", "@genome.json", "--dry-run");
    expect(swapped.kept).toEqual(["p46b6b076c"]);
  });
});

const noemaGenome = async () => JSON.parse(await okay("call", "connect"));

describe("noema alerts", () => {
  const URL = "https://hooks.example.org/";
  const put = (...args: string[]) => noema(["alerts", "put", "a", "--url", URL, ...args], options);
  const shown = async () => JSON.parse(await okay("alerts", "show", "a", "--json"));

  test("sets each condition, with a secret of a file or one that is made", async () => {
    writeFileSync(join(folder, "secret"), `whsec_${"A".repeat(32)}\n`);
    expect(await put("--learned", "--secret-file", "secret")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "The alert a is set.\n",
    });
    const silent = { format: "standard", last_delivery: null, threshold: null };
    expect(await shown()).toEqual({ ...silent, url: URL, waiting: 0, when: { learned: true } });
    const made = await put("--surprise-above", "8.5", "--json");
    expect(JSON.parse(made.stdout)).toEqual({ secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) });
    expect((await shown()).when).toEqual({ surprise_above: 8.5 });
    await put("--forecast", "s", "--above", "0.25");
    expect((await shown()).when).toEqual({ forecast: { symbol: "s", above: 0.25, horizon: 1 } });
    expect(JSON.parse(await okay("alerts", "list", "--json"))).toEqual({ a: await shown() });
    expect(JSON.parse(await okay("alerts", "test", "a", "--json")).webhook_id).toMatch(/^msg_/);
    expect(await okay("alerts", "delete", "a")).toBe("The alert a is deleted.\n");
    expect(await okay("alerts", "list")).toBe("There are no alerts.\n");
  });

  test.each([
    [[], "an alert needs a condition: --learned, --per-day, --surprise-above, --silent-for or --forecast"],
    [["--learned", "--surprise-above", "1"], "cannot be used with"],
    [["--surprise-above", "1", "--forecast", "s"], "cannot be used with"],
    [["--surprise-above", "-1"], '--surprise-above is "-1"; accepted is a number from 0'],
    [["--surprise-above", ""], '--surprise-above is ""; accepted is a number from 0'],
    [["--forecast", "s"], "--forecast needs --above"],
    [["--forecast", "s", "--above", "1.5"], "--above is 1.5; accepted is a probability from 0 to 1"],
    [["--forecast", "s", "--above", "0.5", "--horizon", "11"], "accepted is a whole number from 1 to 10"],
    [["--learned", "--horizon", "2"], "--above and --horizon need --forecast"],
  ])("refuses %j", async (args, message) => {
    expect(await put(...args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });

  test("says what the server refuses, and repeats no secret", async () => {
    writeFileSync(join(folder, "wrong"), "whsec_not-so-secret");
    const wrong = await put("--learned", "--secret-file", "wrong");
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("the base64 of 24 to 64 bytes") });
    expect(wrong.stderr).not.toContain("not-so-secret");
    const elsewhere = await noema(["alerts", "put", "a", "--url", "https://evil.example/", "--learned"], options);
    expect(elsewhere).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("its host evil.example is not listed in"),
    });
    const none = await noema(["alerts", "show", "none"], options);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no alert named") });
  });
});

describe("noema train", () => {
  const GROUPS = 600;
  const CSV = `g,s\n${Array.from({ length: GROUPS }, (_, at) => `${at},a\n${at},b\n`).join("")}`;
  const ARGS = ["train", "same.csv", "--group-by", "g", "--symbol", "s"];

  beforeAll(() => writeFileSync(join(folder, "same.csv"), CSV));

  const frequency = async () => JSON.parse(await okay("models", "list", "--json")).models[0]?.frequency;

  /** How a run ends that is interrupted in its middle. On a busy machine one may end first: then another is. */
  async function interrupted(): Promise<Run> {
    let ended: Run;
    let tries = 0;
    do {
      await server.okay("POST /P1/clear-all-memory");
      const run = start(process.execPath, [NOEMA, ...ARGS, "--in-flight", "4"], options);
      await run.printed(/Learning [1-9]\d*\/600/);
      run.child.kill("SIGINT");
      ended = await run.ended;
    } while ((await frequency()) === GROUPS && ++tries < MAX_TRIES);
    return ended;
  }

  test("learns each sequence once, also when it is interrupted and taken up again", async () => {
    const { code, stderr, stdout } = await interrupted();
    expect([code, stdout]).toEqual([130, ""]);
    expect(await frequency()).toBeLessThan(GROUPS);
    const [, resume = ""] = /--resume (\S+)/.exec(stderr) ?? [];
    const result = JSON.parse(await okay(...ARGS, "--resume", resume, "--json"));
    expect(result).toMatchObject({ run: resume, groups: GROUPS, rows: 2 * GROUPS });
    expect(result.redelivered).toBeGreaterThan(0);
    expect(await frequency()).toBe(GROUPS);
    // The run's session is gone, and no memory was touched.
    expect(await okay("call", "listSessions")).toContain('"message":[]');
    const other = await noema([...ARGS, "--session", "another", "--resume", resume], options);
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("was a run of another file, or with other options"),
    });
  });

  test("goes through the session that is named, and reads stdin", async () => {
    await server.okay("POST /P1/clear-all-memory");
    const args = ["train", "-", "--format", "csv", "--every", "2", "--symbol", "s", "--session", "mine", "--json"];
    const run = await noema(args, { ...options, input: "s\nx\ny\nx\nz\n" });
    expect(JSON.parse(run.stdout)).toMatchObject({ groups: 2, learned: 2, nothing: 0, redelivered: 0 });
    expect(await okay("call", "listSessions")).toContain('"name":"mine"');
  });

  test("sorts models, and forgets those that were learned seldom when it has counted them", async () => {
    await server.okay("POST /P1/clear-all-memory");
    for (const [frequency, symbol] of [...["a", "b", "c"].entries()]) {
      await server.okay("PUT /P1/add-model", { frequency: frequency + 1, sequence: [[symbol], ["end"]] });
    }
    const sorted = ["models", "list", "--sort", "frequency", "--limit", "2", "--json"];
    const frequencies = async (...more: string[]) =>
      JSON.parse(await okay(...sorted, ...more)).models.map(({ frequency }: { frequency: number }) => frequency);
    expect(await frequencies()).toEqual([1, 2]);
    expect(await frequencies("--descending")).toEqual([3, 2]);
    const seldom = ["models", "forget", "--frequency-below", "2"];
    expect(await okay(...seldom, "--dry-run")).toBe("1 model would be forgotten.\n");
    expect(await okay(...seldom, "--json")).toBe('{"models":1}\n');
    expect(await okay("models", "forget", "--keep-at-most", "0")).toBe("Forgot 2 models.\n");
  });

  test("sends nothing of a file that is wrong, and says so when the processor sleeps", async () => {
    await server.okay("POST /P1/clear-all-memory");
    writeFileSync(join(folder, "wrong.csv"), `${CSV}1\n`);
    const wrong = await noema(["train", "wrong.csv", "--group-by", "g", "--symbol", "s"], options);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("line 1202: the row has 1 cell") });
    await server.okay("POST /P1/sleeping/start");
    const asleep = await noema(ARGS, options);
    await server.okay("POST /P1/sleeping/stop");
    expect(asleep).toMatchObject({ code: 1, stderr: expect.stringContaining("the processor sleeps") });
    expect(JSON.parse(await okay("models", "list", "--json")).count).toBe(0);
  });

  test("refuses sequences of which memory would keep a part, and changes nothing", async () => {
    await server.okay("POST /P1/clear-all-memory");
    const stays = async (what: string, genes: object, args: string[]) => {
      await server.okay("POST /P1/genes/change", { ...ENDED, ...genes });
      const message = `of the ${what}, only the newest 3 would be learned, because of the gene max_sequence_length`;
      expect(await noema(args, options)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    };
    writeFileSync(join(folder, "few.csv"), "g,s,t\na,1,1\na,2,2\nb,3,\nb,,\nb,4,\nb,5,\nb,6,\n");
    const columns = ["few.csv", "--group-by", "g", "--symbol", "s"];
    const events = { max_sequence_length: 3, wm_mode: "rolling", wm_resolution: "event" };
    await okay("models", "list");
    const training = ["train", ...columns];
    await stays("4 events of the group b from line 4", events, training);
    await stays("6 events of the group 1 from line 2", events, ["train", "few.csv", "--symbol", "s", "--every", "9"]);
    await stays("4 symbols of the group a from line 2", { max_sequence_length: 3 }, [...training, "--symbol", "t"]);
    const rows = Array.from({ length: 20 }, (_, at) => `${at >> 2},${at & 3}\n`);
    writeFileSync(join(folder, "long.csv"), `g,s\n${rows.join("")}`);
    const evaluation = ["evaluate", "long.csv", ...columns.slice(1), "--seed", "1"];
    await stays("4 events of the group 0 from line 2", events, evaluation);
    expect(JSON.parse(await okay("models", "list", "--json")).count).toBe(0);
    await server.okay("POST /P1/autolearning/start");
    await okay(...training);
    await server.okay("POST /P1/autolearning/stop");
    await server.okay("POST /P1/genes/change", { max_sequence_length: 4 });
    await okay(...training);
    await server.okay("POST /P1/genes/change", ENDED);
  });
});

describe("noema score", () => {
  const READINGS = ["--number", "temp", "--time", "at", "--every", "8"];

  /** A minute each; temperatures go up and down every 20 minutes. @param fault the row whose temperature is far off */
  function readings(count: number, fault = -1): string {
    const rows = Array.from({ length: count }, (_, at) => {
      const temp = at === fault ? 400 : 50 + 20 * Math.sin((at * Math.PI) / 10) + (at % 3) / 10;
      return `${new Date(Date.UTC(2026, 2, 1) + 60_000 * at).toISOString()},${temp.toFixed(1)}\n`;
    });
    return `at,temp\n${rows.join("")}`;
  }

  test("finds a reading that is far off, in rows that were learned with the defaults alone; it changes nothing", async () => {
    await server.okay("POST /P1/clear-all-memory");
    await server.okay("DELETE /P1/encoders/temp");
    await server.okay("POST /P1/genes/change", ENDED);
    writeFileSync(join(folder, "normal.csv"), readings(800));
    writeFileSync(join(folder, "week.csv"), readings(700, 555));
    const trained = JSON.parse(await okay("train", "normal.csv", ...READINGS, "--json"));
    expect(trained).toMatchObject({
      learned: 100,
      numbers: { temp: { kind: "auto", bins: 8 } },
      genes: { max_sequence_length: 8, wm_mode: "rolling", wm_resolution: "event" },
    });
    expect(await okay("call", "getGene", "max_sequence_length")).toContain('"message":"8"');
    await server.okay("POST /P1/observe", { data: { strings: ["in memory"] } });
    await server.okay("POST /P1/autolearning/start");
    const state = async () => {
      const reads = ["getStatus", "getWorkingMemory", "listSessions", "getEncoder temp"];
      const answers = await Promise.all(reads.map((read) => okay("call", ...read.split(" "))));
      return answers.map((answer) => JSON.parse(answer).message);
    };
    const before = await state();
    const found = await okay("score", "week.csv", ...READINGS, "--per-day", "2", "--html", "report.html");
    expect(found).toMatch(
      /^line,time,bits,causes,expected\n557,2026-03-01T09:15:00.000Z,[\d.]+,temp [\d.]+ to [\d.]+,temp /,
    );
    expect(await state()).toEqual(before);
    await server.okay("POST /P1/autolearning/stop");
    const page = readFileSync(join(folder, "report.html"), "utf8");
    expect(page).toContain("week.csv");
    expect(page).toContain("2026-03-01 09:15:00");
    const all = await okay("score", "week.csv", ...READINGS, "--json");
    const lines = all
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 700 }, (_, at) => at + 2));
    const worst = lines.reduce((one, other) => (other.bits > one.bits ? other : one));
    expect(worst).toMatchObject({ line: 557, causes: [{ shown: expect.stringMatching(/^temp [\d.]+ to [\d.]+$/) }] });
    await server.okay("POST /P1/genes/change", ENDED);
  });

  test("judges each group as a whole, and says what is missing", async () => {
    await server.okay("POST /P1/clear-all-memory");
    const csv = (...all: string[]) =>
      `g,s\n${all.flatMap((sequence, at) => sequence.split(" ").map((symbol) => `${at},${symbol}\n`)).join("")}`;
    writeFileSync(join(folder, "jobs.csv"), csv(...Array.from({ length: 30 }, () => "open write close")));
    writeFileSync(join(folder, "others.csv"), csv("open write close", "open write", "open write write close"));
    const groups = ["--group-by", "g", "--symbol", "s"];
    await okay("train", "jobs.csv", ...groups);
    const judged = (await okay("score", "others.csv", ...groups, "--json")).trimEnd().split("\n");
    const [whole, cut, twice] = judged.map((line) => JSON.parse(line));
    expect([whole.missing, cut.missing[0].symbol, twice.excess[0].symbol]).toEqual([[], "close", "write"]);
    expect(Math.min(cut.bits, twice.bits)).toBeGreaterThan(whole.bits + 1);
    expect(cut).toMatchObject({ group: "1", line: 5, rows: 2 });
    const rows = await okay("score", "others.csv", ...groups, "--rows");
    expect(rows.split("\n")[0]).toBe("group,line,time,bits,causes,expected");
    expect(rows.trimEnd().split("\n")).toHaveLength(10);
    await server.okay("POST /P1/clear-all-memory");
    const empty = await noema(["score", "others.csv", ...groups], options);
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining("has no models to compare with") });
  });

  test("writes no report of rows without events, and says before it scores that a folder is not there", async () => {
    writeFileSync(join(folder, "blank.csv"), "g,s\n,\n");
    const scoreTo = (report: string) => noema(["score", "blank.csv", "--symbol", "s", "--html", report], options);
    const note = "No row makes an event, so there is nothing to score. blank.html is not written.\n";
    expect(await scoreTo("blank.html")).toMatchObject({ code: 0, stderr: note });
    expect(existsSync(join(folder, "blank.html"))).toBe(false);
    expect(await scoreTo("nowhere/r.html")).toMatchObject({
      code: 1,
      stderr: "noema: no such file or folder: nowhere\n",
    });
  });
});

test("noema evaluate counts what is most probable, and how probable the right answers were", async () => {
  const csv = (...sequences: string[]) =>
    `g,s\n${sequences.flatMap((sequence, at) => sequence.split(" ").map((symbol) => `${at},${symbol}\n`)).join("")}`;
  writeFileSync(join(folder, "learned.csv"), csv("a b", "a b", "a b", "a c"));
  writeFileSync(join(folder, "asked.csv"), csv("a b", "a b", "a c", "z b"));
  await server.okay("POST /P1/clear-all-memory");
  const table = ["--group-by", "g", "--symbol", "s"];
  await okay("train", "learned.csv", ...table);
  const evaluation = ["evaluate", "asked.csv", ...table, "--trained-on", "learned.csv"];
  const result = JSON.parse(await okay(...evaluation, "--json"));
  // After a, b is three times as frequent as c. Nothing is known of z, where a chain backs off to the most frequent, which is b.
  expect(result.scores).toEqual([
    { method: "noema", right: 2, answered: 3, accuracy: 0.5 },
    { method: "markov_backoff", right: 3, answered: 4, accuracy: 0.75 },
    { method: "markov_1", right: 2, answered: 3, accuracy: 0.5 },
    { method: "most_frequent", right: 3, answered: 4, accuracy: 0.75 },
  ]);
  expect(result.confusion).toEqual([
    { actual: "b", predicted: "b", count: 2 },
    { actual: "b", predicted: null, count: 1 },
    { actual: "c", predicted: "b", count: 1 },
  ]);
  const { within } = JSON.parse(await okay("forecast", "a", "--json"));
  const [b, c] = ["b", "c"].map((name) => within.find(({ symbol }: { symbol: string }) => symbol === name).probability);
  // After z no model speaks: 1 / ((0 + 2) * (2 + 1)).
  const losses = [b, b, c, 1 / 6].map((probability) => -Math.log2(probability));
  expect(result.log_loss).toBeCloseTo(losses.reduce((sum, loss) => sum + loss, 0) / 4, 12);
  const shown = await okay(...evaluation, "--forecast");
  expect(shown).toContain(`\nLog loss of the forecast: ${result.log_loss.toFixed(2)} bits an answer.\n`);
  expect(JSON.parse(await okay(...evaluation, "--votes", "--json"))).not.toHaveProperty("log_loss");
  expect(await okay(...evaluation, "--forecast", "--json")).toBe(`${JSON.stringify(result)}\n`);
});

test("noema forecast says what comes next, in each event and in any of them, in every memory", async () => {
  await server.okay("POST /P1/clear-all-memory");
  await server.okay("PUT /P1/add-model", { sequence: [["a"], ["b"], ["c"]], frequency: 3 });
  await server.okay("PUT /P1/add-model", { sequence: [["a"], ["d"]] });
  const forecast = async (...args: string[]) => JSON.parse(await okay("forecast", ...args, "--json"));
  const asked = async (data: object) => (await server.okay("POST /P1/forecast", { data })).message;
  expect(await forecast("a", "--horizon", "2")).toEqual(await asked({ sequence: [["a"]], horizon: 2 }));
  expect(await forecast("--sequence", '[["a"]]', "--top", "1")).toEqual(await asked({ sequence: [["a"]], top: 1 }));
  expect((await forecast("a", "--top", "1")).within).toHaveLength(1);
  await okay("observe", "a", "--session", "device");
  expect(await forecast("--session", "device")).toEqual(await asked({ sequence: [["a"]] }));
  expect(await forecast()).toMatchObject({ context: 0, models: 0 });
  expect(await okay("forecast")).toBe("Nothing is known about what comes next.\n");
  const table = await okay("forecast", "a", "--horizon", "2");
  expect(table).toMatch(/^Event 1 ahead:\nsymbol +probability +models\nb +[\d.]+ % +1\n/);
  expect(table).toMatch(/^Event 2 ahead:\nsymbol +probability +models\nc +[\d.]+ % +1\n/m);
  expect(table).toMatch(/^In one or more of them:\nsymbol +probability +models\n/m);
  for (const [args, message] of [
    [["--horizon", "11"], "accepted is a whole number from 1 to 10"],
    [["--top", "0"], "accepted is a whole number from 1 to 1000"],
    [["a", "--sequence", "[]"], "events are given twice"],
    [["--sequence", "a"], "--sequence is not JSON"],
  ] as const) {
    expect(await noema(["forecast", ...args], options)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  }
});

test("noema score judges vectors by the learned ones near them, and observes nothing", async () => {
  await server.okay("POST /P1/clear-all-memory");
  const rows = Array.from({ length: 60 }, (_, at) => `${at % 3},0,step${at % 3}`);
  writeFileSync(join(folder, "walk.csv"), `x,y,s\n${rows.join("\n")}\n`);
  writeFileSync(join(folder, "other.csv"), `x,y,s\n${[...rows.slice(0, 20), "40,7,step2"].join("\n")}\n`);
  const columns = ["--vector", "x,y", "--symbol", "s"];
  await okay("train", "walk.csv", ...columns, "--every", "10");
  const before = await okay("call", "getCognition");
  const lines = (await okay("score", "other.csv", ...columns, "--json")).trimEnd().split("\n");
  const scored = lines.map((line): { bits: number; causes: { symbol: string }[] } => JSON.parse(line));
  expect(scored).toHaveLength(21);
  const [last, others] = [scored[20], scored.slice(1, 20)];
  expect(last?.bits).toBeGreaterThan(2 + Math.max(...others.map(({ bits }) => bits)));
  expect(last?.causes[0]?.symbol).toMatch(/^VECTOR\|/);
  const messageOf = (answer: string) => JSON.parse(answer).message;
  expect(messageOf(await okay("call", "getCognition"))).toEqual(messageOf(before));
  // The rows have no times, and must not get symbols of the present one.
  await server.okay("PUT /P1/encoders/hour", { data: { kind: "clock", of: "hour" } });
  expect((await okay("score", "other.csv", ...columns, "--json")).trimEnd().split("\n")).toEqual(lines);
  await server.okay("DELETE /P1/encoders/hour");
});

test("noema evaluate asks with vectors, and leaves no session", async () => {
  const rows = Array.from(
    { length: 40 },
    (_, at) => `${at % 2},${10 + (at % 2) * 50 + at / 100},${at % 2 === 0 ? "low" : "high"}`,
  );
  writeFileSync(join(folder, "vectors.csv"), `x,y,class\n${rows.join("\n")}\n`);
  const args = ["evaluate", "vectors.csv", "--vector", "x,y", "--label", "class", "--clear", "--json"];
  const result = JSON.parse(await okay(...args));
  expect(result).toMatchObject({ target: "class", questions: 8, groups: { trained: 32, tested: 8 } });
  expect(result.scores[0]).toEqual({ method: "noema", right: 8, answered: 8, accuracy: 1 });
  expect(await okay("call", "listSessions")).toContain('"message":[]');
  const again = await noema(
    args.filter((arg) => arg !== "--clear"),
    options,
  );
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/has learned \d+ models already/) });
  const trained = JSON.parse(
    await okay("evaluate", "vectors.csv", ...args.slice(2, 6), "--trained-on", "vectors.csv", "--json"),
  );
  expect(trained).toMatchObject({ questions: 40, groups: { trained: 40, tested: 40 } });
});

describe("completion", () => {
  test("of bash completes commands, operations and options", async () => {
    const script = await okay("complete", "bash");
    const complete = async (...words: string[]) => {
      const typed = words.map((word) => `'${word}'`).join(" ");
      const ask = `COMP_WORDS=(noema ${typed}); COMP_CWORD=${words.length}; _noema; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await start("bash", ["-c", `${script}\n${ask}`], options).ended;
      return stdout.split("\n").filter((word) => word !== "");
    };
    expect(await complete("tr")).toEqual(["train"]);
    expect(await complete("models", "")).toEqual(["list", "search", "show", "delete", "forget"]);
    expect(await complete("train", "file.csv", "--gro")).toEqual(["--group-by"]);
    expect(await complete("train", "--format", "")).toEqual(["csv", "jsonl"]);
    expect(await complete("call", "getWork")).toEqual(["getWorkingMemory"]);
    expect(await complete("--address", "x", "complete", "b")).toEqual(["bash"]);
    expect(await complete("train", "f")).toEqual([]);
    await complete("$(touch evaluated)", "`touch evaluated`");
    expect(existsSync(join(folder, "evaluated"))).toBe(false);
  });

  test.each([
    ["zsh", "#compdef noema"],
    ["fish", "complete -c noema"],
  ])("of %s is a script for it", async (shell, part) => {
    expect(await okay("complete", shell)).toContain(part);
  });
});
