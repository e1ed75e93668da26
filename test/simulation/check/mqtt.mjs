/**
 * Judges plans of MQTT: what clients have published is in their memories as its quality of service says, in order; what
 * was queued for a client it has heard, in order, and of QoS 2 once; and wills were published where a client was lost.
 */

import { TYPE } from "../../support/mqtt/packets.mjs";
import { comparable } from "../../torture/model/answers.mjs";
import { ProcessorModel } from "./agent-model.mjs";

/** A client that comes back this much sooner than its will is due, or later, has prevented it, or not, in milliseconds. */
const SURE_MS = 2_000;

/** Faults that no server sees. */
const OUTSIDE = new Set(["cut-stream", "lose-request", "lose-answer", "evict"]);

const messageIn = ({ outcome }) => JSON.parse(outcome.text).message;

// ---- what was published

/** What a message does to the model of its memory. */
function play(model, session, { step }) {
  const ask = (call, body) => model.ask({ call, body, session, writes: true });
  switch (step.verb) {
    case "learn":
      return ask("POST learn");
    case "clear":
      return ask("POST working-memory/clear");
    case "observe":
    case "route":
      for (const strings of step.symbols)
        ask("POST observe", { data: { strings, vectors: [], emotives: {}, metadata: {} } });
      return undefined;
    default:
      return undefined;
  }
}

/** Everything that a client of QoS 2 has published has had its effect once, and in order. */
function judgeExact({ name, who, messages }, readings) {
  const model = new ProcessorModel(who.processor, who.processor.toUpperCase(), []);
  for (const message of messages) play(model, name, message);
  return readings
    .filter(
      ({ processor, session, call }) => processor === who.processor && (session === name || call === "GET get_kb"),
    )
    .flatMap((step) => {
      const { session, call } = step;
      const wanted = model.ask({ call, session, writes: false });
      const got = comparable(step.outcome);
      return got === wanted ? [] : [`${name}, ${call}:\n    got    ${got}\n    wanted ${wanted}`];
    });
}

/** Whether PUBACK had left the server before a message was repeated. */
const isAckSent = ({ id, sendings = [] }) =>
  sendings
    .slice(0, -1)
    .some(({ life, from }) => life.down.slice(from).some((packet) => packet.type === TYPE.puback && packet.id === id));

/** How often a message may have its effect: `[least, most]`. */
function allowed(message, isCalm) {
  const { qos, phase, isUnsure, step } = message;
  if (step.verb === "malformed" || step.verb === "unroutable" || phase === "refused" || phase === "new") return [0, 0];
  if (qos === 0) return [isCalm ? 1 : 0, 1];
  const isSure = phase === "done" && !isUnsure;
  const most = isUnsure || (qos === 1 && isAckSent(message)) ? Number.POSITIVE_INFINITY : 1;
  return [isSure ? 1 : 0, most];
}

/**
 * Whether messages of one session had their effect in another order than they were sent. What is under way when a
 * session ends may have its effect after what is sent in the next one.
 */
function areMixed(messages, events) {
  const latest = new Map();
  return messages.some(({ epoch, step }) =>
    (step.symbols ?? []).some(([symbol]) => {
      const at = events.indexOf(symbol);
      const isMixed = at >= 0 && at < (latest.get(epoch) ?? 0);
      if (at >= 0) latest.set(epoch, at);
      return isMixed;
    }),
  );
}

/** The messages of any quality of service: each symbol is of one message alone. */
function judgeMixed({ name, messages }, readings, isCalm) {
  const read = readings.find(({ session, call }) => session === name && call === "GET working-memory");
  const events = messageIn(read).map((event) => event.join());
  const wrong = [];
  const known = new Set();
  for (const message of messages) {
    const [least, most] = allowed(message, isCalm);
    for (const [symbol] of message.step.symbols ?? []) {
      known.add(symbol);
      const count = events.filter((event) => event === symbol).length;
      if (count < least || count > most)
        wrong.push(`${symbol} of ${name}, QoS ${message.qos}, ${message.phase}, is there ${count} times`);
    }
  }
  for (const event of events)
    if (!known.has(event)) wrong.push(`${event} is in the memory of ${name}, which never sent it`);
  if (areMixed(messages, events)) wrong.push(`the messages of ${name} are out of order: ${events}`);
  return wrong;
}

// ---- what was heard

const keyOf = ({ topic, payload, qos, isRetained }) => JSON.stringify([topic, payload, qos, isRetained]);

