/** The evidence for a prediction, a forecast or a surprise: the fragment says for which. */

import type { Memory } from "../../client";
import { linkTo, place } from "../place";
import { ForecastEvidence } from "./forecast-evidence";
import { PredictionEvidence } from "./prediction-evidence";
import { SurpriseEvidence } from "./surprise-evidence";

export function Why({ memory }: { readonly memory: Memory }) {
  const { path, query } = place.value;
  // What is open is no other evidence; everything else in the address is.
  return <EvidenceOf key={JSON.stringify([path, { ...query, open: undefined }])} memory={memory} />;
}

function EvidenceOf({ memory }: { readonly memory: Memory }) {
  const [kind, what] = place.value.path;
  if (kind === "prediction" && what !== undefined) return <PredictionEvidence memory={memory} model={what} />;
  if (kind === "forecast" && what !== undefined) return <ForecastEvidence memory={memory} symbol={what} />;
  if (kind === "surprise") return <SurpriseEvidence memory={memory} />;
  return (
    <p class="nothing">
      Choose a prediction, a symbol or a surprise in <a href={linkTo({ view: "now" })}>Now</a>: it opens here into its
      evidence.
    </p>
  );
}
