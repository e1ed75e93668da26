/** The evidence for a prediction, a forecast or a surprise; the fragment says which. */

import type { Memory } from "../../client";
import { Allowed } from "../parts/allowed";
import { linkTo, place } from "../place";
import { refusal } from "../rights";
import { ForecastEvidence } from "./forecast-evidence";
import { PredictionEvidence } from "./prediction-evidence";
import { SurpriseEvidence } from "./surprise-evidence";

export function Why({ memory }: { readonly memory: Memory }) {
  const { path, query, session } = place.value;
  return (
    <Allowed what="ask why" refusal={refusal({ of: "memory", session }, "read")}>
      {/* What is open is no other evidence; everything else in the address is. */}
      <EvidenceOf key={JSON.stringify([path, { ...query, open: undefined }])} memory={memory} />
    </Allowed>
  );
}

function EvidenceOf({ memory }: { readonly memory: Memory }) {
  const [kind, what] = place.value.path;
  if (kind === "prediction" && what !== undefined) return <PredictionEvidence memory={memory} model={what} />;
  if (kind === "forecast" && what !== undefined) return <ForecastEvidence memory={memory} symbol={what} />;
  if (kind === "surprise") return <SurpriseEvidence memory={memory} />;
  return (
    <p class="nothing">
      Choose a prediction, a symbol or a surprise in <a href={linkTo({ view: "now" })}>Devices</a>: it opens here into
      its evidence.
    </p>
  );
}
