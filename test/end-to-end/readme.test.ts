/** The requests that README.md, docs/agents.md, docs/clients.md and docs/genes.md show give the answers that they show. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { blocks, steps, timeless } from "../support/docs/blocks";
import { ADDRESS, sendStep } from "../support/docs/send-step";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const LONG_MS = 120_000;

let server: Server;

beforeAll(async () => {
  server = await Server.start();
}, LONG_MS);

afterAll(() => server.discard());

beforeEach(() => ask(server, "POST clear-all-memory"));

/** Sends what a curl command of a document sends. */
function curl(command: string) {
  const headers = [...command.matchAll(/-H "([\w-]+): (.*?)"/g)].map(([, name = "", value = ""]) => [name, value]);
  const [, path = ""] = /http:\/\/127\.0\.0\.1:8787(\S+)/.exec(command) ?? [];
  const [, body] = /-d '(.*?)'/s.exec(command) ?? [];
  return server.send({ method: "POST", path, body, headers: Object.fromEntries(headers) });
}

/** Sends the requests of a console block and compares the answers. */
async function play(console: string): Promise<void> {
  for (const step of steps(console)) expect(timeless((await sendStep(server, step)).text)).toBe(timeless(step.shown));
}

describe("README.md", () => {
  test("shows the answers of its five requests", async () => {
    const [console = ""] = blocks("README.md", "console");
    expect(steps(console)).toHaveLength(5);
    await play(console);
  });
});

describe("docs/genes.md", () => {
  afterEach(async () => {
    await ask(server, "POST autolearning/stop");
    await ask(server, "POST genes/change", {
      data: { max_predictions: 100, max_sequence_length: 0, recall_threshold: 0.1 },
    });
  });

  test.each([
    ["a change of genes", 0, 2],
    ["autolearning", 1, 5],
  ])("shows the answers of %s", async (_, block, requests) => {
    const console = blocks("docs/genes.md", "console")[block] ?? "";
    expect(steps(console)).toHaveLength(requests);
    await play(console);
  });
});

describe("docs/clients.md", () => {
  test("shows the answer of its request", async () => {
    const command = blocks("docs/clients.md", "sh").find((block) => block.includes("curl")) ?? "";
    const [shown = ""] = blocks("docs/clients.md", "json");
    expect((await curl(command)).json).toEqual(JSON.parse(shown));
  });

  test("shows a client in TypeScript that runs", async () => {
    const [source = ""] = blocks("docs/clients.md", "ts");
    expect(source).toContain(ADDRESS);
    const { outputFiles } = await build({
      stdin: { contents: source.replace(ADDRESS, server.address), resolveDir: ".", loader: "ts" },
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
      write: false,
    });
    // Inside the project, so that its packages are found.
    const file = join("build", `client-${process.pid}.mjs`);
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      writeFileSync(file, outputFiles[0]?.text ?? "");
      await import(/* @vite-ignore */ pathToFileURL(file).href);
      expect(log.mock.calls).toEqual([[false]]);
    } finally {
      log.mockRestore();
      rmSync(file, { force: true });
    }
    expect(await ask(server, "GET working-memory")).toEqual([["hello"]]);
  });
});

describe("docs/agents.md", () => {
  test("shows a genome that is accepted, and what its second processor observes", async () => {
    const [genome = "", , shown = ""] = blocks("docs/agents.md", "json");
    const [calls = ""] = blocks("docs/agents.md", "calls");
    const { text } = await server.call("POST /genome/hotswap", genome);
    const [, swapped = ""] =
      /\/genome\/hotswap -d @\S+\n(.*)\n$/.exec(blocks("docs/agents.md", "console")[0] ?? "") ?? [];
    expect(timeless(text)).toBe(timeless(swapped));
    let message: unknown;
    for (const [, call = "", body] of calls.matchAll(/^(\w+ \S+) ?(.*)$/gm)) {
      ({ message } = await server.okay(call, body || undefined));
    }
    expect(message).toEqual(JSON.parse(shown));
  });

  test("shows what a dry run says, which changes nothing", async () => {
    const [genome = "", shown = ""] = blocks("docs/agents.md", "json");
    await server.okay("POST /genome/hotswap", genome);
    const nodes = ["p46b6b076c First", "p3 P3"].map((words) => {
      const [id, name] = words.split(" ");
      return { data: { type: "primitive", id, name } };
    });
    const next = { agent: "simple", elements: { nodes } };
    const { message } = await server.okay("POST /genome/hotswap?dry_run=true", next);
    expect(message).toEqual(JSON.parse(shown));
    const { json } = await server.call("GET /connect");
    expect(json.genome).toEqual(JSON.parse(genome));
    const done = await server.okay("POST /genome/hotswap", next);
    expect([done.message, done.retired, done.purged]).toEqual(["hotswapped-genome", ["p2"], undefined]);
  });

  test("shows which processor a genome places, in docs/placement.md", async () => {
    const [node = "", shown = ""] = blocks("docs/placement.md", "json");
    const nodes = [{ data: { type: "primitive", id: "p46b6b076c", name: "P1" } }, JSON.parse(node)];
    await server.okay("POST /genome/hotswap", { agent: "simple", elements: { nodes: nodes.slice(0, 1) } });
    const placed = { agent: "simple", elements: { nodes } };
    const { message } = await server.okay("POST /genome/hotswap?dry_run=true", placed);
    expect(message).toEqual(JSON.parse(shown));
    const done = await server.okay("POST /genome/hotswap", placed);
    expect([done.message, done.placed]).toEqual(["hotswapped-genome", JSON.parse(shown).placed]);
    nodes[1].data.location_hint = "weur";
    const { status, json } = await server.call("POST /genome/hotswap", { agent: "simple", elements: { nodes } });
    const paragraphs = readFileSync("docs/placement.md", "utf8").split("\n\n");
    const quote = paragraphs.find((each) => each.startsWith("> the genome's")) ?? "";
    expect([status, json.message]).toEqual([400, quote.replaceAll(/\n?> /g, " ").trim()]);
  });

  test("shows an endpoint that only the list of hosts keeps out", async () => {
    const [genome = "", , , node = ""] = blocks("docs/agents.md", "json");
    const { agent, elements } = JSON.parse(genome);
    elements.nodes.push(JSON.parse(node));
    const { status, json } = await server.call("POST /genome/hotswap", { agent, elements });
    expect([status, json.message]).toEqual([400, expect.stringContaining("NOEMA_ENDPOINT_HOSTS")]);
  });
});
