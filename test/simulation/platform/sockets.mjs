/** WebSockets between a client and an object that the platform keeps while the object is not in memory. */

/** The code of a connection that ends without a close frame. */
const BROKEN = 1006;

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
  /** When the last message arrives each way: none overtakes another. */
  #arrives = { up: 0, down: 0 };

  constructor(world, node) {
    this.#world = world;
    this.node = node;
  }

  get isOpen() {
    return !this.#isCut && !this.#isClosed;
  }

  /** Has something arrive, after all that was sent that way before. */
  #carry(way, arrive) {
    const { scheduler } = this.#world;
    if (this.#isCut) return;
    if (this.#world.point("message")?.kind === "cut") return this.cut();
    const at = Math.max(this.#arrives[way], scheduler.now + this.#world.delay());
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
    scheduler.after(this.#world.delay(), () => this.#tellClient("closed", BROKEN, ""));
    scheduler.after(this.#world.delay(), () => this.#endAtObject(BROKEN, "", false));
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
      this.#toObject((life) => life.instance.webSocketMessage(life.socketOf(this), arrived), message),
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
    const copy = typeof message === "string" ? message : message.slice();
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
    this.#toObject((life) => {
      this.#isOverAtObject = true;
      this.node.connections.delete(this);
      return life.instance.webSocketClose(life.socketOf(this), code, reason, wasClean);
    });
  }

  #toObject(invoke, text) {
    const world = this.#world;
    if (!world.server.isAlive || !this.node.connections.has(this)) return;
    const life = world.lifeOf(this.node);
    if (life.blocks > 0) {
      life.held.push(() => this.#toObject(invoke, text));
      return;
    }
    life.underWay++;
    const over = () => {
      life.underWay--;
    };
    const call = { what: "a message", connection: this, text };
    world.in({ node: this.node, life, call }, () => {
      if (world.deadlyPoint("event", life)) return;
      Promise.resolve()
        .then(() => invoke(life))
        .then(over, over);
    });
    world.touch(this.node);
  }
}

/** The object's end of a connection, as one life of the object has it. */
export class ServerSocket {
  bufferedAmount = 0;

  constructor(connection) {
    this.connection = connection;
  }

  accept() {}

  send(text) {
    this.connection.sendDown(text);
  }

  close(code = 1000, reason = "") {
    this.connection.closeDown(code, reason);
  }

  serializeAttachment(value) {
    this.connection.attachment = structuredClone(value);
  }

  deserializeAttachment() {
    return structuredClone(this.connection.attachment);
  }
}
