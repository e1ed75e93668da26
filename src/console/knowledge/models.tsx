/** The models, sorted, searched and paged by the server; those learned meanwhile are marked. */

import { listModels, type ModelListQuery, type Processor, type Schemas } from "../../client";
import { useAnswer } from "../parts/answer";
import { Events, shortHash } from "../parts/chip";
import type { Column } from "../parts/data-table";
import { whole } from "../parts/figures";
import { Section } from "../parts/section";
import { symbolsOf } from "../parts/typed-record";
import { linkTo, place } from "../place";
import { countOf, Moment } from "./figures";
import type { LearnedNews } from "./learned-news";
import { ListTable, pageQuery } from "./list-place";
import { hashIn, SearchForm, type SearchKind, searchOf } from "./search-form";

const SORTS = ["order", "learned_at", "frequency", "length", "name"] as const;

const KINDS: readonly [SearchKind, ...SearchKind[]] = [
  { name: "symbols", title: "Holds the symbols", example: 'coffee "green tea"' },
  { name: "pattern", title: "Holds a match of", example: "temp=2.*" },
  { name: "name", title: "Hash begins with", example: "3f2a" },
];

const NOTHING = "Nothing was learned yet. Observe and learn in Now, or import knowledge under Move and forget.";

/** More events than this of a model are not drawn in a list. */
const MOST_EVENTS = 8;

/** More symbols than this of an event are counted. */
const MOST_SYMBOLS = 12;

/** The search of the place as the client asks it. */
function sought(): ModelListQuery {
  const { kind, text } = searchOf(KINDS);
  if (text === "") return {};
  if (kind.name === "symbols") return { symbols: symbolsOf(text) };
  return kind.name === "pattern" ? { patterns: [text] } : { name: hashIn(text) };
}

function isSought(): boolean {
  return place.value.query.search !== undefined;
}

export function Models({ processor, news }: { readonly processor: Processor; readonly news: LearnedNews }) {
  const { query } = place.value;
  const asked = useAnswer(
    (signal) => listModels(processor, { ...sought(), ...pageQuery(SORTS) }, { signal }),
    [processor, JSON.stringify(query), news.changes.value],
  );
  return (
    <Section title="Models">
      <SearchForm label="Search models" kinds={KINDS} />
      <News news={news} />
      <ListTable
        asked={asked}
        rows={asked.value?.models}
        noun="models"
        sorts={SORTS}
        nothing={isSought() ? "No model is learned that fits." : NOTHING}
        caption="Learned models"
        columns={columnsWith(news)}
        keyOf={({ name }) => name}
      />
    </Section>
  );
}

/** What was learned since the view was opened. */
function News({ news }: { readonly news: LearnedNews }) {
  // Read, so that it is drawn again.
  const isHeard = news.changes.value >= 0 && news.trouble.value === "";
  if (!isHeard) return <p class="facts">What is learned meanwhile is not marked: {news.trouble.value}.</p>;
  // Before that, something may be learned of which nobody hears.
  if (!news.isHearing.value) return <p class="facts">…</p>;
  const { models } = news;
  return (
    <p class="facts">
      {models === 0 ? "Nothing" : countOf(models, "model")} learned since you opened this view.{" "}
      {models > 0 && (
        <a href={linkTo({ path: ["models"], query: { sort: "learned_at" } })}>Show first what was learned last</a>
      )}
    </p>
  );
}

function columnsWith(news: LearnedNews): readonly Column<Schemas.ListedModel>[] {
  return [
    {
      name: "name",
      title: "Model",
      isSortable: true,
      isRowHeader: true,
      cell: ({ name, frequency }) => (
        <>
          <a class="hash" href={linkTo({ path: ["models", name], query: {} })} title={name}>
            {shortHash(name)}
          </a>
          <Standing standing={news.standing(name, frequency)} />
        </>
      ),
    },
    { name: "sequence", title: "Sequence", cell: ({ sequence }) => <Beginning sequence={sequence} /> },
    {
      name: "frequency",
      title: "Learned",
      isNumber: true,
      isSortable: true,
      cell: ({ frequency }) => `${whole(frequency)} ×`,
    },
    { name: "length", title: "Symbols", isNumber: true, isSortable: true, cell: ({ length }) => whole(length) },
    {
      name: "learned_at",
      title: "Learned last",
      isNumber: true,
      isSortable: true,
      cell: ({ learned_at: seconds }) => <Moment seconds={seconds} />,
    },
    { name: "order", title: "Order", isNumber: true, isSortable: true, cell: ({ order }) => whole(order) },
  ];
}

function Standing({ standing }: { readonly standing: "new" | "again" | undefined }) {
  if (standing === undefined) return null;
  return <span class={`mark ${standing}`}>{standing === "new" ? "new" : "learned again"}</span>;
}

function Beginning({ sequence }: { readonly sequence: Schemas.Sequence }) {
  const shown = sequence.slice(0, MOST_EVENTS);
  return (
    <div class="beginning">
      <Events events={shown} label="sequence" most={MOST_SYMBOLS} />
      {sequence.length > shown.length && <small>{countOf(sequence.length - shown.length, "more event")}</small>}
    </div>
  );
}
