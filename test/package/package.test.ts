/**
 * The package as npm makes it, installed in an empty folder: what it contains, what it brings along, and that each part
 * works there. Takes 50 s: npm packs and installs it, and each of its parts is started.
 */

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { connect, getWorkingMemory, observe, processor, stream } from "noema/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { unstable_getMiniflareWorkerOptions as miniflareOptions, unstable_readConfig as readConfig } from "wrangler";
import { InstalledPackage, NPM_MS, run } from "../support/package/installed-package";

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await InstalledPackage.install();
}, NPM_MS);

afterAll(() => installed.discard());

describe("the package", () => {
  const files = () =>
    readdirSync(join(installed.folder, "node_modules", "noema"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

  test("contains what is built, and nothing else", () => {
    const root = join(installed.folder, "node_modules", "noema/");
    const others = files()
      .map((file) => file.slice(root.length))
      .filter((file) => !/^dist\/(?:assets\/noema|client|cli\/template)\//.test(file));
    const nameless = others.map((file) => file.replace(/[0-9a-f]{40}|(?<=noema-)[0-9A-Z]{8}/, "<hash>"));
    expect(nameless.sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist/<hash>-kernel.wasm",
      "dist/THIRD-PARTY-LICENSES",
      // The client of MQTT, the gate of MQTT, and what they share with each other and with the other commands.
      "dist/cli/noema-<hash>.js",
      "dist/cli/noema-<hash>.js",
      "dist/cli/noema-<hash>.js",
      "dist/cli/noema-<hash>.js",
      "dist/cli/noema-<hash>.js",
      "dist/cli/noema.js",
      "dist/testing/evictable-worker.js",
      "dist/testing/test-noema.d.ts",
      "dist/testing/test-noema.js",
      "dist/worker.d.ts",
      "dist/worker.js",
      "dist/workerd.capnp",
      "package.json",
    ]);
    expect(files().filter((file) => file.endsWith(".map"))).toEqual([]);
  });

  test("uploads less than 512 KB, a sixth of what Cloudflare's free plan takes, gzipped", () => {
    const uploaded = files().filter((file) => /dist\/(?:worker\.js|[^/]*\.wasm)$/.test(file));
    const sizes = uploaded.map((file) => gzipSync(readFileSync(file), { level: 9 }).length);
    expect(sizes).toHaveLength(2);
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(512 * 1024);
  });

  test("names no folder of the machine that built it", () => {
    const naming = files().filter((file) => readFileSync(file, "latin1").includes(process.cwd()));
    expect(naming).toEqual([]);
  });

  test("brings along workerd and the file lock, and no build tools", () => {
    const { packages } = JSON.parse(readFileSync(join(installed.folder, "node_modules", ".package-lock.json"), "utf8"));
    const names = Object.keys(packages).map((path) => path.replace("node_modules/", ""));
    expect(names.filter((name) => !name.startsWith("@cloudflare/workerd-")).sort()).toEqual([
      "bare-addon-resolve",
      "bare-module-resolve",
      "bare-semver",
      "fs-native-extensions",
      "noema",
      "require-addon",
      "which-runtime",
      "workerd",
    ]);
  });

  test("carries the licence of every library in its bundles", () => {
    const root = join(installed.folder, "node_modules", "noema", "dist");
    const licenses = readFileSync(join(root, "THIRD-PARTY-LICENSES"), "utf8");
    const bundles = ["cli/noema.js", "testing/test-noema.js"].map((file) => readFileSync(join(root, file), "utf8"));
    // esbuild names the file before its code; of the minified Worker the map does.
    const named = bundles.join("\n").matchAll(/^(?: *\/\/ |\s+")node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm);
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(join("dist", "worker.js.map"), "utf8"));
    const mapped = sources.flatMap((source) => [...source.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)]);
    const libraries = new Set([...named, ...mapped].map(([, name = ""]) => name));
    expect([...libraries]).toEqual(expect.arrayContaining(["@bufbuild/protobuf", "commander", "re2js"]));
    expect([...libraries].filter((name) => !licenses.includes(`\n${name} `))).toEqual([]);
    // The scripts of the reference and of the console are texts in the Worker's bundle.
    const imports = [join("scripts", "pages", "browser"), join("src", "console")].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) => [
          ...readFileSync(join(folder, file), "utf8").matchAll(/ from "((?:@[^/"]+\/)?[a-z][^/"]*)/g),
        ]),
    );
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.map(([, name = ""]) => name).filter((name) => !licenses.includes(`\n${name} `))).toEqual([]);
    expect(licenses).toContain("Redistribution and use in source and binary forms");
  });
});

