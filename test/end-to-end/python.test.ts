/**
 * The Python client against a server: its own tests, its types, its package, and a kill of the server in the middle of a
 * stream. Left out, with a printed reason, where Python or a package is missing; `.ci/run` installs them.
 *
 * Takes 40 s: it learns and scores tables by the command line, too, and packs, installs and checks the package.
 */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pythonExpression, pythonName } from "../../scripts/openapi/clients/python-names";
import { CALLS } from "../../scripts/openapi/operation-calls";
import { entryOf } from "../../scripts/openapi/sections";
import { keyUseOf } from "../../src/gateway/idempotency";
import { exampleResult } from "../support/client/example-calls";
import { pythonWithPackages } from "../support/python";
import { freePort } from "../support/server/free-port";
import { Server } from "../support/server/server";

const PROJECT = resolve("python");
const CLI = resolve("dist/cli/noema.js");
const python = pythonWithPackages() ?? "";
const run = promisify(execFile);
/** What all the client's own tests may take on a busy machine, or the check of its types. */
const LONG_MS = 300_000;

let server: Server;
let folder: string;

beforeAll(async () => {
  mkdirSync("build", { recursive: true });
  folder = mkdtempSync(resolve("build", "python-"));
  if (python !== "") server = await Server.start();
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.discard();
});

/** Every call of the TypeScript client's examples as Python, with the example's request and what the call returns. */
function examples(): object[] {
  return Object.entries(CALLS).map(([operation, call]) => {
    const { request, response } = entryOf(call.row).example;
    return {
      operation,
      name: pythonName(call.name),
      expression: pythonExpression(call),
      method: request.method,
      path: request.path,
      body: request.body ?? null,
      response,
      result: exampleResult(operation) ?? null,
      isRawJson: operation === "exportKnowledgeBase",
      inSessions: call.row.inSessions === true,
      isKeyed: keyUseOf(call.row) === "keeps",
    };
  });
}

/** The environment of a Python program here: nothing is written into the project, and no variable of the user counts. */
function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("NOEMA_"));
  return { ...Object.fromEntries(inherited), PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: PROJECT, ...more };
}

/** Runs a program; what it printed is in the error where it fails. */
async function succeed(program: string, args: readonly string[], options: object): Promise<string> {
  const { stdout } = await run(program, args, { maxBuffer: 1 << 26, ...options }).catch((error) => {
    throw new Error(`${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

describe.skipIf(python === "")("the Python client", () => {
  test("passes its own tests", { timeout: LONG_MS }, async () => {
    const file = join(folder, "operations.json");
    writeFileSync(file, JSON.stringify(examples()));
    const env = environment({ NOEMA_TEST_ADDRESS: server.address, NOEMA_TEST_OPERATIONS: file, NOEMA_TEST_CLI: CLI });
    const args = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--strict-markers", "-rs", "--basetemp"];
    const printed = await succeed(python, [...args, join(folder, "pytest")], { cwd: PROJECT, env });
    expect(printed).toMatch(/\d+ passed/);
    expect(printed).not.toContain("skipped");
  });

  test("is typed, for Python 3.9 too", { timeout: LONG_MS }, async () => {
    const args = ["-m", "mypy", "--strict", "--cache-dir", join(folder, "mypy")];
    await expect(succeed(python, args, { cwd: PROJECT, env: environment() })).resolves.toContain("Success");
  });

  test("is packed and installed without a network, and is then all that it was", async () => {
    const env = environment({ PYTHONPATH: "", PIP_NO_INDEX: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" });
    const source = join(folder, "source");
    // Building leaves files behind.
    cpSync(PROJECT, source, { recursive: true, filter: (path) => !/__pycache__|\.egg-info|\.\w+_cache/.test(path) });
    await succeed(python, ["-m", "build", "--no-isolation", "--outdir", folder, source], { env });
    const made = readdirSync(folder).filter((name) => /^noema.*(?:whl|gz)$/.test(name));
    expect(made.sort()).toEqual(["noema-agent-1.0.0.tar.gz", "noema_agent-1.0.0-py3-none-any.whl"]);
    const site = join(folder, "site");
    const wheel = join(folder, made[1] ?? "");
    await succeed(python, ["-m", "pip", "install", "--no-deps", "--target", site, wheel], { env });
    const entries = JSON.parse(
      await succeed(python, ["-c", "import noema_agent, json; print(json.dumps(noema_agent.__all__))"], {
        env: { ...env, PYTHONPATH: site },
        cwd: folder,
      }),
    );
    expect(entries).toContain("connect");
    const files = (at: string) =>
      readdirSync(join(at, "noema_agent"), { recursive: true }).filter((name) => /\.(?:py|typed)$/.test(String(name)));
    expect(files(site).sort()).toEqual(files(PROJECT).sort());
  });

  test("loses nothing and doubles nothing when the server is killed in the middle of a stream", async () => {
    const port = await freePort();
    let own = await Server.start(undefined, { PORT: String(port) });
    const program = `
import sys
from noema_agent import connect
memory = connect(sys.argv[1], "ABCD-1234", longest_pause=0.5).processor().session("killed")
with memory.stream("device", on_lost=lambda error: print("lost", flush=True)) as link:
    for at in range(400):
        sent = link.send({"strings": [f"r{at}"]}, brief=True)
        if at % 40 == 20:
            sent.result()
            print("answered", flush=True)
`;
    const device: ChildProcess = spawn(python, ["-c", program, own.address], { env: environment() });
    let printed = "";
    device.stderr?.on("data", (text) => {
      printed += text;
    });
    for (let kills = 0; kills < 2; kills++) {
      await new Promise((resolve) => device.stdout?.once("data", resolve));
      await own.kill();
      own = await Server.start(own.stateDir, { PORT: String(port) });
    }
    const [code] = await once(device, "exit");
    expect(printed).toBe("");
    expect(code).toBe(0);
    const { message } = await own.okay("GET /P1/sessions/killed/working-memory");
    expect(message).toEqual(Array.from({ length: 400 }, (_, at) => [`r${at}`]));
    await own.discard();
  });
});

test("the Python client is of the release, and has the project's licence", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(readFileSync("python/noema_agent/version.py", "utf8")).toContain(`VERSION = "${version}"`);
  expect(readFileSync("python/LICENSE", "utf8")).toBe(readFileSync("LICENSE", "utf8"));
});
