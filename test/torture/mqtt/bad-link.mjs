/**
 * A bad link between MQTT clients and a server, over WebSocket or TCP. It cuts bytes into packets, delays them, sends some twice in
 * a row, and ends connections before a packet, within one, or by silence. What happens is drawn with a seed.
 */

import { once } from "node:events";
import { connect as connectTo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket, WebSocketServer } from "ws";

/** What can end a connection, as often as it stands here. */
const ENDS = ["reset before a packet", "reset within a packet", "the sender's half is lost", "silence", "never"];

/** After so much silence, both sides are reset, in milliseconds. */
const SILENCE_MS = 1000;

/** One packet of this many is sent twice, and one of this many waits. */
const REPEAT_ONE_OF = 20;
const DELAY_ONE_OF = 15;

/** How long a packet waits at most, in milliseconds. */
const MAX_DELAY_MS = 40;

/** Whether a packet may be sent twice: PUBLISH of QoS 1 and 2, and what acknowledges. Of the rest, a repetition is another message. */
function isRepeatable(packet) {
  const type = packet[0] >> 4;
  return (type === 3 && (packet[0] & 0x06) !== 0) || (type >= 4 && type <= 7);
}

/** The whole packets in bytes that come in pieces. */
class Packets {
  #held = Buffer.alloc(0);

  push(bytes) {
    this.#held = Buffer.concat([this.#held, bytes]);
    const packets = [];
    for (let size = this.#size(); size <= this.#held.length; size = this.#size()) {
      packets.push(this.#held.subarray(0, size));
      this.#held = this.#held.subarray(size);
    }
    return packets;
  }

  #size() {
    let length = 0;
    for (let at = 1; at <= 4; at++) {
      const byte = this.#held[at];
      if (byte === undefined) return Number.POSITIVE_INFINITY;
      length += (byte & 0x7f) * 128 ** (at - 1);
      if (byte < 0x80) return 1 + at + length;
    }
    throw new Error("the bytes of a peer are no packets");
  }
}

/** A socket of TCP as a side of a link. */
function tcpSide(socket) {
  socket.setNoDelay(true);
  return {
    hear: (take, gone) =>
      socket
        .on("data", take)
        .on("error", () => {})
        .on("close", gone),
    write: (bytes) => socket.write(bytes),
    reset: () => socket.destroy(),
  };
}

/** A WebSocket as a side of a link. What comes before it is open waits. */
function webSide(socket) {
  const early = [];
  socket.on("open", () => {
    for (const bytes of early) socket.send(bytes);
  });
  return {
    hear: (take, gone) =>
      socket
        .on("message", take)
        .on("error", () => {})
        .on("close", gone),
    write: (bytes) => {
      if (socket.readyState === WebSocket.CONNECTING) early.push(Buffer.from(bytes));
      else if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
    },
    reset: () => socket.terminate(),
  };
}

/** A bad link to one server. */
export class BadLink {
  /** How many connections ended in each way, and what became of packets. */
  counts = new Map();
  /** Whether it still does harm. */
  isBad = true;
  #random;
  #mostPackets;
  #servers = [];

  /** @param {{ below(bound: number): number }} random @param {number} mostPackets a connection is ended after at most this many */
  constructor(random, mostPackets) {
    this.#random = random;
    this.#mostPackets = mostPackets;
  }

  /** Takes WebSockets for a server. @param {string} address http://... @returns {Promise<string>} where to connect */
  async listenWeb(address) {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "mqtt" });
    const to = `${address.replace("http", "ws")}/mqtt`;
    server.on("connection", (client) => this.#join(webSide(client), webSide(new WebSocket(to, "mqtt"))));
    await once(server, "listening");
    this.#servers.push(server);
    return `ws://127.0.0.1:${server.address().port}/mqtt`;
  }

  /** Takes TCP for a server. @param {string} address mqtt://... @returns {Promise<string>} where to connect */
  async listenTcp(address) {
    const { hostname, port } = new URL(address);
    const server = createServer((client) => this.#join(tcpSide(client), tcpSide(connectTo(Number(port), hostname))));
    server.listen(0, "127.0.0.1", 4096);
    await once(server, "listening");
    this.#servers.push(server);
    return `mqtt://127.0.0.1:${server.address().port}`;
  }

  close() {
    for (const server of this.#servers) server.close();
  }

  #count(what) {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  #join(client, server) {
    const how = ENDS[this.#random.below(ENDS.length)];
    const link = { how, left: 2 + this.#random.below(this.#mostPackets), isOver: false };
    const reset = () => {
      link.isOver = true;
      client.reset();
      server.reset();
    };
    this.#pass(client, server, link, reset);
    this.#pass(server, client, link, reset);
  }

  #pass(from, to, link, reset) {
    const packets = new Packets();
    let before = Promise.resolve();
    from.hear(
      (bytes) => {
        for (const packet of packets.push(Buffer.from(bytes))) {
          const each = Buffer.from(packet);
          before = before.then(() => this.#carry(each, to, link, reset));
        }
      },
      () => {
        before = before.then(reset);
      },
    );
  }

  async #carry(packet, to, link, reset) {
    if (link.isOver) return;
    if (this.isBad && this.#random.below(DELAY_ONE_OF) === 0) {
      this.#count("packets delayed");
      await sleep(this.#random.below(MAX_DELAY_MS));
      if (link.isOver) return;
    }
    if (this.isBad && link.how !== "never" && link.left-- <= 0) {
      this.#end(packet, to, link, reset);
      return;
    }
    to.write(packet);
    if (!this.isBad || !isRepeatable(packet) || this.#random.below(REPEAT_ONE_OF) !== 0) return;
    this.#count("packets sent twice");
    to.write(packet);
  }

  #end(packet, to, link, reset) {
    link.isOver = true;
    this.#count(`connections ended: ${link.how}`);
    if (link.how === "reset before a packet") return reset();
    if (link.how === "reset within a packet") to.write(packet.subarray(0, Math.ceil(packet.length / 2)));
    // Bytes that were written arrive before the reset where there is a moment between.
    const ms = link.how === "silence" ? SILENCE_MS : 5;
    if (link.how === "the sender's half is lost") to.reset();
    setTimeout(reset, ms).unref();
    return undefined;
  }
}
