/**
 * The simulated world: one server with its objects, their disks, and the network between clients, gateway, objects and
 * webhooks. Everything that happens is an event; between two events all of the program that can go on has gone on. What
 * an object sends leaves it when what it has written is durable, as on the platform.
 */

import { EPOCH_S } from "../plan/plan.mjs";
import { Disk } from "./disk.mjs";
import { Random } from "./random.mjs";
import { Scheduler } from "./scheduler.mjs";

/** What the clock of the server shows when a simulation begins, in milliseconds since 1970. */
const EPOCH_MS = 1_000 * EPOCH_S;

/** What rings later than this does not keep a simulation going, in milliseconds. */
const FAR_MS = 3_600_000;

/** An alarm that fails is repeated after this, twice as long each time, and so often, as on the platform. */
const ALARM_PAUSE_MS = 2_000;
const MAX_ALARM_ATTEMPTS = 7;

/** How much later a call comes that is late, in milliseconds: its caller may be gone by then, and come back. */
const LATE_CALL_MS = 1_500;

/** More events than any plan needs: a simulation that goes on has a loop. */
const MAX_EVENTS = 50_000;

/**
 * Lets the program go on until it waits for an event: all promises are served, and rejections that nothing waits for are
 * told. Node has this function, undocumented, for what runs outside of them; a turn of its event loop for each event
 * would take longer than most events.
 */
const settle = process._tickCallback;

/** A fault of the platform, which callers may see. */
export class PlatformError extends Error {
  constructor(message, about = {}) {
    super(message);
    Object.assign(this, about);
  }
}

/** Ends what a dead object still does. */
export class ObjectGone extends Error {
  constructor() {
    super("the object is gone, in the simulation");
  }
}

const lost = () => new PlatformError("Network connection lost.", { retryable: true });

/** How an object is named that holds a part of a split processor's models. */
const PART_NAME = /^~part (?<part>\d+) .*\/(?<of>[^/]+)$/;

/** An object: what of it outlives a stay in memory. */
class Node {
  /** Its life in memory; undefined while it has none. */
  life;
  /** Which part it holds of which processor; undefined when it is none. */
  part;
  /** Until when it cannot be reached, and until when it answers nothing, as a part may. In simulated milliseconds. */
  away = { until: 0, silentUntil: 0 };
  disk;
  /** Its sockets. */
  connections = new Set();
  /** What waits until its writes are durable. */
  outputs = [];
  /** The runs of verbs whose fate is open. */
  runs = [];
  /** The event that flushes its disk. */
  flush;
  /** How many transactions are open that outlast an event: nothing is flushed meanwhile. */
  transactions = 0;
  alarm = { event: undefined, attempts: 0, isRinging: false };

  constructor(kind, name, image) {
    this.disk = new Disk(image);
    this.kind = kind;
    this.name = name;
    this.id = `${kind}:${name}`;
    this.part = PART_NAME.exec(name)?.groups;
  }
}

/** An object's stay in memory. */
class Life {
  isAlive = true;
  instance;
  /** Calls that are not answered yet, and how much else of its own is under way. */
  calls = new Set();
  underWay = 0;
  timers = 0;
  /** The WebSockets to other objects that it holds. */
  pipes = new Set();
  /** How many critical sections are open, and what must wait for their end. */
  blocks = 0;
  held = [];

  constructor(node) {
    this.node = node;
  }

  get isIdle() {
    return this.calls.size === 0 && this.underWay === 0 && this.timers === 0 && this.blocks === 0;
  }
}

/** The world of one plan. */
export class World {
  scheduler = new Scheduler();
  /** What runs now: whose event it is. `undefined` between events. */
  current;
  /** The server's life: gateway and objects. */
  server;
  /** By identifier. */
  nodes = new Map();
  /** All verbs that have run, in order. */
  runs = [];
  /** What the server has logged. */
  log = [];
  /** What has happened, as text, for a failure; only when it is wanted. */
  trace;
  /** What the program threw where nothing caught it: the platform only logs that. */
  thrown = [];
  counts = { events: 0, kills: 0, breaks: 0, evictions: 0, faults: 0 };
  #armed = [];
  #random;
  #delays;
  #program;
  #touched = new Set();
  #requests = new Set();
  #isInstant;
  /** By how much the server's clock was set ahead, in milliseconds. */
  #setAhead = 0;
  /** What the clock shows while it stands still; `undefined` while it goes. */
  stopped;
  #attempts = 0;
  /** What webhooks have got, in order: `{ url, id, body }`. */
  hooks = [];
  /** What was queued for clients of MQTT, in order: `{ client, topic, payload, qos, isRetained, fate, at }`. */
  queue = [];
  /** What alerts were to tell of silent memories, in order: `{ alert, told, session, node, fate, clock }`. */
  silences = [];
  /** When processors began to wait for the decision of a restore: `{ node, fate, after }`, by the number of runs before. */
  seals = [];
  /** How far knowledge is graded in a world that grades only when it is told to: see check/gradings.mjs. */
  gradings;
  /** What was asked of models and refused, where plans want to know it: see check/refusals.mjs. */
  refusals;

