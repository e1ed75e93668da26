/** The functions of operations whose call follows from the OpenAPI document. Written by `npm run generate`; edit the reference instead. */

import { type DeviceQuery, type HistoryQuery, type IncidentQuery, type ModelListQuery, type SessionQuery, type SymbolListQuery, type VectorListQuery } from "../queries";
import { envelope, message, type Answer, type Message } from "../transport/call";
import { type Memory, type Noema, type Processor } from "../transport/connection";
import { type CallOptions, type WriteOptions } from "../transport/exchange";
import { checked } from "../transport/members";
import { idSegment, nameSegment, segment, withQuery } from "../transport/names";
import { type Alert, type Alerts, type AskForecast, type AskForecastExplanation, type AskMatchingModels, type AskPredictionExplanation, type AskSequenceSurprise, type AskSurpriseExplanation, type AskedRecords, type ClearAllMemory, type Cognition, type CreatedKey, type Device, type Encoder, type Encoders, type Forecast, type ForecastExplanation, type Forgetting, type Genes, type HistoryEvent, type Incident, type IncidentWithEvidence, type Info, type IssuedKey, type Judged, type Judgement, type MatchingModels, type Model, type ModelChange, type ModelHash, type ModelLabel, type ModelPage, type MqttRoute, type MqttRoutes, type NewAlert, type NewEncoder, type NewKey, type NewMqttRoute, type Percept, type PredictionExplanation, type Predictions, type ProcessorUsage, type QueuedDelivery, type RecentRequests, type Sequence, type SequenceSurprise, type Session, type SetAlert, type Status, type SurpriseExplanation, type SymbolPage, type SymbolRecord, type ToldOthers, type VectorPage, type VectorRecord } from "./operations";

/**
 * Stores working memory as a model, then clears it.
 *
 * @returns `MODEL|<hash>`, or `null` if working memory held fewer than two symbols
 * @throws NoemaError 503 if the memory for models is used up
 */
export async function learn(memory: Memory, options?: WriteOptions): Promise<ModelLabel | null> {
  return message(memory, { operation: "learn", method: "POST", path: "learn", repeats: "keyed" }, options);
}

/** Empties working memory without learning it. */
export async function clearWorkingMemory(memory: Memory, options?: WriteOptions): Promise<Message<"clearWorkingMemory">> {
  return message(memory, { operation: "clearWorkingMemory", method: "POST", path: "working-memory/clear", repeats: "keyed" }, options);
}

/** Working memory: events, oldest first, each a list of symbols. */
export async function getWorkingMemory(memory: Memory, options?: CallOptions): Promise<Sequence> {
  return message(memory, { operation: "getWorkingMemory", method: "GET", path: "working-memory", repeats: "read" }, options);
}

/**
 * Deletes everything learned and observed; keeps genes, flags and the target class.
 *
 * @param what whether to empty the blacklist as well: `clear_blacklist`, true if absent
 */
export async function clearAllMemory(processor: Processor, what?: ClearAllMemory, options?: WriteOptions): Promise<Message<"clearAllMemory">> {
  if (what !== undefined) checked("the query of clearAllMemory", "member", what, { clear_blacklist: 1 });
  return message(processor, { operation: "clearAllMemory", method: "POST", path: "clear-all-memory", repeats: "keyed", body: what === undefined ? undefined : { data: what } }, options);
}

/** The last observation as it was sent; an empty object if there was none since the last clear. */
export async function getPercept(memory: Memory, options?: CallOptions): Promise<Percept | Record<string, never>> {
  return message(memory, { operation: "getPercept", method: "GET", path: "percept-data", repeats: "read" }, options) as Promise<Percept | Record<string, never>>;
}

