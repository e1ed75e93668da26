/**
 * MemoryService: observing, learning and predicting; and frames of streams, each of which combines several of its
 * calls.
 */

import { create } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { ListSessionsRequest as ListLimits } from "../../gen/limits";
import { ForecastSchema, SurpriseSchema } from "../../gen/noema/v1/forecast_pb";
import type { Frame, FrameAnswer } from "../../gen/noema/v1/frame_pb";
import { type Gdf, GdfSchema } from "../../gen/noema/v1/gdf_pb";
import {
  GetPredictionsResponseSchema,
  type ListSessionsRequest,
  MemoryService,
  type Observed,
  type ObserveResponse,
} from "../../gen/noema/v1/memory_service_pb";
import { Fault } from "../../processor/ports/fault";
import type { Processor } from "../../processor/processor";
import { nameRefusal } from "../../text/chosen-names";
import { excerpt } from "../../text/excerpt";
import { yieldToEventLoop } from "../transport/yield-to-event-loop";
import { assertEnsembleFits, assertFrameAnswerFits } from "./answer-budget";
import { countLearned, countObserved, countOmitted, memoryCounts } from "./memory/memory-counts";
import { assertFields, withColumns, withFields } from "./memory/prediction-fields";
import type { Serve } from "./serve";

const { method } = MemoryService;

/** The record with its identifier, or with a new UUID if it has none. A missing record counts as an empty one. */
function withUniqueId(gdf: Gdf = create(GdfSchema)): Gdf {
  if (gdf.uniqueId === "") gdf.uniqueId = crypto.randomUUID();
  return gdf;
}

/** The processor's result of an observation. */
type ObservedResult = ReturnType<Processor["memory"]["observe"]>["observed"];

/** A result as a complete message, with the name of its type, which the library does not copy. */
function observedMessage({ awake, autoLearnedModel, predictionMade, uniqueId, surprise }: ObservedResult): Observed {
  const message: Observed = { $typeName: "noema.v1.Observed", awake, autoLearnedModel, predictionMade, uniqueId };
  if (surprise !== undefined) message.surprise = create(SurpriseSchema, surprise);
  return message;
}

/** Maximum number of sessions in a list, and the default. */
const { most: MAX_SESSIONS, standard: STANDARD_SESSIONS } = ListLimits.limit;

/** @throws Fault `invalid` when a member of a request is not a valid session's name */
function assertSession(member: string, name: string): void {
  const refusal = nameRefusal(name);
  if (refusal !== undefined) throw new Fault("invalid", `${member} must be ${refusal}, got ${excerpt(name)}`);
}

/** The calls for forecasts, surprises, and the events that records would make. */
type Questions =
  | "getForecast"
  | "explainPrediction"
  | "explainForecast"
  | "countMatchingModels"
  | "explainSurprise"
  | "getSequenceSurprise"
  | "getRecordSymbols";

function answersToQuestions(serve: Serve): Pick<ServiceImpl<typeof MemoryService>, Questions> {
  return {
    getForecast: serve(method.getForecast, (processor, question) => {
      const forecast = processor.memory.getForecast(question);
      memoryCounts.forecasts++;
      return forecast;
    }),
    explainPrediction: serve(method.explainPrediction, (processor, { model, sequence }) =>
      processor.memory.explainPrediction(model, sequence),
    ),
    explainForecast: serve(method.explainForecast, (processor, question) => processor.memory.explainForecast(question)),
    countMatchingModels: serve(method.countMatchingModels, (processor, question) =>
      processor.memory.countMatchingModels(question),
    ),
    explainSurprise: serve(method.explainSurprise, (processor, question) => processor.memory.explainSurprise(question)),
    getSequenceSurprise: serve(method.getSequenceSurprise, (processor, { sequence, complete = true }) =>
      processor.memory.getSequenceSurprise(sequence?.events ?? [], complete),
    ),
    getRecordSymbols: serve(method.getRecordSymbols, (processor, { records }) =>
      processor.memory.getRecordSymbols(records),
    ),
  };
}

/** A session, as the processor lists it. */
type SessionSummary = ReturnType<Processor["memory"]["listSessions"]>["sessions"][number];

/** Lists sessions part by part, and others get a turn between them: what is stored of a session can be 2 MB. */
async function listSessions(serve: Serve, request: ListSessionsRequest, context: HandlerContext) {
  const { after, limit = STANDARD_SESSIONS } = request;
  const sessions: SessionSummary[] = [];
  let from: string | undefined = after;
  let part: SessionSummary[] = [];
  const step = serve(method.listSessions, (processor) => {
    if (limit < 1 || limit > MAX_SESSIONS) {
      throw new Fault("invalid", `limit must be a whole number from 1 to ${MAX_SESSIONS}, got ${limit}`);
    }
    if (after !== "") assertSession("after", after);
    const read = processor.memory.listSessions(from ?? "", limit - sessions.length);
    part = read.sessions;
    from = read.last;
    return { sessions: part };
  });
  for (;;) {
    const { stamp } = await step(request, context);
    sessions.push(...part);
    if (from === undefined || sessions.length === limit) return { ...(stamp !== undefined && { stamp }), sessions };
    await yieldToEventLoop();
  }
}