  /**
   * @param seed decides all that is left open
   * @param program runs the Worker on a platform: see Platform
   * @param {{ isInstant?: boolean }} [options] isInstant: whether nothing takes time on its way
   */
  constructor(seed, program, { isInstant = false } = {}) {
    this.#isInstant = isInstant;
    this.#random = new Random(`world ${seed}`);
    this.#delays = this.#random.fork("delays");
    this.#program = program;
    this.start();
  }

  /** The server's clock, in milliseconds since 1970. */
  get clock() {
    return this.stopped ?? EPOCH_MS + Math.floor(this.scheduler.now) + this.#setAhead;
  }

  /** Sets the server's clock, which changes nothing of how long anything takes. @param ms milliseconds since 1970 */
  setClock(ms) {
    if (ms === this.clock) return;
    this.#setAhead += ms - this.clock;
    this.note(`the clock is set to ${new Date(ms).toISOString()}`);
    for (const node of this.nodes.values()) this.#setAlarm(node);
  }

  /** Lets everything happen that happens before a time of the simulation, in milliseconds since it began. */
  async runUntil(at) {
    let isThere = this.scheduler.now >= at;
    if (isThere) return;
    this.scheduler.after(at - this.scheduler.now, () => {
      isThere = true;
    });
    await this.run(() => isThere);
  }

  /** Takes what nothing has caught; what breaks an object, or ends the work of one that is gone, is the platform's. */
  uncaught(error) {
    if (!(error instanceof ObjectGone || error instanceof PlatformError)) this.thrown.push(error);
  }

  /** A stream of random numbers of its own. */
  stream(purpose) {
    return this.#random.fork(purpose);
  }

  note(text) {
    this.trace?.push(`${this.scheduler.now.toFixed(2).padStart(12)}  ${text}`);
  }

  // ---- faults

  /**
   * Has a fault happen at one of the next points of its kind.
   *
   * @param {{ kind: string, at: string, after: number }} fault after: how many points are passed before
   */
  arm(fault) {
    this.#armed.push({ ...fault, left: fault.after });
  }

  disarm() {
    this.#armed = [];
  }

