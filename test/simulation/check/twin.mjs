/**
 * Judges a simulation by a twin: what has become durable, in the order in which it happened, is done again in a world
 * in which nothing goes wrong and nothing takes time, once each and without keys or repeats. Answers, what
 * can be read at the end, and what webhooks have got must be the same.
 */

import { canonical } from "../../torture/model/text.mjs";
import { isPassing, send } from "../clients.mjs";
import { SimulatedRequest } from "../platform/http.mjs";
import { KEY } from "../platform/platform.mjs";
import { judgeDeliveries } from "./deliveries.mjs";
import { purposeOf } from "./purpose.mjs";
import { judgeSilence } from "./silence.mjs";

/** How long an answer is kept under its key, in milliseconds. */
const KEPT_MS = 86_400_000;

/** What an answer says of its own moment, or of deliveries, which are judged by themselves. */
const TIMELY = /"time_stamp":-?\d+|"last_delivery":(?:null|\{[^{}]*\}),?|,?"waiting":\d+/g;

/** An answer as it is compared. */
export function told({ status, text }) {
  return `${status} ${text.replace(TIMELY, "")}`;
}

const isOkay = (text) => text.startsWith("200");

const OBSERVING = /^POST (?:sequence-)?observe(?:$|\?)/;

/** Notes one more time of a place. */
function noteAt(times, place, clock) {
  const known = times.get(place);
  if (known === undefined) times.set(place, [clock]);
  else known.push(clock);
}

/** Does everything again. */
class Twin {
  #world;
  /** Of each step what its answer may be. */
  expected = new Map();
  /**
   * When records arrived and sessions were ended, by `processor/session`, and when alerts were set, by processor and
   * name. Epoch milliseconds.
   */
  arrivals = new Map();
  endings = new Map();
  setAt = new Map();
  wrong = [];
  #sockets = new Map();
  #stage;
  #hasEvents;

  /**
   * @param {import("../stage.mjs").Stage} stage a world in which nothing goes wrong
   * @param {boolean} hasEvents whether processors may be sent events
   */
  constructor(stage, hasEvents) {
    this.#stage = stage;
    this.#world = stage.world;
    this.#hasEvents = hasEvents;
  }

