/**
 * What the platform gives the Worker: globals, bindings and Durable Objects, all from the simulated world. A program is
 * loaded once and serves one world after the other.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { bundled, workerOf } from "./bundle.mjs";
import { copyOf } from "./copy.mjs";
import { SimulatedHeaders, SimulatedResponse } from "./http.mjs";
import { ClientSocket, Connection, ServerSocket } from "./sockets.mjs";
import { ObjectStorage } from "./sql-storage.mjs";

/** The key that clients send. */
export const KEY = "simulated-key-0123456789abcdef";

/** The host of all webhooks. */
export const HOOKS = "hooks.example";

const KINDS = { PROCESSORS: "ProcessorObject", AGENTS: "AgentObject" };

class DurableObject {
  constructor(ctx, env) {
    this.ctx = ctx;
    this.env = env;
  }
}

/** How many isolates a server may have. */
export const MAX_ISOLATES = 2;

/** The Worker's program, and the platform on which it runs: in each isolate a copy of its own. */
export class Program {
  /** `{ platform, exports }` of each. */
  #isolates = [];
  /** What is on the disks of agents that were put into service, by their genome: see Stage.setUp. */
  images = new Map();

  /** @param {object[]} changes of sources: see bundled */
  static async load(changes = []) {
    return Program.of(await bundled(changes));
  }

  /** @param {string} text of the program: see bundled */
  static of(text) {
    const program = new Program();
    const make = workerOf(text);
    for (let at = 0; at < MAX_ISOLATES; at++) {
      const platform = globalsOf(program);
      program.#isolates.push({ platform, exports: make(platform) });
    }
    return program;
  }

  /** Has a fault of planted.mjs work, with which it was loaded; none when absent. @returns the one that worked before */
  plant(name) {
    const [{ platform }] = this.#isolates;
    const before = platform.planted;
    for (const isolate of this.#isolates) isolate.platform.planted = name;
    return before;
  }

  /** What the sources export to read messages with. */
  get exports() {
    return this.#isolates[0].exports;
  }

  /**
   * Begins a life of the server in a world.
   *
   * @param {number} [count] how many isolates it has, among which requests and objects are divided by chance
   */
  start(world, count = 1) {
    const chosen = world.stream(`isolates ${world.counts.kills}`);
    const isolates = this.#isolates.slice(0, count).map(({ platform, exports }, at) => {
      platform.world = world;
      platform.entropy = world.stream(
        at === 0 ? `entropy ${world.counts.kills}` : `entropy ${world.counts.kills}/${at}`,
      );
      for (const begin of platform.isolate) begin();
      return { exports, env: this.#envOf(world) };
    });
    const one = () => (count === 1 ? isolates[0] : chosen.one(isolates));
    const lifetime = { waitUntil() {}, passThroughOnException() {} };
    return {
      fetch: (request) => {
        const { env, exports } = one();
        return exports.default.fetch(request, env, lifetime);
      },
      create: (node, life) => {
        const { env, exports } = one();
        return new exports[KINDS[node.kind]](stateOf(world, node, life), env);
      },
    };
  }

  #envOf(world) {
    return {
      API_KEYS: KEY,
      NOEMA_ALERT_HOSTS: HOOKS,
      PROCESSORS: namespaceOf(world, "PROCESSORS"),
      AGENTS: namespaceOf(world, "AGENTS"),
    };
  }
}