/**
 * What comes next after working memory, and how likely it is; or what would come after `sequence` if it were working
 * memory.
 *
 * @param query `horizon`: number of events ahead, 1 to 10; `top`: maximum number of symbols for each, 1 to 1000
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export async function getForecast(memory: Memory, query?: AskForecast, options?: CallOptions): Promise<Forecast> {
  if (query !== undefined) checked("the query of getForecast", "member", query, { horizon: 1, top: 1, sequence: 1 });
  return message(memory, { operation: "getForecast", method: "POST", path: "forecast", repeats: "read", body: query === undefined ? undefined : { data: query } }, options);
}

/**
 * How many models working memory would match with each recall threshold, or `sequence` if it were working memory.
 *
 * @param query `recall_thresholds`: 1 to 1000 numbers from 0 to 1; 0 to 1 in steps of a hundredth if absent
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export async function countMatchingModels(memory: Memory, query?: AskMatchingModels, options?: CallOptions): Promise<MatchingModels> {
  if (query !== undefined) checked("the query of countMatchingModels", "member", query, { recall_thresholds: 1, sequence: 1 });
  return message(memory, { operation: "countMatchingModels", method: "POST", path: "matching-models", repeats: "read", body: query === undefined ? undefined : { data: query } }, options);
}

/**
 * How unusual a whole sequence would be, from an empty memory, and why; `null` without knowledge. Nothing is observed.
 *
 * @param query `sequence`: 1 to 1,000 events; `complete`: whether it has ended, true if absent
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export async function sequenceSurprise(memory: Memory, query: AskSequenceSurprise, options?: CallOptions): Promise<SequenceSurprise | null> {
  checked("the query of sequenceSurprise", "member", query, { complete: 1, sequence: 1 });
  return message(memory, { operation: "sequenceSurprise", method: "POST", path: "surprise/sequence", repeats: "read", body: { data: query } }, options);
}

/**
 * The symbols of the events that records would make, one after the other from an empty memory: none for a record that
 * makes no event. Nothing is observed.
 *
 * @throws NoemaError 400 if a record is not accepted, 413 if there are too many
 */
export async function recordSymbols(processor: Processor, query: AskedRecords, options?: CallOptions): Promise<string[][]> {
  checked("the query of recordSymbols", "member", query, { records: 1 });
  return message(processor, { operation: "recordSymbols", method: "POST", path: "record-symbols", repeats: "read", body: { data: query } }, options);
}

/** The last observation as the processor interpreted it, with working memory and predictions. */
export async function getCognition(memory: Memory, options?: CallOptions): Promise<Cognition> {
  return message(memory, { operation: "getCognition", method: "GET", path: "cognition-data", repeats: "read" }, options);
}

/**
 * The inputs of a prediction's numbers; `null` if the model does not match, or the target class does not admit it.
 *
 * @param query `model`: its hash; `sequence`: what it is predicted from instead of working memory
 * @throws NoemaError 404 if there is no such model, 400 if a value is not accepted, 413 if it takes too many steps
 */
export async function explainPrediction(memory: Memory, query: AskPredictionExplanation, options?: CallOptions): Promise<PredictionExplanation | null> {
  checked("the query of explainPrediction", "member", query, { sequence: 1, model: 1 });
  return message(memory, { operation: "explainPrediction", method: "POST", path: "predictions/explain", repeats: "read", body: { data: query } }, options);
}

/**
 * Why a symbol has its probability in a forecast; `null` if no model contributes.
 *
 * @param query `symbol`; `horizon`: number of events ahead, 1 to 10; `within`: whether any event up to that one counts
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export async function explainForecast(memory: Memory, query: AskForecastExplanation, options?: CallOptions): Promise<ForecastExplanation | null> {
  checked("the query of explainForecast", "member", query, { symbol: 1, horizon: 1, within: 1, sequence: 1 });
  return message(memory, { operation: "explainForecast", method: "POST", path: "forecast/explain", repeats: "read", body: { data: query } }, options);
}

/**
 * The surprise that an event would be, and why; `null` without a memory before it, or without knowledge. Nothing is
 * observed.
 *
 * @param query `event`: its symbols; `sequence`: the events before it, instead of working memory
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export async function explainSurprise(memory: Memory, query: AskSurpriseExplanation, options?: CallOptions): Promise<SurpriseExplanation | null> {
  checked("the query of explainSurprise", "member", query, { event: 1, sequence: 1 });
  return message(memory, { operation: "explainSurprise", method: "POST", path: "surprise/explain", repeats: "read", body: { data: query } }, options);
}

/**
 * Sessions by name, in the order of UTF-8 bytes. If the number returned equals the limit, there may be more: call again
 * with the last name as `after`.
 *
 * @throws NoemaError 400 if `after` or `limit` is not accepted
 */