  async #at({ at, clock, refused }) {
    const { refusals } = this.#world;
    if (refusals !== undefined) {
      refusals.repeated = refused ?? new Map();
      // What it was asked before, it would know else.
      if (refused !== undefined) this.#world.evict();
    }
    this.#world.stopped = undefined;
    await this.#world.runUntil(at);
    this.#world.setClock(clock);
    // However long it takes.
    this.#world.stopped = clock;
  }

  /** When what happened that silences are judged by. */
  get times() {
    const { arrivals, endings, setAt } = this;
    return { arrivals, endings, setAt };
  }

  /** Models are at hand again. */
  refuseNothing() {
    const { refusals } = this.#world;
    if (refusals !== undefined) refusals.repeated = new Map();
  }

  /** Asks the twin what a step asks. */
  async ask(step) {
    return told(await this.#stage.until(send(this.#world, step)));
  }

  async play(run, stepOfFrame) {
    if (run.isGrading && this.#world.gradings !== undefined) return this.#grade(run);
    const purpose = purposeOf(run);
    if (purpose === undefined) return;
    if (purpose.kind === "step") await this.#step(run, purpose.step);
    else if (purpose.kind === "frame") await this.#frame(run, stepOfFrame(run.call.connection, run.call.text));
    else if (this.#hasEvents) await this.#event(run);
    else this.wrong.push(`${run.node.id} got an event that no plan has`);
  }

  /** An event that another processor has sent: it knows by its number whether it comes again. */
  async #event(run) {
    const { about, body, path } = run.call;
    await this.#call(run, { what: path, path, body, about }, (object) => object.unary(path, body.slice(), about));
  }

  /** Some of what was loaded without a record of forecasts is graded. */
  async #grade(run) {
    const verb = this.#world.gradings.verb(run);
    await this.#call(run, { what: "gradings" }, (object) => object.gradePart(verb));
  }

  /** Has an object do what another of its name has done. */
  async #call(run, call, invoke) {
    await this.#at(run);
    const world = this.#world;
    const node = world.node(run.node.kind, run.node.name);
    try {
      await this.#stage.until(world.in({ server: world.server }, () => world.call(node, call, invoke)));
    } catch (error) {
      this.wrong.push(`${run.node.id} did ${call.what}, which its twin refuses: ${error.message}`);
    }
  }

  async #step(run, step) {
    if (step.call.startsWith("GET stream")) return;
    const before = this.expected.get(step) ?? { texts: [], attempt: undefined };
    this.expected.set(step, before);
    const { attempt } = run.call.from;
    // One attempt may need several verbs. What was refused was perhaps asked once more, because the answer was lost.
    const isAnswered = before.texts.length === 0 || isOkay(before.texts.at(-1));
    if (before.attempt === attempt && isAnswered) return;
    before.attempt = attempt;
    // What is numbered is told apart by its session, which may end meanwhile.
    if (before.done !== undefined && step.key !== undefined && run.clock - before.done < KEPT_MS) return;
    if (before.done !== undefined && !isRepeatable(step) && run.writes) {
      this.wrong.push(`step ${step.id}, ${step.call}, took effect twice`);
    }
    await this.#at(run);
    const { key: _, ...rest } = step;
    const text = await this.ask(rest);
    before.texts.push(text);
    if (isOkay(text)) this.#note(run, step, text);
    if (isOkay(text) && step.call === "POST load_kb") this.#world.gradings?.replaced(run.node);
    // What is refused is not kept.
    if (run.writes && isOkay(text)) before.done = run.clock;
  }

  async #frame(run, step) {
    if (step === undefined) return this.wrong.push(`a frame came of which no step tells: ${run.call.text}`);
    await this.#at(run);
    const before = this.expected.get(step) ?? { texts: [] };
    this.expected.set(step, before);
    const answer = await this.#sendFrame(step);
    before.texts.push(canonical({ ...answer, n: 0 }));
    const isTaken = answer?.error === undefined && answer?.redelivered !== true && step.frame.observe?.length > 0;
    if (isTaken) this.#arrive(`${step.processor}/${step.session}`, run.clock);
  }

  /** Notes what silences are counted from. */
  #note({ clock }, { call, processor, session }, text) {
    const [, alert] = /^PUT alerts\/(.+)$/.exec(call) ?? [];
    if (alert !== undefined) this.setAt.set(`${processor} ${alert}`, clock);
    const [, ended] = /^DELETE sessions\/(.+)$/.exec(call) ?? [];
    if (ended !== undefined) noteAt(this.endings, `${processor}/${ended}`, clock);
    if (call === "POST clear-all-memory") this.#endAll(processor, clock);
    if (OBSERVING.test(call) && !text.includes('"redelivered":true')) this.#arrive(`${processor}/${session}`, clock);
  }

  /** All sessions of a processor were ended. */
  #endAll(processor, clock) {
    for (const place of this.arrivals.keys()) {
      const isOwn = place === `${processor}/`;
      if (place.startsWith(`${processor}/`) && !isOwn) noteAt(this.endings, place, clock);
    }
  }

  #arrive(place, clock) {
    noteAt(this.arrivals, place, clock);
  }

  /** Sends a frame over the connection of its device, which is opened when there is none. */
  async #sendFrame({ processor, session, source, text }) {
    const place = `${processor}/${session}/${source}`;
    let answer;
    const opened = async () => {
      const known = this.#sockets.get(place);
      if (known?.isOpen) return known;
      const path = `/${processor}/${session === "" ? "" : `sessions/${session}/`}stream?source=${source}`;
      const headers = { "x-api-key": KEY, upgrade: "websocket", "sec-websocket-protocol": "noema.v1" };
      const about = { call: "GET stream", client: source };
      const { webSocket } = await this.#world.request(
        about,
        () => new SimulatedRequest(`http://127.0.0.1${path}`, { method: "GET", headers }),
      );
      this.#sockets.set(place, webSocket.connection);
      return webSocket.connection;
    };
    const ask = async () => {
      const connection = await opened();
      await new Promise((resolve) => {
        connection.listen({
          message: (said) => {
            answer = JSON.parse(said);
            if (answer.welcome === undefined) resolve();
          },
          closed: resolve,
        });
        connection.sendUp(text);
      });
    };
    await this.#stage.until(ask());
    return answer;
  }
}

