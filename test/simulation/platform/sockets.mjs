/**
 * WebSockets: between a client and an object, which the platform keeps while the object is not in memory; and between two
 * objects, which both hold themselves.
 */

import { copyOf } from "./copy.mjs";

/** The code of a connection that ends without a close frame. */
const BROKEN = 1006;

/** How much later a message between objects comes that is late, in milliseconds. */
const LATE_MS = 1_500;

/** One WebSocket, and what is on its way over it. */
export class Connection {
  #world;
  node;
  tags = [];
  attachment;
  /** What the client does with messages and with the end: `{ message(text), closed(code, reason) }`. */
  #client;
  #early = [];
  #isCut = false;
  #isClosed = false;
  /** Whether the object knows that the connection is over. */
  #isOverAtObject = false;
  /** Between two objects: what the calling one was doing when it took its end, and the other's end with its life. */
  #pipe;
  /** When the last message arrives each way: none overtakes another. */
  #arrives = { up: 0, down: 0 };

  constructor(world, node) {
    this.#world = world;
    this.node = node;
  }

  get isOpen() {
    return !this.#isCut && !this.#isClosed;
  }

  /** Whether it is between two objects. */
  get isPipe() {
    return this.#pipe !== undefined;
  }

  /** Has something arrive, after all that was sent that way before. */
  #carry(way, arrive) {
    const { scheduler } = this.#world;
    if (this.#isCut) return;
    const fault = this.#pipe === undefined ? this.#world.point("message")?.kind : this.#faultOfPipe(way);
    if (fault === "cut") return this.cut();
    const late = fault === "late" ? LATE_MS : 0;
    const at = Math.max(this.#arrives[way], scheduler.now + late + this.#world.delay());
    this.#arrives[way] = at;
    scheduler.after(at - scheduler.now, () => {
      if (!this.#isCut) arrive();
    });
  }

  /** The connection breaks: what is on its way is lost, and both ends hear of it, each in its own time. */
  cut() {
    if (this.#isCut) return;
    this.#isCut = true;
    const { scheduler } = this.#world;
    this.#release();
    scheduler.after(this.#world.delay(), () => this.#tellClient("closed", BROKEN, ""));
    scheduler.after(this.#world.delay(), () => this.#endAtObject(BROKEN, "", false));
  }

  // ---- between two objects

  /** What a call that is lost, or its reply, does to a pipe; or that a call is late. */
  #faultOfPipe(way) {
    const fault = this.#world.point(way === "up" ? "call" : "reply")?.kind;
    const isAway = way === "up" && this.node.away.until > this.#world.scheduler.now;
    return fault === "lose" || isAway ? "cut" : fault;
  }

  /** The object holds the other end itself, and stays in memory. */
  hold(socket) {
    const life = this.#world.lifeOf(this.node);
    life.underWay++;
    this.node.connections.add(this);
    this.#pipe = { life, socket, from: undefined };
  }

  /** The calling object takes its end. @param {{ message(data), closed(code, reason) }} hears */
  take(hears) {
    const from = this.#world.current;
    this.#pipe.from = from;
    from.life.pipes.add(this);
    this.listen({
      message: (data) => this.#world.in(from, () => hears.message(data)),
      closed: (code, reason) => this.#world.in(from, () => hears.closed(code, reason)),
    });
  }

  sendOver(message) {
    const arrived = message.slice().buffer;
    const { from, socket } = this.#pipe;
    const call = { what: "a message over a pipe", node: this.node, from };
    this.#world.whenDurable(from.node, () =>
      this.#carry("up", () => this.#toObject(() => socket.fire("message", { data: arrived }), call)),
    );
  }

  /** Nothing holds the ends any more. */
  #release() {
    if (this.#pipe === undefined || this.#pipe.isReleased) return;
    this.#pipe.isReleased = true;
    this.#pipe.life.underWay--;
    this.#pipe.from?.life.pipes.delete(this);
  }

  // ---- the client's end

  /** What is heard from now on, and what was before. */
  listen(client) {
    this.#client = client;
    for (const [what, ...values] of this.#early.splice(0)) client[what](...values);
  }

  #tellClient(what, ...values) {
    if (this.#client === undefined) this.#early.push([what, ...values]);
    else this.#client[what](...values);
  }

  /** @param {string | Uint8Array} message */
  sendUp(message) {
    const arrived = typeof message === "string" ? message : message.slice().buffer;
    this.#carry("up", () =>
      this.#toObject(
        (life) =>
          this.isPipe
            ? this.#pipe.socket.fire("message", { data: arrived })
            : life.instance.webSocketMessage(life.socketOf(this), arrived),
        { what: "a message", connection: this, text: message },
      ),
    );
  }

  closeUp() {
    this.#carry("up", () => {
      this.#isClosed = true;
      this.#endAtObject(1000, "", true);
    });
  }