export async function listSessions(processor: Processor, query: SessionQuery = {}, options?: CallOptions): Promise<Session[]> {
  const asked = checked("the query of listSessions", "member", query, { after: 1, limit: 1 });
  return message(processor, { operation: "listSessions", method: "GET", path: withQuery("sessions", { ...asked }), repeats: "read" }, options);
}

/** Ends a session: deletes its memory; the models it has learned stay. Does nothing if there is no such session. */
export async function endSession(processor: Processor, name: string, options?: WriteOptions): Promise<Message<"endSession">> {
  return message(processor, { operation: "endSession", method: "DELETE", path: `sessions/${nameSegment("the name of a session", name)}`, repeats: "keyed" }, options);
}

/**
 * Issues a key. Never retried: if no answer came, look for it with {@link listKeys}, and delete it, since its text is
 * lost.
 *
 * @returns the key; its member `key` is the text that clients send, and no later answer has it
 * @throws NoemaError 400 if a right is wrong, 403 if the role admin is missing, 429 if the agent already has the
 *   maximum number of keys
 */
export async function createKey(noema: Noema, rights: NewKey, options?: CallOptions): Promise<CreatedKey> {
  checked("a key", "member", rights, { name: 1, roles: 1, processors: 1, sessions: 1, expires: 1, per_minute: 1 });
  return message(noema, { operation: "createKey", method: "POST", path: "keys", repeats: "once", body: { data: rights } }, options);
}

/** The issued keys, oldest first, without their secrets. */
export async function listKeys(noema: Noema, options?: CallOptions): Promise<IssuedKey[]> {
  return message(noema, { operation: "listKeys", method: "GET", path: "keys", repeats: "read" }, options);
}

/**
 * Deletes an issued key, if there is one. Within 30 s, no server accepts it any more.
 *
 * @param id its identifier, which is the middle part of its text
 */
export async function deleteKey(noema: Noema, id: string, options?: CallOptions): Promise<void> {
  await message(noema, { operation: "deleteKey", method: "DELETE", path: `keys/${segment("the id of a key", id)}`, repeats: "read" }, options);
}

/** All routes by name. */
export async function listMqttRoutes(noema: Noema, options?: CallOptions): Promise<MqttRoutes> {
  return message(noema, { operation: "listMqttRoutes", method: "GET", path: "mqtt/routes", repeats: "read" }, options);
}

/**
 * One route.
 *
 * @throws NoemaError 404 if none has the name
 */
export async function getMqttRoute(noema: Noema, name: string, options?: CallOptions): Promise<MqttRoute> {
  return message(noema, { operation: "getMqttRoute", method: "GET", path: `mqtt/routes/${nameSegment("the name of a route", name)}`, repeats: "read" }, options);
}

/**
 * Adds a route, or replaces the one with its name.
 *
 * @returns the route
 * @throws NoemaError 400 if a member is wrong, 403 if the role manage is missing, 429 if the agent already has the
 *   maximum number of routes
 */
export async function putMqttRoute(noema: Noema, name: string, route: NewMqttRoute, options?: CallOptions): Promise<MqttRoute> {
  checked("a route", "member", route, { topic: 1, processor: 1, session: 1, strings: 1, numbers: 1, time: 1, learn: 1 });
  return message(noema, { operation: "putMqttRoute", method: "PUT", path: `mqtt/routes/${nameSegment("the name of a route", name)}`, repeats: "read", body: { data: route } }, options);
}

