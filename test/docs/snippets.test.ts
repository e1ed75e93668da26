/** The code of the reference does what it shows: it compiles, and a server answers it. */

import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Example } from "../../scripts/openapi/reference/entry";
import { reference, situation } from "../../scripts/openapi/reference/page";
import { operationSections, snippetOf } from "../support/reference/served-page";
import { Server } from "../support/server/server";

const run = promisify(execFile);

const EXAMPLES = new Map<string, Example>(
  Object.values(reference).flatMap(({ operationId, example }) => operationId.map((id) => [id, example] as const)),
);

/** Operations whose bodies are text and no JSON have tests of their own, and so have streams. */
const TEXT = new Set(["backup", "getMetrics", "restore", "stream"]);

const sections = [...operationSections()].filter(([id]) => !TEXT.has(id));
const snippets = (language: "python" | "sh" | "ts" | "urllib") =>
  sections.flatMap(([id, section]) => {
    const code = snippetOf(section, language);
    return code === undefined ? [] : [[id, code] as const];
  });

/** Flags that examples set, so that the next one finds them as they were. */
const UNDO = ["sleeping/stop", "autolearning/stop", "predicting/start", "clear-target-class", "clear-all-memory"];

/** Runs programs one after another, each in a namespace of its own, in one interpreter: starting one takes a tenth of a second. */
const PYTHON = `
import contextlib, io, json, sys
for line in sys.stdin:
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(json.loads(line), {})
        print(json.dumps([None, out.getvalue()]), flush=True)
    except Exception as error:
        print(json.dumps([repr(error), ""]), flush=True)
`;

/** The folder is in the project, so that the programs find `noema/client`. */
function makeFolder(): string {
  mkdirSync("build", { recursive: true });
  return resolve(mkdtempSync(join("build", "snippets-")));
}

describe("the snippets", () => {
  let server: Server;
  let folder: string;
  let python: ChildProcessWithoutNullStreams;
  let pythonLines: AsyncIterator<string>;

  beforeAll(async () => {
    folder = makeFolder();
    for (const [id, code] of snippets("ts")) writeFileSync(join(folder, `${id}.ts`), code);
    python = spawn("python3", ["-c", PYTHON], { env: { ...process.env, PYTHONPATH: resolve("python") } });
    pythonLines = createInterface(python.stdout)[Symbol.asyncIterator]();
    // The examples of alerts name this host.
    server = await Server.start(undefined, { NOEMA_ALERT_HOSTS: "hooks.example.org" });
  });

  afterAll(async () => {
    python.kill();
    rmSync(folder, { recursive: true, force: true });
    await server.discard();
  });

  /** Brings the processor to where the example begins. */
  async function prepare(id: string): Promise<void> {
    for (const path of UNDO) await server.okay(`POST /p46b6b076c/${path}`);
    for (const { method, path, body } of [...situation, ...(EXAMPLES.get(id)?.after ?? [])]) {
      await server.okay(`${method} ${path}`, body);
    }
  }

  /** Whether the operation has an example, and answers with JSON. */
  const isJson = (id: string) => typeof (EXAMPLES.get(id)?.response ?? "") === "object";

  const here = (code: string) => code.replaceAll("http://127.0.0.1:8787", server.address);

  /** Whether an answer is what the operation answers: its example, but for values that differ from run to run. */
  function expectAnswer(id: string, answer: { readonly status?: string }): void {
    const shown = EXAMPLES.get(id)?.response as Record<string, unknown> | undefined;
    if (shown === undefined) return;
    expect(Object.keys(answer).sort()).toEqual(Object.keys(shown).sort());
    expect(answer.status).toBe(shown.status);
  }

  test("in TypeScript compile", async () => {
    const config = {
      extends: "../../tsconfig.json",
      compilerOptions: { lib: ["ES2023", "DOM"] },
      include: ["*.ts"],
      exclude: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    await expect(run("npx", ["tsc", "-p", folder])).resolves.toBeDefined();
  });

  test.each(snippets("sh"))("%s works in curl", async (id, code) => {
    await prepare(id);
    const { stdout } = await run("bash", ["-c", `${here(code)} -s --fail-with-body`]);
    if (isJson(id)) expectAnswer(id, JSON.parse(stdout));
    else expect(stdout.length).toBeGreaterThan(0);
  });

  async function printed(code: string): Promise<[error: string | null, printed: string]> {
    python.stdin.write(`${JSON.stringify(here(code))}\n`);
    return JSON.parse((await pythonLines.next()).value);
  }

  test.each(snippets("python"))("%s works in Python", async (id, code) => {
    await prepare(id);
    const [error, text] = await printed(code);
    expect(error).toBeNull();
    expect(text).not.toBe("");
  });

  test.each(
    snippets("urllib").filter(([id]) => EXAMPLES.has(id)),
  )("%s works in Python without the client", async (id, code) => {
    await prepare(id);
    const [error, text] = await printed(code);
    const shown = EXAMPLES.get(id)?.response as Record<string, unknown> | string;
    // Of what the service does not have, the example is the refusal.
    if (typeof shown === "object" && shown.status === "failed") {
      return expect(error).toBe(`RuntimeError('${shown.message}')`);
    }
    expect(error).toBeNull();
    if (typeof shown === "string") return expect(text.length).toBeGreaterThan(0);
    for (const member of Object.keys(shown)) expect(text).toContain(`'${member}': `);
    if (shown.status !== undefined) expect(text).toContain(`'status': '${shown.status}'`);
  });

  test("in Python, without the client too, throw when the call failed, whatever the HTTP status is", async () => {
    const failing = createServer((_, response) => response.end('{"status": "failed", "message": "not done"}'));
    await new Promise<void>((resolve) => failing.listen(0, "127.0.0.1", resolve));
    const refusing = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
    const code = new Map(snippets("urllib"));
    const errorOf = async (program = "") => (await printed(program))[0];
    for (const id of ["observe", "changeGenes", "getPredictions"]) {
      expect(await errorOf(code.get(id)?.replace("http://127.0.0.1:8787", refusing))).toBe("RuntimeError('not done')");
    }
    const client = new Map(snippets("python")).get("observe")?.replace("http://127.0.0.1:8787", refusing);
    expect(await errorOf(client)).toBe("FailedError('not done')");
    const wrongGene = here(code.get("changeGenes") ?? "").replace(
      /"recall_threshold": [\d.]+/,
      '"recall_threshold": 7',
    );
    expect(await errorOf(wrongGene)).toBe("RuntimeError('recall_threshold must be a number from 0 to 1, got 7')");
    const wrongKey = here(code.get("observe") ?? "").replace("ABCD-1234", "wrong");
    expect(await errorOf(wrongKey)).toContain("HTTPError");
    failing.close();
  });

  test("in TypeScript work", async () => {
    const names = snippets("ts").map(([id]) => id);
    for (const [id, code] of snippets("ts")) writeFileSync(join(folder, `${id}.ts`), here(code));
    await build({
      entryPoints: names.map((id) => join(folder, `${id}.ts`)),
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      format: "esm",
      conditions: ["noema-source"],
      define: { "console.log": "globalThis.noemaShown" },
    });
    const shown: unknown[] = [];
    Object.assign(globalThis, { noemaShown: (value: unknown) => shown.push(value) });
    for (const id of names) {
      await prepare(id);
      await import(pathToFileURL(join(folder, `${id}.mjs`)).href);
    }
    expect(shown).toHaveLength(names.length);
  });
});