  /** A point at which faults may happen. @returns the one that does */
  point(at) {
    if (this.#armed.length === 0) return undefined;
    for (const fault of this.#armed) {
      if (fault.at !== at || fault.left-- > 0) continue;
      this.#armed.splice(this.#armed.indexOf(fault), 1);
      this.counts.faults++;
      this.note(`FAULT ${fault.kind} at ${at}`);
      return fault;
    }
    return undefined;
  }

  /** A point at which the server or an object may die. @returns whether this life is over */
  deadlyPoint(at, life) {
    const fault = this.point(at);
    if (fault?.kind === "kill") this.kill();
    else if (fault?.kind === "break" && life !== undefined) this.break(life.node, lost());
    else if (fault?.kind === "slow") this.scheduler.now += fault.ms;
    return life !== undefined && !life.isAlive;
  }

  // ---- events

  /** How long something takes on its way, in milliseconds. */
  delay() {
    if (this.#isInstant) return 0;
    const kind = this.#delays.fraction();
    if (kind < 0.9) return this.#delays.fraction() * 3;
    return kind < 0.99 ? this.#delays.fraction() * 40 : this.#delays.fraction() * 1500;
  }

  /** Has something happen in a context, unless that is gone by then. */
  later(ms, context, happen, isIdle) {
    return this.scheduler.after(ms, () => this.in(context, happen), isIdle);
  }

  /** Does something in a context, to which all belongs that follows in the same event. */
  in(context, happen) {
    if (!isAlive(context)) return undefined;
    this.current = context;
    return happen();
  }

  /** Lets everything happen until nothing is left, or `isOver` says so. */
  async run(isOver = () => false) {
    // Promises are served only outside of what they have led to.
    await new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          resolve(this.#run(isOver));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #run(isOver) {
    const { scheduler } = this;
    while (scheduler.busy > 0 && !isOver()) {
      const happen = scheduler.next();
      if (++this.counts.events > MAX_EVENTS)
        throw new Error(`more than ${MAX_EVENTS} events: the simulation does not end`);
      this.current = undefined;
      try {
        happen();
      } catch (error) {
        this.uncaught(error);
      }
      settle();
      this.current = undefined;
      this.#endTurn();
    }
  }

  /** What was written in an event is one commit. */
  #endTurn() {
    for (const node of this.#touched) {
      if (node.transactions > 0) continue;
      if (!node.disk.isDirty) this.#decide(node, true);
      else node.flush ??= this.scheduler.after(this.#flushDelay(), () => this.#flush(node));
    }
    this.#touched.clear();
  }

  #flushDelay() {
    if (this.#isInstant) return 0;
    return this.#delays.chance(0.7) ? 0 : this.#delays.fraction() * 5;
  }

  #flush(node) {
    node.flush = undefined;
    // Its end touches the disk again.
    if (node.transactions > 0) return;
    if (this.deadlyPoint("commit", node.life)) return;
    node.disk.flush();
    this.#decide(node, true);
    const { outputs } = node;
    node.outputs = [];
    this.#setAlarm(node);
    if (this.deadlyPoint("committed", node.life)) return;
    for (const send of outputs) send();
  }

  #decide(node, isDurable) {
    for (const run of node.runs) run.fate = isDurable ? "durable" : "lost";
    node.runs = [];
  }

  /** Sends something when all that the object has written is durable. */
  whenDurable(node, send) {
    if (node?.disk.isDirty) {
      node.outputs.push(send);
      return;
    }
    // Whatever has run until here has its effect, or has none, also if the object breaks in what follows in this event.
    if (node !== undefined) this.#decide(node, true);
    send();
  }

  /** The disk of an object was used in this event. */
  touch(node) {
    this.#touched.add(node);
  }

  /** A verb runs. */
  verbRuns(nodeId, writes, session, { context, begunAt, isGrading }) {
    const node = this.nodes.get(nodeId);
    if (node === undefined || context === undefined || !isAlive(context)) return;
    const last = node.runs.at(-1);
    const { call, life } = context;
    const { scheduler } = this;
    // Where a verb runs several times, the clock stands still for it.
    const clock = begunAt ?? this.clock;
    const run = { node, life, call, writes, session, isGrading, fate: "open", at: scheduler.now, clock, notices: [] };
    const isSame = last !== undefined && last.call === call && call !== undefined && last.isGrading === isGrading;
    // It is repeated in a transaction, or with more memory; or it is another piece of one transaction.
    if (isSame && (last.event === this.counts.events || node.transactions > 0))
      Object.assign(last, { writes, notices: [] });
    else {
      run.event = this.counts.events;
      this.runs.push(run);
      node.runs.push(run);
    }
    this.touch(node);
  }

  /** The verb that runs is taken back: it runs again when it is known what it has asked, or needs a part that is away. */
  takenBack(nodeId) {
    const node = this.nodes.get(nodeId);
    const run = node?.runs.at(-1);
    if (run === undefined || run !== this.runs.at(-1)) return;
    node.runs.pop();
    this.runs.pop();
  }

  /** A processor begins to wait for the decision of a restore. */
  sealed() {
    const { node } = this.current;
    const seal = { node, fate: "open", after: this.runs.length };
    this.seals.push(seal);
    node.runs.push(seal);
    this.touch(node);
  }

  /** The verb that runs has something to tell by an alert; or an alarm has, of a memory that is silent. */
  notice(notice) {
    if (notice.told.kind !== "silent") {
      this.runs.at(-1)?.notices.push(notice);
      return;
    }
    const { node } = this.current;
    const entry = { ...notice, node, fate: "open", clock: this.clock };
    this.silences.push(entry);
    node.runs.push(entry);
    this.touch(node);
  }

  /** A message is queued for a client of MQTT. @param message what it is; it is noted with its fate */
  queued({ payload, ...message }) {
    const { node } = this.current;
    const text = new TextDecoder().decode(payload);
    const entry = { ...message, payload: text, fate: "open", at: this.scheduler.now };
    this.queue.push(entry);
    node.runs.push(entry);
    this.touch(node);
  }

  // ---- the server

  /** The server starts. */
  start() {
    this.serve();
    this.note("the server starts");
  }

  /** Has the program serve this world, and no other. */
  serve() {
    this.server = { isAlive: true, ...this.#program(this) };
  }

  /** The server's process is killed: everything that is not durable is gone. It starts again after a while. */
  kill(downMs = 20 + this.#delays.fraction() * 400) {
    if (!this.server.isAlive) return;
    this.note("the server is killed");
    this.counts.kills++;
    this.server.isAlive = false;
    for (const node of this.nodes.values()) this.#lose(node, lost());
    for (const request of this.#requests)
      this.scheduler.after(this.delay(), () => request.fail("the connection broke"));
    this.#requests.clear();
    this.scheduler.after(downMs, () => this.start());
  }

  /** An object dies, with what it has not made durable. */
  break(node, error) {
    this.note(`${node.id} breaks: ${error.message}`);
    this.counts.breaks++;
    this.#lose(node, error);
  }

  #lose(node, error) {
    const { life } = node;
    node.disk.crash();
    node.transactions = 0;
    this.#decide(node, false);
    node.outputs = [];
    if (node.flush !== undefined) this.scheduler.cancel(node.flush);
    node.flush = undefined;
    node.alarm.isRinging = false;
    node.life = undefined;
    for (const connection of node.connections) connection.cut();
    node.connections.clear();
    this.#setAlarm(node);
    if (life === undefined) return;
    for (const pipe of life.pipes) pipe.cut();
    life.isAlive = false;
    for (const call of life.calls) this.#fail(call, error);
    for (const held of life.held) this.scheduler.after(this.delay(), held);
  }

  /** All objects that have nothing to do leave memory. @param isMeant whether an object is among those */
  evict(isMeant = () => true) {
    for (const node of this.nodes.values()) {
      if (!isMeant(node)) continue;
      if (!node.life?.isIdle || node.disk.isDirty || node.alarm.isRinging) continue;
      node.life.isAlive = false;
      node.life = undefined;
      this.counts.evictions++;
    }
  }

  /** A processor, or a part of one, cannot be reached for a while, or answers nothing. @param [part] absent: a whole one */
  leave({ part, of, ms, isSilent = false }) {
    const until = this.scheduler.now + ms;
    const isMeant = (node) =>
      part === undefined
        ? node.kind === "PROCESSORS" && node.part === undefined && node.name.endsWith(`/${of}`)
        : node.part?.part === String(part) && node.part.of === of;
    for (const node of this.nodes.values()) {
      if (!isMeant(node)) continue;
      this.note(`${node.id} is ${isSilent ? "silent" : "away"} for ${ms} ms`);
      this.counts.faults++;
      if (isSilent) node.away.silentUntil = until;
      else node.away.until = until;
    }
  }

  // ---- calls between objects

  node(kind, name, image) {
    const id = `${kind}:${name}`;
    let node = this.nodes.get(id);
    if (node === undefined) {
      node = new Node(kind, name, image);
      this.nodes.set(id, node);
    }
    return node;
  }

  /** What is on all disks when nothing is under way, for {@link begin}. Ends this world. */
  images() {
    return [...this.nodes.values()].map(({ disk, kind, name }) => ({ kind, name, ...disk.image() }));
  }

  /** Has disks that something is on, in a world in which nothing has happened. @param images see {@link images} */
  begin(images) {
    for (const { kind, name, ...image } of images) this.#setAlarm(this.node(kind, name, image));
  }

  /**
   * Calls an object.
   *
   * @param {object} about what the call is, for the checker
   * @param {(instance: object) => unknown} invoke
   */
  call(node, about, invoke) {
    const from = this.current;
    return new Promise((resolve, reject) => {
      if (from === undefined || !isAlive(from)) return;
      const answer = (settle) => (value) => this.later(this.delay(), from, () => settle(value));
      const call = { ...about, node, from, invoke, resolve: answer(resolve), reject: answer(reject), isOver: false };
      this.whenDurable(from.node, () => {
        const fault = this.point("call")?.kind;
        const ofPart = node.part === undefined ? undefined : this.point("part");
        if (fault === "lose" || ofPart?.kind === "lose") return call.reject(lost());
        const late = (fault === "late" ? LATE_CALL_MS : 0) + (ofPart?.ms ?? 0);
        this.scheduler.after(late + this.delay(), () => this.#deliver(call));
      });
    });
  }

  #deliver(call) {
    const { node } = call;
    if (!this.server.isAlive || node.away.until > this.scheduler.now) return call.reject(lost());
    const life = this.lifeOf(node);
    if (life.blocks > 0) return life.held.push(() => this.#deliver(call));
    life.calls.add(call);
    this.note(`${node.id} gets ${call.what}`);
    const context = { node, life, call, request: call.from.request };
    this.in(context, () => {
      if (this.deadlyPoint("event", life)) return;
      let answer;
      try {
        answer = call.invoke(life.instance);
      } catch (error) {
        answer = Promise.reject(error);
      }
      Promise.resolve(answer).then(
        (value) => this.#reply(call, life, () => call.resolve(value)),
        (error) => this.#reply(call, life, () => call.reject(error)),
      );
    });
    this.touch(node);
  }

  #reply(call, life, send) {
    if (!life.isAlive) return;
    this.whenDurable(call.node, () => {
      life.calls.delete(call);
      if (call.node.away.silentUntil > this.scheduler.now) return;
      const ofPart = call.node.part === undefined ? undefined : this.point("part-reply");
      if (ofPart?.kind === "break") return this.#breakAfter(call, life);
      if (ofPart?.kind === "break-head" && call.from.life?.isAlive) return this.break(call.from.node, lost());
      if (ofPart?.kind === "lose" || this.point("reply")?.kind === "lose") call.reject(lost());
      else send();
    });
  }

  /** A part breaks when it has done what it was told, and before it can say so. */
  #breakAfter(call, { node }) {
    call.reject(lost());
    this.break(node, lost());
  }

  #fail(call, error) {
    call.reject(error);
  }

