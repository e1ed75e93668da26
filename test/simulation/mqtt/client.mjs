/**
 * A client of MQTT as the documents want it: it keeps what is under way, sends it again over the next connection of its
 * session, and takes a message of QoS 2 once. It notes all that the checker must know.
 */

import {
  acknowledge,
  connect,
  disconnect,
  ping,
  publish,
  subscribe,
  TYPE,
  unsubscribe,
} from "../../support/mqtt/packets.mjs";
import { armFault, send } from "../clients.mjs";
import { SimulatedRequest } from "../platform/http.mjs";
import { KEY } from "../platform/platform.mjs";
import { packetsIn } from "./packets.mjs";

/** After this time without an answer the server has forgotten the client, in simulated milliseconds. */
const PATIENCE_MS = 120_000;

/** A session that has waited this much less, or more, than it may is there, or gone, in milliseconds. */
const SURE_MS = 5_000;
const SURELY_OVER_MS = 100_000;

/** How long a plan goes on after a client has vanished for good, in simulated milliseconds. */
const GONE_MS = 3_000;

/** How long a client tries to delete its key. */
const MAX_DELETIONS = 60;

/** More connections are never needed: faults end. */
const MAX_CONNECTIONS = 200;

/** Where wills are published. */
export const WILLS = "noema/p2/sessions/wills/observe";

/** The topic of a message, and its payload. */
function messageOf({ verb, symbols }, { client, processor }) {
  const own = `noema/${processor}/sessions/${client}`;
  const record = (strings) => ({ strings, vectors: [], emotives: {}, metadata: {} });
  switch (verb) {
    case "observe": {
      const payload = symbols.length === 1 ? symbols[0].join() : JSON.stringify(symbols.map(record));
      return { topic: `${own}/observe`, payload };
    }
    case "route":
      return { topic: `line/${processor}/${client}`, payload: JSON.stringify({ v: symbols[0][0].slice(2) }) };
    case "unroutable":
      return { topic: "nowhere/at/all", payload: "x" };
    case "malformed":
      return { topic: `${own}/observe`, payload: '{"strings": 7}' };
    default:
      return { topic: `${own}/${verb}`, payload: "" };
  }
}

/** What refuses a message for good, in MQTT 5. */
const REFUSED_WITH = { unroutable: 0x90, malformed: 0x99 };

/** One client, through all of its connections. */
export class MqttClient {
  who;
  wrong = [];
  /** The messages that it publishes, in order: `{ step, qos, phase, epoch, sendings, isUnsure }`; epoch: of its session. */
  messages = [];
  /** What it has heard in each of its sessions: `{ at, heard: [{ topic, payload, qos, id, isRepeated, isRetained }] }`. */
  epochs = [];
  /** Its connections: `{ will, isSent, isAccepted, isKept, end, at, endedAt, down }`; end is `orderly` or `lost`. */
  lives = [];
  #world;
  #random;
  #steps;
  #name;
  #connection;
  #life;
  #isWanted = true;
  #isOver = false;
  #waiting = new Set();
  #id = 0;
  /** Messages of QoS 2 that have come and are not released. */
  #held = new Set();
  #filters = new Map();
  /** SUBSCRIBE and UNSUBSCRIBE that are not answered. */
  #asked = new Map();
  #isAnew = false;
  #key;
  #revokedMs;
  #isRevoked = false;

  /**
   * @param {{ id: string, text: string }} [key] that it has, where it is not the server's own
   * @param {number} [revokedMs] after this time no connection has a key that was deleted, in simulated milliseconds
   */
  constructor(world, steps, key, revokedMs) {
    this.#world = world;
    this.#key = key;
    this.#revokedMs = revokedMs;
    this.#steps = steps;
    [{ who: this.who, client: this.#name }] = steps;
    this.#random = world.stream(`mqtt ${this.#name}`);
  }

  /** What it was to do. */
  get steps() {
    return this.#steps;
  }

  get name() {
    return this.#name;
  }

  /** Whether everything that it has to say was said. */
  get #isDone() {
    return this.#isOn && this.#asked.size === 0 && this.messages.every(({ phase }) => isOver(phase));
  }

  get #isOn() {
    return this.#life?.isAccepted === true && this.#connection !== undefined;
  }

  // ---- what it does