/** What was heard, less what came again because its acknowledgement was lost. */
function withoutRepeats(heard) {
  const newest = new Map();
  return heard.filter((packet) => {
    const { id, qos, isRepeated } = packet;
    const key = keyOf(packet);
    const isAgain = qos === 1 && isRepeated && newest.get(id) === key;
    newest.set(id, key);
    return !isAgain;
  });
}

/** What was heard in a session is what was queued in it. @param isWhole whether all of it has come */
function judgeEpoch(name, { heard }, queued, isWhole) {
  const wrong = [];
  const got = withoutRepeats(heard.filter(({ qos }) => qos > 0)).map(keyOf);
  const wanted = queued.filter(({ fate }) => fate === "durable").map(keyOf);
  const at = got.findIndex((key, index) => key !== wanted[index]);
  if (at >= 0) wrong.push(`${name} heard as message ${at}:\n    got    ${got[at]}\n    wanted ${wanted[at]}`);
  else if (isWhole && got.length < wanted.length)
    wrong.push(`${name} never heard message ${got.length} of ${wanted.length}: ${wanted[got.length]}`);
  const once = heard.filter(({ qos, topic }) => qos === 0 && topic.endsWith("/observed")).map(keyOf);
  const twice = once.find((key, index) => once.indexOf(key) !== index);
  if (twice !== undefined) wrong.push(`${name} heard twice with QoS 0: ${twice}`);
  return wrong;
}

/** Nothing is missing between the events that were queued. */
function judgeGaps(name, queued, timeOf) {
  const wrong = [];
  const last = new Map();
  for (const { topic, payload } of queued) {
    const [, memory] = /sessions\/([^/]+)\/observed$/.exec(topic) ?? [];
    if (memory === undefined) continue;
    const { interval } = JSON.parse(payload);
    if (last.has(topic) && interval > last.get(topic) + 1) wrong.push(`${name}: ${topic} is missing before ${payload}`);
    last.set(topic, interval);
  }
  for (const [topic, interval] of last) {
    const time = timeOf(topic);
    // More was observed there since.
    if (time !== undefined && interval < time)
      wrong.push(`${name}: ${topic} ends with ${interval}, and not with ${time}`);
  }
  return wrong;
}

function judgeHeard(client, queue, { isOutside, timeOf }) {
  const { name, who, epochs } = client;
  const own = queue.filter((entry) => entry.client === name);
  const doesUnsubscribe = client.steps.some(({ does }) => does === "unsubscribe");
  return epochs.flatMap((epoch, index) => {
    if (epoch.isUnsure) return [];
    const next = epochs[index + 1];
    const queued = own.filter(({ at }) => at >= epoch.at && at < (next?.at ?? Number.POSITIVE_INFINITY));
    const isWhole = next === undefined && who.isKept && !client.isGone;
    const wrong = judgeEpoch(name, epoch, queued, isWhole);
    if (isWhole && isOutside && !doesUnsubscribe) wrong.push(...judgeGaps(name, queued, timeOf));
    return wrong;
  });
}

/** Whether a topic filter matches a topic, or the same with the name of the processor. */
function matches(filter, [noema, processor, ...rest]) {
  const levels = filter.split("/");
  return [processor, processor.toUpperCase()].some((name) =>
    [noema, name, ...rest].every((level, at) => {
      const hash = levels.indexOf("#");
      return (hash >= 0 && at >= hash) || levels[at] === "+" || levels[at] === level;
    }),
  );
}

/** Who subscribes to a memory hears what is observed there. @param isMet whether all were there, or away */
function judgeProbes({ name, who, epochs, granted }, probes, isMet) {
  const epoch = epochs.findLast(({ at }) => at <= probes[0]?.at);
  // What is not kept hears nothing while it is away.
  if (epoch === undefined || (!isMet && (!who.isKept || epoch !== epochs.at(-1)))) return [];
  return probes.flatMap(({ processor, session, symbol }) => {
    const topic = ["noema", processor, "sessions", session, "observed"];
    const isAsked = granted.some(([filter, qos]) => (isMet || qos > 0) && matches(filter, topic));
    const isHeard = epoch.heard.some(({ payload }) => {
      const event = payload === "" ? {} : JSON.parse(payload);
      return event.event === "observed" && event.session === session && event.unique_id === symbol;
    });
    return isAsked && !isHeard ? [`${name} never heard what was observed in ${topic.join("/")} ${symbol}`] : [];
  });
}

// ---- wills

