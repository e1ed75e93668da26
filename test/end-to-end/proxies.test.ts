/**
 * The files of deploy/ are what docs/self-hosting.md says: both proxies run in front of `npm start` as they are, but for addresses and
 * certificates; the unit and the Dockerfile are well-formed. Where a proxy is not installed its tests are left out; `.ci/run` installs both.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { validate } from "dockerfile-utils";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../support/server/free-port";
import { Server } from "../support/server/server";

const HOST = "noema.example.org";
const KEY = "proxied-key";
const P1 = "/p46b6b076c";

/** Maximum time until a proxy answers on a busy machine, in milliseconds. */
const BEGINNING = { timeout: 30_000, interval: 100 };

/** What a proxy runs: its program with arguments, made from its file and where it listens. */
type Start = (file: string, folder: string, port: number, address: string) => readonly [string, ...string[]];

const startCaddy: Start = (file, folder, port, address) => {
  const site = file.replace(`${HOST} {`, `${HOST}:${port} {\n\ttls internal`).replace("127.0.0.1:8787", address);
  const local = `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n`;
  writeFileSync(join(folder, "Caddyfile"), local + site);
  return ["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
};

const startNginx: Start = (file, folder, port, address) => {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", `/CN=${HOST}`, "-days", "2"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, ...subject],
    {
      stdio: "ignore",
    },
  );
  const own = file
    .replace("user www-data;", "daemon off;")
    .replace("/run/nginx.pid", join(folder, "pid"))
    .replace("/var/log/nginx/error.log", "stderr")
    .replace("listen 443 ssl http2", `listen 127.0.0.1:${port} ssl http2`)
    .replace(`/etc/letsencrypt/live/${HOST}/fullchain.pem`, certificate)
    .replace(`/etc/letsencrypt/live/${HOST}/privkey.pem`, key)
    .replace("server 127.0.0.1:8787;", `server ${address};`);
  writeFileSync(join(folder, "nginx.conf"), own);
  return ["nginx", "-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"];
};

const PROXIES = [
  ["caddy", "deploy/Caddyfile", startCaddy],
  ["nginx", "deploy/nginx.conf", startNginx],
] as const;

const isInstalled = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: { readonly [name: string]: unknown };
}

describe.each(PROXIES)("%s", (program, path, start) => {
  const isLeftOut = !isInstalled(program) && process.env.NOEMA_PROXIES !== "required";
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, servername: HOST });
  let server: Server;
  let proxy: ChildProcess;
  let folder: string;
  let port: number;

  beforeAll(async () => {
    if (isLeftOut) return;
    server = await Server.start(undefined, { API_KEYS: KEY });
    folder = mkdtempSync(join(tmpdir(), "noema-proxy-"));
    port = await freePort();
    const [command, ...args] = start(readFileSync(path, "utf8"), folder, port, new URL(server.address).host);
    proxy = spawn(command, args, { stdio: "ignore" });
    await vi.waitFor(async () => expect(await send("GET", "/health")).toMatchObject({ status: 200 }), BEGINNING);
  });

  afterAll(async () => {
    if (isLeftOut) return;
    agent.destroy();
    proxy.kill("SIGTERM");
    await once(proxy, "exit");
    rmSync(folder, { recursive: true, force: true });
    await server.discard();
  });

  function send(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = {
        agent,
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: { host: HOST, "x-api-key": KEY, ...headers },
      };
      const call = request(options, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece) => {
          text += piece;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      });
      call.on("error", reject);
      call.end(body);
    });
  }

  test.skipIf(isLeftOut)("passes requests on as they are, and their identifiers", async () => {
    const { status, text, headers } = await send("POST", `${P1}/observe`, '{"data":{"strings":["a"]}}', {
      "x-request-id": "through-the-proxy",
    });
    expect([status, JSON.parse(text).status, headers["x-request-id"]]).toEqual([200, "okay", "through-the-proxy"]);
    expect((await send("GET", `${P1}/sessions/a%2Fb/status`)).status).toBe(200);
    expect((await send("GET", `${P1}/status`, undefined, { "x-api-key": "ABCD-1234" })).status).toBe(500);
    expect((await send("GET", "/docs")).status).toBe(200);
  });

  test.skipIf(isLeftOut)("speaks HTTP/2", async () => {
    const client = connectHttp2(`https://127.0.0.1:${port}`, { servername: HOST, rejectUnauthorized: false });
    const stream = client.request({ ":path": `${P1}/time`, ":authority": HOST, "x-api-key": KEY });
    const [headers] = await once(stream, "response");
    stream.resume();
    expect(headers[":status"]).toBe(200);
    client.close();
  });

  test.skipIf(isLeftOut)("lets large bodies through, and streams an export whole", async () => {
    const sequence = Array.from({ length: 20_000 }, (_, at) => ({ strings: [`symbol ${at} ${"x".repeat(100)}`] }));
    const direct = await server.send({ method: "POST", path: `${P1}/clear-all-memory`, key: KEY });
    expect(direct.status).toBe(200);
    const body = JSON.stringify({ data: { sequence, learn: true } });
    expect(body.length).toBeGreaterThan(2_000_000);
    expect((await send("POST", `${P1}/sequence-observe`, body)).status).toBe(200);
    const exported = await send("GET", `${P1}/get_kb/raw`);
    expect(exported.text.length).toBeGreaterThan(2_000_000);
    expect(exported.text).toBe((await server.send({ method: "GET", path: `${P1}/get_kb/raw`, key: KEY })).text);
  });

  test.skipIf(isLeftOut)(
    "does not use connections that workerd has closed",
    async () => {
      for (const pause of [0, 4_500, 5_500]) {
        await sleep(pause);
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => send("POST", `${P1}/observe`, '{"data":{"strings":["late"]}}')),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      }
    },
    300_000,
  );

  test.skipIf(isLeftOut)("passes on a request for a WebSocket", async () => {
    const upgrade = {
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const { status, headers } = await send("GET", `${P1}/status`, undefined, upgrade);
    expect([status, headers["x-request-id"]]).toEqual([200, expect.any(String)]);
  });
});

test("the Dockerfile has no mistake that its linter knows, and copies what there is", () => {
  const file = readFileSync("deploy/Dockerfile", "utf8");
  expect(validate(file).map(({ message, range }) => [range.start.line + 1, message])).toEqual([]);
  expect(file).toContain("USER node");
});

test("the unit and the Dockerfile start the program that the package has", () => {
  const { bin } = JSON.parse(readFileSync("package.json", "utf8")) as { bin: { noema: string } };
  const program = join("node_modules/noema", bin.noema);
  expect(readFileSync("deploy/noema.service", "utf8")).toContain(`node ${program} serve`);
  expect(readFileSync("deploy/Dockerfile", "utf8")).toContain(`["node", "${program}", "serve"]`);
});

test.skipIf(!existsSync("/usr/bin/systemd-analyze"))("systemd finds nothing wrong with the unit", () => {
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "deploy/noema.service"], { encoding: "utf8" });
  const own = stderr.split("\n").filter((line) => line.includes("noema.service"));
  expect([status, own]).toEqual([0, []]);
});