describe("noema serve", () => {
  test("serves the client, keeps the state, and stops with code 0, also when npx passes a signal on once more", async () => {
    const STATE_DIR = join(installed.work, "state");
    const first = await installed.serving({ STATE_DIR });
    await installed.script(`
      import { connect, observe, processor } from "noema/client";
      await observe(processor(connect({ address: "${first.address}", key: "ABCD-1234" }), "P1"), { strings: ["hello"] });
    `);
    expect(await first.end("SIGINT")).toBe(0);
    const second = await installed.serving({}, ["--state-dir", STATE_DIR, "--json"]);
    expect(JSON.parse(second.output)).toEqual({ address: second.address, state_dir: STATE_DIR });
    expect(await getWorkingMemory(processor(connect({ address: second.address, key: "ABCD-1234" }), "P1"))).toEqual([
      ["hello"],
    ]);
    expect(await second.end("SIGTERM")).toBe(0);
  });

  test("is what npx runs", async () => {
    const { stdout } = await run("npx", ["noema", "serve", "--help"], { cwd: installed.folder });
    expect(stdout).toContain("Serve on this machine, until Ctrl-C.");
  });

  test.each([
    [".dev.vars", []],
    ["variables", ["--vars", "variables"]],
  ])("takes keys from %s", async (file, args) => {
    writeFileSync(join(installed.folder, file), 'API_KEYS="a-long-secret"\nNOEMA_AGENTS=kitchen\n');
    onTestFinished(() => rmSync(join(installed.folder, file)));
    const { address, output } = await installed.serving({}, args);
    expect(output).not.toContain("a-long-secret");
    const statusWith = async (key: string, host = "localhost") => {
      const url = `${address.replace("127.0.0.1", host)}/agent/ping`;
      return (await fetch(url, { headers: { "x-api-key": key } })).status;
    };
    expect(await statusWith("a-long-secret")).toBe(200);
    expect(await statusWith("ABCD-1234")).toBe(500);
    // The environment wins.
    const other = await installed.serving({ API_KEYS: "another-secret" }, args);
    const status = await fetch(`${other.address}/agent/ping`, { headers: { "x-api-key": "a-long-secret" } });
    expect(status.status).toBe(500);
  });

  test.each([
    [["--port", "http"], 1, 'PORT is "http"; accepted is a whole number from 0'],
    [["--host", "0.0.0.0"], 1, "HOST is 0.0.0.0, which other machines can reach, and no key is set"],
    [["--vars", "nowhere"], 2, "the variables cannot be read from nowhere"],
    [["--bundle", "nowhere"], 1, "nowhere is not a bundle that can be served"],
    [["--key", "secret"], 2, "unknown option '--key'"],
  ])("refuses %j", async (args, code, sentence) => {
    const refused = installed.noema(["serve", ...args], installed.folder, {
      STATE_DIR: join(installed.work, "refused"),
    });
    await expect(refused).rejects.toMatchObject({ code, stderr: expect.stringContaining(sentence) });
  });
});

describe("noema/testing", () => {
  test("says how to install Miniflare where it is missing", async () => {
    const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    const said = await installed.script(`
      import { startNoema } from "noema/testing";
      await startNoema().catch(({ message }) => console.log(message));
    `);
    expect(said).toBe(
      `noema/testing runs in Miniflare, which is not installed: npm install --save-dev miniflare@${devDependencies.miniflare}\n`,
    );
  });

  test("starts an agent where it is installed", async () => {
    installed.lend("miniflare");
    const said = await installed.script(`
      import { getWorkingMemory, observe, processor } from "noema/client";
      import { startNoema } from "noema/testing";
      const noema = await startNoema();
      const p1 = processor(noema.client, "P1");
      await observe(p1, { strings: ["hello"] });
      await noema.evict();
      console.log(JSON.stringify(await getWorkingMemory(p1)));
      console.log((await (await noema.fetch("http://localhost/docs")).text()).slice(0, 15));
      await noema.stop();
    `);
    expect(said).toBe('[["hello"]]\n<!doctype html>\n');
  });
});