function wrongWill({ name, who, lives }, at, count, isCalm) {
  const life = lives[at];
  const back = lives.slice(at + 1).find(({ isAccepted }) => isAccepted);
  const delayMs = life.isKept ? 1_000 * Math.min(who.will.delayS, who.expiryS) : 0;
  const awayMs = (back?.at ?? Number.POSITIVE_INFINITY) - life.endedAt;
  const said = `the will of ${name}, QoS ${who.will.qos}, connection ${at + 1}, ${life.end}, was published ${count} times`;
  if (count > 1) return said;
  const isPrevented = life.end === "orderly" || (delayMs > 0 && awayMs < delayMs - SURE_MS);
  if (isPrevented && isCalm && count > 0) return said;
  // Of a connection that nothing has ended the server learns by the next one, or by its keep alive.
  const isUnknown = life.isAbandoned && (back === undefined ? who.keepAliveS === 0 : delayMs > 0);
  const isDue = life.end === "lost" && life.isAccepted && !isUnknown && awayMs > delayMs + SURE_MS;
  // A client that is back before the server knows of its end has not been away, where the will has a delay.
  if (isDue && who.will.qos > 0 && count === 0 && (delayMs === 0 || awayMs > 4 * delayMs)) return said;
  return undefined;
}

function judgeWills(clients, readings, isCalm) {
  const read = readings.find(({ session, call }) => session === "wills" && call === "GET working-memory");
  const published = messageIn(read).map((event) => event.join());
  const wrong = [];
  for (const client of clients) {
    for (const [at, { isOfDeleted, will }] of client.lives.entries()) {
      // Whether a will has come before its key was deleted is left to chance.
      if (will === undefined || isOfDeleted) continue;
      const count = published.filter((one) => one === will).length;
      wrong.push(wrongWill(client, at, count, isCalm));
    }
  }
  return wrong.filter((sentence) => sentence !== undefined);
}

// ---- what is retained

/** What a client hears when it subscribes is the latest there is. */
function judgeRetained(heard, readings) {
  const wrong = [];
  for (const step of readings) {
    if (step.call !== "POST forecast") continue;
    const memory = step.session === "" ? "" : `/sessions/${step.session}`;
    const all = heard.filter(({ topic }) => topic === `noema/${step.processor}${memory}/forecast`);
    const said = all.map(({ payload }) => JSON.stringify(JSON.parse(payload).forecast));
    const wanted = JSON.stringify(messageIn(step));
    if (said.length !== 1 || said[0] !== wanted || !all[0].isRetained)
      wrong.push(`of ${step.processor}${memory} the forecast that is retained is ${said}, and not ${wanted}`);
    const incidents = heard.filter(({ topic }) => topic === `noema/${step.processor}${memory}/incident`);
    if (incidents.length !== 1 || incidents[0].payload !== "")
      wrong.push(`of ${step.processor}${memory} there is no incident, and ${incidents.length} are retained`);
  }
  return wrong;
}

/**
 * Judges what has happened in a world.
 *
 * @param {{ clients: import("../mqtt/client.mjs").MqttClient[], steps: object[], end: object[], latest: object[],
 *   retained: object[], probes: { kept: object[], met: object[] }, world: object }} simulation end: what was read when
 *   all was said; latest: what was read last; retained: what a new client has heard then; probes: what was observed in
 *   all memories while clients were away, and there
 * @returns {string[]} what is wrong, in sentences; none when all is right
 */
export function judgeMqtt({ clients, steps, end, latest, retained, probes, world }) {
  const unread = end.filter(({ outcome }) => outcome?.status !== 200);
  if (unread.length > 0) return unread.map(({ call, outcome }) => `${call} was answered ${JSON.stringify(outcome)}`);
  const faults = steps.flatMap(({ faults }) => faults.map(({ fault }) => fault));
  const isCalm = faults.length === 0 && !steps.some(({ does }) => does === "vanish" || does === "take over");
  const isOutside = faults.every((fault) => OUTSIDE.has(fault));
  const timeOf = (topic) => {
    const [, processor, memory] = /^noema\/([^/]+)\/sessions\/([^/]+)\//.exec(topic);
    const read = end.find(
      (step) => step.processor === processor.toLowerCase() && step.session === memory && step.call === "GET time",
    );
    return read && Number(messageIn(read));
  };
  return [
    ...clients.flatMap(({ wrong }) => wrong),
    ...clients.flatMap((client) =>
      client.who.style === "exact" ? judgeExact(client, end) : judgeMixed(client, end, isCalm),
    ),
    ...clients.flatMap((client) => judgeHeard(client, world.queue, { isOutside, timeOf })),
    ...judgeWills(clients, end, isCalm),
    ...judgeRetained(retained, latest),
    ...clients.flatMap((client) =>
      client.isGone ? [] : [...judgeProbes(client, probes.kept, false), ...judgeProbes(client, probes.met, true)],
    ),
  ];
}
