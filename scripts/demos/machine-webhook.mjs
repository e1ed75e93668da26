/**
 * A webhook on this machine, for the alerts of a demo: it checks signatures with the library of Standard Webhooks, and
 * takes each delivery once.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";

/** Poll interval while waiting, in milliseconds. */
const LOOK_MS = 50;

/** A webhook that runs. */
export class MachineWebhook {
  /** How many deliveries of surprises came, each counted once. */
  deliveries = 0;
  /** For how many surprises they stand. */
  surprises = 0;
  /** How many requests had no right signature. */
  forgeries = 0;
  #taken = new Set();
  #onDelivery = (_data) => {};
  #checker;
  #server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Starts one on any free port. */
  static async start() {
    const webhook = new MachineWebhook();
    webhook.#server.listen(0, "127.0.0.1");
    await once(webhook.#server, "listening");
    return webhook;
  }

  /** The host with its port, as the variable NOEMA_ALERT_HOSTS lists it. */
  get host() {
    return `127.0.0.1:${this.#server.address().port}`;
  }

  /**
   * Accepts deliveries signed with a secret from now on; before that, everything is refused.
   *
   * @param {string} secret
   * @param {(data: { alert: string, count: number, surprise: import("noema/client").Schemas.Surprise }) => void}
   *   onDelivery called with the content of a delivery
   */
  open(secret, onDelivery) {
    this.#checker = new Webhook(secret);
    this.#onDelivery = onDelivery;
  }

  /** Waits until deliveries account for this number of surprises. @returns whether they came in time */
  async heard(surprises, withinMs) {
    for (const end = Date.now() + withinMs; this.surprises < surprises; await sleep(LOOK_MS)) {
      if (Date.now() > end) return false;
    }
    return true;
  }

  /** Ends it. */
  async stop() {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request, response) {
    const body = await text(request);
    try {
      const { type, data } = this.#checker.verify(body, request.headers);
      // The alert also tells when an incident begins, with the first of its surprises.
      if (type === "noema.surprise") this.#take(request.headers["webhook-id"], data);
      response.writeHead(204).end();
    } catch {
      this.forgeries++;
      response.writeHead(401).end();
    }
  }

  /** A delivery may come twice. */
  #take(id, data) {
    if (this.#taken.has(id)) return;
    this.#taken.add(id);
    this.deliveries++;
    this.surprises += data.count;
    this.#onDelivery(data);
  }
}