/** Deletes the route with the name, if there is one. */
export async function deleteMqttRoute(noema: Noema, name: string, options?: CallOptions): Promise<void> {
  await message(noema, { operation: "deleteMqttRoute", method: "DELETE", path: `mqtt/routes/${nameSegment("the name of a route", name)}`, repeats: "read" }, options);
}

/**
 * The newest requests to the agent that failed, were refused or were slow, as far as the server remembers them: they
 * are not stored.
 */
export async function getRecentRequests(noema: Noema, options?: CallOptions): Promise<RecentRequests> {
  return message(noema, { operation: "getRecentRequests", method: "GET", path: "requests/recent", repeats: "read" }, options);
}

/**
 * How much each processor of the agent has learned and how full it is, in the order of the genome. Loads no processor
 * into memory, but queries each: do not call it every second.
 */
export async function getProcessors(noema: Noema, options?: CallOptions): Promise<ProcessorUsage[]> {
  return message(noema, { operation: "getProcessors", method: "GET", path: "processors", repeats: "read" }, options);
}

/**
 * The number of events sent from processor to processor since each began to count, and the number waiting: one item for
 * each processor that has manipulatives, in the order of the genome. Cheap enough to be called every few seconds.
 */
export async function getLinks(noema: Noema, options?: CallOptions): Promise<ToldOthers[]> {
  return message(noema, { operation: "getLinks", method: "GET", path: "links", repeats: "read" }, options);
}

/** Resolves if the processor can be reached. */
export async function ping(processor: Processor, options?: CallOptions): Promise<Answer<"ping">> {
  return envelope(processor, { operation: "ping", method: "GET", path: "ping", repeats: "read" }, options);
}

/** The flags, counters and sizes of a memory and its processor. */
export async function getStatus(memory: Memory, options?: CallOptions): Promise<Status> {
  return message(memory, { operation: "getStatus", method: "GET", path: "status", repeats: "read" }, options);
}

/** The processor's friendly name. */
export async function getName(processor: Processor, options?: CallOptions): Promise<string> {
  return message(processor, { operation: "getName", method: "GET", path: "name", repeats: "read" }, options);
}

/** Version, build, classifier and memory use (in bytes). */
export async function getInfo(processor: Processor, options?: CallOptions): Promise<Info> {
  return message(processor, { operation: "getInfo", method: "GET", path: "info", repeats: "read" }, options);
}

/** Turns predictions on. */
export async function startPredicting(processor: Processor, options?: WriteOptions): Promise<Message<"startPredicting">> {
  return message(processor, { operation: "startPredicting", method: "POST", path: "predicting/start", repeats: "keyed" }, options);
}

/** Turns predictions off: observations take less time. */
export async function stopPredicting(processor: Processor, options?: WriteOptions): Promise<Message<"stopPredicting">> {
  return message(processor, { operation: "stopPredicting", method: "POST", path: "predicting/stop", repeats: "keyed" }, options);
}

/** Turns autolearning on: the genes auto_learn_metric and max_sequence_length decide when the processor learns. */
export async function startAutolearning(processor: Processor, options?: WriteOptions): Promise<Message<"startAutolearning">> {
  return message(processor, { operation: "startAutolearning", method: "POST", path: "autolearning/start", repeats: "keyed" }, options);
}

/** Turns autolearning off: the processor learns only on request. */
export async function stopAutolearning(processor: Processor, options?: WriteOptions): Promise<Message<"stopAutolearning">> {
  return message(processor, { operation: "stopAutolearning", method: "POST", path: "autolearning/stop", repeats: "keyed" }, options);
}

