/** Every command and program in docs/guides runs, from the top of its page to the end, and gives what the page shows. */

import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Block, blocksOf, steps, timeless } from "../support/docs/blocks";
import { ADDRESS, sendStep } from "../support/docs/send-step";
import { freePort } from "../support/server/free-port";
import { Server } from "../support/server/server";

const GUIDES = "docs/guides";
const guides = readdirSync(GUIDES)
  .filter((file) => file.endsWith(".md"))
  .map((file) => join(GUIDES, file));

/** Where the guides' webhook listens. */
const WEBHOOK = "127.0.0.1:9000";
/** Where the guides' server takes MQTT. */
const MQTT = "1883";

/** Far more than a program needs, on a busy machine, too, in milliseconds. */
const PROGRAM_MS = 200_000;

let server: Server;
/** Where it listens in this test. */
let webhook: string;
/** The port at which it takes MQTT in this test. */
let mqtt: string;
/** Inside the project, so that programs find `noema/client` and the packages. */
let folder: string;

beforeAll(async () => {
  webhook = `127.0.0.1:${await freePort()}`;
  mqtt = String(await freePort());
  server = await Server.start(undefined, { NOEMA_ALERT_HOSTS: webhook, MQTT_PORT: mqtt });
  folder = mkdtempSync(join("build", "guides-"));
});

afterAll(async () => {
  await server.discard();
  rmSync(folder, { recursive: true });
});

/** Each page begins with one empty processor and no other. */
beforeEach(async () => {
  const node = { data: { type: "primitive", id: "p46b6b076c", name: "P1" } };
  await server.okay("POST /genome/hotswap?purge=true", { agent: "simple", elements: { nodes: [] } });
  await server.okay("POST /genome/hotswap", { agent: "simple", elements: { nodes: [node] } });
});

/** Debian's packages are in its own Python, which need not be the first that is found. */
const PYTHONS = ["python3", "/usr/bin/python3"];

/** How to run a program, and whether this machine can. */
const RUNNERS: Readonly<Record<string, { file: string; run: readonly string[]; needs: readonly string[] }>> = {
  ts: { file: "program.mjs", run: [process.execPath], needs: [process.execPath, "--version"] },
  python: { file: "program.py", run: ["python3"], needs: ["python3", "--version"] },
  sh: {
    file: "program.sh",
    run: ["bash", "-euo", "pipefail"],
    needs: ["bash", "-c", "command -v mosquitto_pub mosquitto_sub"],
  },
};

/** Whether a block is run. Of commands of a shell, only those that publish and hear; others are what the reader sets. */
function isProgram({ language, text }: Block): boolean {
  return language === "sh" ? text.includes("mosquitto_") : RUNNERS[language] !== undefined;
}

const succeeds = ([program = "", ...args]: readonly string[]) => spawnSync(program, args).status === 0;

/** How this machine can run a program; `undefined` where it lacks what the program needs. */
function commandFor({ language, text }: Block): readonly string[] | undefined {
  const runner = RUNNERS[language];
  if (runner === undefined || !succeeds(runner.needs)) return undefined;
  if (language !== "python") return runner.run;
  const modules = [...text.matchAll(/^(?:import|from) (.*\brequests\b|paho\.\w+|ia\.[\w.]+)/gm)].map(
    ([, name]) => name,
  );
  const imports = modules.map((name) => `import ${name}`).join("\n");
  const python = PYTHONS.find((program) => succeeds([program, "-c", imports]));
  return python === undefined ? undefined : [python];
}

/** The blocks before a program that sends something and that this machine cannot run: what follows shows what it sent. */
function comparable(all: readonly Block[]): readonly Block[] {
  const sends = ({ text }: Block) => text.includes("publish");
  const end = all.findIndex((block) => isProgram(block) && sends(block) && commandFor(block) === undefined);
  return end === -1 ? all : all.slice(0, end);
}

/** What a guide says of its webhook, for the one that listens here. */
const here = (text: string) =>
  text
    .replaceAll(WEBHOOK, webhook)
    .replaceAll("listen(9000)", `listen(${webhook.split(":")[1]})`)
    .replaceAll(MQTT, mqtt);