/** Implements the service by the processor's verbs. */
export function memoryService(serve: Serve): ServiceImpl<typeof MemoryService> {
  return {
    observe: serve(method.observe, (processor, { gdf, path, delivery, explain }): ObserveResponse => {
      const outcome = processor.memory.observe(withUniqueId(gdf), path, delivery, explain);
      if (!outcome.redelivered) countObserved(outcome.observed);
      countOmitted(outcome.omitted, processor.memory.isNearlyFull ? 1 : 0);
      // Complete messages, with the name of their type, which the library does not copy. This is the most frequent rpc.
      return {
        $typeName: "noema.v1.ObserveResponse",
        observed: observedMessage(outcome.observed),
        redelivered: outcome.redelivered,
        // The owner adds the deliveries once they are made.
        deliveries: 0,
        untold: outcome.untold,
      };
    }),
    observeSequence: serve(method.observeSequence, (processor, { sequence, learn, clear, delivery, explain }) => {
      const gdfs = sequence.map(withUniqueId);
      const taken = processor.memory.observeSequence({ sequence: gdfs, learn, clear, delivery, explain });
      const { omitted, ...outcome } = taken;
      countOmitted(omitted, processor.memory.isNearlyFull ? sequence.length : 0);
      for (const one of outcome.redelivered ? [] : outcome.observed) countObserved(one);
      countLearned(outcome.learnedModel);
      return outcome;
    }),
    learn: serve(method.learn, (processor) => {
      const outcome = processor.memory.learn();
      countLearned(outcome.model);
      return outcome;
    }),
    getWorkingMemory: serve(method.getWorkingMemory, (processor) => processor.memory.getWorkingMemory()),
    clearWorkingMemory: serve(method.clearWorkingMemory, (processor) => processor.memory.clearWorkingMemory()),
    getPredictions: serve(method.getPredictions, (processor, { uniqueId, packed, fields, ...question }) => {
      assertFields(fields);
      memoryCounts.predictions++;
      if (!packed) return withFields(processor.memory.getPredictions(uniqueId, question), fields);
      const predictions = processor.memory.getPackedPredictions(uniqueId, question);
      assertEnsembleFits(method.getPredictions, predictions.packed, fields);
      return withColumns(predictions, fields);
    }),
    ...answersToQuestions(serve),
    clearAllMemory: serve(method.clearAllMemory, (processor, { keepBlacklist }) =>
      processor.memory.clearAllMemory(keepBlacklist),
    ),
    getPercept: serve(method.getPercept, (processor) => processor.memory.getPercept()),
    listSessions: (request, context) => listSessions(serve, request, context),
    endSession: serve(method.endSession, (processor, { session }) => {
      assertSession("session", session);
      return processor.memory.endSession(session);
    }),
    getCognition: serve(method.getCognition, (processor) => processor.memory.getCognition()),
  };
}

/**
 * Handles a frame. Call it as a verb that writes.
 *
 * @param source the client's name for the stream, under which the memory keeps the frame's number; `undefined` if it
 *   keeps none
 * @throws Fault as the calls of MemoryService; then the frame's changes must be rolled back
 */
export function answerFrame(processor: Processor, frame: Frame, source: string | undefined): FrameAnswer {
  return processor.memory.asOneRequest(() => answered(processor, frame, source));
}

function answered(processor: Processor, frame: Frame, source: string | undefined): FrameAnswer {
  const { memory } = processor;
  const { clear, learn, observe, predictions: asked, forecast } = frame;
  const explain = frame.explain && !frame.brief;
  if (asked !== undefined) assertFields(asked.fields);
  const delivery = source === undefined ? undefined : { source, number: frame.n };
  const sequence = observe?.gdfs.map(withUniqueId) ?? [];
  const taken = memory.takeFrame({ sequence, learn, clear, delivery, explain });
  const { learnedModel, redelivered } = taken;
  // A complete message, as for observe: a frame may have a thousand results.
  const answer: FrameAnswer = {
    $typeName: "noema.v1.FrameAnswer",
    interval: processor.time,
    redelivered,
    observed: [],
    learnedModel: "",
  };
  if (redelivered) return answer;
  for (const one of taken.observed) answer.observed.push(observedMessage(one));
  answer.learnedModel = learnedModel;
  if (asked !== undefined) {
    const { uniqueId, fields, top } = asked;
    const question = top === undefined ? {} : { top };
    const predictions = withColumns(memory.getPackedPredictions(uniqueId, question), fields);
    answer.predictions = create(GetPredictionsResponseSchema, predictions);
  }
  if (forecast !== undefined) answer.forecast = create(ForecastSchema, memory.getForecast(forecast).forecast);
  assertFrameAnswerFits(answer, asked?.fields ?? []);
  countFrame(answer);
  countOmitted(taken.omitted, memory.isNearlyFull ? taken.observed.length : 0);
  return answer;
}

function countFrame({ observed, learnedModel, predictions, forecast }: FrameAnswer): void {
  for (const one of observed) countObserved(one);
  countLearned(learnedModel);
  if (predictions !== undefined) memoryCounts.predictions++;
  if (forecast !== undefined) memoryCounts.forecasts++;
}