/** Clears the processor's own working memory, and ignores observations from now on. */
export async function startSleeping(processor: Processor, options?: WriteOptions): Promise<Message<"startSleeping">> {
  return message(processor, { operation: "startSleeping", method: "POST", path: "sleeping/start", repeats: "keyed" }, options);
}

/** Accepts observations again. */
export async function stopSleeping(processor: Processor, options?: WriteOptions): Promise<Message<"stopSleeping">> {
  return message(processor, { operation: "stopSleeping", method: "POST", path: "sleeping/stop", repeats: "keyed" }, options);
}

/** Limits predictions to models whose last event holds the symbol. */
export async function setTargetClass(memory: Memory, symbol: string, options?: WriteOptions): Promise<Message<"setTargetClass">> {
  return message(memory, { operation: "setTargetClass", method: "POST", path: "set-target-class", repeats: "keyed", body: { data: symbol } }, options);
}

/** Removes the target class, so that every model can be predicted. */
export async function clearTargetClass(memory: Memory, options?: WriteOptions): Promise<Message<"clearTargetClass">> {
  return message(memory, { operation: "clearTargetClass", method: "POST", path: "clear-target-class", repeats: "keyed" }, options);
}

/**
 * Adds a number to the gene recall_threshold, which must stay between 0 and 1.
 *
 * @returns the new threshold, with six decimals
 * @throws NoemaError if the sum is out of range
 */
export async function incrementRecallThreshold(processor: Processor, increment: number, options?: WriteOptions): Promise<string> {
  return message(processor, { operation: "incrementRecallThreshold", method: "POST", path: "gene/increment-recall-threshold", repeats: "keyed", body: { increment } }, options);
}

/** All genes by name, SORT first. */
export async function getAllGenes(processor: Processor, options?: CallOptions): Promise<Genes> {
  return (await message(processor, { operation: "getAllGenes", method: "GET", path: "all-genes", repeats: "read" }, options)).genes;
}

/** All encoders by name. */
export async function listEncoders(processor: Processor, options?: CallOptions): Promise<Encoders> {
  return message(processor, { operation: "listEncoders", method: "GET", path: "encoders", repeats: "read" }, options);
}

/**
 * One encoder.
 *
 * @throws NoemaError 404 if none has the name
 */
export async function getEncoder(processor: Processor, name: string, options?: CallOptions): Promise<Encoder> {
  return message(processor, { operation: "getEncoder", method: "GET", path: `encoders/${nameSegment("the name of an encoder", name)}`, repeats: "read" }, options);
}

/**
 * Adds an encoder for the numbers of its name, or replaces it. Changing it makes memories forget the bin of the last
 * number. An encoder of the kind auto that has found its edges keeps them when it is put again.
 *
 * @returns the encoder with all its members
 * @throws NoemaError 400 if a member is wrong, 429 if the processor already has the maximum number of encoders
 */
export async function putEncoder(processor: Processor, name: string, encoder: NewEncoder, options?: WriteOptions): Promise<Encoder> {
  checked("an encoder", "member", encoder, { kind: 1, size: 1, origin: 1, hysteresis: 1, on_change: 1, edges: 1, bins: 1, of: 1, step: 1, zone: 1 });
  return message(processor, { operation: "putEncoder", method: "PUT", path: `encoders/${nameSegment("the name of an encoder", name)}`, repeats: "keyed", body: { data: encoder } }, options);
}

/** Deletes the encoder with the name, if there is one. Numbers of the name are refused from then on. */
export async function deleteEncoder(processor: Processor, name: string, options?: WriteOptions): Promise<void> {
  await message(processor, { operation: "deleteEncoder", method: "DELETE", path: `encoders/${nameSegment("the name of an encoder", name)}`, repeats: "keyed" }, options);
}

/** All alerts by name, without their secrets. */
export async function listAlerts(processor: Processor, options?: CallOptions): Promise<Alerts> {
  return message(processor, { operation: "listAlerts", method: "GET", path: "alerts", repeats: "read" }, options);
}

