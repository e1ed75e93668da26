/** A model as a record of an export, an answer or a load: from a stored row and back, with checks. */

import type { Model as Message } from "../../../gen/plain";
import { answerBytes, MAX_ANSWER_BYTES } from "../../../text/answer-bytes";
import { excerpt } from "../../../text/excerpt";
import { checkEmotiveValues, checkEvents, checkFrequency, checkMetadataList } from "../../input/model-input";
import { assertModelFits } from "../../knowledge/counting";
import { checkRuns, runsOf } from "../../knowledge/model-times";
import { modelName } from "../../knowledge/names";
import { Fault } from "../../ports/fault";
import type { ModelRow } from "../../ports/store";

/** A learned model with its symbols; `order`, `learnedAt` and `runs` if they are asked for or given, and known. */
export type Model = Omit<Message, "runs"> & Partial<Pick<Message, "runs">>;

/** A model of a load whose symbols have no numbers yet. */
export type CheckedModel = Omit<ModelRow, "id" | "symbols" | "lengths"> & { events: string[][] };

/** The model of a stored row, given the symbols of its events. */
export function modelOf({ row, events }: { row: ModelRow; events: string[][] }): Model {
  return {
    name: row.name,
    sequence: events.map((symbols) => ({ symbols })),
    frequency: row.frequency,
    emotives: row.emotives,
    metadataJson: row.metadata,
  };
}

/**
 * Refuses to return a model, stored by an earlier version, that is too large for an answer.
 *
 * @throws Fault `too-large` that names it
 */
export function assertAnswerable(model: Model): void {
  const bytes = answerBytes(model, MAX_ANSWER_BYTES);
  if (bytes <= MAX_ANSWER_BYTES) return;
  throw new Fault(
    "too-large",
    `the model ${model.name} takes ${bytes} bytes as JSON, and an answer may take ${MAX_ANSWER_BYTES}; delete it, ` +
      "or remove symbols from it",
  );
}

/** A model with its order and the times of its events. */
export function orderedModelOf({ row, events }: { row: ModelRow; events: string[][] }): Model {
  const runs = runsOf(row.times, events.length);
  const model = { ...modelOf({ row, events }), order: row.id, learnedAt: row.learnedAt };
  return runs.length === 0 ? model : { ...model, runs };
}

/** @throws Fault `invalid` if it is not a valid time */
function checkLearnedAt(learnedAt: number | undefined, label: string): number | undefined {
  if (learnedAt === undefined || (Number.isSafeInteger(learnedAt) && learnedAt >= 0)) return learnedAt;
  throw new Fault("invalid", `${label}: learned_at must be whole seconds since 1970, got ${learnedAt}`);
}

/** A model from outside. @throws Fault `invalid` that names what is wrong; `too-large` when the model is */
export function checkModel(model: Model): CheckedModel {
  const label = `models_kb[${excerpt(model.name)}]`;
  const events = checkEvents(model.sequence, label);
  const name = modelName(events);
  if (model.name !== name) {
    throw new Fault("invalid", `${label}: name must be the name of its sequence, ${name}, got ${excerpt(model.name)}`);
  }
  const { length } = model.metadataJson;
  if (length > 0 && length !== events.length) {
    throw new Fault("invalid", `${label}: metadata must be one object per event, ${events.length}, got ${length}`);
  }
  const checked = {
    name,
    events,
    frequency: checkFrequency(model.frequency, label),
    emotives: checkEmotiveValues(model.emotives, label),
    metadata: checkMetadataList(model.metadataJson, events.length, label),
    learnedAt: checkLearnedAt(model.learnedAt, label),
    times: checkRuns(model.runs ?? [], events.length, label),
  };
  assertModelFits(label, checked);
  return checked;
}
