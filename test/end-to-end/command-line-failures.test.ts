/**
 * How the command line fails: exit codes, sentences, keys that stay secret, readers that stop reading, and
 * interruptions. Takes 35 s: it starts the command some seventy times.
 */

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { NOEMA, noema, type RunOptions, start } from "../support/cli/noema";
import { Server } from "../support/server/server";

const KEY = "a-key-of-this-test-0123456789";

let server: Server;
let folder: string;
let options: RunOptions;

beforeAll(async () => {
  server = await Server.start(undefined, { API_KEYS: KEY, NOEMA_ALOW_ORIGINS: "secret-1", NOEMA_PROCESSOR: "P1" });
  folder = mkdtempSync(join(tmpdir(), "noema-cli-"));
  writeFileSync(join(folder, "key"), `${KEY}\n`);
  writeFileSync(join(folder, "empty"), "\n");
  writeFileSync(join(folder, "rows.csv"), "g,s\n1,a\n");
  options = { cwd: folder, env: { NOEMA_ADDRESS: server.address, NOEMA_API_KEY: KEY } };
});

afterAll(async () => {
  await server.discard();
  rmSync(folder, { recursive: true });
});

const WITHOUT_KEY = () => ({ cwd: folder, env: { NOEMA_ADDRESS: server.address } });

test("a misspelt variable is named, by the server with its own and by commands with theirs, and its value is not", async () => {
  const named = "The variable NOEMA_ALOW_ORIGINS is unknown and has no effect; did you mean NOEMA_ALLOW_ORIGINS?";
  expect(server.greeting.split("\n").filter((line) => line.includes("NOEMA_"))).toEqual([named]);
  const env = { ...options.env, NOEMA_PROCESOR: "secret-1" };
  const { code, stderr } = await noema(["health"], { ...options, env });
  const sentence = "noema: The variable NOEMA_PROCESOR is unknown and has no effect; did you mean NOEMA_PROCESSOR?\n";
  expect([code, stderr]).toEqual([0, sentence]);
  // What shells read stays as it is.
  expect((await noema(["suggest", "obs"], { ...options, env })).stderr).toBe("");
});

test("a misspelt command is answered with the nearest one, but never with one that deletes or replaces", async () => {
  const suggestionFor = async (...args: string[]) => {
    const { code, stderr } = await noema(args, options);
    expect([code, stderr.split("\n")[0]]).toEqual([2, `error: unknown command '${args.at(-1)}'`]);
    return stderr.split("\n")[1];
  };
  expect(await suggestionFor("serv")).toBe("(Did you mean serve?)");
  expect(await suggestionFor("keys", "lst")).toBe("(Did you mean list?)");
  for (const name of ["rstore", "restroe", "imprt"]) expect(await suggestionFor(name)).toBe("");
  for (const args of [
    ["models", "frget"],
    ["models", "delte"],
    ["genome", "swp"],
    ["keys", "remov"],
    ["alerts", "delet"],
  ]) {
    expect(await suggestionFor(...args)).toBe("");
  }
  // Of several that are as near, the others stay.
  expect(await suggestionFor("emport")).toBe("(Did you mean export?)");
});