/**
 * An alert without its secret, and the outcome of its last delivery.
 *
 * @throws NoemaError 404 if none has the name
 */
export async function getAlert(processor: Processor, name: string, options?: CallOptions): Promise<Alert> {
  return message(processor, { operation: "getAlert", method: "GET", path: `alerts/${segment("the name of an alert", name)}`, repeats: "read" }, options);
}

/**
 * Adds or replaces an alert.
 *
 * @returns the secret, if none was given: no later answer has it
 * @throws NoemaError 400 if a member is wrong or the deployment does not deliver to that host, 429 if the processor has
 *   the maximum number of alerts
 */
export async function setAlert(processor: Processor, name: string, alert: NewAlert, options?: WriteOptions): Promise<SetAlert> {
  checked("an alert", "member", alert, { when: 1, url: 1, format: 1, secret: 1 });
  return message(processor, { operation: "setAlert", method: "PUT", path: `alerts/${segment("the name of an alert", name)}`, repeats: "keyed", body: { data: alert } }, options);
}

/** Deletes an alert, if there is one, and its waiting deliveries. */
export async function deleteAlert(processor: Processor, name: string, options?: WriteOptions): Promise<void> {
  await message(processor, { operation: "deleteAlert", method: "DELETE", path: `alerts/${segment("the name of an alert", name)}`, repeats: "keyed" }, options);
}

/**
 * Queues a test delivery without content; {@link getAlert} tells whether it arrived.
 *
 * @returns the value of its header `webhook-id`
 * @throws NoemaError 404 if no alert has the name
 */
export async function testAlert(processor: Processor, name: string, options?: WriteOptions): Promise<QueuedDelivery> {
  return message(processor, { operation: "testAlert", method: "POST", path: `alerts/${segment("the name of an alert", name)}/test`, repeats: "keyed" }, options);
}

/**
 * Incidents, newest first; in a session, only its own. If as many come as the limit, there may be more: call again with
 * the last id as `after`.
 *
 * @throws NoemaError 400 if something in the query is not accepted
 */
export async function listIncidents(memory: Memory, query: IncidentQuery = {}, options?: CallOptions): Promise<Incident[]> {
  const asked = checked("the query of listIncidents", "member", query, { after: 1, limit: 1, session: 1, verdict: 1 });
  return message(memory, { operation: "listIncidents", method: "GET", path: withQuery("incidents", { ...asked }), repeats: "read" }, options);
}

/**
 * An incident with its evidence.
 *
 * @throws NoemaError 404 if none has the id
 */
export async function getIncident(memory: Memory, id: number, options?: CallOptions): Promise<IncidentWithEvidence> {
  return message(memory, { operation: "getIncident", method: "GET", path: `incidents/${idSegment("the id of an incident", id)}`, repeats: "read" }, options);
}

/**
 * Sets the verdict on an incident. When it is first judged normal, its events are learned, with up to ten before them.
 *
 * @returns the model that was learned; `null` for none
 * @throws NoemaError 404 if no incident has the id, 400 if a member is wrong
 */
export async function judgeIncident(memory: Memory, id: number, judgement: Judgement, options?: WriteOptions): Promise<Judged> {
  checked("a judgement", "member", judgement, { verdict: 1, note: 1 });
  return message(memory, { operation: "judgeIncident", method: "PUT", path: `incidents/${idSegment("the id of an incident", id)}`, repeats: "keyed", body: { data: judgement } }, options);
}

/**
 * The newest events of a memory's history, newest first; the gene `history` sets how many are kept.
 *
 * @throws NoemaError 400 if something in the query is not accepted
 */
export async function getHistory(memory: Memory, query: HistoryQuery = {}, options?: CallOptions): Promise<HistoryEvent[]> {
  const asked = checked("the query of getHistory", "member", query, { before: 1, limit: 1 });
  return message(memory, { operation: "getHistory", method: "GET", path: withQuery("history", { ...asked }), repeats: "read" }, options);
}

