/**
 * Lets devices live their lives twice: once over a link that loses nothing, and once over one that loses, repeats and reorders, to a server
 * that is killed in between. In the end both servers must hold the same.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { genomeText, manipulative, primitive } from "../object/genomes";
import { Random } from "../random";
import { type Call, untilAnswered } from "./device";
import { type Fate, FlakyProxy } from "./flaky-proxy";
import { type Home, KNOWN, Life, type Repeatable } from "./life";

/** A server, as a trial uses it. */
interface Served {
  readonly address: string;
  readonly stateDir: string;
  /** Kills it without warning, and waits. */
  kill(): Promise<void>;
  /** Ends it and deletes its state. */
  discard(): Promise<unknown>;
}

/** What a trial needs. */
export interface TrialParts {
  /** Starts a server, on the state of an earlier one if that is given. */
  start(stateDir?: string): Promise<Served>;
  readonly how: Repeatable;
  readonly home: Home;
  readonly seed: number;
  readonly devices: number;
  /** The calls of each device. */
  readonly calls: number;
  readonly kills: number;
}

/** What a trial found. */
export interface Found {
  /** What differs; none when all is well. */
  readonly differences: string[];
  /** How many requests had each fate. */
  readonly fates: ReadonlyMap<Fate, number>;
  readonly kills: number;
  /** How many events the observing processor got. */
  readonly observed: number;
}

const MEMORY_READINGS = [
  "GET time",
  "GET status",
  "GET working-memory",
  "GET percept-data",
  "GET cognition-data",
  "POST predictions",
];

const KNOWLEDGE_READINGS = ["GET all-genes", "GET get_kb", "GET list-blacklisted-symbols"];

/** How long after a kill an event for another processor may be on its way, in milliseconds: an alarm sends it again. */
const DELIVERY_MS = 90_000;

/** Observes what the first device's processor predicts. */
const OBSERVER = "observer";

const deviceName = (at: number) => `d${at}`;

const sessionName = (at: number) => encodeURIComponent(`device ${at}`);

/** Where a device calls. */
function pathOf(home: Home, at: number): string {
  return home === "processor" ? deviceName(at) : `${deviceName(0)}/sessions/${sessionName(at)}`;
}

/** A processor for each device, and one that observes what the first of them predicts. */
function genomeOf(devices: number): unknown {
  const others = Array.from({ length: devices - 1 }, (_, at) => primitive(deviceName(at + 1)));
  const first = primitive(deviceName(0), { manipulatives: ["m"] });
  return JSON.parse(genomeText(first, manipulative("m", deviceName(0), [OBSERVER]), primitive(OBSERVER), ...others));
}

/** Lives one device's life. @param answers takes each answer */
async function live(
  parts: TrialParts,
  at: number,
  address: () => string,
  answers: (text: string) => Promise<void> | void,
) {
  const path = pathOf(parts.home, at);
  const life = new Life(new Random(parts.seed * 1000 + at), parts.how, parts.home, path);
  for (let n = 0; n < parts.calls; n++) {
    const call = life.next();
    const text = await untilAnswered(address, { ...call, path: `/${path}/${call.path}` });
    life.answered(text);
    await answers(`${call.method} ${call.path}: ${text}`);
  }
}

/** Puts the processors into service, and teaches the first one something, so that it predicts from the beginning. */
async function prepare({ address }: Served, devices: number): Promise<void> {
  const calls: Call[] = [
    { method: "POST", path: "/genome/hotswap", body: genomeOf(devices) },
    { method: "PUT", path: `/${deviceName(0)}/add-model`, body: KNOWN },
  ];
  for (const call of calls) {
    const text = await untilAnswered(() => address, call);
    if (!text.startsWith("200 ")) throw new Error(`${call.method} ${call.path} was refused: ${text}`);
  }
}

/** Everything that can be read, as calls of `GET` or `POST` on paths. */
function readingsOf({ home, devices }: TrialParts): Call[] {
  const processors = [...Array.from({ length: devices }, (_, at) => deviceName(at)), OBSERVER];
  const sessions = home === "processor" ? [] : processors.slice(0, devices).map((_, at) => sessionName(at));
  const places = processors.map((path) => ({ path, readings: [...MEMORY_READINGS, ...KNOWLEDGE_READINGS] }));
  for (const session of sessions) {
    for (const id of [deviceName(0), OBSERVER]) {
      places.push({ path: `${id}/sessions/${session}`, readings: MEMORY_READINGS });
    }
  }
  return places.flatMap(({ path, readings }) =>
    readings.map((reading) => {
      const [method = "", operation = ""] = reading.split(" ");
      return { method, path: `/${path}/${operation}` };
    }),
  );
}

