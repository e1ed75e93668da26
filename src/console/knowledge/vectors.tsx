/** The learned vectors, and one of them with its components. */

import { getVector, listVectors, type Processor, type Schemas } from "../../client";
import { useAnswer } from "../parts/answer";
import { readable } from "../parts/chip";
import type { Column } from "../parts/data-table";
import { Failure } from "../parts/failure";
import { Section } from "../parts/section";
import { linkTo, place } from "../place";
import { ListTable, pageQuery } from "./list-place";
import { hashIn, SearchForm, type SearchKind, searchForSymbol, searchOf } from "./search-form";

const SORTS = ["order", "frequency", "name"] as const;

const KINDS: readonly [SearchKind, ...SearchKind[]] = [{ name: "name", title: "Hash begins with", example: "3f2a" }];

/** A rounded number; the title has the exact value. */
function Short({ value }: { readonly value: number }) {
  return <span title={String(value)}>{Number(value.toPrecision(6))}</span>;
}

const COLUMNS: readonly Column<Schemas.ListedVector>[] = [
  {
    name: "name",
    title: "Vector",
    isSortable: true,
    isRowHeader: true,
    cell: ({ name, hash }) => (
      <a class="hash" href={linkTo({ path: ["vectors", hash], query: {} })} title={name}>
        {readable(name)}
      </a>
    ),
  },
  {
    name: "frequency",
    title: "Occurs in models",
    isNumber: true,
    isSortable: true,
    cell: ({ features }) => features.frequency,
  },
  { name: "length", title: "Norm", isNumber: true, cell: ({ length }) => <Short value={length} /> },
  { name: "order", title: "Order", isNumber: true, isSortable: true, cell: ({ order }) => order },
];

export function Vectors({ processor }: { readonly processor: Processor }) {
  const asked = useAnswer(
    (signal) => {
      const { text } = searchOf(KINDS);
      const sought = text === "" ? {} : { name: hashIn(text) };
      return listVectors(processor, { ...sought, ...pageQuery(SORTS) }, { signal });
    },
    [processor, JSON.stringify(place.value.query)],
  );
  return (
    <Section title="Vectors">
      <SearchForm label="Search vectors by the beginning of their hash" kinds={KINDS} />
      <ListTable
        asked={asked}
        rows={asked.value?.vectors}
        noun="vectors"
        sorts={SORTS}
        nothing={
          place.value.query.search === undefined
            ? "No vector has been learned yet. Observe vectors in Devices, under Numbers and vectors, and learn."
            : "No vector matches the search."
        }
        caption="Learned vectors"
        columns={COLUMNS}
        keyOf={({ hash }) => hash}
      />
    </Section>
  );
}

/** The SVG path of the components: one unit of width each, zero in the middle. */
function shapeOf(components: readonly number[]): string {
  const greatest = components.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return components.map((value, at) => `M${at + 0.5} 20V${20 - (value / greatest) * 19}`).join("");
}

export function VectorView({ processor, name }: { readonly processor: Processor; readonly name: string }) {
  const symbol = `VECTOR|${name}`;
  const {
    value: record,
    error,
    again,
  } = useAnswer(
    async (signal) => {
      const record = await getVector(processor, symbol, { signal });
      return "vector" in record ? (record as Schemas.VectorRecord) : undefined;
    },
    [processor, name],
  );
  return (
    <>
      <p class="back">
        <a href={linkTo({ path: ["vectors"], query: {} })}>All vectors</a>
      </p>
      <Section
        title={`Vector ${name.slice(0, 8)}`}
        actions={<a href={linkTo({ path: ["models"], query: searchForSymbol(symbol) })}>Models that hold it</a>}
      >
        <Failure error={error} onRetry={() => void again()} />
        {record !== undefined && (
          <>
            <svg
              class="components"
              viewBox={`0 0 ${record.vector.length} 40`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${record.vector.length} components, drawn from left to right; zero is in the middle`}
            >
              <path d={shapeOf(record.vector)} />
            </svg>
            <p class="facts">
              {record.vector.length} components, norm <Short value={record.length} />,{" "}
              <span class="hash">{record.hash}</span>
            </p>
            <details>
              <summary>All components</summary>
              <p class="vector-numbers">{record.vector.join(", ")}</p>
            </details>
          </>
        )}
      </Section>
    </>
  );
}