/**
 * The memories that have observed, of all processors that the key opens: those with open incidents first, then silent
 * ones, then by last surprise, then by name.
 *
 * @throws NoemaError 400 if the limit is not accepted
 */
export async function listDevices(noema: Noema, query: DeviceQuery = {}, options?: CallOptions): Promise<Device[]> {
  const asked = checked("the query of listDevices", "member", query, { limit: 1 });
  return message(noema, { operation: "listDevices", method: "GET", path: withQuery("devices", { ...asked }), repeats: "read" }, options);
}

/** A model, or an empty object if there is none with this name. */
export async function getModel(processor: Processor, model: string, options?: CallOptions): Promise<Model | Record<string, never>> {
  return message(processor, { operation: "getModel", method: "GET", path: `model/${segment("the name of a model", model)}`, repeats: "read" }, options) as Promise<Model | Record<string, never>>;
}

/** Deletes a model. Answers `"model-not-found"` if there is none with this name. */
export async function deleteModel(processor: Processor, model: string, options?: WriteOptions): Promise<Message<"deleteModel">> {
  return message(processor, { operation: "deleteModel", method: "DELETE", path: `model/${segment("the name of a model", model)}`, repeats: "keyed" }, options);
}

/**
 * Replaces members of a model. A new sequence gives it a new name.
 *
 * @returns its new hash, or `"failed-to-update-model"` if there is none with this name
 * @throws NoemaError 400 if a value is not accepted, 413 if the sequence has more than 250,000 symbols and events
 */
export async function updateModel(processor: Processor, model: string, change: ModelChange, options?: WriteOptions): Promise<Message<"updateModel">> {
  checked("updateModel", "member", change, { sequence: 1, frequency: 1, emotives: 1, metadata: 1, length: 1, name: 1, predecessor_model: 1 });
  return message(processor, { operation: "updateModel", method: "PUT", path: `model/${segment("the name of a model", model)}`, repeats: "keyed", body: { model: change } }, options);
}

/**
 * Forgets rarely learned models: first those learned fewer than `frequency_below` times, then the least frequent of the
 * others, oldest first among equals, until `keep_at_most` are left.
 *
 * @returns the number forgotten, or with `dry_run` the number that would be
 * @throws NoemaError 400 if a value is not accepted
 */
export async function forgetModels(processor: Processor, which: Forgetting, options?: WriteOptions): Promise<number> {
  checked("forgetModels", "member", which, { frequency_below: 1, keep_at_most: 1, dry_run: 1 });
  return (await message(processor, { operation: "forgetModels", method: "POST", path: "forget", repeats: "keyed", body: { data: which } }, options)).models;
}

/** The hashes of the models that hold all of the symbols, at most 250,000. */
export async function findModelsWithSymbols(processor: Processor, symbols: readonly string[], options?: CallOptions): Promise<ModelHash[]> {
  return (await message(processor, { operation: "findModelsWithSymbols", method: "POST", path: "get-models-with-symbols", repeats: "read", body: { data: symbols } }, options)).model_list;
}

/**
 * The hashes of the models in which every pattern matches a whole symbol, at most 250,000.
 *
 * @param patterns regular expressions as for Python's `re`, 1 to 256
 */
export async function findModelsWithPatterns(processor: Processor, patterns: readonly string[], options?: CallOptions): Promise<ModelHash[]> {
  return (await message(processor, { operation: "findModelsWithPatterns", method: "POST", path: "get-models-with-patterns", repeats: "read", body: { data: patterns } }, options)).model_list;
}

/**
 * A page of the models, newest first unless `sort` and `direction` say otherwise.
 *
 * @throws NoemaError 400 if something in the query is not accepted, 413 if the search is too much work
 */
