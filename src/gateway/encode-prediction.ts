/** Writes predictions as JSON text. */

import type { Prediction } from "../gen/noema/v1/prediction_pb";
import { emotives, events } from "./encode-noun";
import { list, number, text, texts } from "./json";

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
