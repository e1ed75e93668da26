/** Since when a server counts, its version, and why there are no newer metrics. */

import { Failure } from "../parts/failure";
import { clock, day } from "../parts/figures";
import type { MetricsHistory } from "./metrics-history";
import { startOf } from "./readings";

export function MetricsState({ history }: { readonly history: MetricsHistory }) {
  const latest = history.latest.value;
  const failure = history.failure.value;
  const restart = history.points.value.findLast(({ isAnotherLife }) => isAnotherLife);
  const [build] = latest?.metrics.get("noema_build_info") ?? [];
  return (
    <>
      <Failure error={failure} onRetry={() => history.begin()} />
      {latest === undefined && failure === undefined && <p class="nothing">…</p>}
      {latest !== undefined && (
        <p class="facts">
          {failure === undefined ? "Read every 5 seconds while this page is visible" : "Last read"}
          {failure !== undefined && ` at ${clock(latest.at)}`}. Noema {build?.labels.version}, counting since{" "}
          {day(startOf(latest.metrics) * 1000)}.
        </p>
      )}
      <p class="facts" role="status">
        {restart !== undefined &&
          !history.isSampled.value &&
          `The server was restarted, or another isolate answers, since ${clock(restart.at)}. The line marks it.`}
        {history.isSampled.value &&
          "Several isolates answer, each with its own numbers: take these as a sample, and Workers Analytics for " +
            "the whole."}
      </p>
    </>
  );
}
