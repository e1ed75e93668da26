/**
 * Judges a simulation: plays what has become durable, in the order in which it happened, on the model of the agent, and
 * compares. What was acknowledged is there once; what was not is there once and whole, or not at all.
 */

import { comparable } from "../../torture/model/answers.mjs";
import { canonical } from "../../torture/model/text.mjs";
import { isPassing } from "../clients.mjs";
import { ProcessorModel } from "./agent-model.mjs";
import { purposeOf } from "./purpose.mjs";

/** Plays what has happened, and collects what is wrong. */
class Judge {
  wrong = [];
  #processors;
  #exports;

  constructor(genome, exports) {
    this.#processors = new Map(genome.map(({ id, name, targets }) => [id, new ProcessorModel(id, name, targets)]));
    this.#exports = exports;
  }

  #processorOf({ node }) {
    return this.#processors.get(node.name.split("/")[1]);
  }

  play(run, stepsOf) {
    const purpose = purposeOf(run);
    const processor = this.#processorOf(run);
    if (purpose === undefined || processor === undefined) return;
    if (purpose.kind === "delivery") this.#deliver(processor, run);
    else if (purpose.kind === "frame") this.#frame(processor, run, stepsOf(run.call.connection, run.call.text));
    else this.#step(processor, run, purpose.step);
  }

  #step(processor, run, step) {
    if (step.call.startsWith("GET stream")) return;
    step.runs = (step.runs ?? 0) + 1;
    if (step.runs > 1 && run.writes && step.key === undefined) {
      this.wrong.push(`step ${step.id}, ${step.call}, took effect ${step.runs} times`);
    }
    step.expected ??= new Set();
    step.expected.add(processor.ask({ ...step, writes: run.writes }));
  }

  #frame(processor, { call }, step) {
    if (step === undefined) return this.wrong.push(`a frame came of which no step tells: ${call.text}`);
    const expected = processor.frame({ ...JSON.parse(call.text), session: step.session, source: step.source });
    if (expected === undefined) return;
    // A source of a session that was ended begins anew.
    const generation = step.session === "" ? 0 : processor.generation;
    step.taken ??= [];
    if (step.taken.includes(generation)) this.wrong.push(`frame ${step.id} took effect twice`);
    step.taken.push(generation);
    step.expectedFrames ??= [];
    step.expectedFrames.push(canonical(expected));
  }

  #deliver(processor, { call, session }) {
    const { messageFromCarried, ObserveRequestSchema } = this.#exports;
    const { delivery, gdf } = messageFromCarried(ObserveRequestSchema, call.body);
    const sender = this.#processorOf({ node: call.from.node });
    const { source, number } = delivery;
    const told = sender?.told[number - 1];
    if (told === undefined || told.target !== processor.id || told.session !== session) {
      this.wrong.push(`${processor.id} got an event ${number} of ${sender?.id} that was never told it`);
      return;
    }
    if (JSON.stringify(gdf.strings) !== JSON.stringify(told.event.strings)) {
      this.wrong.push(`${processor.id} got event ${number} of ${sender.id} with other symbols: ${gdf.strings}`);
    }
    const skipped = sender.told.find((one) => one.number < number && one.target === processor.id && !one.isTaken);
    if (skipped !== undefined) this.wrong.push(`event ${number} of ${sender.id} overtook event ${skipped.number}`);
    if (processor.deliver(told, source, number)) told.isTaken = true;
  }

  /** Nothing is on its way any more: what was told was heard. */
  arrived() {
    for (const { id, told } of this.#processors.values()) {
      for (const { number, target, isTaken } of told) {
        if (!isTaken) this.wrong.push(`event ${number} of ${id} never came to ${target}`);
      }
    }
  }
}

/** What is wrong with the answer to a step; `undefined` for nothing. */
function wrongAnswer(step, mayFail) {
  const { outcome, expected = new Set(), id, call } = step;
  if (outcome === undefined) return `step ${id}, ${call}, never ended`;
  if (outcome.threw) return `step ${id}, ${call}, made the Worker throw: ${outcome.text}`;
  if (isPassing(outcome)) {
    if (step.key !== undefined) return `step ${id}, ${call}, was never answered: ${outcome.lost ?? outcome.text}`;
    return mayFail ? undefined : `step ${id}, ${call}, was answered ${outcome.status} without a fault: ${outcome.text}`;
  }
  const got = comparable(outcome);
  if (expected.has(got)) return undefined;
  if (expected.size === 0) return `step ${id}, ${call}, was answered, and nothing of it is durable: ${got}`;
  const wanted = [...expected].join("\n          or ");
  return `step ${id}, ${call}, was answered otherwise than the model:\n    got      ${got}\n    expected ${wanted}`;
}

function wrongFrame({ id, isTaken, isPassed, taken, answer, expectedFrames, refusals = [] }) {
  if (isPassed) return undefined;
  if (!isTaken) return `frame ${id} was never taken: ${JSON.stringify(refusals)}`;
  if (taken === undefined) return `frame ${id} was acknowledged, and nothing of it is durable`;
  if (answer === undefined || answer.redelivered) return undefined;
  const { n: _, ...got } = answer;
  if (expectedFrames.includes(canonical(got))) return undefined;
  return `frame ${id} was answered ${canonical(got)}, and the model says ${expectedFrames.join(" or ")}`;
}

/**
 * Judges what has happened in a world.
 *
 * @param {{ genome: object[], steps: object[], world: object, quietAt: number, exports: object }} simulation quietAt:
 *   how many verbs had run when nothing happened by itself any more
 * @returns {string[]} what is wrong, in sentences; none when all is right
 */
export function judge({ genome, steps, world, quietAt, exports }) {
  const judge = new Judge(genome, exports);
  const frames = new Map(steps.filter(({ frame }) => frame).map((step) => [`${step.source}\n${step.text}`, step]));
  const stepsOf = ({ attachment }, text) => frames.get(`${attachment?.source}\n${text}`);
  for (const [at, run] of world.runs.entries()) {
    // Nothing but alarms may have to bring it so far.
    if (at === quietAt) judge.arrived();
    if (run.fate === "durable") judge.play(run, stepsOf);
  }
  const hasFaults = steps.some(({ faults = [] }) => faults.length > 0);
  for (const step of steps) {
    // At the end nothing goes wrong any more.
    const mayFail = hasFaults && step.client !== "end";
    const wrong = step.frame === undefined ? wrongAnswer(step, mayFail) : wrongFrame(step);
    if (wrong !== undefined) judge.wrong.push(wrong);
  }
  return judge.wrong;
}
