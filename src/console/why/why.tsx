/** The evidence for a prediction, a forecast or a surprise: the fragment says for which. */

import type { Memory } from "../../client";
import { place } from "../place";
import { ForecastEvidence } from "./forecast-evidence";
import { PredictionEvidence } from "./prediction-evidence";
import { SurpriseEvidence } from "./surprise-evidence";

export function Why({ memory }: { readonly memory: Memory }) {
  const [kind, what] = place.value.path;
  if (kind === "prediction" && what !== undefined) return <PredictionEvidence memory={memory} model={what} />;
  if (kind === "forecast" && what !== undefined) return <ForecastEvidence memory={memory} symbol={what} />;
  if (kind === "surprise") return <SurpriseEvidence memory={memory} />;
  return <p class="nothing">Choose a prediction or a symbol in Now: it opens here into its evidence.</p>;
}
