/** The package as npm makes it, installed in an empty folder. */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { requireOutput, serverEnvironment } from "../server/child-output";

export const run = promisify(execFile);

/** The longest that npm may take, on a busy machine. */
export const NPM_MS = 300_000;

/** The longest that a script may take. */
const SCRIPT_MS = 60_000;

export class InstalledPackage {
  /** For what a test makes. */
  readonly work: string;
  /** Where the package is installed. */
  readonly folder: string;
  readonly tarball: string;

  private constructor(work: string, folder: string, tarball: string) {
    this.work = work;
    this.folder = folder;
    this.tarball = tarball;
  }

  static async install(): Promise<InstalledPackage> {
    const work = mkdtempSync(join(tmpdir(), "noema-package-"));
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", work]);
    // The script that builds it may print before.
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
    const [folder, tarball] = [join(work, "empty"), join(work, filename)];
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], { cwd: folder });
    return new InstalledPackage(work, folder, tarball);
  }

  /** Deletes all of it. */
  discard(): void {
    rmSync(this.work, { recursive: true, force: true });
  }

  /** Runs the program `noema` of the installed package. */
  noema(args: readonly string[], cwd = this.folder, env: Record<string, string> = {}) {
    return run(join(this.folder, "node_modules", ".bin", "noema"), args, { cwd, env: serverEnvironment(env) });
  }

  /** Runs a module in the folder. Of a file: Miniflare cannot run below `node --eval`. */
  async script(code: string): Promise<string> {
    const file = join(this.folder, "script.js");
    writeFileSync(file, code);
    const { stdout } = await run(process.execPath, [file], { cwd: this.folder, timeout: SCRIPT_MS });
    return stdout;
  }

  /** Puts a package of this project into the folder, as if it were installed there, until the test ends. */
  lend(name: string): void {
    const target = join(this.folder, "node_modules", name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(resolve("node_modules", name), target);
    onTestFinished(() => rmSync(target));
  }

  /** Starts `noema serve` in the folder; the test ends it. */
  serving(env: Record<string, string> = {}, args: readonly string[] = []) {
    return this.#serving([join("node_modules", ".bin", "noema"), "serve", ...args], this.folder, env);
  }

  /** Does `npm start` in the folder of a project; the test ends it. */
  start(folder: string) {
    return this.#serving(["npm", "start"], folder, { WRANGLER_SEND_METRICS: "false", WRANGLER_WRITE_LOGS: "false" });
  }

  async #serving([program = "", ...args]: readonly string[], folder: string, env: Record<string, string>) {
    const child = spawn(program, args, {
      cwd: folder,
      env: serverEnvironment({ STATE_DIR: mkdtempSync(join(this.work, "state-")), ...env }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = once(child, "close");
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal);
      // npx passes on what the terminal has sent already.
      child.kill(signal);
      await closed;
      return child.exitCode;
    };
    onTestFinished(async () => void (await end("SIGTERM")));
    const { match, output } = await requireOutput(child, /^(?:Noema listens on (\S+)|\{"address":"([^"]+)".*\})$/m);
    return { address: match[1] ?? match[2] ?? "", output, end };
  }
}