  /** The life of an object, begun when it has none. */
  lifeOf(node) {
    if (node.life !== undefined) return node.life;
    const life = new Life(node);
    node.life = life;
    const before = this.current;
    this.current = { node, life };
    life.instance = this.server.create(node, life);
    this.current = before;
    return life;
  }

  /** Lets nothing in until something is done. */
  block(life, work) {
    life.blocks++;
    const over = () => {
      life.blocks--;
      if (life.blocks > 0 || !life.isAlive) return;
      const { held } = life;
      life.held = [];
      for (const happen of held) this.scheduler.after(0, happen);
    };
    const done = Promise.resolve().then(work);
    done.then(over, (error) => {
      over();
      if (life.isAlive) this.break(life.node, error);
    });
    return done;
  }

  // ---- alarms

  #setAlarm(node) {
    const { alarm } = node;
    if (alarm.event !== undefined) this.scheduler.cancel(alarm.event);
    alarm.event = undefined;
    const at = node.disk.durableAlarm;
    if (at === null || alarm.isRinging) return;
    const wait = Math.max(0, at - this.clock) + this.#delays.fraction() * 5;
    if (this.point("alarm")?.kind === "late") return this.#ringIn(node, wait + 5_000 * this.#delays.fraction() * 10);
    this.#ringIn(node, wait);
  }

  #ringIn(node, ms) {
    node.alarm.event = this.scheduler.after(ms, () => this.#ring(node), ms > FAR_MS);
  }

  #ring(node) {
    const { alarm } = node;
    alarm.event = undefined;
    if (!this.server.isAlive) return this.#ringIn(node, 100);
    const life = this.lifeOf(node);
    if (life.blocks > 0) return this.#ringIn(node, 5);
    this.note(`${node.id} rings`);
    node.disk.ring();
    alarm.isRinging = true;
    life.underWay++;
    this.in({ node, life }, () => {
      if (this.deadlyPoint("event", life)) return;
      Promise.resolve()
        .then(() => life.instance.alarm())
        .then(
          () => this.#rang(node, life, true),
          () => this.#rang(node, life, false),
        );
    });
    this.touch(node);
  }

  #rang(node, life, isDone) {
    if (!life.isAlive) return;
    const { alarm } = node;
    life.underWay--;
    alarm.isRinging = false;
    const twice = isDone && this.point("rang")?.kind === "double";
    alarm.attempts = isDone ? 0 : alarm.attempts + 1;
    node.disk.answered(isDone || alarm.attempts >= MAX_ALARM_ATTEMPTS);
    if (!isDone && node.disk.alarm !== null) node.disk.setAlarm(this.clock + ALARM_PAUSE_MS * 2 ** alarm.attempts);
    if (twice) this.scheduler.after(this.delay(), () => this.#ring(node));
    this.touch(node);
  }

  // ---- timers

  setTimeout(work, ms = 0) {
    const context = this.current;
    if (context === undefined || !isAlive(context)) return undefined;
    const { life } = context;
    if (life !== undefined) life.timers++;
    const timer = { isOver: false, life, event: undefined };
    timer.event = this.scheduler.after(ms, () => {
      this.#endTimer(timer);
      this.in(context, work);
    });
    return timer;
  }

  clearTimeout(timer) {
    if (timer === undefined || timer === null || timer.isOver) return;
    this.scheduler.cancel(timer.event);
    this.#endTimer(timer);
  }

  #endTimer(timer) {
    timer.isOver = true;
    if (timer.life !== undefined) timer.life.timers--;
  }

  // ---- clients

  /**
   * Sends a request of a client.
   *
   * @param operation what the client does, for the checker
   * @param {() => Request} request makes it
   * @returns the response's status, text and socket; `{ lost }` when there is none
   */
  request(operation, request) {
    const attempt = ++this.#attempts;
    return new Promise((resolve) => {
      const pending = { fail: (reason) => resolve({ lost: reason }) };
      const arrive = () => {
        if (!this.server.isAlive) return pending.fail("the connection was refused");
        this.#requests.add(pending);
        const { server } = this;
        const context = { server, request: operation, attempt };
        this.in(context, () => {
          Promise.resolve(server.fetch(request()))
            .then(async (response) => {
              const { status, headers, webSocket } = response;
              return { status, headers, webSocket, text: webSocket ? "" : await response.text() };
            })
            .then(
              (answer) => this.#answer(pending, server, answer, resolve),
              (error) =>
                this.#answer(
                  pending,
                  server,
                  { status: 500, text: String(error?.stack ?? error), threw: true },
                  resolve,
                ),
            );
        });
      };
      if (this.point("request")?.kind === "lose")
        this.scheduler.after(this.delay(), () => pending.fail("the request was lost"));
      else this.scheduler.after(this.delay(), arrive);
    });
  }

  #answer(pending, server, answer, resolve) {
    if (!server.isAlive) return;
    this.#requests.delete(pending);
    const isLost = this.point("answer")?.kind === "lose";
    if (isLost) answer.webSocket?.connection.cut();
    this.scheduler.after(this.delay(), () => resolve(isLost ? { lost: "the answer was lost" } : answer));
  }

  /**
   * Sends a request of an object to a webhook, which answers 204.
   *
   * @param {{ headers: Record<string, string>, body: string, signal: AbortSignal }} init
   * @returns a promise of its status; rejects when it could not be reached, or does not answer in time
   */
  hook(url, { headers, body, signal }) {
    const from = this.current;
    return new Promise((resolve, reject) => {
      const fail = (error) => this.later(this.delay(), from, () => reject(error));
      signal.addEventListener("abort", () => fail(signal.reason));
      this.whenDurable(from.node, () => {
        const fault = this.point("hook")?.kind;
        if (fault === "lose") return fail(new TypeError("the webhook could not be reached"));
        this.scheduler.after(this.delay(), () => {
          this.hooks.push({ url, id: headers["webhook-id"], body, isAccepted: fault !== "refuse" });
          if (fault === "silence") return;
          this.later(this.delay(), from, () => resolve(fault === "refuse" ? 500 : 204));
        });
      });
    });
  }

  /** Waits, as a client does. */
  pause(ms) {
    return new Promise((resolve) => this.scheduler.after(ms, resolve));
  }

  /** Gives the memory of all disks back. */
  close() {
    for (const { disk } of this.nodes.values()) disk.close();
  }
}

/** Whether what belongs to a context may still happen. */
export function isAlive({ life, server }) {
  return (life?.isAlive ?? true) && (server?.isAlive ?? true);
}
