/**
 * Judges what webhooks have got by what the twin's alerts had to tell: each delivery has one content, whatever its
 * format, and all of them together tell everything, and nothing else.
 */

import { canonical } from "../../torture/model/text.mjs";

/** What an alert tells, as the body of a delivery has it. */
function bodyOf({ alert, told, session, interval }, id) {
  const { kind, ...members } = told;
  const about = kind === "learned" ? { model: `MODEL|${told.model}` } : members;
  return canonical({ alert, id, interval, session: session === "" ? null : session, ...about, type: `noema.${kind}` });
}

/** What alerts had to tell, by alert, kind and memory. */
function noticesOf({ runs }) {
  const lanes = new Map();
  for (const { node, notices } of runs) {
    const [, id] = node.name.split("/");
    for (const notice of notices) {
      const lane = `${id} ${notice.alert} noema.${notice.told.kind} ${notice.session}`;
      lanes.set(lane, [...(lanes.get(lane) ?? []), bodyOf(notice, id)]);
    }
  }
  return lanes;
}

/** The format of an alert in which a body is written. */
function formatOf(body) {
  if (body.startsWith('{"data"')) return "standard";
  if (body.startsWith('{"text"')) return "slack";
  return body.includes("\n") ? "text" : "ntfy";
}

/** The sentence of a delivery in words, without its title. */
function sentenceOf(format, body) {
  if (format === "ntfy") return body;
  const [, sentence] = (format === "slack" ? JSON.parse(body).text : body).split("\n");
  return sentence;
}

/** Whether the bodies of a delivery tell the same. @param {Map<string, string>} bodies by format */
function areOfOne(bodies) {
  const { standard, ...words } = Object.fromEntries(bodies);
  const sentences = new Set(Object.entries(words).map(([format, body]) => sentenceOf(format, body)));
  if (standard === undefined || sentences.size === 0) return sentences.size <= 1;
  const { id, interval } = JSON.parse(standard).data;
  return sentences.size === 1 && [...sentences][0].endsWith(` (processor ${id}, interval ${interval})`);
}

/** What an alert's name is set to in a plan: all formats. */
function formatsOf(steps, url) {
  const [name] = url.split("/").slice(-1);
  const own = steps.filter(({ call }) => call === `PUT alerts/${name}`);
  return new Set(own.map(({ body }) => body.data.format ?? "standard"));
}

/** The deliveries, by their `webhook-id`: `{ bodies, isAccepted }`; bodies: by format. */
function byId(hooks, steps, wrong) {
  const deliveries = new Map();
  for (const { url, id, body, isAccepted } of hooks) {
    const known = deliveries.get(id) ?? { bodies: new Map(), isAccepted: false };
    deliveries.set(id, known);
    known.isAccepted ||= isAccepted;
    const format = formatOf(body);
    const before = known.bodies.get(format) ?? body;
    known.bodies.set(format, before);
    if (before !== body) wrong.push(`the delivery ${id} had two bodies: ${before}, ${body}`);
    if (!formatsOf(steps, url).has(format)) wrong.push(`the delivery ${id} has a format that no alert has: ${body}`);
  }
  for (const [id, { bodies }] of deliveries) {
    // An alert that is set again in another format has what waits delivered in that one.
    if (!areOfOne(bodies)) wrong.push(`the delivery ${id} had two contents: ${[...bodies.values()].join(", ")}`);
  }
  return deliveries;
}

/** What webhooks have got, by the same: how many events it stands for, and the bodies. */
function lanesOf(deliveries) {
  const lanes = new Map();
  for (const { bodies, isAccepted } of deliveries.values()) {
    // Other formats are words.
    const body = bodies.get("standard");
    if (body === undefined) continue;
    const { data, type } = JSON.parse(body);
    if (type === "noema.silent") continue;
    const { count, ...rest } = data;
    const lane = `${data.id} ${data.alert} ${type} ${data.session ?? ""}`;
    const known = lanes.get(lane) ?? { count: 0, accepted: 0, all: [] };
    lanes.set(lane, known);
    known.count += count;
    if (isAccepted) known.accepted += count;
    known.all.push(canonical({ ...rest, type }));
  }
  return lanes;
}

/**
 * How many events webhooks were told of, by processor, alert, kind and memory.
 *
 * @param {object[]} hooks what webhooks have got
 * @param {number} from the number of deliveries before the first that counts
 */
export function lanesSince(hooks, from) {
  const deliveries = new Map();
  for (const { id, body, isAccepted } of hooks.slice(from)) {
    const known = deliveries.get(id) ?? { bodies: new Map(), isAccepted: false };
    deliveries.set(id, known);
    known.isAccepted ||= isAccepted;
    known.bodies.set(formatOf(body), body);
  }
  return new Map([...lanesOf(deliveries)].map(([lane, { accepted }]) => [lane, accepted]));
}

/**
 * Compares what webhooks have got with what the twin's alerts had to tell.
 *
 * @param {{ url: string, id: string, body: string, isAccepted: boolean }[]} hooks what webhooks have got
 * @param {{ runs: object[] }} twin the world of the twin
 * @param {object[]} steps of the plan
 * @returns {string[]} what is wrong, in sentences
 */
export function judgeDeliveries(hooks, twin, steps) {
  const wrong = [];
  const got = lanesOf(byId(hooks, steps, wrong));
  const wanted = noticesOf(twin);
  for (const [lane, { count, all }] of got) {
    const twins = wanted.get(lane) ?? [];
    if (count > twins.length) wrong.push(`${lane}: ${count} events were told, and there were ${twins.length}`);
    for (const body of all) if (!twins.includes(body)) wrong.push(`${lane}: what was told did not happen: ${body}`);
  }
  for (const [lane, twins] of wanted) {
    const accepted = got.get(lane)?.accepted ?? 0;
    if (accepted < twins.length && isLasting(lane, steps))
      wrong.push(`${lane}: ${accepted} events came to the webhook, and there were ${twins.length}`);
  }
  return wrong;
}

/** Whether the alert of a lane stayed as it was, and with it what waited, and its deliveries say how many they are. */
function isLasting(lane, steps) {
  const [processor, alert] = lane.split(" ");
  const changes = steps.filter((step) => step.processor === processor && step.call?.endsWith(` alerts/${alert}`));
  return changes.length === 1 && changes[0].body.data.format === undefined;
}
