/** Reduces predictions to the requested members. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetPredictionsResponseSchema } from "../../../gen/noema/v1/memory_service_pb";
import { PredictionSchema } from "../../../gen/noema/v1/prediction_pb";
import { Fault } from "../../../processor/ports/fault";
import { excerpt } from "../../../text/excerpt";

type Answer = MessageInitShape<typeof GetPredictionsResponseSchema>;

/** A member of predictions in JSON that messages do not have, because there is only one type of prediction. */
const TYPE = "type";

/** From the names of the members, as in JSON and the proto file, to those in the generated code. */
const LOCAL_NAMES: ReadonlyMap<string, string> = new Map(
  PredictionSchema.fields.map(({ name, localName }) => [name, localName]),
);

const ACCEPTED = [...LOCAL_NAMES.keys(), TYPE].sort();

/** The columns of events: those before, in and after the present stand one after the other. */
const EVENT_COLUMNS = ["symbols", "pastCounts", "presentCounts", "futureCounts", "eventLengths", "eventSymbols"];

/**
 * The columns of each member, unless it is a single one of the same name. Names are always included, because they give
 * the number of predictions.
 */
const COLUMNS: { readonly [member: string]: readonly string[] } = {
  name: [],
  [TYPE]: [],
  frequency: ["frequencies"],
  past: EVENT_COLUMNS,
  present: EVENT_COLUMNS,
  future: EVENT_COLUMNS,
  matches: ["symbols", "matchCounts", "matches"],
  missing: ["symbols", "missingCounts", "missing"],
  extras: ["symbols", "extraCounts", "extras"],
  emotives: ["emotiveCounts", "emotives"],
};

/** @throws Fault `invalid` naming the first name that is not a member of predictions */
export function assertFields(fields: readonly string[]): void {
  const at = fields.findIndex((name) => !ACCEPTED.includes(name));
  if (at < 0) return;
  throw new Fault("invalid", `fields[${at}] must be one of ${ACCEPTED.join(", ")}, got ${excerpt(fields[at])}`);
}

/** The same predictions with only some members; with all if no field is named. */
export function withFields<Given extends { predictions: object[] }>(answer: Given, fields: readonly string[]): Answer {
  if (fields.length === 0) return answer;
  const wanted = fields.map(localName);
  return { predictions: answer.predictions.map((prediction) => picked(prediction, wanted)) };
}

/** The columns that the named members need; all if no field is named. */
export function withColumns<Given extends { packed: object }>(answer: Given, fields: readonly string[]): Answer {
  if (fields.length === 0) return answer;
  const wanted = fields.flatMap((name) => COLUMNS[name] ?? localName(name));
  return { packed: picked(answer.packed, ["names", ...wanted]) };
}

function localName(name: string): string {
  return LOCAL_NAMES.get(name) ?? name;
}

/** The members of an object with these names. */
function picked(whole: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)));
}
