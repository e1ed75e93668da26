/** Draws a formula as MathML, which browsers and screen readers support: with names, or with values. */

import type { ComponentChild, ComponentChildren } from "preact";
import { type Expression, evaluate, type Series } from "./expression";

/** Whether the formula shows names or values. */
type Form = "names" | "values";

/** Number of terms of a series shown with values: the table below lists the others. */
const TERMS_SHOWN = 2;

/** Number of digits of a number shortened for display. */
const DIGITS = 4;

/** A number, shortened for display. */
export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const text = value.toPrecision(DIGITS);
  return (text.includes("e") ? text : text.replace(/\.?0+$/, "")).replace("-", "−");
}

/** A line of mathematics. */
export function Mathematics({ children }: { readonly children: ComponentChildren }) {
  return (
    <math>
      <mrow>{children}</mrow>
    </math>
  );
}

/** A formula in a line of mathematics. */
export function Formula({ formula, form }: { readonly formula: Expression; readonly form: Form }): ComponentChild {
  switch (formula.kind) {
    case "constant":
      return <Value value={formula.value} />;
    case "value":
      return form === "names" ? <Name name={formula.name} /> : <Value value={formula.value} />;
    case "part":
      return form === "names" ? <Name name={formula.name} /> : <Value value={evaluate(formula)} />;
    case "binary":
      return <Binary formula={formula} form={form} />;
    case "negative":
      return (
        <mrow>
          <mo>−</mo>
          <Formula formula={formula.of} form={form} />
        </mrow>
      );
    case "root":
      return (
        <msqrt>
          <Formula formula={formula.of} form={form} />
        </msqrt>
      );
    case "logarithm":
      return (
        <mrow>
          {formula.base === "e" ? (
            <mi>ln</mi>
          ) : (
            <msub>
              <mi>log</mi>
              <mn>{formula.base}</mn>
            </msub>
          )}
          <Within>
            <Formula formula={formula.of} form={form} />
          </Within>
        </mrow>
      );
    case "exponential":
      return (
        <mrow>
          <mi>exp</mi>
          <Within>
            <Formula formula={formula.of} form={form} />
          </Within>
        </mrow>
      );
    case "least":
    case "greatest":
      return (
        <mrow>
          <mi>{formula.kind === "least" ? "min" : "max"}</mi>
          <Within>{formula.of.map((one, at) => [at > 0 && <mo>,</mo>, <Formula formula={one} form={form} />])}</Within>
        </mrow>
      );
    case "series":
      return form === "names" ? <SeriesOfNames series={formula} /> : <SeriesOfValues series={formula} />;
  }
}

function Name({ name }: { readonly name: string }) {
  return <mi>{name}</mi>;
}

function Value({ value }: { readonly value: number }) {
  return <mn>{short(value)}</mn>;
}

/** Brackets that do not stretch. The attribute must be written out, because its default is true. */
const FIXED = { stretchy: "false" } as unknown as { readonly stretchy: boolean };

/** In brackets. */
function Within({ children }: { readonly children: ComponentChildren }) {
  return (
    <mrow>
      <mo {...FIXED}>(</mo>
      {children}
      <mo {...FIXED}>)</mo>
    </mrow>
  );
}

function Binary({
  formula: { operator, left, right },
  form,
}: {
  readonly formula: Extract<Expression, { kind: "binary" }>;
  readonly form: Form;
}) {
  const one = <Formula formula={left} form={form} />;
  const other = <Formula formula={right} form={form} />;
  if (operator === "/") {
    return (
      <mfrac>
        <mrow>{one}</mrow>
        <mrow>{other}</mrow>
      </mfrac>
    );
  }
  const isProduct = operator === "·";
  return (
    <mrow>
      {isProduct && isSum(left) ? <Within>{one}</Within> : one}
      <mo>{isProduct ? "·" : operator}</mo>
      {needsBrackets(operator, right) ? <Within>{other}</Within> : other}
    </mrow>
  );
}

/** Whether the operand after an operator needs brackets. */
function needsBrackets(operator: string, right: Expression): boolean {
  return (operator !== "+" && isSum(right)) || (operator === "−" && beginsWithMinus(right));
}

/** Whether a formula needs brackets in a product or after a minus. */
function isSum(formula: Expression): boolean {
  if (formula.kind === "series") return formula.operator === "+";
  return formula.kind === "binary" && (formula.operator === "+" || formula.operator === "−");
}

/** A sum or a product as a single sign. */
export function SeriesOfNames({ series: { operator, over, terms } }: { readonly series: Series }) {
  const [first] = terms;
  if (first === undefined) return <mn>{operator === "+" ? 0 : 1}</mn>;
  return (
    <mrow>
      <munder>
        <mo largeop>{operator === "+" ? "∑" : "∏"}</mo>
        <mtext>{over}</mtext>
      </munder>
      {isSum(first.value) ? (
        <Within>
          <Formula formula={first.value} form="names" />
        </Within>
      ) : (
        <Formula formula={first.value} form="names" />
      )}
    </mrow>
  );
}

function SeriesOfValues({ series: { operator, terms } }: { readonly series: Series }) {
  if (terms.length === 0) return <mn>{operator === "+" ? 0 : 1}</mn>;
  return (
    <mrow>
      {terms.slice(0, TERMS_SHOWN).map(({ value }, at) => {
        const term = <Formula formula={value} form="values" />;
        const needsBrackets = isSum(value) || (at > 0 && beginsWithMinus(value));
        return [at > 0 && <mo>{operator}</mo>, needsBrackets ? <Within>{term}</Within> : term];
      })}
      {terms.length > TERMS_SHOWN && [<mo>{operator}</mo>, <mo>⋯</mo>]}
    </mrow>
  );
}

function beginsWithMinus(formula: Expression): boolean {
  if (formula.kind === "binary") return formula.operator !== "/" && beginsWithMinus(formula.left);
  return formula.kind === "negative" || (formula.kind === "value" && formula.value < 0);
}