describe("the types", () => {
  const CALLER = `
    import { connect, observe, processor, type Noema } from "noema/client";
    import { startNoema, type TestNoema } from "noema/testing";

    const noema: TestNoema = await startNoema({ agents: ["kitchen"] });
    const client: Noema = noema.client;
    const { unique_id } = await observe(processor(client, "P1"), { strings: ["hello"] });
    const id: string = unique_id;
    await noema.evict(processor(connect({ address: noema.address, key: noema.key }), id));
    // @ts-expect-error a symbol is a string
    await observe(processor(client, "P1"), { strings: [7] });
    // @ts-expect-error there is no such option
    await startNoema({ agent: "kitchen" });
  `;
  const WORKER = `
    import noema from "noema/worker";
    export { AgentObject, ProcessorObject } from "noema/worker";
    export default {
      fetch: (request, env, ctx) => noema.fetch(request, env, ctx),
    } satisfies ExportedHandler;
  `;

  /** Checks a program in the folder. Resolves to what the compiler says. */
  async function check(file: string, program: string, options: Record<string, unknown>): Promise<string> {
    writeFileSync(join(installed.folder, file), program);
    const compilerOptions = { strict: true, noEmit: true, target: "es2022", skipLibCheck: false, ...options };
    writeFileSync(join(installed.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
    const compiler = resolve("node_modules", "typescript", "bin", "tsc");
    return run(process.execPath, [compiler, "-p", installed.folder]).then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    );
  }

  test.each([
    { module: "node16", moduleResolution: "node16" },
    { module: "esnext", moduleResolution: "bundler" },
  ])("fit a strict program with %j", async (modules) => {
    const lib = ["es2022", "dom", "dom.iterable"];
    expect(await check("caller.ts", CALLER, { ...modules, lib, types: [] })).toBe("");
  });

  test("of noema/worker fit a strict Worker", async () => {
    installed.lend("@cloudflare/workers-types");
    const options = { module: "esnext", moduleResolution: "bundler", lib: ["es2022"] };
    expect(await check("worker.ts", WORKER, { ...options, types: ["@cloudflare/workers-types"] })).toBe("");
  });
});

describe("noema init", () => {
  /** Makes a project, with the installed package in it. */
  async function makeProject(name: string): Promise<string> {
    const folder = join(mkdtempSync(join(installed.work, "projects-")), name);
    await installed.noema(["init", folder, "--package", installed.tarball]);
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(installed.folder, "node_modules", "noema"), join(folder, "node_modules", "noema"));
    return folder;
  }

  test("makes a project with everything it needs, named after its folder", async () => {
    const folder = await makeProject("My Agent_2");
    expect(readdirSync(folder).sort()).toEqual([
      ".dev.vars.example",
      ".gitignore",
      "README.md",
      "node_modules",
      "package.json",
      "src",
      "wrangler.toml",
    ]);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const ours = JSON.parse(readFileSync("package.json", "utf8"));
    expect(manifest).toMatchObject({
      name: "my-agent-2",
      dependencies: { noema: `file:../../${installed.tarball.slice(installed.work.length + 1)}` },
      devDependencies: { wrangler: ours.devDependencies.wrangler },
    });
    expect(manifest.cloudflare).toEqual(ours.cloudflare);
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toMatch(/^\.dev\.vars$/m);
    expect(readFileSync(join(folder, "README.md"), "utf8")).not.toContain("{{");
  });

  test("says the same of the Worker as the project that it comes from", async () => {
    const relevant = (path: string) => {
      const { assets, compatibility_date, compatibility_flags, ...config } = readConfig({ config: path });
      const { durable_objects, migrations, keep_names, send_metrics } = config;
      return {
        assets: { ...assets, directory: "" },
        compatibility_date,
        compatibility_flags,
        durable_objects,
        migrations,
        keep_names,
        send_metrics,
      };
    };
    const folder = await makeProject("agent");
    expect(relevant(join(folder, "wrangler.toml"))).toEqual(relevant("wrangler.toml"));
    expect(readConfig({ config: join(folder, "wrangler.toml") }).name).toBe("agent");
  });

  test("describes every binding and every secret that a button asks for", async () => {
    const folder = await makeProject("agent");
    const secrets = [...readFileSync(join(folder, ".dev.vars.example"), "utf8").matchAll(/^(\w+)=(.*)$/gm)];
    const { durable_objects } = readConfig({ config: join(folder, "wrangler.toml") });
    const asked = [
      ...secrets.map(([, name = ""]) => name),
      ...durable_objects.bindings.map((binding: { name: string }) => binding.name),
    ];
    const { cloudflare } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(Object.keys(cloudflare.bindings).sort()).toEqual(asked.sort());
    // A value would become a user's key.
    expect(secrets.map(([, , value]) => value)).toEqual([""]);
  });

  test("makes a project that wrangler bundles, offline, and whose bundle serves", async () => {
    const folder = await makeProject("agent");
    const wrangler = resolve("node_modules", "wrangler", "bin", "wrangler.js");
    const env = {
      ...process.env,
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_WRITE_LOGS: "false",
    };
    const { stdout, stderr } = await run(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", "out"], {
      cwd: folder,
      env,
    });
    expect(`${stdout}${stderr}`).not.toMatch(/warning|error/i);
    const out = join(folder, "out");
    const wasm = readdirSync(out).filter((file) => file.endsWith(".wasm"));
    const { workerOptions } = miniflareOptions(join(folder, "wrangler.toml"));
    const { assets, compatibilityDate = "" } = workerOptions;
    if (assets === undefined) throw new Error("the project has no assets");
    const miniflare = new Miniflare({
      cf: false,
      assets,
      modulesRoot: out,
      modules: [
        { type: "ESModule", path: join(out, "worker.js") },
        ...wasm.map((file) => ({ type: "CompiledWasm" as const, path: join(out, file) })),
      ],
      compatibilityDate,
      durableObjects: {
        AGENTS: { className: "AgentObject", useSQLite: true },
        PROCESSORS: { className: "ProcessorObject", useSQLite: true },
      },
      bindings: { API_KEYS: "a-secret" },
    });
    onTestFinished(() => miniflare.dispose());
    const address = await miniflare.ready;
    // As on Cloudflare, the Worker answers where a file is, too: the files have no other way out.
    const page = await fetch(new URL("/console", address));
    expect([page.status, (await page.text()).slice(0, 15)]).toEqual([200, "<!doctype html>"]);
    const [file = ""] = readdirSync(join(assets.directory, "noema"));
    expect((await fetch(new URL(`/noema/${file}`, address))).status).toBe(500);
    const p1 = processor(connect({ address, key: "a-secret" }), "P1");
    await observe(p1, { strings: ["hello"] });
    const events: string[] = [];
    const link = stream(p1, { source: "s", onEvent: ({ event }) => events.push(event) });
    await link.observe({ strings: ["world"] });
    await link.observe([], { learn: true });
    expect(await link.observe({ strings: ["hello"] }, { predictions: { fields: ["future"] } })).toMatchObject({
      predictions: [{ future: [["world"]] }],
    });
    await expect.poll(() => events).toEqual(["observed", "learned", "observed"]);
    await link.close();
    expect(await getWorkingMemory(p1)).toEqual([["hello"]]);
  });

  test("serves the Worker of the project, also a changed one, and stops as a whole", async () => {
    const folder = await makeProject("agent");
    for (const [name, target] of [
      ["wrangler", resolve("node_modules", "wrangler")],
      [".bin/wrangler", resolve("node_modules", ".bin", "wrangler")],
      [".bin/noema", join(installed.folder, "node_modules", ".bin", "noema")],
    ] as const) {
      mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
      symlinkSync(target, join(folder, "node_modules", name));
    }
    writeFileSync(
      join(folder, "src", "worker.ts"),
      `import noema from "noema/worker";
      export { AgentObject, ProcessorObject } from "noema/worker";
      export default {
        fetch(request: Request, env: unknown, ctx: ExecutionContext) {
          if (new URL(request.url).pathname === "/about") return new Response("An agent of mine.");
          return noema.fetch(request, env, ctx);
        },
      };`,
    );
    const server = await installed.start(folder);
    expect(await (await fetch(`${server.address}/about`)).text()).toBe("An agent of mine.");
    expect((await fetch(`${server.address}/console`)).headers.get("content-type")).toBe("text/html; charset=utf-8");
    const p1 = processor(connect({ address: server.address, key: "ABCD-1234" }), "P1");
    await observe(p1, { strings: ["hello"] });
    expect(await getWorkingMemory(p1)).toEqual([["hello"]]);
    // Resolves when no process holds its output any more.
    await server.end("SIGTERM");
    await expect(fetch(server.address)).rejects.toThrow();
  });

  test("refers to its own copy of the package as long as that is in no registry", async () => {
    const folder = join(mkdtempSync(join(installed.work, "projects-")), "agent");
    const { stdout } = await installed.noema(["init", folder, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ folder, files: expect.arrayContaining(["src/worker.ts"]) });
    const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(resolve(folder, dependencies.noema.replace("file:", ""))).toBe(
      join(installed.folder, "node_modules", "noema"),
    );
  });

  test("refers to its version once it is published", async () => {
    const published = join(mkdtempSync(join(installed.work, "published-")), "noema");
    cpSync(join(installed.folder, "node_modules", "noema"), published, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(published, "package.json"), "utf8"));
    delete manifest.private;
    writeFileSync(join(published, "package.json"), JSON.stringify(manifest));
    const folder = join(dirname(published), "agent");
    await run(process.execPath, [join(published, "dist", "cli", "noema.js"), "init", folder]);
    const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(dependencies).toEqual({ noema: manifest.version });
  });

  test("refuses a folder that is not empty, and a file, and changes nothing", async () => {
    const folder = mkdtempSync(join(installed.work, "full-"));
    writeFileSync(join(folder, "notes.txt"), "mine");
    const refusals = [
      [folder, `${folder} is not empty (notes.txt): name a new folder, or an empty one`],
      [join(folder, "notes.txt"), "is not a folder that can be used"],
    ] as const;
    for (const [path, sentence] of refusals) {
      await expect(installed.noema(["init", path])).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining(sentence),
      });
    }
    expect(readdirSync(folder)).toEqual(["notes.txt"]);
  });
});
