/** A wrong setting stops the start at once, with one sentence that gives the reason and shows no key. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serverEnvironment } from "../support/server/child-output";
import { makeStateDir, startRefused } from "../support/server/server";

/** A start takes less than a second, but the machine may be busy. */
const AT_ONCE_MS = 15_000;

beforeAll(() => {
  // The tests take the time, and a build takes long.
  expect(spawnSync(process.execPath, ["scripts/build.mjs"]).status).toBe(0);
});

async function sentence(env: Record<string, string>): Promise<string> {
  const stateDir = makeStateDir();
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  const before = Date.now();
  const { code, output } = await startRefused(stateDir, env);
  expect(Date.now() - before).toBeLessThan(AT_ONCE_MS);
  expect(code).toBe(1);
  expect(output.trimEnd().split("\n")).toHaveLength(1);
  return output;
}

describe("a start is refused at once", () => {
  test("when NOEMA_AGENTS names an agent that no host can name", async () => {
    expect(await sentence({ NOEMA_AGENTS: "kitchen Big_Lab" })).toContain(
      'The server cannot serve with these settings: the variable NOEMA_AGENTS names the agent "Big_Lab"',
    );
  });

  test("when NOEMA_DOMAIN is no domain", async () => {
    expect(await sentence({ NOEMA_DOMAIN: "*.example.org" })).toContain(
      'The server cannot serve with these settings: the variable NOEMA_DOMAIN is "*.example.org"; it must be one domain',
    );
  });

  test("when NOEMA_LOCATION_HINT is no region of the platform", async () => {
    expect(await sentence({ NOEMA_LOCATION_HINT: "europe" })).toContain(
      'The server cannot serve with these settings: the variable NOEMA_LOCATION_HINT is "europe"; it must be one of afr, apac,',
    );
  });

  test("when NOEMA_JURISDICTION is set, because workerd has none", async () => {
    expect(await sentence({ NOEMA_JURISDICTION: "eu" })).toContain(
      'the variable NOEMA_JURISDICTION is "eu"; the platform refuses it: Jurisdiction restrictions are not implemented in workerd.',
    );
  });

  test("when NOEMA_ENDPOINT_HOSTS has an address instead of a host", async () => {
    expect(await sentence({ NOEMA_ENDPOINT_HOSTS: "a.example https://b.example" })).toContain(
      'The server cannot serve with these settings: the variable NOEMA_ENDPOINT_HOSTS has "https://b.example"; it must list hosts',
    );
  });

  test("when a budget is no number", async () => {
    expect(await sentence({ NOEMA_MATCHING_STEPS: "many" })).toContain(
      'The server cannot serve with these settings: the variable NOEMA_MATCHING_STEPS must be a whole number from 1 to 4000000000, got "many"',
    );
  });

  test("when AGENT_KEYS has an entry without an agent", async () => {
    const output = await sentence({ AGENT_KEYS: "lab:secret-1 secret-2" });
    expect(output).toContain("the secret AGENT_KEYS has an entry that is not of the form agent:key");
    expect(output).not.toContain("secret-");
  });

  test.each([
    "clé-secrète",
    "ключ-secret",
    "secret\u0007bell",
  ])("when API_KEYS holds %j, which no header can carry", async (key) => {
    const output = await sentence({ API_KEYS: `good-secret ${key}` });
    expect(output).toContain("API_KEYS: key 2 has a character that a request header cannot carry");
    expect(output).not.toMatch(/secr/);
  });

  test("when HOST is no address of this machine", async () => {
    // Reserved for documentation: no host has it.
    expect(await sentence({ HOST: "192.0.2.1", API_KEYS: "secret" })).toContain("Cannot listen on 192.0.2.1:0:");
  });

  test.each([
    ["NOEMA_STOP_SECONDS", "soon", "0 to 3600"],
    ["NOEMA_STOP_SECONDS", "3601", "0 to 3600"],
    ["NOEMA_FAILED_STARTS", "0", "1 to 1000"],
    ["NOEMA_LIVE_OBJECTS", "0", "1 to "],
    ["NOEMA_PROCESS_BYTES", "1e9", "268435456 to "],
    ["NOEMA_PROCESS_BYTES", "268435455", "268435456 to "],
  ])("when %s is %s", async (name, value, range) => {
    expect(await sentence({ [name]: value })).toContain(
      `${name} is "${value}"; accepted is a whole number from ${range}`,
    );
  });

  test("when the folder for the objects is a file, or the lock a folder", async () => {
    const stateDir = makeStateDir();
    onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
    mkdirSync(join(stateDir, "lock"));
    expect((await startRefused(stateDir, {})).output).toContain(`The state cannot be kept in ${stateDir} (EISDIR`);
    rmSync(join(stateDir, "objects"), { recursive: true });
    writeFileSync(join(stateDir, "objects"), "");
    expect((await startRefused(stateDir, {})).output).toContain(`The state cannot be kept in ${stateDir} (EEXIST`);
  });
});

test.each(["API_KEYS", "AGENT_KEYS"])("npm run dev refuses %s, which it would not read", (name) => {
  const env = serverEnvironment({ [name]: "simple:secret" });
  const { status, stderr } = spawnSync(process.execPath, ["scripts/dev.mjs"], { env, encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toBe(`npm run dev does not read ${name} from the environment: write it into the file .dev.vars.\n`);
});

test("without development packages, the start names those that are missing", () => {
  const project = mkdtempSync(join(tmpdir(), "noema-bare-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  for (const folder of ["scripts", "src/serve"]) cpSync(folder, join(project, folder), { recursive: true });
  cpSync("package.json", join(project, "package.json"));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/serve.mjs"], {
    cwd: project,
    env: serverEnvironment({ STATE_DIR: join(project, "state") }),
    encoding: "utf8",
  });
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    "npm start needs packages that are not installed: assemblyscript (compiles the kernel), wrangler (bundles the Worker), workerd (serves it), fs-native-extensions (locks the state folder). Run npm ci without --omit=dev.\n",
  ]);
});