describe("exit code 2, and nothing sent", () => {
  test.each([
    [["fly"], "unknown command 'fly'"],
    [["observe", "--fly"], "unknown option '--fly'"],
    [["train"], "missing required argument 'file'"],
    [["observe"], "name the symbols of a record, or give --data or --lines"],
    [["observe", "a", "--data", "{}"], "name the symbols of a record, or give --data or --lines"],
    [["observe", "--data", "{"], "--data is not JSON"],
    [["observe", "--vector", "1,two"], '--vector has "two"; accepted is a finite number'],
    [["observe", "--data", "{}", "--time", "5"], "--time dates the record that the arguments make"],
    [["observe", "--emotive", "joy"], '--emotive is "joy"; accepted is <name>=<number>'],
    [["predict", "a", "--top", "0"], '--top is "0"; accepted is a whole number from 1 to 10000'],
    [["predict", "a", "--sequence", "[]"], "events are given twice"],
    [["watch", "--interval", "0"], '--interval is "0"; accepted is 0.1 to 86400'],
    [["watch", "--interval", "1", "--sessions"], "--sessions and --interval exclude each other"],
    [["watch", "--session", "a", "--sessions"], "--sessions and --session exclude each other"],
    [["train", "rows.csv", "--group-by", "g"], "no column makes symbols"],
    [["train", "rows.csv", "--group-by", "g", "--symbol", "s", "--in-flight", "0"], "a whole number from 1 to 256"],
    [
      ["train", "rows.csv", "--group-by", "g", "--symbol", "s", "--resume", "x"],
      "--resume x was a run of another file",
    ],
    [["evaluate", "rows.csv", "--group-by", "g", "--symbol", "s", "--holdout", "1"], '--holdout is "1"'],
    [
      ["evaluate", "rows.csv", "--group-by", "g", "--symbol", "s", "--target", "t"],
      '--target is "t"; accepted is a column',
    ],
    [
      ["import", "rows.csv"],
      "rows.csv is a table: noema train learns its rows; accepted here is what noema export wrote",
    ],
    [["score", "rows.csv", "--symbol", "s", "--threshold", "0"], "It must be a number above 0."],
    [["score", "rows.csv", "--symbol", "s", "--time", "g", "--per-day", "10001"], "at most 10000"],
    [["score", "rows.csv", "--symbol", "s", "--per-day", "1"], "--per-day needs --time"],
    [["score", "rows.csv", "--symbol", "s", "--time", "g", "--per-day", "1", "--threshold", "1"], "exclude each other"],
    [["score", "rows.csv", "--symbol", "s", "--rows"], "--rows needs --group-by"],
    [["score", "rows.csv", "--symbol", "s", "--encoding", "klingon"], "--encoding klingon is not known"],
    [["evaluate", "rows.csv", "--group-by", "g", "--symbol", "s", "--votes", "--forecast"], "exclude each other"],
    [["models", "search"], "nothing to search for: give --symbol or --pattern"],
    [["models", "forget", "--dry-run"], "nothing to forget: give --frequency-below or --keep-at-most"],
    [
      ["models", "forget", "--keep-at-most", "few"],
      '--keep-at-most is "few"; accepted is a whole number from 0 to 9007199254740991',
    ],
    [["genome", "swap", "rows.csv"], "rows.csv is not JSON"],
    [["call", "fly"], "there is no operation fly; noema call lists them"],
    [["call", "clear-all-memory"], "there is no operation clear-all-memory; did you mean clearAllMemory?"],
    [["call", "getStatu"], "there is no operation getStatu; did you mean getStatus?"],
    [["call", "deleteModl"], "there is no operation deleteModl; noema call lists them"],
    [
      ["health", "--address", "127.0.0.1:8787"],
      "It must begin with http:// or https://, such as http://127.0.0.1:8787.",
    ],
    [
      ["--address", "127.0.0.1:8787", "health"],
      "It must begin with http:// or https://, such as http://127.0.0.1:8787.",
    ],
    [["call", "observe"], "observe needs a body"],
    [["learn", "--address", "ftp://x"], "address must be a URL of http or https"],
    [["learn", "--address", "http://a:b@127.0.0.1"], "without a user"],
    [["learn", "--session", ".."], "the name of a session must be a string"],
    [["learn", "--key-file", "empty"], "empty holds no key"],
  ])("noema %j", async (args, sentence) => {
    const run = await noema(args, options);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(sentence);
  });

  test("without a key for another machine", async () => {
    const run = await noema(["learn", "--address", "https://noema.example"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toBe(
      "noema: there is no key for https://noema.example: set NOEMA_API_KEY, or name a file that holds the key with --key-file\n",
    );
  });
});

describe("exit code 1, with a sentence", () => {
  test.each([
    [["learn", "--processor", "nobody"], /^noema: .*nobody.* \(HTTP 404\)\n$/],
    [["observe", "--data", '{"strings": "a"}'], /^noema: .*strings.* \(HTTP 400\)\n$/],
    [
      ["observe", "--data", '{"data": {"strings": "a"}}'],
      /^noema: a record has no member "data" \(accepted: strings, .*\)\n$/,
    ],
    [["models", "show", "ff"], /^noema: there is no model ff\n$/],
    [["models", "delete", "ff"], /^noema: there is no model ff\n$/],
    [["train", "none.csv", "--every", "1", "--symbol", "s"], /^noema: no such file or folder: .*none\.csv\n$/],
    [["import", "none.json"], /^noema: no such file or folder: .*none\.json\n$/],
    [["export", "no/such/folder.json"], /no such file or folder/],
    [["call", "getPercept", "--processor", "nobody"], /\(HTTP 404\)\n$/],
  ])("noema %j", async (args, sentence) => {
    const run = await noema(args, options);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toMatch(sentence);
  });

  test("where no server listens, and where the key is wrong", async () => {
    const closed = createServer();
    await new Promise<void>((listening) => closed.listen(0, "127.0.0.1", listening));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const nobody = await noema(["learn", "--address", `http://127.0.0.1:${port}`], options);
    expect(nobody).toMatchObject({ code: 1, stdout: "" });
    expect(nobody.stderr).toMatch(
      /^noema: there was no answer: .*Is a server running there\? noema serve starts one\.\n$/,
    );
    const wrong = await noema(["learn"], WITHOUT_KEY());
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toContain("HTTP 500");
  }, 300_000);
});

test("a packed file that is broken is not loaded, and the knowledge stays", async () => {
  await noema(["observe", "a", "b"], options);
  await noema(["learn"], options);
  writeFileSync(join(folder, "broken.json.gz"), gzipSync('{"models_kb": {}}').subarray(0, 20));
  const run = await noema(["import", "broken.json.gz"], options);
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse((await noema(["models", "list", "--json"], options)).stdout).count).toBe(1);
});

test("an export that breaks off leaves no file", async () => {
  const broken = createServer((_, response) => {
    response.setHeader("content-type", "application/json").write('{"models_kb": {');
    setTimeout(() => response.destroy(), 50);
  });
  await new Promise<void>((listening) => broken.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void broken.close());
  const { port } = broken.address() as AddressInfo;
  const run = await noema(["export", "part.json", "--address", `http://127.0.0.1:${port}`], options);
  expect(run.code).toBe(1);
  expect(existsSync(join(folder, "part.json"))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

describe("a key", () => {
  test("comes from a file or a variable, and is never printed", async () => {
    const runs = await Promise.all([
      noema(["observe", "x", "--key-file", "key", "--json"], WITHOUT_KEY()),
      noema(["observe", "x"], options),
      noema(["call", "connect"], options),
      noema(["call", "observe", "--data", "[]"], options),
      noema(["learn", "--help"], options),
      noema(["train", "rows.csv", "--group-by", "g", "--symbol", "s"], options),
      noema(["learn", "--address", "http://127.0.0.1:9"], options),
      noema(["genome", "show", "--json"], { ...options, env: { ...options.env, DEBUG: "*", NODE_DEBUG: "fetch" } }),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 1, 0, 0, 1, 0]);
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(KEY);
  }, 300_000);

  test("is no option of any command", async () => {
    const { stdout } = await noema(["--help"], options);
    const names = stdout.split("\n").flatMap((line) => /^ {2}([a-z]+)(?: |$)/.exec(line)?.[1] ?? []);
    const helps = await Promise.all(names.map((name) => noema([name, "--help"], options)));
    const flags = helps.flatMap((help) => [...help.stdout.matchAll(/--[a-z-]+/g)].map(([flag]) => flag));
    expect(flags).toContain("--key-file");
    expect(
      flags.filter((flag) => /key|secret|password/.test(flag) && !["--key-file", "--password-file"].includes(flag)),
    ).toEqual([]);
  });
});

test("a reader that stops reading is no failure", async () => {
  const script = `"${process.execPath}" "${NOEMA}" call --json | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await start("bash", ["-c", script], options).ended;
  expect([stdout, stderr]).toEqual(["0\n", ""]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends noema watch with %d", async (signal, code) => {
  const run = start(process.execPath, [NOEMA, "watch", "--json"], options);
  await run.printed(/Watching/);
  run.child.kill(signal);
  const { stdout, ...ended } = await run.ended;
  expect(ended).toEqual({ code, stderr: `Watching P1 at ${server.address}; Ctrl-C ends.\n` });
  expect(stdout).toBe("");
});
