/** Observes records: checks each one, turns it into an event, makes predictions and learns when due. */

import type { Delivery, Gdf, Observed, Surprise } from "../../gen/plain";
import { MS_PER_SECOND } from "../../text/clock";
import { tooMany } from "../../text/request-limits";
import type { EncodedNumbers } from "../encoding/encoders";
import { checkGdf, checkSymbols } from "../input/gdf-input";
import { observedLength, observedVector } from "../input/observed-vector";
import { addEmotives, assertSummable } from "../knowledge/emotives";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";
import { forwardedEvents } from "../prediction/manipulative";
import { withArrival } from "../silence/arrivals";
import { awakeFrom } from "../silence/rules";
import { tellForecasts, tellSurprise, unlessTooLarge, wantsSurprise } from "./alerts/alerting";
import { clearWorkingMemory } from "./clearing";
import { assertDelivery, isRepeated, keepDelivery, senderOf } from "./deliveries";
import { eventOf } from "./event-symbols";
import { noteHistory } from "./incidents/history";
import { dropBeyondLimit, learn, learnIfDue } from "./learning";
import { assertRoom, keepWithin } from "./room";

/** Counts of records for which something was skipped because it exceeded a budget of steps or bytes. */
export interface Omissions {
  /** Not determined whether there is any prediction. */
  prediction: number;
  /** Not determined whether autolearn by entropy is due; nothing was learned. */
  autolearn: number;
  /** Nothing sent by manipulatives. */
  manipulatives: number;
}

/** The result of observing one record that may be a repetition. */
export interface ObserveOutcome {
  observed: Observed;
  omitted: Omissions;
  /** The delivery was a repetition: nothing changed. */
  redelivered: boolean;
  /**
   * Predictions for other processors were not recorded, because they would exceed the deliveries that the request may
   * cause.
   */
  untold: boolean;
}

/** A request to observe several records, all or none. */
export interface SequenceRequest {
  sequence: Gdf[];
  /** Learn after the last record. */
  learn: boolean;
  /** Clear working memory before the first record. */
  clear: boolean;
  /** Given by a sender that may repeat the request, which then takes effect once, awake or asleep. */
  delivery?: Delivery | undefined;
  /** Compute the surprise of each event. */
  explain?: boolean;
}

/** How a record is observed. */
interface Manner {
  /** The stations that the record passed, this processor's own entry last. */
  path: string[];
  /** Maximum number of deliveries it may cause; `undefined` for no limit. */
  mostDeliveries?: number | undefined;
  /** Compute the surprise of the event. */
  explain: boolean;
  /** Counts what was skipped. */
  omitted: Omissions;
}

/** The result of observing several records. */
export interface SequenceObserved {
  /** One per record, in order. */
  observed: Observed[];
  omitted: Omissions;
  /** The name of the model learned at the end, without prefix; empty for none. */
  learnedModel: string;
  /** The delivery is a repetition: nothing changed. */
  redelivered: boolean;
}

function ignored(gdf: Gdf): Observed {
  return { awake: false, autoLearnedModel: "", predictionMade: false, uniqueId: gdf.uniqueId };
}

/** Counts of 0. */
function noOmissions(): Omissions {
  return { prediction: 0, autolearn: 0, manipulatives: 0 };
}

/**
 * If predictions are due, bases the ensemble on the current memory.
 *
 * @returns whether it predicts anything; `undefined` if that was not determined
 */
function predictIfDue(mind: Mind): boolean | undefined {
  const { observeCalls } = mind.state;
  if (!mind.shared.state.predict || observeCalls % mind.genes.predict_on_nth_event !== 0) {
    mind.memory.dropEnsemble();
    return false;
  }
  mind.memory.holdEnsemble();
  return mind.ensemble.findAny();
}

/**
 * Records the events that other processors observe of the ensemble; none if they would take too many bytes.
 * @returns whether nothing was recorded because it would exceed the deliveries that the record may cause
 */