/** Whether a step may be sent again, because it has effect once. */
export const isRepeatable = ({ key, isNumbered }) => key !== undefined || isNumbered === true;

/** What is wrong with the answer to a step; `undefined` for nothing. */
function wrongAnswer(step, texts, mayFail) {
  const { outcome, id, call } = step;
  if (outcome === undefined) return `step ${id}, ${call}, never ended`;
  if (outcome.threw) return `step ${id}, ${call}, made the Worker throw: ${outcome.text}`;
  if (isPassing(outcome)) {
    if (isRepeatable(step)) return `step ${id}, ${call}, was never answered: ${outcome.lost ?? outcome.text}`;
    return mayFail ? undefined : `step ${id}, ${call}, was answered ${outcome.status} without a fault: ${outcome.text}`;
  }
  const got = told(outcome);
  if (texts.length === 0) return `step ${id}, ${call}, was answered, and nothing of it is durable: ${got}`;
  // What was taken before is told so, and nothing else of it is.
  if (texts.includes(got) || (step.isNumbered && got.includes('"redelivered":true') && texts.some(isOkay)))
    return undefined;
  return `step ${id}, ${call}, was answered otherwise than its twin:\n    got  ${got}\n    twin ${texts.join("\n      or ")}`;
}

function wrongFrame({ id, isTaken, isPassed, answer, refusals = [] }, texts) {
  if (isPassed) return undefined;
  if (!isTaken) return `frame ${id} was never taken: ${JSON.stringify(refusals)}`;
  if (texts.length === 0) return `frame ${id} was acknowledged, and nothing of it is durable`;
  if (answer === undefined || answer.redelivered) return undefined;
  const got = canonical({ ...answer, n: 0 });
  return texts.includes(got) ? undefined : `frame ${id} was answered ${got}, and its twin says ${texts.join(" or ")}`;
}

/**
 * Judges what has happened in a world by a twin.
 *
 * @param {{ steps: object[], end: object[], world: object, twin: import("../stage.mjs").Stage, hasEvents?: boolean }}
 *   simulation steps: of the plan; end: what was read at the end; twin: where nothing goes wrong, with the same agent;
 *   hasEvents: whether processors may be sent events
 * @returns {Promise<string[]>} what is wrong, in sentences; none when all is right
 */
export async function judgeByTwin({ steps, end, world, twin: other, hasEvents = false }) {
  const twin = new Twin(other, hasEvents);
  const frames = new Map(steps.filter(({ frame }) => frame).map((step) => [`${step.source}\n${step.text}`, step]));
  const stepOfFrame = ({ attachment }, text) => frames.get(`${attachment?.source}\n${text}`);
  for (const run of world.runs) if (run.fate === "durable") await twin.play(run, stepOfFrame);
  twin.refuseNothing();
  const { wrong } = twin;
  const hasFaults = steps.some(({ faults }) => faults.length > 0);
  for (const step of [...steps, ...end]) {
    const known = twin.expected.get(step);
    let texts = known?.texts ?? [];
    // What is refused before it comes to a processor, or needs several of them, leaves nothing there.
    const isElsewhere = texts.length === 0 && step.outcome?.text !== undefined && !isPassing(step.outcome);
    if (isElsewhere && (step.client === "end" || step.outcome.status >= 400)) texts = [await twin.ask(step)];
    const mayFail = hasFaults && step.client !== "end";
    const sentence = step.frame === undefined ? wrongAnswer(step, texts, mayFail) : wrongFrame(step, texts);
    if (sentence !== undefined) wrong.push(sentence);
  }
  wrong.push(...judgeDeliveries(world.hooks, other.world, steps));
  wrong.push(...judgeSilence({ steps, end, world, ...twin.times }));
  return wrong;
}
