/**
 * Numbers that open into their formulas: with names, with values, term by term, and compared with the server's answer.
 */

import { useCut } from "../parts/cut";
import { moveTo, place } from "../place";
import { type Expression, evaluate, partsIn, type Series, seriesIn } from "./expression";
import { Formula, Mathematics, SeriesOfNames, short } from "./formula";
import type { ExplainedNumber } from "./prediction-numbers";

/** Maximum number of terms of a series listed. */
const MAX_TERMS = 100;

/** Number of values listed at first: a model may have thousands of emotives. */
const MAX_NUMBERS = 50;

/** The open numbers are in the URL, by name. */
const OPEN = "open";

function openNames(): string[] {
  return (place.value.query[OPEN] ?? "").split(",").filter((name) => name !== "");
}

function setOpen(name: string, isOpen: boolean): void {
  const others = openNames().filter((other) => other !== name);
  const names = isOpen ? [...others, name] : others;
  if (names.length === openNames().length && isOpen) return;
  moveTo({ query: { ...place.value.query, [OPEN]: names.length === 0 ? undefined : names.join(",") } });
}

export function NumberList({ numbers }: { readonly numbers: readonly ExplainedNumber[] }) {
  const open = openNames();
  const { shown, more } = useCut(numbers, MAX_NUMBERS, "numbers", ({ name }) => open.includes(name));
  return (
    <>
      <ul class="numbers">
        {shown.map((number) => (
          <li key={number.name}>
            <details
              open={open.includes(number.name)}
              onToggle={({ currentTarget }) => setOpen(number.name, currentTarget.open)}
            >
              <summary>
                <span class="name">{number.name}</span>
                <span class="value" title={String(number.value)}>
                  {short(number.value)}
                </span>
                <span class="says">{number.says}</span>
              </summary>
              {open.includes(number.name) && <Derivation {...number} />}
            </details>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** How a number is computed: the formula, the values, the result, and whether it equals the server's answer. */
export function Derivation({ name, formula, value }: Omit<ExplainedNumber, "says">) {
  const result = evaluate(formula);
  const isTrivial = formula.kind === "value" || formula.kind === "constant";
  return (
    <div class="derivation">
      {!isTrivial && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where it is too wide, so it needs the focus.
        <section class="formula" tabIndex={0} aria-label={`Formula of ${name}`}>
          <p>
            <Mathematics>
              <mi>{name}</mi>
              <mo>=</mo>
              <Formula formula={formula} form="names" />
            </Mathematics>
          </p>
          <p>
            <Mathematics>
              <mo>=</mo>
              <Formula formula={formula} form="values" />
            </Mathematics>
          </p>
          <Parts formula={formula} />
        </section>
      )}
      {seriesIn(formula).map((series, at) => (
        <Terms key={at} series={series} label={`Terms of ${name}, series ${at + 1}`} />
      ))}
      {result === value ? (
        <p class="check">
          <span aria-hidden="true">✓ </span>
          <b>= {String(result)}</b>, to the last digit what the server answers.
        </p>
      ) : (
        <p class="check" role="alert">
          <span aria-hidden="true">✕ </span>
          <b>= {String(result)}</b>, but the server answers {String(value)}.
        </p>
      )}
    </div>
  );
}

/** The definitions of the named parts. */
function Parts({ formula }: { readonly formula: Expression }) {
  const parts = partsIn(formula);
  if (parts.length === 0) return null;
  return (
    <ul class="parts" aria-label="where">
      {parts.map(({ name, of, isInSeries }) => (
        <li key={name}>
          <Mathematics>
            <mi>{name}</mi>
            <mo>=</mo>
            <Formula formula={of} form="names" />
            {!isInSeries && [<mo>=</mo>, <mn>{short(evaluate(of))}</mn>]}
          </Mathematics>
        </li>
      ))}
    </ul>
  );
}

function Terms({ series, label }: { readonly series: Series; readonly label: string }) {
  const { terms, operator } = series;
  if (terms.length === 0) return null;
  const shown = terms.slice(0, MAX_TERMS);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where it is too wide, so it needs the focus.
    <section class="table" tabIndex={0} aria-label={label}>
      <table>
        <caption>
          <Mathematics>
            <SeriesOfNames series={series} />
          </Mathematics>
          , {terms.length === 1 ? "1 term" : `${terms.length} terms`}
          {terms.length > shown.length && `, the first ${shown.length} of them`}
        </caption>
        <tbody>
          {shown.map(({ label, value }, at) => (
            <tr key={at}>
              <th scope="row" title={label}>
                {label}
              </th>
              <td>
                <Mathematics>
                  <Formula formula={value} form="values" />
                </Mathematics>
              </td>
              <td class="number">{String(evaluate(value))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{operator === "+" ? "sum" : "product"}</th>
            <td />
            <td class="number">{String(evaluate(series))}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
