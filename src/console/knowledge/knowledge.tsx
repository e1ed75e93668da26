/** The view *Knowledge*: what a processor has learned, part by part. */

import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Processor } from "../../client";
import { Allowed } from "../parts/allowed";
import { later } from "../parts/later";
import { SubNavigation } from "../parts/sub-navigation";
import { place } from "../place";
import { refusal } from "../rights";
import { LearnedNews } from "./learned-news";
import { ModelView } from "./model-view";
import { Models } from "./models";
import { Symbols } from "./symbols";
import { Transfer } from "./transfer";
import { Vectors, VectorView } from "./vectors";

const ImportTable = later(async () => (await import("../import/import-table")).ImportTable);

/** The parts of the view; the first is the default. */
const PARTS = [
  ["models", "Models"],
  ["symbols", "Symbols"],
  ["vectors", "Vectors"],
  ["import", "Import a table"],
  ["move", "Move and forget"],
] as const;

export function Knowledge({ processor }: { readonly processor: Processor }) {
  return (
    <Allowed what="see what was learned" refusal={refusal({ of: "processor" }, "read", "manage")}>
      <Parts processor={processor} />
    </Allowed>
  );
}

function Parts({ processor }: { readonly processor: Processor }) {
  const cannotHear = refusal({ of: "processor" }, "observe") || refusal({ of: "processor" }, "read");
  const news = useMemo(() => new LearnedNews(processor, cannotHear), [processor, cannotHear]);
  useEffect(() => () => news.close(), [news]);
  const [named, name] = place.value.path;
  const [part] = PARTS.find(([each]) => each === named) ?? PARTS[0];
  useFocusOnChange(`${part}/${name}`);
  return (
    <div class="knowledge">
      <SubNavigation
        label="Parts of the knowledge"
        items={PARTS.map(([each, text]) => ({ text, to: { path: [each], query: {} }, isCurrent: each === part }))}
      />
      {part === "models" && name === undefined && <Models processor={processor} news={news} />}
      {part === "models" && name !== undefined && (
        <ModelView key={name} processor={processor} name={name} news={news} />
      )}
      {part === "symbols" && <Symbols processor={processor} />}
      {part === "vectors" && name === undefined && <Vectors processor={processor} />}
      {part === "vectors" && name !== undefined && <VectorView key={name} processor={processor} name={name} />}
      {part === "import" && <ImportTable processor={processor} />}
      {part === "move" && <Transfer processor={processor} />}
    </div>
  );
}

/** Moves the focus to the top when the user goes to another part, or to a model and back. */
function useFocusOnChange(where: string): void {
  const shown = useRef(where);
  useLayoutEffect(() => {
    if (shown.current !== where) document.getElementById("view")?.focus();
    shown.current = where;
  }, [where]);
}
