/** How the server is doing, what went wrong, who may do what, and what it costs. Each part has a URL of its own. */

import { useEffect } from "preact/hooks";
import { Allowed } from "../parts/allowed";
import { Section } from "../parts/section";
import { SubNavigation } from "../parts/sub-navigation";
import { place } from "../place";
import { refusal } from "../rights";
import type { Agent } from "../server";
import { KeysPart, RoleWords } from "./keys";
import { historyOf, type MetricsHistory } from "./metrics-history";
import { NewKeyForm } from "./new-key-form";
import { Overview } from "./overview";
import { RecentPart } from "./recent";
import { RowsPart } from "./rows";

const PARTS = [
  { text: "Overview", path: [] },
  { text: "Requests", path: ["requests"] },
  { text: "Keys", path: ["keys"] },
  { text: "Rows written", path: ["rows"] },
];

export function Operate({ agent }: { readonly agent: Agent }) {
  const { noema } = agent;
  const history = historyOf(noema);
  const unknown = refusal({ of: "agent" }, "read");
  useEffect(() => (unknown === "" ? whileSeen(history) : undefined), [history, unknown]);
  const [first = "", item] = place.value.path;
  // An unknown part falls back to the first.
  const part = PARTS.some(({ path }) => path[0] === first) ? first : "";
  return (
    <>
      <SubNavigation
        label="Parts of Operate"
        items={PARTS.map(({ text, path }) => ({
          text,
          to: { view: "operate", path, query: {} },
          isCurrent: part === (path[0] ?? ""),
        }))}
      />
      {part === "" && <Overview agent={agent} history={history} />}
      {part === "requests" && (
        <Allowed what="see which requests went wrong" refusal={unknown}>
          <RecentPart agent={agent} />
        </Allowed>
      )}
      {part === "keys" && <Keys agent={agent} isNew={item === "new"} />}
      {part === "rows" && (
        <Allowed what="see what calls have written" refusal={unknown}>
          <RowsPart history={history} />
        </Allowed>
      )}
    </>
  );
}

function Keys({ agent, isNew }: { readonly agent: Agent; readonly isNew: boolean }) {
  const closed = refusal({ of: "agent" }, "admin");
  if (closed === "") return isNew ? <NewKeyForm agent={agent} /> : <KeysPart agent={agent} />;
  return (
    <>
      <Section title="Keys">
        <Allowed what="see, make or revoke keys" refusal={closed} />
      </Section>
      <RoleWords />
    </>
  );
}

/** Polls while the page is visible. @returns stops it */
function whileSeen(history: MetricsHistory): () => void {
  const follow = () => (document.hidden ? history.pause() : history.begin());
  document.addEventListener("visibilitychange", follow);
  follow();
  return () => {
    document.removeEventListener("visibilitychange", follow);
    history.pause();
  };
}