/** What is printed, without numbers that another release may compute otherwise: bits and percentages. */
const approximate = (text: string) => text.replace(/\d+(?:\.\d+)?(?= (?:bits|%))/g, "#");

/** Runs a program and returns what it prints. One that names its file in its first line is for others to import. */
async function run(block: Block, [program = "", ...args]: readonly string[]): Promise<string> {
  const runner = RUNNERS[block.language];
  if (runner === undefined) throw new Error(`nothing here runs ${block.language}`);
  const file = join(folder, /^\/\/ ([\w-]+\.mjs)$/m.exec(block.text)?.[1] ?? runner.file);
  writeFileSync(
    file,
    here(block.text)
      .replaceAll(ADDRESS, server.address)
      .replaceAll(new URL(ADDRESS).host, new URL(server.address).host),
  );
  // Python programs import the client, whose server is this one.
  const env = { ...process.env, PYTHONPATH: resolve("python"), NOEMA_ADDRESS: server.address };
  const { stdout } = await promisify(execFile)(program, [...args, file], { timeout: PROGRAM_MS, env });
  return stdout;
}

/** Sends the requests of a console block and compares the answers. */
async function play(console: string): Promise<void> {
  const requests = steps(console);
  expect(requests).not.toEqual([]);
  for (const step of requests) {
    const { text, json } = await sendStep(server, { ...step, body: step.body && here(step.body) });
    const got = step.member ? JSON.stringify(step.member.reduce((value, name) => value?.[name], json)) : text;
    expect(timeless(got), step.command).toBe(timeless(step.shown));
  }
}

/** Commands of `sh` blocks: what the reader sets and starts. Others belong into console blocks, which are run. */
const SETTINGS = new Set([
  "P=http://127.0.0.1:8787/p46b6b076c",
  "KEY='X-API-KEY: ABCD-1234'",
  "npm ci && npm start",
  `NOEMA_ALERT_HOSTS=${WEBHOOK} npm start`,
  `NOEMA_ALERT_HOSTS=${WEBHOOK} MQTT_PORT=${MQTT} npm start`,
]);