  // ---- the object's end

  /** What hears each message as it leaves the object: for the checker. */
  left = () => {};

  sendDown(message) {
    if (this.#isClosed || this.#isOverAtObject) throw new TypeError("Can't call WebSocket send() after close().");
    const bytes = typeof message === "string" ? message : message.slice();
    const copy = this.#pipe === undefined || bytes === message ? bytes : bytes.buffer;
    this.#world.whenDurable(this.node, () => {
      this.left(copy);
      this.#carry("down", () => this.#tellClient("message", copy));
    });
  }

  closeDown(code, reason) {
    if (!this.isOpen) return;
    this.#isClosed = true;
    this.#world.whenDurable(this.node, () => {
      this.#carry("down", () => {
        this.#tellClient("closed", code, reason);
        // The client answers the close.
        this.#carry("up", () => this.#endAtObject(code, reason, true));
      });
    });
  }

  #endAtObject(code, reason, wasClean) {
    if (!this.node.connections.has(this)) return;
    const over = { what: "the end of a connection", connection: this };
    this.#toObject((life) => {
      this.#isOverAtObject = true;
      this.node.connections.delete(this);
      if (this.#pipe === undefined) return life.instance.webSocketClose(life.socketOf(this), code, reason, wasClean);
      this.#release();
      return this.#pipe.socket.fire("close", { code, reason });
    }, over);
  }

  #toObject(invoke, call) {
    const world = this.#world;
    if (!world.server.isAlive || !this.node.connections.has(this)) return;
    const life = world.lifeOf(this.node);
    if (life.blocks > 0) {
      life.held.push(() => this.#toObject(invoke, call));
      return;
    }
    life.underWay++;
    const over = () => {
      life.underWay--;
    };
    world.in({ node: this.node, life, call }, () => {
      if (world.deadlyPoint("event", life)) return;
      Promise.resolve()
        .then(() => invoke(life))
        .then(over, over);
    });
    world.touch(this.node);
  }
}

/** The end of a connection that tells its listeners what comes. */
class Listened {
  #listeners = [];

  addEventListener(type, listener) {
    this.#listeners.push({ type, listener });
  }

  fire(wanted, event) {
    for (const { type, listener } of this.#listeners) if (type === wanted) listener(event);
  }
}

/** The end that the answer to a request hands over. An object may take it. */
export class ClientSocket extends Listened {
  constructor(connection) {
    super();
    this.connection = connection;
  }

  accept() {
    this.connection.take({
      message: (data) => this.fire("message", { data }),
      closed: (code, reason) => this.fire("close", { code, reason }),
    });
  }

  send(message) {
    if (!this.connection.isOpen) throw new TypeError("Can't call WebSocket send() after close().");
    this.connection.sendOver(message);
  }

  close() {
    this.connection.closeUp();
  }
}

/** The object's end of a connection, as one life of the object has it. */
export class ServerSocket extends Listened {
  bufferedAmount = 0;

  constructor(connection) {
    super();
    this.connection = connection;
  }

  accept() {
    this.connection.hold(this);
  }

  send(text) {
    this.connection.sendDown(text);
  }

  close(code = 1000, reason = "") {
    this.connection.closeDown(code, reason);
  }

  serializeAttachment(value) {
    this.connection.attachment = copyOf(value);
  }

  deserializeAttachment() {
    return copyOf(this.connection.attachment);
  }
}