function forward(mind: Mind, gdf: Gdf, { path, mostDeliveries: most, omitted }: Manner): boolean {
  const { id, manipulatives } = mind.shared;
  const limits = { path, room: mind.store.roomToTell() };
  const events = forwardedEvents(id, mind.session, manipulatives, mind.ensemble, gdf, limits);
  if (events === undefined) {
    omitted.manipulatives++;
    return false;
  }
  if (most !== undefined && events.length > most) return true;
  for (const event of events) mind.store.record({ kind: "event-forwarded", event, mostDeliveries: most });
  return false;
}

/**
 * Lets the manipulatives send, if there is a prediction, and neither all predictions take too many steps nor their
 * events too many bytes.
 * @param made whether there is a prediction; `undefined` if that was not determined
 * @returns as {@link forward}
 */
function tellOthers(mind: Mind, gdf: Gdf, manner: Manner, made?: boolean): boolean {
  const isHeard = mind.shared.manipulatives.some(({ targets }) => targets.length > 0);
  if (made === false || !isHeard) return false;
  const predictions = made && unlessTooLarge(() => mind.ensemble.predictions());
  if (predictions === undefined) {
    manner.omitted.manipulatives++;
    return false;
  }
  return forward(mind, gdf, manner);
}

/** What is found out about a record when it is observed. */
interface Sighting {
  symbols: string[];
  uniqueId: string;
  /** `undefined` also if not requested. */
  surprise: Surprise | undefined;
}

function notifyListener(mind: Mind, { symbols, uniqueId, surprise }: Sighting): void {
  const { session } = mind;
  const { activityListener } = mind.shared;
  if (!activityListener?.isListening) return;
  const place = { session, interval: mind.state.time };
  activityListener.notify({ kind: "observed", ...place, symbols, uniqueId });
  if (activityListener.wantsSurprise(session)) activityListener.notify({ kind: "surprise", ...place, surprise });
}

/**
 * The surprise of an event, if the caller, the listener or an alert wants it.
 * @throws Fault `too-large` if the caller wants it and the forecast takes too many steps. No observation fails because
 *   of the listener or an alert.
 */
function surpriseOf(mind: Mind, symbols: string[], explain: boolean): Surprise | undefined {
  if (explain) return mind.forecasts.surpriseOf(symbols);
  const { activityListener } = mind.shared;
  const isListenedTo = activityListener?.isListening && activityListener.wantsSurprise(mind.session);
  if (!isListenedTo && !wantsSurprise(mind)) return undefined;
  return unlessTooLarge(() => mind.steps.apart(() => mind.forecasts.surpriseOf(symbols)));
}

/** Encodes the numbers of a record. @returns their symbols, and the memory's new state for encoders */
function encodedNumbers(
  { session, shared, state: { bins, collected } }: Mind,
  { numbers }: Gdf,
): Pick<Mind["state"], "bins" | "collected"> & Pick<EncodedNumbers, "symbols"> {
  if (numbers.length === 0) return { symbols: [], bins, collected };
  return shared.encoders.encode(numbers, { session, bins, collected });
}

/**
 * Observes a checked record.
 *
 * @throws Fault `too-large` if the memory has no room for it, or the explanation takes too many steps
 */
