/**
 * The dashboard and the rules of deploy/ fit what a server measures: Prometheus evaluates every query of the dashboard
 * while the server works, and promtool plays the rules. Where Prometheus is not installed the tests are left out, with a
 * printed reason; `.ci/run` installs it.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../support/server/free-port";
import { Server } from "../support/server/server";

const KEY = "measured-key";
const RULES = resolve("deploy/prometheus-rules.yml");

/** How long Prometheus may take on a busy machine until it has read the server several times. */
const PATIENCE = { timeout: 60_000, interval: 500 };

/** The queries of a panel. */
interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** What Prometheus answers to a query. */
interface QueryAnswer {
  readonly status: string;
  readonly error?: string;
  readonly data: { readonly result: { readonly value: readonly [number, string] }[] };
}

const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(readFileSync("deploy/grafana.json", "utf8"));
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr.replaceAll("$__rate_interval", "20s").replaceAll("$job", ".+")] as const),
);

const isMissing = spawnSync("sh", ["-c", "command -v prometheus && command -v promtool"]).status !== 0;
const missing = 'there is no Prometheus; install it with "apt-get install prometheus"';
if (isMissing && process.env.NOEMA_PROMETHEUS === "required") throw new Error(missing);
if (isMissing) console.error(`The tests of the dashboard and of the rules are left out: ${missing}.`);

function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\bnoema_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, "")))].sort();
}

test("dashboard and rules ask for what the documents list", () => {
  const listed = namesIn(readFileSync("docs/watching.md", "utf8"));
  expect(listed).toEqual(expect.arrayContaining(namesIn(readFileSync(RULES, "utf8"))));
  expect(listed).toEqual(expect.arrayContaining(namesIn(readFileSync("deploy/grafana.json", "utf8"))));
});

describe.runIf(!isMissing)("with Prometheus", () => {
  let folder: string;
  let server: Server;
  let prometheus: ChildProcess;
  let address: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "noema-prometheus-"));
    server = await Server.start(undefined, { API_KEYS: KEY });
    writeFileSync(join(folder, "noema.key"), KEY);
    const file = readFileSync("deploy/prometheus.yml", "utf8")
      .replaceAll("15s", "1s")
      .replace("scheme: https", "scheme: http")
      .replaceAll("/etc/prometheus/noema.key", join(folder, "noema.key"))
      .replace("noema.example.org", new URL(server.address).host)
      .replace("- prometheus-rules.yml", `- ${RULES}`);
    writeFileSync(join(folder, "prometheus.yml"), file);
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    prometheus = spawn(
      "prometheus",
      [
        `--config.file=${join(folder, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: "ignore" },
    );
  });

  afterAll(async () => {
    prometheus.kill("SIGTERM");
    await once(prometheus, "exit");
    rmSync(folder, { recursive: true, force: true });
    await server.discard();
  });

  /** The samples of a query now. */
  async function samplesOf(query: string): Promise<QueryAnswer["data"]["result"]> {
    const response = await fetch(`${address}/api/v1/query?${new URLSearchParams({ query })}`);
    const { status, data, error } = (await response.json()) as QueryAnswer;
    if (status !== "success") throw new Error(`${query}: ${error}`);
    return data.result;
  }

  test("the files of deploy/ are as it reads them", () => {
    execFileSync("promtool", ["check", "config", join(folder, "prometheus.yml")]);
  });

  test("the rules report what they say, and nothing of a server that is well", () => {
    const file = join(folder, "rules.test.yml");
    writeFileSync(file, readFileSync("test/support/operators/rules.test.yml", "utf8").replace("RULES", RULES));
    execFileSync("promtool", ["test", "rules", file], { stdio: "pipe" });
  });

  test("every query of the dashboard has an answer while the server works", { timeout: 300_000 }, async () => {
    const headers = { key: KEY };
    const work = async () => {
      await server.call("POST /P1/observe", { data: { strings: ["a"] } }, headers);
      await server.call("POST /P1/learn", undefined, headers);
      await server.call("POST /P1/predictions", undefined, headers);
    };
    await vi.waitFor(async () => {
      await work();
      const [rate] = await samplesOf('sum(rate(noema_requests_total{status="200"}[20s]))');
      expect(Number(rate?.value[1])).toBeGreaterThan(0);
    }, PATIENCE);
    const answers = await Promise.all(
      queries.map(async ([title, query]) => [title, query, await samplesOf(query)] as const),
    );
    // What has not happened has no series by status, limit, operation or outcome.
    const empty = answers.filter(([, query, samples]) => samples.length === 0 && !/sum by \(/.test(query));
    expect(empty).toEqual([]);
    const [[, , requests] = []] = answers.filter(([title]) => title === "Requests a second");
    expect(Number(requests?.[0]?.value[1])).toBeGreaterThan(0);
    expect(queries.length).toBeGreaterThan(30);
  });
});
