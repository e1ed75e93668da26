/** The models, sorted, searched and paged by the server; those learned since the view was opened are marked. */

import { listModels, type ModelListQuery, type Processor, type Schemas } from "../../client";
import { useAnswer } from "../parts/answer";
import { readable, shortHash } from "../parts/chip";
import type { Column } from "../parts/data-table";
import { whole } from "../parts/figures";
import { Section } from "../parts/section";
import { wordsFirst } from "../parts/sensors";
import { symbolsOf } from "../parts/typed-record";
import { linkTo, place } from "../place";
import { countOf, Moment, timesOf } from "./figures";
import type { LearnedNews } from "./learned-news";
import { ListTable, pageQuery } from "./list-place";
import { hashIn, SearchForm, type SearchKind, searchOf } from "./search-form";

const SORTS = ["order", "learned_at", "frequency", "length", "name"] as const;

const KINDS: readonly [SearchKind, ...SearchKind[]] = [
  { name: "symbols", title: "Holds the symbols", example: 'coffee "green tea"' },
  { name: "pattern", title: "Holds a match of", example: "temp=2.*" },
  { name: "name", title: "Hash begins with", example: "3f2a" },
];

const NO_MODELS =
  "Nothing has been learned yet. Observe and learn in Devices, or import knowledge under Move and forget.";

/** Maximum number of events of a model in the list; and of those in the words under the pointer. */
const MAX_EVENTS = 8;
const MAX_TOOLTIP_EVENTS = 30;

/** Maximum number of symbols of an event; the rest are counted. */
const MAX_SYMBOLS = 4;

/** The search in the URL as a query for the client. */
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
        nothing={isSought() ? "No model matches the search." : NO_MODELS}
        caption="Learned models"
        columns={columnsWith(news)}
        keyOf={({ name }) => name}
      />
    </Section>
  );
}

/** What was learned since the view was opened. */
function News({ news }: { readonly news: LearnedNews }) {
  // Read the signal, so that the component is drawn again.
  const isHeard = news.changes.value >= 0 && news.trouble.value === "";
  if (!isHeard) return <p class="facts">Models learned from now on are not marked: {news.trouble.value}.</p>;
  // Until the stream is open, models may be learned unnoticed.
  if (!news.isHearing.value) return <p class="facts">…</p>;
  const { models } = news;
  return (
    <p class="facts">
      {models === 0 ? "Nothing" : countOf(models, "model")} learned since you opened this view.{" "}
      {models > 0 && <a href={linkTo({ path: ["models"], query: { sort: "learned_at" } })}>Sort by time of learning</a>}
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
    { name: "sequence", title: "Sequence", isPlain: true, cell: ({ sequence }) => <Beginning sequence={sequence} /> },
    {
      name: "frequency",
      title: "Learned",
      isNumber: true,
      isSortable: true,
      cell: ({ frequency }) => timesOf(frequency),
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

/** A sequence in one line, as far as it fits; the page of the model has all of it. */
function Beginning({ sequence }: { readonly sequence: Schemas.Sequence }) {
  const shown = sequence.slice(0, MAX_EVENTS);
  return (
    <div class="beginning">
      <p title={sequence.slice(0, MAX_TOOLTIP_EVENTS).map(inWords).join(" › ")}>
        {shown.map((event, at) => (
          <span key={at}>
            {at > 0 && (
              <span class="then" aria-hidden="true">
                {" › "}
              </span>
            )}
            {inWords(event)}
          </span>
        ))}
      </p>
      <small>{countOf(sequence.length, "event")}</small>
    </div>
  );
}

/** An event in words: a state first, then numbers. */
function inWords(event: readonly string[]): string {
  const left = event.length - MAX_SYMBOLS;
  const said = wordsFirst(event).slice(0, MAX_SYMBOLS).map(readable).join(" · ");
  return left > 0 ? `${said} · ${left} more` : said;
}