function observeChecked(mind: Mind, gdf: Gdf, manner: Manner): Observed & { untold: boolean } {
  const { state } = mind;
  const { path, explain, omitted } = manner;
  const pendingEmotives =
    gdf.emotives.length === 0 ? state.pendingEmotives : addEmotives(state.pendingEmotives, gdf.emotives);
  const vector = observedVector(gdf.vectors, mind.vectorLength);
  const numbers = encodedNumbers(mind, gdf);
  const time = gdf.time ?? mind.shared.now() / MS_PER_SECOND;
  const { symbols, waits } = eventOf(mind, gdf, vector, numbers.symbols, () =>
    mind.shared.encoders.encodeTime(() => ({ time, before: mind.memory.newestTime })),
  );
  const waiting = vector !== undefined && waits !== undefined ? { name: waits, vector } : undefined;
  const mayExceed = assertRoom(mind, { symbols, metadata: gdf.metadataJson, waiting });
  const surprise = surpriseOf(mind, symbols, explain);
  mind.update({
    time: state.time + 1,
    observeCalls: state.observeCalls + 1,
    emotives: gdf.emotives,
    pendingEmotives,
    percept: { gdf, path, symbols },
    lastObserved: mind.shared.seconds,
    bins: numbers.bins,
    collected: numbers.collected,
  });
  notifyListener(mind, { symbols, uniqueId: gdf.uniqueId, surprise });
  const event = { interval: mind.state.time, time, bits: surprise?.bits, symbols };
  const isArrival = gdf.time === undefined;
  tellSurprise(mind, { event, isArrival, surprise, factors: mind.forecasts.lastFactors });
  noteHistory(mind, event, gdf);
  if (waiting !== undefined) mind.waiting.add(waiting.name, waiting.vector);
  if (symbols.length > 0) mind.memory.append(symbols, gdf.metadataJson, time);
  dropBeyondLimit(mind);
  const isEventful = gdf.strings.length > 0 || gdf.vectors.length > 0 || numbers.symbols.length > 0;
  const isPredicting = isEventful && predictIfDue(mind);
  if (isPredicting === undefined) omitted.prediction++;
  if (isEventful) tellForecasts(mind);
  const untold = tellOthers(mind, gdf, manner, isPredicting);
  const { model: autoLearnedModel, isUnknown } = learnIfDue(mind);
  if (isUnknown) omitted.autolearn++;
  keepWithin(mind, waiting, mayExceed);
  const answeredSurprise = explain ? surprise : undefined;
  const predictionMade = isPredicting ?? false;
  return { awake: true, autoLearnedModel, predictionMade, uniqueId: gdf.uniqueId, surprise: answeredSurprise, untold };
}

function observeOne(mind: Mind, gdf: Gdf, manner: Manner): Observed {
  const { untold: _, ...observed } = observeChecked(mind, gdf, manner);
  return observed;
}

/** The stations of a record, with this processor's own entry. */
function pathTo(mind: Mind, path: readonly string[]): string[] {
  const { id, name } = mind.shared;
  return [...checkSymbols(path, "an entry of the path"), `${name}-${id}-process`];
}

/** The answer to a repeated record. Not the first answer again, because that is not stored. */
function repeated({ uniqueId }: Gdf, awake: boolean): Observed {
  return { awake, autoLearnedModel: "", predictionMade: false, uniqueId };
}

/**
 * Observes one record.
 * @param path the stations that the record passed before
 * @param delivery given by a sender that may repeat the record, which then takes effect once, awake or asleep. A
 *   refused record may be sent again under the same number.
 * @param explain whether to return the surprise of the event
 * @throws Fault `invalid` when the record is wrong; `too-large` when a budget does not allow it; `exhausted` when it
 *   led to a model for which there is no memory
 */
export function observe(
  mind: Mind,
  record: Gdf,
  path: readonly string[],
  delivery: Delivery | undefined,
  explain: boolean,
): ObserveOutcome {
  const gdf = checkGdf(record, mind.budgets.memorySymbols);
  const ownPath = pathTo(mind, path);
  const isAwake = !mind.shared.state.sleeping;
  const sender = senderOf(path);
  if (delivery !== undefined) {
    assertDelivery(delivery);
    if (isRepeated(mind, sender, delivery)) {
      return { observed: repeated(gdf, isAwake), omitted: noOmissions(), redelivered: true, untold: false };
    }
  }
  mind.shared.encoders.assertKnown(gdf.numbers);
  const omitted = noOmissions();
  const manner = { path: ownPath, mostDeliveries: delivery?.mostDeliveries, explain, omitted };
  const { untold, ...observed } = isAwake
    ? mind.steps.shareAmong(1, () => observeChecked(mind, gdf, manner))
    : { ...ignored(gdf), untold: false };
  if (isAwake) noteArrival(mind);
  if (delivery !== undefined) keepDelivery(mind, sender, delivery);
  mind.recordState();
  return { observed, omitted, redelivered: false, untold };
}