  async run() {
    void this.#keepConnected();
    for (const step of this.#steps) {
      await this.#world.pause(step.pause + this.#random.fraction());
      for (const fault of step.faults) armFault(this.#world, fault);
      await this.#do(step);
      this.#world.note(`${step.id} ${this.#name} ${step.does}`);
    }
    if (this.isGone) {
      // It never hears what became of what it had said. What goes wrong then is still to happen.
      this.#isOver = true;
      await this.#world.pause(GONE_MS);
      return;
    }
    if (!(await this.#until(() => this.#isDone, 6 * PATIENCE_MS)))
      this.wrong.push(`${this.#name} was never answered: ${JSON.stringify(this.#open())}`);
    await this.leave();
  }

  /** Whether it has vanished for good. */
  get isGone() {
    return this.#steps.at(-1).ms === null;
  }

  /** Comes back, when nothing goes wrong any more, to hear what is left. */
  async comeBack() {
    if (this.isGone) return;
    this.#isWanted = true;
    this.#wake();
    await this.#until(() => this.#isOn, PATIENCE_MS);
  }

  /** Its key is deleted while things go wrong: whether it is connected or comes back, its connection ends. */
  async #revoke() {
    this.#isRevoked = true;
    for (const life of this.lives) if (life.isEnded !== true) life.end = "orderly";
    const deletion = { id: `no key ${this.#name}`, call: "DELETE keys", path: `/keys/${this.#key.id}` };
    for (let attempt = 0; attempt < MAX_DELETIONS; attempt++) {
      if (attempt > 0) await this.#world.pause(50 + this.#random.fraction() * 500);
      const { status } = await send(this.#world, deletion);
      if (status === 200 || status === 404) break;
    }
    await this.#world.pause(this.#revokedMs);
    if (this.#isOn) this.wrong.push(`${this.#name} is connected ${this.#revokedMs} ms after its key was deleted`);
    this.#isWanted = false;
    this.#connection?.cut();
    for (const life of this.lives) life.isOfDeleted = true;
  }

  /** Its key is deleted, while it is connected. @returns why it was not told so in time; `undefined` when it was */
  async revoked(ms) {
    this.#isRevoked = true;
    // Its silence is shorter than its keep alive, which would end the connection before its key does.
    if (this.#isOn) this.#send(ping());
    const life = this.#life;
    // It leaves no will.
    life.end = "orderly";
    const isExpelled = await this.#until(() => life.isEnded === true, ms);
    if (!isExpelled) return `${this.#name} is still connected ${ms} ms after its key was deleted`;
    const isTold = this.who.version === 4 || life.code === 0x87;
    return isTold ? undefined : `the connection of ${this.#name}, whose key was deleted, ended with ${life.code}`;
  }

  /** Says that it leaves. */
  async leave() {
    this.#leave();
    await this.#until(() => this.#connection === undefined, PATIENCE_MS);
  }

  /** How many messages of QoS 1 and 2 it has heard in its session. */
  get heardSurely() {
    return this.epochs.at(-1)?.heard.filter(({ qos }) => qos > 0).length ?? 0;
  }

  /** The filters that its session surely has, each with its QoS. */
  get granted() {
    return [...this.#granted].filter(([filter]) => this.#filters.has(filter));
  }

  end() {
    this.#isOver = true;
    this.#wake();
  }

  #open() {
    return [...this.messages.filter(({ phase }) => !isOver(phase)).map(({ step, phase }) => [step.id, phase])];
  }

  async #do(step) {
    switch (step.does) {
      case "publish":
        this.messages.push({ step, qos: step.qos, ...messageOf(step, this.who), phase: "new" });
        this.#pump();
        return;
      case "subscribe":
        this.#ask(step.filter, step.qos);
        return;
      case "unsubscribe":
        if (this.#filters.has(step.filter)) this.#ask(step.filter, undefined);
        return;
      case "ping":
        if (this.#isOn) this.#send(ping());
        return;
      case "take over":
        // The server learns of the old connection's end by the new one.
        if (!this.#isOn) return;
        this.#life.isAbandoned = true;
        this.#lost(this.#connection, this.#life);
        return;
      case "revoke":
        await this.#revoke();
        return;
      case "vanish":
        this.#isWanted = false;
        this.#connection?.cut();
        await this.#until(() => this.#connection === undefined, PATIENCE_MS);
        break;
      default:
        this.#isAnew = step.does === "begin anew";
        this.#isWanted = false;
        if (this.#isOn) this.#leave();
        else this.#connection?.cut();
        await this.#until(() => this.#connection === undefined, PATIENCE_MS);
    }
    if (step.ms === null) return;
    await this.#world.pause(step.ms ?? 0);
    this.#isWanted = true;
    this.#wake();
  }

  #ask(filter, qos) {
    if (qos === undefined) this.#filters.delete(filter);
    else this.#filters.set(filter, qos);
    if (this.#isOn) this.#sendAsked(filter, qos);
  }

  #sendAsked(filter, qos) {
    const { version } = this.who;
    const id = this.#freeId();
    this.#asked.set(id, { filter, qos });
    this.#send(qos === undefined ? unsubscribe(version, id, filter) : subscribe(version, id, qos, filter));
  }

  #leave() {
    this.#isWanted = false;
    if (!this.#isOn) return this.#connection?.cut();
    this.#life.end = "orderly";
    this.#life.endedAt = this.#world.scheduler.now;
    this.#send(disconnect());
  }

  // ---- waiting

  #wake() {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Waits until something is so. @param isIdle whether the simulation may end before @returns whether it came in time */
  #until(isSo, ms, isIdle = false) {
    if (isSo()) return Promise.resolve(true);
    return new Promise((resolve) => {
      let timer;
      const wake = () => {
        const is = isSo();
        if (!is && timer.happen !== undefined) return;
        this.#world.scheduler.cancel(timer);
        this.#waiting.delete(wake);
        resolve(is);
      };
      timer = this.#world.scheduler.after(ms, wake, isIdle);
      this.#waiting.add(wake);
    });
  }

  // ---- connections

  async #keepConnected() {
    for (let count = 0; !this.#isOver; count++) {
      const isToConnect = () => this.#isOver || (this.#isWanted && this.#connection === undefined);
      await this.#until(isToConnect, Number.MAX_SAFE_INTEGER, true);
      if (this.#isOver) return;
      if (count > MAX_CONNECTIONS) {
        this.wrong.push(`${this.#name} needed more than ${MAX_CONNECTIONS} connections`);
        return;
      }
      if (count > 0) await this.#world.pause(20 + this.#random.fraction() * 400);
      if (this.#isWanted) await this.#connect();
    }
  }

  async #connect() {
    const { lost, status, text, webSocket } = await this.#world.request(
      { call: "GET mqtt", client: this.#name },
      () =>
        new SimulatedRequest("http://127.0.0.1/mqtt", {
          method: "GET",
          headers: { upgrade: "websocket", "sec-websocket-protocol": "mqtt" },
        }),
    );
    if (!webSocket) {
      if (lost === undefined && status !== 503) this.wrong.push(`${this.#name} cannot connect: ${status} ${text}`);
      return;
    }
    const { connection } = webSocket;
    if (!this.#isWanted) return connection.cut();
    const life = { at: this.#world.scheduler.now, isAccepted: false, isSent: false, end: "lost", down: [] };
    this.#connection = connection;
    this.#life = life;
    this.lives.push(life);
    connection.left = (bytes) => life.down.push(...packetsIn(this.who.version, bytes));
    connection.listen({
      message: (bytes) => this.#connection === connection && this.#hear(bytes),
      closed: () => this.#lost(connection, life),
    });
    this.#sendConnect(life);
    const isAnswered = await this.#until(() => life.connack !== undefined || life.isEnded, PATIENCE_MS);
    if (!isAnswered) this.wrong.push(`${this.#name}: CONNECT was not answered in ${PATIENCE_MS} ms`);
  }

  #sendConnect(life) {
    const { version, isKept, expiryS, keepAliveS, receiveMaximum, will } = this.who;
    const isClean = !isKept || this.#isAnew;
    life.isClean = isClean;
    // In 3.1.1 what begins anew ends with its connection.
    life.isKept = isKept && !(version === 4 && isClean);
    life.isSent = true;
    if (will !== undefined) life.will = `will-${this.#name}-${this.lives.length}`;
    this.#send(
      connect({
        version,
        clientId: this.#name,
        isClean,
        keepAlive: keepAliveS,
        expiry: isKept ? expiryS : 0,
        key: this.#key?.text ?? KEY,
        receiveMaximum,
        will: will && { ...will, topic: WILLS, payload: life.will },
      }),
    );
  }

  #lost(connection, life) {
    if (life.isEnded) return;
    life.isEnded = true;
    life.endedAt ??= this.#world.scheduler.now;
    if (this.#connection === connection) this.#connection = undefined;
    this.#asked.clear();
    this.#wake();
  }

  #send(bytes) {
    // The simulation carries it when its memory may have been given to other packets.
    this.#connection?.sendUp(Uint8Array.from(bytes));
  }

  // ---- what it is told

  #hear(bytes) {
    for (const packet of packetsIn(this.who.version, bytes)) this.#take(packet);
    this.#wake();
  }

  #take(packet) {
    switch (packet.type) {
      case TYPE.connack:
        return this.#accepted(packet);
      case TYPE.publish:
        return this.#heard(packet);
      case TYPE.pubrel:
        this.#held.delete(packet.id);
        return this.#send(acknowledge(TYPE.pubcomp, packet.id));
      case TYPE.suback:
      case TYPE.unsuback:
        return this.#answered(packet);
      case TYPE.disconnect:
        this.#life.code = packet.code;
        return undefined;
      case TYPE.pingresp:
        return undefined;
      default:
        return this.#acknowledged(packet);
    }
  }

  #accepted({ code, isPresent }) {
    const life = this.#life;
    life.connack = code;
    if (code !== 0) {
      if (this.#isRevoked && (code === 0x86 || code === 4)) {
        this.#isWanted = false;
        return;
      }
      // What may pass later; anything else is wrong with a key and a session like these.
      if (code !== 0x88 && code !== 0x89 && code !== 3) this.wrong.push(`${this.#name} was refused with ${code}`);
      return;
    }
    life.isAccepted = true;
    this.#isAnew = false;
    this.#judgePresence(life, isPresent);
    const isWhole = this.#resumed(life, isPresent);
    this.#repeat();
    if (isWhole) this.#askAgain();
    else for (const [filter, qos] of this.#filters) this.#sendAsked(filter, qos);
    this.#pump();
  }

  /** Begins a session, or goes on with one. @returns whether its subscriptions are surely there */
  #resumed(life, isPresent) {
    // A session may be there of a CONNECT whose answer was lost.
    const before = this.lives.slice(0, -1).findLast((one) => one.isAccepted);
    const isOther = before === undefined || !before.isKept;
    if (!isPresent || isOther) this.#beginAnew();
    if (!isPresent) return false;
    // Of which of two sessions it is told that it is there, it cannot know: what it hears in it is not judged.
    const isUnsure = !isOther && this.#mayBeAnother(life);
    if (isUnsure) this.epochs.at(-1).isUnsure = true;
    return !isUnsure;
  }

  /** What is under way in a session that goes on is sent again. */
  #repeat() {
    for (const message of this.messages) {
      if (message.phase === "released") this.#send(acknowledge(TYPE.pubrel, message.id));
      else if (message.phase === "sent") this.#sendMessage(message, true);
    }
  }

  /** SUBSCRIBE is sent again when it is not known whether the session has it. */
  #askAgain() {
    for (const [filter, qos] of this.#filters) {
      if (this.#granted.get(filter) !== qos) this.#sendAsked(filter, qos);
    }
  }

  /** What SUBACK has granted, with its QoS. */
  #granted = new Map();

  /** Whether a session is there is not left to chance. */
  #judgePresence(life, isPresent) {
    const before = this.lives.slice(0, -1).findLast(({ isAccepted }) => isAccepted);
    if (life.isClean && isPresent) this.wrong.push(`${this.#name} began a new session, and was given an old one`);
    if (life.isClean || before === undefined || !before.isKept) return;
    const awayMs = life.at - before.endedAt;
    const mostMs = 1_000 * this.who.expiryS;
    if (awayMs > mostMs - SURE_MS) for (const message of this.messages) message.isUnsure ||= message.phase === "sent";
    const isBetween = this.#hasSentSince(before);
    if (!isPresent && awayMs < mostMs - SURE_MS)
      this.wrong.push(`the session of ${this.#name} is gone after ${awayMs} ms`);
    if (isPresent && awayMs > mostMs + SURELY_OVER_MS && !isBetween)
      this.wrong.push(`the session of ${this.#name} is there after ${awayMs} ms`);
  }