describe.each(guides)("%s", (guide) => {
  const all = blocksOf(guide);

  test("runs, and shows what comes out", async () => {
    for (const [index, block] of comparable(all).entries()) {
      if (block.language === "console") await play(block.text);
      const command = isProgram(block) ? commandFor(block) : undefined;
      if (command === undefined) continue;
      const next = all[index + 1];
      expect(approximate(await run(block, command))).toBe(next?.language === "text" ? approximate(next.text) : "");
    }
  });

  test("shows nothing that is not run", () => {
    const known = new Set(["console", "sh", "text", ...Object.keys(RUNNERS), "c"]);
    expect(all.filter(({ language }) => !known.has(language)).map(({ line }) => line)).toEqual([]);
    const set = all.filter((block) => block.language === "sh" && !isProgram(block));
    const commands = set.flatMap(({ text }) => text.trimEnd().split("\n"));
    expect(commands.filter((command) => !SETTINGS.has(command.replace(/ +#.*$/, "")))).toEqual([]);
    const printed = all.filter(({ language }, index) => {
      const before = all[index - 1];
      return language === "text" && !(before && isProgram(before));
    });
    expect(printed.map(({ line }) => line)).toEqual([]);
  });

  test("sets the variables that its commands use, or says where they are set", () => {
    const page = readFileSync(guide, "utf8").replace(/\s+/g, " ");
    if (!/\$(?:P|KEY)\b/.test(page)) return;
    expect(page).toMatch(/ P=http\S+ KEY='|`P` and `KEY` are set as in the \[?quick start\b/);
  });

  test("says at its head for whom it is and what its reader has at the end, in a few lines", () => {
    const [, head = ""] = readFileSync(guide, "utf8").split("\n\n");
    expect(head).toMatch(/^For [a-z]+ /);
    expect(head.replace(/\s+/g, " ")).toMatch(/\. At the end you (?:can|have|know) /);
    expect(head.split(/\s+/).length).toBeLessThanOrEqual(60);
  });
});

describe("docs/guides/moving-from-the-original-agent.md", () => {
  /** The address that ia-sdk calls: the name, if there is one, is the first label of the host. */
  function addressOf(info: string): string {
    const value = (name: string) => new RegExp(`"${name}": "?([^",}]*)`).exec(info)?.[1] ?? "";
    const { protocol } = new URL(value("secure") === "True" ? "https://x" : "http://x");
    return `${protocol}//${[value("name"), value("domain")].filter(Boolean).join(".")}`;
  }

  test("shows an agent that answers connect as the client reads it", async () => {
    const [{ text = "" } = {}] = blocksOf(join(GUIDES, "moving-from-the-original-agent.md"));
    expect(addressOf(text)).toBe(ADDRESS);
    const [, key = ""] = /"api_key": "([^"]*)"/.exec(text) ?? [];
    const { json } = await server.send({ method: "GET", path: "/connect", key });
    expect(json).toMatchObject({ status: "okay", connection: "okay", genie: "simple", genome: { agent: "simple" } });
    expect(json.genome.elements.nodes).toMatchObject([{ data: { id: "p46b6b076c", name: "P1" } }]);
  });
});

describe("docs/guides/moving-from-kato.md", () => {
  const page = readFileSync(join(GUIDES, "moving-from-kato.md"), "utf8");

  /** The code in the second cells of a table's rows. */
  function codeUnder(heading: string): string[] {
    const rows = page.split(`\n${heading}`)[1]?.split("\n\n")[0]?.split("\n").slice(2) ?? [];
    return rows.flatMap((row) =>
      [...(row.split(/(?<!\\)\|/)[2] ?? "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code),
    );
  }

  test("names calls that there are", async () => {
    const calls = codeUnder("| KATO | Noema | what differs |");
    expect(calls.length).toBeGreaterThan(8);
    for (const call of calls) {
      const path = call.replace(/ s(?=\/|$)/, " /P1/sessions/s").replace("<hash>", "0".repeat(40));
      expect([call, (await server.call(path)).status]).not.toEqual([call, expect.toBeOneOf([404, 405])]);
    }
  });

  test("names genes and flags that there are", async () => {
    const { genes } = (await server.okay("GET /P1/all-genes")).message;
    const names = codeUnder("| KATO | gene | what differs |");
    expect(names.length).toBeGreaterThan(8);
    for (const name of names.filter((each) => each !== "event")) {
      if (name.includes("/")) await server.okay(`POST /P1/${name}`);
      else expect(genes).toHaveProperty(name);
    }
  });
});

describe("docs/guides/unreliable-links.md", () => {
  const compiler = succeeds(["cc", "--version"]);

  test.skipIf(!compiler)("shows a device in C that sends a record until it is answered, with one number", async () => {
    const [{ text = "" } = {}] = blocksOf(join(GUIDES, "unreliable-links.md")).filter(
      ({ language }) => language === "c",
    );
    const source = join(folder, "device.c");
    const program = join(folder, "device");
    // What the page leaves to the device: flash, the network, the clock. The network loses two of three calls.
    const before = `#include <stdint.h>
#include <stdio.h>
static uint64_t flash = 41;
static uint64_t load_number(void) { return flash; }
static void store_number(uint64_t number) { flash = number; }
static void report(int status) { printf("refused %d\\n", status); }
static void wait_a_little_longer(void) {}
static int post(const char *path, const char *body) {
  static const int statuses[] = {0, 503, 200, 400};
  static int at = 0;
  printf("%s %s\\n", path, body);
  return statuses[at++];
}
`;
    const after = `int main(void) { number = load_number(); send_record("\\"a\\""); send_record("\\"b\\""); return 0; }\n`;
    writeFileSync(source, before + text + after);
    await promisify(execFile)("cc", ["-Wall", "-Werror", "-o", program, source]);
    const { stdout } = await promisify(execFile)(program);
    const sent = (symbol: string, number: number) =>
      `/p46b6b076c/observe {"data":{"strings":["${symbol}"]},"delivery":{"source":"thermometer-7","number":${number}}}`;
    expect(stdout.trimEnd().split("\n")).toEqual([
      ...[sent("a", 42), sent("a", 42), sent("a", 42)],
      ...[sent("b", 43), "refused 400"],
    ]);
  });
});

/** The parts of Arduino's libraries that the sketch uses. Of the answers to its messages the network loses some. */
const ARDUINO = `#ifndef ARDUINO
#define ARDUINO
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
static int seconds = 0;
static int readings = 0;
inline void delay(unsigned long milliseconds) { seconds += milliseconds / 1000; }
inline int digitalRead(uint8_t) { return readings % 2; }
inline uint32_t analogReadMilliVolts(uint8_t) { return 612 + readings++; }
struct WiFiClient {};
struct { void begin(const char *, const char *) {} } WiFi;
struct JsonMember {
  std::string json;
  void operator=(const char *text) { json = '"' + std::string(text) + '"'; }
  void operator=(double number) { char text[32]; snprintf(text, sizeof text, "%.1f", number); json = text; }
};
struct JsonDocument {
  std::map<std::string, JsonMember> members;
  JsonMember &operator[](const char *name) { return members[name]; }
};
template <size_t size> void serializeJson(JsonDocument &json, char (&text)[size]) {
  snprintf(text, size, "%s %s", json["state"].json.c_str(), json["temperature"].json.c_str());
}
class MQTTClient {
  bool isConnected = false;
  uint16_t last = 0, duplicate = 0;
  int tries = 0;
public:
  explicit MQTTClient(int) {}
  void begin(const char *, int, WiFiClient &) {}
  void setKeepAlive(int s) { printf("keep alive %d\\n", s); }
  void setCleanSession(bool isClean) { printf("clean %d\\n", isClean); }
  bool connected() { return isConnected; }
  bool connect(const char *, const char *, const char *) { return isConnected = ++tries % 2 == 0; }
  bool loop() { return isConnected; }
  uint16_t lastPacketID() { return last; }
  void prepareDuplicate(uint16_t id) { duplicate = id; }
  bool publish(const char *topic, const char *payload, bool, int qos) {
    static int sent = 0;
    last = duplicate > 0 ? duplicate : last + 1;
    printf("%s %s qos %d id %d dup %d\\n", topic, payload, qos, last, duplicate > 0);
    duplicate = 0;
    return isConnected = ++sent > 2;
  }
};
#endif
`;

describe("docs/guides/from-a-device-to-an-alert.md", () => {
  const compiler = succeeds(["c++", "--version"]);

  test.skipIf(!compiler)("shows a sketch that repeats a reading as the same message until it is answered", async () => {
    const [{ text = "" } = {}] = blocksOf(join(GUIDES, "from-a-device-to-an-alert.md")).filter(
      ({ language }) => language === "c",
    );
    for (const header of ["ArduinoJson.h", "MQTT.h", "WiFi.h"]) writeFileSync(join(folder, header), ARDUINO);
    const source = join(folder, "sketch.cpp");
    const program = join(folder, "sketch");
    writeFileSync(source, `${text}\nint main() { setup(); loop(); loop(); printf("%d s\\n", seconds); }\n`);
    await promisify(execFile)("c++", ["-Wall", "-Werror", "-I", folder, "-o", program, source]);
    const { stdout } = await promisify(execFile)(program);
    const sent = (reading: string, id: number, isAgain: 0 | 1) =>
      `house/boiler/telemetry ${reading} qos 1 id ${id} dup ${isAgain}`;
    expect(stdout.trimEnd().split("\n")).toEqual([
      "keep alive 90",
      "clean 0",
      ...[sent('"idle" 61.2', 1, 0), sent('"idle" 61.2', 1, 1), sent('"idle" 61.2', 1, 1)],
      sent('"heat" 61.3', 2, 0),
      "123 s",
    ]);
  });
});
