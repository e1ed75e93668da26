/** The clients of a simulation: each does its own steps of a plan, one after the other, as real clients do. */

import { FAULTS } from "./plan/faults.mjs";
import { SimulatedRequest } from "./platform/http.mjs";
import { KEY } from "./platform/platform.mjs";

/** A call with a key, and a connection, is tried again so often. More are never needed: faults end. */
const MAX_ATTEMPTS = 60;

/** After this number of attempts a client waits longer between them: what is away may be so for half a minute. */
const SOON_ATTEMPTS = 20;
const TIMES_LATER = 8;

/** How many frames a device has under way. */
const WINDOW = 3;

/** The path of an operation. */
export function pathOf({ processor, session, call }) {
  const [, operation] = call.split(" ");
  return `/${processor}/${session === "" ? "" : `sessions/${session}/`}${operation}`;
}

/** Sends a step's request once. */
export function send(world, step) {
  const [method] = step.call.split(" ");
  const body = step.text ?? (step.body === undefined ? undefined : JSON.stringify(step.body));
  const headers = {
    "x-api-key": step.apiKey ?? KEY,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(step.key === undefined ? {} : { "idempotency-key": step.key }),
  };
  const path = step.path ?? pathOf(step);
  return world.request(step, () => new SimulatedRequest(`http://127.0.0.1${path}`, { method, headers, body }));
}

/** Has a fault happen, or arms it. */
export function armFault(world, { fault, after, ...about }) {
  if (fault === "evict") world.evict();
  else if (fault === "evict-parts") world.evict(({ part }) => part !== undefined);
  else if (fault === "evict-heads") world.evict(({ part }) => part === undefined);
  else if (fault === "processor-away") world.leave(about);
  else if (fault === "part-away" || fault === "part-silent")
    world.leave({ ...about, isSilent: fault === "part-silent" });
  else if (fault === "set-clock") world.setClock(world.clock + about.ms);
  else world.arm({ ...FAULTS[fault], after, ...about });
}

/** Arms what goes wrong during a step. */
function arm(world, { faults = [] }) {
  for (const fault of faults) armFault(world, fault);
}

/** Whether another attempt may have another answer. */
export function isPassing({ lost, status }) {
  return lost !== undefined || status === 503 || status === 507;
}

/** A client that sends requests. */
export async function runRequests(world, steps) {
  const random = world.stream(`client ${steps[0].client}`);
  for (const step of steps) {
    await world.pause(step.pause + random.fraction());
    arm(world, step);
    step.outcome = await send(world, step);
    const isRepeatable = step.key !== undefined || step.isNumbered;
    for (let attempt = 1; isRepeatable && isPassing(step.outcome) && attempt < MAX_ATTEMPTS; attempt++) {
      await world.pause((50 + random.fraction() * 400) * (attempt < SOON_ATTEMPTS ? 1 : TIMES_LATER));
      step.outcome = await send(world, step);
    }
    world.note(`${step.id} ${step.client} ${step.call}: ${step.outcome.lost ?? step.outcome.status}`);
  }
}

/** A device that sends frames over a stream, and after a break all that the server does not have. */
export class Device {
  #world;
  #steps;
  #random;
  /** How many frames have an answer, and how many were sent over this connection. */
  #answered = 0;
  #sent = 0;
  #connection;
  #ended;

  constructor(world, steps) {
    this.#world = world;
    this.#steps = steps;
    this.#random = world.stream(`device ${steps[0].client}`);
    for (const [at, step] of steps.entries()) step.text = JSON.stringify({ n: at + 1, ...step.frame });
  }

  async run() {
    for (let attempt = 0; attempt < MAX_ATTEMPTS && this.#answered < this.#steps.length; attempt++) {
      const times = attempt < SOON_ATTEMPTS ? 1 : TIMES_LATER;
      if (attempt > 0) await this.#world.pause((20 + this.#random.fraction() * 500) * times);
      const { webSocket } = await this.#open();
      if (webSocket) await this.#serve(webSocket.connection);
    }
    this.#connection?.closeUp();
  }

  #open() {
    const { processor, session, source } = this.#steps[0];
    const path = `/${processor}/${session === "" ? "" : `sessions/${session}/`}stream?source=${source}`;
    const headers = { "x-api-key": KEY, upgrade: "websocket", "sec-websocket-protocol": "noema.v1" };
    const about = { call: "GET stream", client: source };
    return this.#world.request(
      about,
      () => new SimulatedRequest(`http://127.0.0.1${path}`, { method: "GET", headers }),
    );
  }

  /** Resolves when the connection has ended, or all frames have answers. */
  #serve(connection) {
    this.#connection = connection;
    this.#sent = Number.NaN;
    return new Promise((resolve) => {
      this.#ended = resolve;
      connection.listen({
        message: (text) => this.#connection === connection && this.#hear(JSON.parse(text)),
        closed: () => {
          if (this.#connection === connection) this.#connection = undefined;
          resolve();
        },
      });
    });
  }

  /** A frame that was refused takes no number; the next one, which was under way, has taken it then. */
  #note(step) {
    if (step.refusals === undefined) step.isTaken = true;
    else step.isPassed = true;
  }

  #hear(said) {
    if (said.welcome !== undefined) {
      // What the server has, it has: the answers were lost.
      for (; this.#answered < said.welcome.last; this.#answered++) this.#note(this.#steps[this.#answered]);
      this.#sent = this.#answered;
    } else if (said.error !== undefined) {
      this.#world.note(`${this.#steps[0].client} is refused ${JSON.stringify(said)}`);
      const step = this.#steps[(said.n ?? 0) - 1];
      if (step !== undefined) step.refusals = [...(step.refusals ?? []), said];
      this.#connection.cut();
      return;
    } else {
      const step = this.#steps[said.n - 1];
      step.answer = said;
      step.isTaken = true;
      this.#answered = Math.max(this.#answered, said.n);
    }
    this.#pump(this.#connection);
    if (this.#answered >= this.#steps.length) this.#ended();
  }

  /** Sends the next frames over a connection, as many as may be under way; before some it pauses, once. */
  #pump(connection) {
    if (connection === undefined || this.#connection !== connection) return;
    while (this.#sent < this.#steps.length && this.#sent < this.#answered + WINDOW) {
      const step = this.#steps[this.#sent];
      if (step.pause > 0 && step.isDue !== true) {
        // The frames that are behind it wait with it.
        if (step.isDue === undefined) void this.#rest(step);
        return;
      }
      this.#sent++;
      if (step.isArmed !== true) arm(this.#world, step);
      step.isArmed = true;
      connection.sendUp(step.text);
    }
  }

  async #rest(step) {
    step.isDue = false;
    await this.#world.pause(step.pause);
    step.isDue = true;
    this.#pump(this.#connection);
  }
}
