/** Writes predictions as JSON text. */

import type { PackedEnsemble, Prediction } from "../../gen/noema/v1/prediction_pb";
import { list, number, text, texts } from "../json/writer";
import { emotives, events } from "./noun";
import { packedPredictions } from "./packed";

/** An ensemble that may be packed, as far as an answer tells it. */
interface Foretold {
  readonly predictions: readonly Prediction[];
  /** Instead of predictions; from an older processor never set, although it was asked for. */
  readonly packed?: PackedEnsemble | undefined;
}

/**
 * An ensemble in either form as a list of predictions, in the order given.
 *
 * @throws Error when it is packed and its columns do not fit each other
 */
export function foretold({ predictions: ensemble, packed }: Foretold): string {
  return packed === undefined ? predictions(ensemble) : packedPredictions(packed);
}

/** An ensemble as a list of predictions, in the order given. */
export function predictions(ensemble: readonly Prediction[]): string {
  return list(ensemble.map(prediction));
}

function prediction(p: Prediction): string {
  return (
    `{"confidence":${number(p.confidence)},"confluence":${number(p.confluence)},"emotives":${emotives(p.emotives)},` +
    `"entropy":${number(p.entropy)},"evidence":${number(p.evidence)},"extras":${texts(p.extras)},` +
    `"fragmentation":${number(p.fragmentation)},"frequency":${number(p.frequency)},"future":${events(p.future)},` +
    `"grand_hamiltonian":${number(p.grandHamiltonian)},"hamiltonian":${number(p.hamiltonian)},` +
    `"itfdf_similarity":${number(p.itfdfSimilarity)},"matches":${texts(p.matches)},"missing":${texts(p.missing)},` +
    `"name":${text(p.name)},"past":${events(p.past)},"potential":${number(p.potential)},"present":${events(p.present)},` +
    `"similarity":${number(p.similarity)},"snr":${number(p.snr)},"type":"prototypical"}`
  );
}