  /** Whether a connection after this one, and before the current, may have begun another session, unheard. */
  #hasSentSince(before) {
    return this.lives.slice(this.lives.indexOf(before) + 1, -1).some(({ isSent }) => isSent);
  }

  /** Whether the session that goes on may have begun with a CONNECT whose answer was lost. */
  #mayBeAnother(life) {
    const before = this.lives.slice(0, -1).findLast(({ isAccepted }) => isAccepted);
    return life.at - before.endedAt > 1_000 * this.who.expiryS - SURE_MS && this.#hasSentSince(before);
  }

  #beginAnew() {
    this.epochs.push({ at: this.#world.scheduler.now, heard: [] });
    this.#held.clear();
    this.#granted.clear();
    // What was under way in a session that is gone may have had its effect, or not.
    for (const message of this.messages) {
      if (message.phase === "sent") Object.assign(message, { phase: "dropped" });
      if (message.phase === "released") message.phase = "done";
    }
  }

  #heard(packet) {
    const { qos, id } = packet;
    const epoch = this.epochs.at(-1);
    const at = this.#world.scheduler.now;
    if (qos === 2) {
      if (!this.#held.has(id)) epoch.heard.push({ ...packet, at });
      this.#held.add(id);
      this.#send(acknowledge(TYPE.pubrec, id));
      return;
    }
    epoch.heard.push({ ...packet, at });
    if (qos === 1) this.#send(acknowledge(TYPE.puback, id));
  }

  #answered({ type, id, code }) {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked === undefined) return this.wrong.push(`${this.#name} got an answer to nothing: ${type} ${id}`);
    if (type === TYPE.suback && code !== asked.qos)
      this.wrong.push(`${this.#name} asked for ${asked.filter} with QoS ${asked.qos}, and was answered ${code}`);
    if (type === TYPE.suback) this.#granted.set(asked.filter, asked.qos);
    else this.#granted.delete(asked.filter);
    return undefined;
  }

  #acknowledged({ type, id, code }) {
    const message = this.messages.find((one) => one.id === id && !isOver(one.phase) && one.phase !== "new");
    if (message === undefined || (message.qos === 1) !== (type === TYPE.puback)) {
      this.wrong.push(`${this.#name} got an acknowledgement of nothing: ${type} ${id}`);
      return;
    }
    if (type === TYPE.pubcomp) message.phase = "done";
    else if (type === TYPE.puback || code >= 0x80) this.#over(message, code);
    else {
      this.#judgeRefusal(message, code);
      message.phase = "released";
      this.#send(acknowledge(TYPE.pubrel, id));
    }
    this.#pump();
  }

  #over(message, code) {
    this.#judgeRefusal(message, code);
    message.phase = code >= 0x80 ? "refused" : "done";
  }

  #judgeRefusal({ step }, code) {
    const wanted = this.who.version === 5 ? (REFUSED_WITH[step.verb] ?? 0) : 0;
    if (code !== wanted) this.wrong.push(`message ${step.id} was acknowledged with ${code}, and not ${wanted}`);
  }

  // ---- what it says

  /** Sends what is new, as many messages at a time as it likes. */
  #pump() {
    if (!this.#isOn || this.#life.end === "orderly") return;
    for (const message of this.messages) {
      if (message.phase !== "new") continue;
      const underWay = this.messages.filter(({ phase }) => phase === "sent" || phase === "released").length;
      if (underWay >= this.who.window) return;
      if (message.qos > 0) message.id = this.#freeId();
      this.#sendMessage(message, false);
      message.phase = message.qos === 0 ? "done" : "sent";
    }
  }

  #sendMessage(message, isRepeated) {
    const { topic, payload, qos, id } = message;
    message.epoch = this.epochs.length;
    message.sendings = [...(message.sendings ?? []), { life: this.#life, from: this.#life.down.length }];
    this.#send(publish(this.who.version, topic, payload, qos, id, isRepeated));
  }

  #freeId() {
    const isTaken = (id) => this.#asked.has(id) || this.messages.some((one) => one.id === id && !isOver(one.phase));
    do this.#id = (this.#id % 20) + 1;
    while (isTaken(this.#id));
    return this.#id;
  }
}

const isOver = (phase) => phase === "done" || phase === "refused" || phase === "dropped";