export async function listModels(processor: Processor, query: ModelListQuery = {}, options?: CallOptions): Promise<ModelPage> {
  const { symbols, patterns, ...asked } = checked("the query of listModels", "member", query, { sort: 1, direction: 1, cursor: 1, limit: 1, name: 1, symbols: 1, patterns: 1 });
  return message(processor, { operation: "listModels", method: "GET", path: withQuery("models", { ...asked, symbol: symbols, pattern: patterns }), repeats: "read" }, options);
}

/** What would be predicted if the model's sequence were in working memory, best first. */
export async function getPredictionsForModel(processor: Processor, model: string, options?: CallOptions): Promise<Predictions> {
  return message(processor, { operation: "getPredictionsForModel", method: "GET", path: `prediction-ensemble-for-model/${segment("the name of a model", model)}`, repeats: "read" }, options);
}

/**
 * A symbol with its counters, or `null` if the symbol is unknown.
 *
 * @throws TypeError if the symbol is empty, `.` or `..`: no path can carry these
 */
export async function getSymbol(processor: Processor, symbol: string, options?: CallOptions): Promise<SymbolRecord | null> {
  return message(processor, { operation: "getSymbol", method: "GET", path: `symbol/${segment("a symbol", symbol)}`, repeats: "read" }, options);
}

/**
 * A learned vector.
 *
 * @param vector its name, `VECTOR|<hash>`
 * @throws NoemaError if there is none of this name
 */
export async function getVector(processor: Processor, vector: string, options?: CallOptions): Promise<VectorRecord> {
  return message(processor, { operation: "getVector", method: "GET", path: withQuery("vector", { data: vector }), repeats: "read" }, options) as Promise<VectorRecord>;
}

/**
 * A page of the symbols in models, the most frequent first unless `sort` and `direction` say otherwise.
 *
 * @throws NoemaError 400 if something in the query is not accepted, 413 if the search is too much work
 */
export async function listSymbols(processor: Processor, query: SymbolListQuery = {}, options?: CallOptions): Promise<SymbolPage> {
  const { patterns, ...asked } = checked("the query of listSymbols", "member", query, { sort: 1, direction: 1, cursor: 1, limit: 1, name: 1, patterns: 1 });
  return message(processor, { operation: "listSymbols", method: "GET", path: withQuery("symbols", { ...asked, pattern: patterns }), repeats: "read" }, options);
}

/**
 * A page of the learned vectors, newest first unless `sort` and `direction` say otherwise.
 *
 * @throws NoemaError 400 if something in the query is not accepted
 */
export async function listVectors(processor: Processor, query: VectorListQuery = {}, options?: CallOptions): Promise<VectorPage> {
  const asked = checked("the query of listVectors", "member", query, { sort: 1, direction: 1, cursor: 1, limit: 1, name: 1 });
  return message(processor, { operation: "listVectors", method: "GET", path: withQuery("vectors", { ...asked }), repeats: "read" }, options);
}

/** Blacklists symbols, at most 100,000: later observations drop them. */
export async function addBlacklistedSymbols(processor: Processor, symbols: readonly string[], options?: WriteOptions): Promise<Message<"addBlacklistedSymbols">> {
  return message(processor, { operation: "addBlacklistedSymbols", method: "POST", path: "blacklisted-symbols/add", repeats: "keyed", body: { data: symbols } }, options);
}

/** The blacklisted symbols in the order in which they were added. */
export async function listBlacklistedSymbols(processor: Processor, options?: CallOptions): Promise<string[]> {
  return message(processor, { operation: "listBlacklistedSymbols", method: "GET", path: "list-blacklisted-symbols", repeats: "read" }, options);
}

/**
 * Takes symbols off the blacklist. The answer says whether some were not on it; the others are removed all the same.
 */
export async function removeBlacklistedSymbols(processor: Processor, symbols: readonly string[], options?: WriteOptions): Promise<Message<"removeBlacklistedSymbols">> {
  return message(processor, { operation: "removeBlacklistedSymbols", method: "DELETE", path: "blacklisted-symbols/remove", repeats: "keyed", body: { data: symbols } }, options);
}