/** Notes an arrival of records in a memory; all records of one request are one arrival. */
function noteArrival(mind: Mind): void {
  const { shared, state } = mind;
  const now = shared.now();
  mind.update({ arrivals: withArrival(state.arrivals, now, awakeFrom(shared.state.awakeSince, now)) });
}

/** @throws Fault `too-large` when a sequence has more records than its budget allows */
function assertCount(mind: Mind, { length }: readonly Gdf[]): void {
  const { sequenceRecords: most } = mind.budgets;
  if (length <= most) return;
  throw new Fault("too-large", tooMany.records(most, length));
}

/**
 * Refuses records that could not all be observed in turn, before any of them is.
 *
 * @throws Fault `invalid`
 */
function assertObservable(mind: Mind, records: readonly Gdf[], clear: boolean): void {
  let dimensionality = clear ? mind.vectors.dimensionality : mind.vectorLength;
  for (const { vectors } of records) dimensionality = observedLength(vectors, dimensionality) ?? dimensionality;
  assertSummable(
    clear ? [] : mind.state.pendingEmotives,
    records.map(({ emotives }) => emotives),
  );
}

/**
 * Observes one of several records; if a budget refuses it, the message says which record it is.
 *
 * @throws Fault as `observing` does
 */
function namingRecord(at: number, records: number, observing: () => Observed): Observed {
  try {
    return observing();
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "too-large" || records === 1) throw error;
    throw new Fault("too-large", `record ${at + 1} of ${records}: ${error.message}`);
  }
}

/** Observes checked records in order, and clears and learns as asked. */
function observeAll(
  mind: Mind,
  records: readonly Gdf[],
  path: string[],
  request: SequenceRequest,
): Omit<SequenceObserved, "redelivered"> {
  assertObservable(mind, records, request.clear);
  if (request.clear) clearWorkingMemory(mind);
  const omitted = noOmissions();
  const manner = { path, explain: request.explain ?? false, omitted };
  const observed = mind.steps.shareAmong(records.length, () =>
    records.map((gdf, at) => namingRecord(at, records.length, () => observeOne(mind, gdf, manner))),
  );
  return { observed, omitted, learnedModel: request.learn ? learn(mind) : "" };
}

/**
 * Observes several records in order, all or none. Asleep, only the number of the delivery changes.
 * @throws Fault as {@link observe}
 */
export function observeSequence(mind: Mind, request: SequenceRequest): SequenceObserved {
  return takeSequence(mind, request, () => ({
    observed: request.sequence.map(ignored),
    omitted: noOmissions(),
    learnedModel: "",
  }));
}

/**
 * Clears, observes and learns as a frame of a stream requests, all or nothing. Asleep, the processor ignores the
 * records, but clears and learns as separate calls would.
 * @throws Fault as {@link observe}
 */
export function takeFrame(mind: Mind, request: SequenceRequest): SequenceObserved {
  return takeSequence(mind, request, (path) => ({
    ...observeAll(mind, [], path, request),
    observed: request.sequence.map(ignored),
  }));
}

/** @param asleep what to do instead if the processor sleeps */
function takeSequence(
  mind: Mind,
  request: SequenceRequest,
  asleep: (path: string[]) => Omit<SequenceObserved, "redelivered">,
): SequenceObserved {
  assertCount(mind, request.sequence);
  const records = request.sequence.map((record) => checkGdf(record, mind.budgets.memorySymbols));
  const path = pathTo(mind, []);
  const { delivery } = request;
  const isAwake = !mind.shared.state.sleeping;
  if (delivery !== undefined) {
    assertDelivery(delivery);
    if (isRepeated(mind, "client", delivery)) {
      const observed = records.map((gdf) => repeated(gdf, isAwake));
      return { observed, omitted: noOmissions(), learnedModel: "", redelivered: true };
    }
  }
  for (const { numbers } of records) mind.shared.encoders.assertKnown(numbers);
  const outcome = isAwake ? observeAll(mind, records, path, request) : asleep(path);
  if (isAwake && records.length > 0) noteArrival(mind);
  if (delivery !== undefined) keepDelivery(mind, "client", delivery);
  mind.recordState();
  return { ...outcome, redelivered: false };
}
