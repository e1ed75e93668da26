/** The package as others get it: how small a bundle is, that it needs nothing but the web's own globals, and that its types fit. */

import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { okay } from "../support/client/scripted-server";

/** What `npm run build` makes. */
const CLIENT = resolve("dist/client/index.js");
const MAX_BYTES = 5 * 1024;
const MAX_BYTES_OF_A_STREAM = 10 * 1024;

/** A bundle for browsers of a program that imports the client. */
async function bundled(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program.replace("noema/client", CLIENT), resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "result",
    platform: "browser",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

const OBSERVING = `
  import { connect, observe, processor } from "noema/client";
  export const done = (address) => observe(processor(connect({ address, key: "ABCD-1234" }), "P1"), { strings: ["a"] });
`;

test("to observe takes no more than 5 KB, minified and gzipped", async () => {
  const bytes = gzipSync(await bundled(OBSERVING)).length;
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  // Nothing of what is not used: neither other operations nor streams.
  expect(await bundled(OBSERVING)).not.toMatch(/genome\/hotswap|get_kb|working-memory/);
  const all = gzipSync(await bundled('export * from "noema/client";')).length;
  expect(all).toBeGreaterThan(bytes * 1.3);
});

test("a stream takes no more than 10 KB, minified and gzipped, and no bundler looks for ws", async () => {
  const bundle = await bundled(`
    import { connect, processor, stream } from "noema/client";
    export const done = (address) => stream(processor(connect({ address, key: "ABCD-1234" }), "P1"), { source: "s" });
  `);
  expect(gzipSync(bundle).length).toBeLessThanOrEqual(MAX_BYTES_OF_A_STREAM);
  expect(bundle).not.toContain('import("ws")');
  expect(await bundled(OBSERVING)).not.toContain("WebSocket");
});

/** The globals of a page that the client may use; Node's own are left out. */
function pageGlobals(): Record<string, unknown> {
  const names = ["AbortController", "AbortSignal", "Blob", "DOMException", "Headers", "ReadableStream", "Request"];
  names.push(
    "Response",
    "TextDecoder",
    "TextEncoder",
    "URL",
    "URLSearchParams",
    "clearTimeout",
    "crypto",
    "fetch",
    "setTimeout",
  );
  const all = globalThis as unknown as Record<string, unknown>;
  return { ...Object.fromEntries(names.map((name) => [name, all[name]])), location: new URL("https://page.test/") };
}

test("runs with the globals of a page alone", async () => {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    response.setHeader("content-type", "application/json").end(await okay({ path: request.url }).text());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const context = createContext(pageGlobals());
  runInContext(`${await bundled(OBSERVING)}; globalThis.done = result.done;`, context);
  const { port } = server.address() as AddressInfo;
  expect(await context.done(`http://127.0.0.1:${port}`)).toEqual({ path: "/P1/observe" });
  expect(runInContext("typeof process + typeof Buffer + typeof require", context)).toBe("undefined".repeat(3));
});

describe("the types", () => {
  const PROGRAM = `
    import { connect, exportKnowledgeBase, getPredictions, loadKnowledgeBase, NoemaError, observe, processor, session, stream, type Schemas } from "noema/client";
    const noema = connect({ address: "http://127.0.0.1:8787", key: "k" });
    const p1 = processor(noema, "P1");
    export async function run(signal: AbortSignal): Promise<number> {
      const observed: Schemas.Observed = await observe(session(p1, "device 7"), { strings: ["a"], emotives: { joy: 1 } }, { signal });
      const [best] = (await getPredictions(p1)).concat(await getPredictions(p1, { top: 1 }));
      const [part] = await getPredictions(p1, { fields: ["future"] });
      const future: string[][] | undefined = part?.future;
      await loadKnowledgeBase(p1, await exportKnowledgeBase(p1, { onProgress: ({ bytes }) => bytes.toFixed() }));
      if (observed.status === "asleep") throw new NoemaError("asleep", { operation: "observe", status: 200 });
      return (best?.potential ?? 0) + (future?.length ?? 0);
    }
    export async function follow(signal: AbortSignal): Promise<string[]> {
      const link = stream(session(p1, "device 7"), {
        source: "device 7",
        signal,
        onEvent: (event) => event.event === "learned" ? event.model.trim() : event.event === "observed" ? event.symbols.join() : event.event === "surprise" ? event.surprise?.bits : event.incident.bits,
        onLost: ({ status }) => status.toFixed(),
      });
      await link.ready;
      const { observed, learned, predictions } = await link.observe([{ strings: ["a"] }], { predictions: { top: 1 }, learn: true });
      await link.close();
      return [observed?.[0]?.status ?? "", learned ?? "", ...(predictions?.[0]?.future ?? []).flat()];
    }
    // @ts-expect-error there is no such event
    stream(p1, { events: ["forgot"], onEvent: () => {} });
    // @ts-expect-error strings are a list
    void observe(p1, { strings: "a" });
    // @ts-expect-error a server observes nothing
    void observe(noema, {});
    // @ts-expect-error without the member, it is not answered
    void getPredictions(p1, { fields: ["future"] }).then(([one]) => one?.potential.toFixed());
    export const asked = (query: Schemas.AskPredictions) =>
      // @ts-expect-error the query may name members
      getPredictions(p1, query).then(([one]) => one?.potential.toFixed());
  `;

  test.each([
    ["a page", { lib: ["ES2022", "DOM", "DOM.Iterable"], types: [] }, "stream(p1, { webSocket: WebSocket });"],
    [
      "Node",
      { lib: ["ES2022"], types: ["node"] },
      'import { WebSocket } from "ws"; stream(p1, { webSocket: WebSocket });',
    ],
    [
      "a Worker",
      { lib: ["ES2022"], types: ["@cloudflare/workers-types"] },
      `export const bound = (env: { NOEMA: Fetcher }) =>
         connect({ address: "https://noema", key: "k", fetch: (url, init) => env.NOEMA.fetch(url, init) });
       stream(p1, { webSocket: WebSocket });`,
    ],
  ])("fit in the program of %s", async (_, options, more) => {
    const folder = mkdtempSync(join(tmpdir(), "noema-types-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const packages = join(folder, "node_modules");
    mkdirSync(packages);
    symlinkSync(resolve("."), join(packages, "noema"));
    for (const scope of ["@types", "@cloudflare", "ws"])
      symlinkSync(resolve("node_modules", scope), join(packages, scope));
    writeFileSync(join(folder, "program.ts"), PROGRAM + more);
    const compilerOptions = {
      ...options,
      module: "NodeNext",
      target: "ES2022",
      strict: true,
      noEmit: true,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    const tsc = resolve("node_modules/typescript/bin/tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch((error) => error);
    expect(stdout).toBe("");
  });
});

test("the package is found by its own name", async () => {
  const program = 'import * as client from "noema/client"; console.log(typeof client.observe);';
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  expect(stdout).toBe("function\n");
});

test("without a WebSocket and without the package ws, a stream ends and says what to install", async () => {
  const folder = mkdtempSync(join(tmpdir(), "noema-alone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyFileSync(CLIENT, join(folder, "client.mjs"));
  const program = `
    import { connect, processor, stream } from "./client.mjs";
    delete globalThis.WebSocket;
    const link = stream(processor(connect({ address: "http://127.0.0.1:1", key: "k" }), "P1"));
    console.log(await link.observe({ strings: ["a"] }).catch(String));
  `;
  writeFileSync(join(folder, "program.mjs"), program);
  const { stdout } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: folder });
  expect(stdout).toBe(
    "NoemaError: this platform has no WebSocket: run npm install ws, set webSocket to its class, or use Node 22 or newer\n",
  );
});