/** The globals that the bundle takes from the platform: see GLOBALS in bundle.mjs. */
function globalsOf(program) {
  const own = () => platform.world;
  class SimulatedDate extends Date {
    constructor(...values) {
      if (values.length === 0) super(own().clock);
      else super(...values);
    }

    static now() {
      return own().clock;
    }
  }
  const platform = {
    program,
    world: undefined,
    entropy: undefined,
    DurableObject,
    Headers: SimulatedHeaders,
    Response: SimulatedResponse,
    Date: SimulatedDate,
    random: () => platform.entropy.fraction(),
    console: Object.fromEntries(
      ["log", "info", "warn", "error", "debug"].map((level) => [level, (...words) => own().log.push(words.join(" "))]),
    ),
    crypto: cryptoOf(() => platform.entropy),
    setTimeout: (work, ms) => own().setTimeout(work, ms),
    clearTimeout: (timer) => own().clearTimeout(timer),
    fetch: async (url, init) => {
      if (new URL(url).host !== HOOKS) throw new TypeError("no network leads out of the simulation");
      return new SimulatedResponse(null, { status: await own().hook(url, init) });
    },
    AbortSignal: { timeout: (ms) => deadline(own(), ms) },
    WebSocketPair: class {
      constructor() {
        const connection = new Connection(own(), own().current.node);
        this[0] = new ClientSocket(connection);
        this[1] = new ServerSocket(connection);
      }
    },
    WebSocketRequestResponsePair: class {},
    bound: (work) => {
      const world = own();
      const context = world.current;
      return () => {
        const before = world.current;
        world.current = context;
        try {
          return work();
        } finally {
          world.current = before;
        }
      };
    },
    notice: (notice) => own().notice(notice),
    queued: (message) => own().queued(message),
    asked: (verb) => {
      const asked = (processor) => verb(processor);
      platform.askedBy.set(asked, own().current);
      if (platform.grading.has(verb)) platform.grading.add(asked);
      return asked;
    },
    askedBy: new WeakMap(),
    grades: (verb) => {
      platform.grading.add(verb);
      return verb;
    },
    grading: new WeakSet(),
    gradesAsTold: (id) => own().gradings?.areOf(id) === true,
    verbRuns: (id, writes, session, { verb, begunAt }) => {
      const context = platform.askedBy.get(verb) ?? own().current;
      own().verbRuns(id, writes, session, { context, begunAt, isGrading: platform.grading.has(verb) });
    },
    sealed: () => own().sealed(),
    takenBack: (id) => own().takenBack(id),
    begins: () => own().refusals?.begins(),
    heard: (models, Fault) => own().refusals?.heard(models, Fault) ?? models,
  };
  platform.globalThis = Object.assign(Object.create(globalThis), { fetch: platform.fetch });
  return platform;
}

/** Random numbers from the seed, and hashes without waiting. */
function cryptoOf(entropy) {
  const hex = (bytes) => Buffer.from(bytes).toString("hex");
  return {
    getRandomValues: (bytes) => entropy().fill(bytes),
    randomUUID: () => {
      const bytes = entropy().fill(new Uint8Array(16));
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    },
    subtle: {
      timingSafeEqual,
      digest: async (name, bytes) => {
        const hash = createHash(name.replace("-", "").toLowerCase()).update(bytes).digest();
        return hash.buffer.slice(hash.byteOffset, hash.byteOffset + hash.length);
      },
    },
  };
}

function deadline(world, ms) {
  const controller = new AbortController();
  const late = Object.assign(new Error("timed out"), { name: "TimeoutError" });
  world.scheduler.after(ms, () => controller.abort(late), true);
  return controller.signal;
}

function namespaceOf(world, kind) {
  const stubOf = (name) => {
    const node = world.node(kind, name);
    return {
      unary: (path, body, call) => {
        const copy = body.slice();
        return world.call(node, { what: path, path, body: copy, about: call }, (object) =>
          object.unary(path, copy, call),
        );
      },
      part: (family, delivery) => {
        const copy = copyOf(delivery);
        return world
          .call(node, { what: `a message to a part: ${delivery.message.kind}` }, (object) => object.part(family, copy))
          .then(copyOf);
      },
      fetch: (request) => world.call(node, { what: "a stream or a pipe" }, (object) => object.fetch(request)),
      tell: (id, events) => {
        const copy = copyOf(events);
        return world.call(node, { what: "events" }, (object) => object.tell(id, copy));
      },
      endMqtt: () => world.call(node, { what: "the end of connections" }, (object) => object.endMqtt()),
      endStreams: () => world.call(node, { what: "the end of streams" }, (object) => object.endStreams()),
    };
  };
  return {
    getByName: stubOf,
    idFromName: (name) => ({ toString: () => world.node(kind, name).id }),
    idFromString: (id) => ({ toString: () => id }),
    get: (id) => stubOf(String(id).slice(kind.length + 1)),
    jurisdiction: () => {
      throw new Error("Jurisdiction restrictions are not implemented in the simulation.");
    },
  };
}

/** What an object gets as `ctx`. */
function stateOf(world, node, life) {
  const sockets = new Map();
  life.socketOf = (connection) => {
    let socket = sockets.get(connection);
    if (socket === undefined) {
      socket = new ServerSocket(connection);
      sockets.set(connection, socket);
    }
    return socket;
  };
  return {
    id: { name: node.name, toString: () => node.id },
    storage: new ObjectStorage(world, life),
    waitUntil() {},
    blockConcurrencyWhile: (work) => world.block(life, work),
    abort: (reason) => world.break(node, new Error(String(reason))),
    setWebSocketAutoResponse() {},
    acceptWebSocket: (socket, tags = []) => {
      const { connection } = socket;
      connection.tags = tags;
      node.connections.add(connection);
      sockets.set(connection, socket);
    },
    getWebSockets: (tag) =>
      [...node.connections]
        .filter(({ isPipe, tags }) => !isPipe && (tag === undefined || tags.includes(tag)))
        .map(life.socketOf),
  };
}