/** The answers to all readings, by path. */
async function readAll({ address }: Served, parts: TrialParts): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  for (const reading of readingsOf(parts)) read.set(reading.path, await untilAnswered(() => address, reading));
  return read;
}

/** How many events the observing processor got, in all its memories. */
function observedIn(read: ReadonlyMap<string, string>): number {
  const times = [...read].filter(([path]) => path.startsWith(`/${OBSERVER}/`) && path.endsWith("/time"));
  return times.reduce((sum, [, text]) => sum + Number(/"message":"(\d+)"/.exec(text)?.[1] ?? 0), 0);
}

/** The life without losses: what each device is answered, and what is there in the end. */
async function lossless(parts: TrialParts) {
  const server = await parts.start();
  try {
    await prepare(server, parts.devices);
    const answers = Array.from({ length: parts.devices }, (): string[] => []);
    await Promise.all(
      answers.map((own, at) =>
        live(
          parts,
          at,
          () => server.address,
          (text) => void own.push(text),
        ),
      ),
    );
    return { answers, read: await readAll(server, parts) };
  } finally {
    await server.discard();
  }
}

/** Counts the answers of all devices, and kills the server after this many of them. */
class Killer {
  server: Served;
  readonly #proxy: FlakyProxy;
  readonly #parts: TrialParts;
  #left: number;
  #killing: Promise<void> | undefined;
  kills = 0;

  constructor(server: Served, proxy: FlakyProxy, parts: TrialParts) {
    this.server = server;
    this.#proxy = proxy;
    this.#parts = parts;
    this.#left = this.#interval;
  }

  get #interval(): number {
    return Math.ceil((this.#parts.devices * this.#parts.calls) / (this.#parts.kills + 1));
  }

  /** Takes an answer. The others go on calling while the server is down. */
  async count(): Promise<void> {
    this.#left--;
    if (this.#left > 0 || this.kills === this.#parts.kills) return;
    this.#left = this.#interval;
    this.kills++;
    this.#killing = this.#kill();
    await this.#killing;
  }

  /** Waits until the server runs. */
  async settled(): Promise<void> {
    await this.#killing;
  }

  async #kill(): Promise<void> {
    await this.server.kill();
    this.server = await this.#parts.start(this.server.stateDir);
    this.#proxy.upstream = this.server.address;
  }
}

/** The same life over a flaky link. */
async function flaky(parts: TrialParts, expected: Awaited<ReturnType<typeof lossless>>): Promise<Found> {
  const first = await parts.start();
  const proxy = await FlakyProxy.start(first.address, new Random(parts.seed));
  const killer = new Killer(first, proxy, parts);
  const differences: string[] = [];
  try {
    await prepare(first, parts.devices);
    const device = async (at: number) => {
      let n = 0;
      await live(
        parts,
        at,
        () => proxy.address,
        async (text) => {
          const wanted = expected.answers[at]?.[n];
          n++;
          // A number that came before is answered so; a key gets the first answer.
          if (parts.how === "idempotency keys" && text !== wanted) {
            differences.push(`call ${n} of ${deviceName(at)} was answered otherwise:\n${text}\ninstead of\n${wanted}`);
          }
          await killer.count();
        },
      );
    };
    await Promise.all(Array.from({ length: parts.devices }, (_, at) => device(at)));
    await killer.settled();
    await proxy.close();
    differences.push(...(await readDifferences(killer.server, parts, expected.read)));
    return { differences, fates: proxy.counts, kills: killer.kills, observed: observedIn(expected.read) };
  } finally {
    await killer.server.discard();
  }
}

/** What reads otherwise. Waits as long as an event for the observer may be on its way. */
async function readDifferences(
  server: Served,
  parts: TrialParts,
  wanted: ReadonlyMap<string, string>,
): Promise<string[]> {
  for (const end = performance.now() + DELIVERY_MS; ; await sleep(250)) {
    const read = await readAll(server, parts);
    const different = [...wanted].filter(([reading, text]) => read.get(reading) !== text);
    const mayArrive = different.length > 0 && different.every(([reading]) => reading.startsWith(`/${OBSERVER}/`));
    if (!mayArrive || performance.now() > end) {
      return different.map(([reading, text]) => `${reading} is\n${read.get(reading)}\ninstead of\n${text}`);
    }
  }
}

/** Runs a trial. */
export async function trial(parts: TrialParts): Promise<Found> {
  return flaky(parts, await lossless(parts));
}
