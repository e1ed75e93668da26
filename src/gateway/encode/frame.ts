/** Writes a stream's messages to its client as canonical JSON. */

import type { Forecast } from "../../gen/noema/v1/forecast_pb";
import type { Frame, FrameAnswer, StreamEvent } from "../../gen/noema/v1/frame_pb";
import type { Incident } from "../../gen/noema/v1/incident_pb";
import { list, type Member, number, record, text, texts } from "../json/writer";
import { modelLabel } from "./envelope";
import { forecastObject, surpriseObject } from "./forecast";
import { incidentObject } from "./incident";
import { observed } from "./memory";
import { ensembleList } from "./prediction";

/** The first message. */
export function encodeWelcome(interval: number, last: number): string {
  return `{"welcome":{"interval":${number(interval)},"last":${number(last)}}}`;
}

/** The answer to a frame. @throws Error when the processor omits what the frame asks for */
export function encodeAnswer(frame: Frame, answer: FrameAnswer): string {
  const { n, brief, learn, observe, predictions: asked, forecast, explain } = frame;
  if (answer.redelivered) return `{"n":${number(n)},"redelivered":true}`;
  const { predictions } = answer;
  const members: Member[] = [];
  if (forecast !== undefined) members.push(["forecast", forecastObject(answer.forecast)]);
  if (learn) members.push(["learned", answer.learnedModel === "" ? "null" : text(modelLabel(answer.learnedModel))]);
  if (observe !== undefined) {
    const { length } = answer.observed;
    const manner = { redelivered: false, explain };
    members.push(["observed", brief ? number(length) : list(answer.observed.map((one) => observed(one, manner)))]);
  }
  if (asked !== undefined) {
    if (predictions === undefined) throw new Error("a processor left out the predictions of a frame");
    members.push(["predictions", ensembleList(predictions, asked.fields)]);
  }
  return `{"interval":${number(answer.interval)},"message":${record(members)},"n":${number(n)}}`;
}

/** The answer to a refused message. @param n the frame's number; `null` for none @param code an HTTP status */
export function encodeRefusal(n: number | null, code: number, message: string): string {
  return `{"error":{"code":${code},"message":${text(message)}},"n":${n === null ? "null" : number(n)}}`;
}

/** The answer to a subscription. */
export function encodeSubscribed(events: readonly string[]): string {
  return `{"subscribed":${texts(events)}}`;
}

/**
 * A forecast as an event.
 *
 * @param session empty for the processor's own memory
 * @throws Error when the processor leaves the forecast out
 */
export function encodeForecastEvent(forecast: Forecast | undefined, session: string, interval: number): string {
  return record([
    ["event", '"forecast"'],
    ["forecast", forecastObject(forecast)],
    ["interval", number(interval)],
    ["session", session === "" ? "null" : text(session)],
  ]);
}

/** An incident as an event of a stream. */
export function encodeIncidentEvent(incident: Incident): string {
  const { interval, session } = incident;
  return record([
    ["event", '"incident"'],
    ["incident", incidentObject(incident)],
    ["interval", number(interval)],
    ["session", session === "" ? "null" : text(session)],
  ]);
}

/** An event. @throws Error when it is empty */
export function encodeEvent({ happened, interval, session }: StreamEvent, renew: boolean): string {
  const placeMembers: Member[] = [
    ["interval", number(interval)],
    ...(renew ? ([["renew", "true"]] as const) : []),
    ["session", session === "" ? "null" : text(session)],
  ];
  switch (happened.case) {
    case "learnedModel":
      return record([
        ["event", '"learned"'],
        placeMembers[0] as Member,
        ["model", text(modelLabel(happened.value))],
        ...placeMembers.slice(1),
      ]);
    case "observed": {
      const { symbols, uniqueId } = happened.value;
      return record([
        ["event", '"observed"'],
        ...placeMembers,
        ["symbols", texts(symbols)],
        ["unique_id", text(uniqueId)],
      ]);
    }
    case "incident":
      return record([["event", '"incident"'], ["incident", incidentObject(happened.value)], ...placeMembers]);
    case "surprise":
      return record([["event", '"surprise"'], ...placeMembers, ["surprise", surpriseObject(happened.value.surprise)]]);
    default:
      throw new Error("an event says that nothing happened");
  }
}
