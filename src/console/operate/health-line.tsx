/** Whether storage works. Each check writes a row, so it runs only when the view opens and on request. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { getHealth, type Noema, NoemaError } from "../../client";
import { clock } from "../parts/figures";
import { sentenceOf } from "../server";

/** The result of a check. */
interface Finding {
  readonly works: boolean;
  readonly sentence: string;
  readonly at: number;
}

export function HealthLine({ noema }: { readonly noema: Noema }) {
  const finding = useSignal<Finding | undefined>(undefined);
  const check = async () => {
    finding.value = undefined;
    finding.value = await findingOf(noema);
  };
  useEffect(() => void check(), [noema]);
  const found = finding.value;
  return (
    <div class="health">
      <p class={`link ${stateOf(found)}`} role="status">
        <span class="dot" aria-hidden="true" />
        {found === undefined ? "Checking storage …" : `${found.sentence} Checked at ${clock(found.at)}.`}
      </p>
      <button type="button" title="Each check writes a row." onClick={() => void check()}>
        Refresh
      </button>
    </div>
  );
}

function stateOf(found: Finding | undefined): string {
  if (found === undefined) return "opening";
  return found.works ? "live" : "lost";
}

async function findingOf(noema: Noema): Promise<Finding> {
  const at = Date.now();
  try {
    await getHealth(noema);
    return { works: true, sentence: "Storage works.", at };
  } catch (error) {
    const isBad = error instanceof NoemaError && error.status === 503;
    const sentence = isBad ? "Storage does not work: the server's log says why." : `${sentenceOf(error)}.`;
    return { works: false, sentence, at };
  }
}
