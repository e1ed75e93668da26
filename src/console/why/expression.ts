/**
 * A formula with its values: a tree that can be evaluated and drawn. What is shown is what is computed, because both
 * come from the tree. Evaluated in double precision in the order of the tree, it gives exactly the number that the
 * server computed.
 */

/** A term of a series. */
export interface Term {
  /** What the term is about, such as a symbol. */
  readonly label: string;
  readonly value: Expression;
}

/** A formula with its values. */
export type Expression =
  /** A constant in the formula. */
  | { readonly kind: "constant"; readonly value: number }
  /** A value, with its name in the formula. */
  | { readonly kind: "value"; readonly name: string; readonly value: number }
  | {
      readonly kind: "binary";
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  /** A named part of the formula, such as p: the formula shows the name, and the definition is shown next to it. */
  | { readonly kind: "part"; readonly name: string; readonly of: Expression }
  | { readonly kind: "negative"; readonly of: Expression }
  | { readonly kind: "root"; readonly of: Expression }
  /** A logarithm. Its value is the server's, because browsers differ in the last bit. */
  | { readonly kind: "logarithm"; readonly base: "2" | "e"; readonly of: Expression; readonly value: number }
  /** e to a power. Its value is the server's, unless the browser's differs in more than the last digits. */
  | { readonly kind: "exponential"; readonly of: Expression; readonly value: number }
  /** The least of several. */
  | { readonly kind: "least"; readonly of: readonly Expression[] }
  /** The greatest of several. */
  | { readonly kind: "greatest"; readonly of: readonly Expression[] }
  /** A sum or a product of terms, in their order. `over` names the index. All terms have the same form. */
  | {
      readonly kind: "series";
      readonly operator: "+" | "·";
      readonly over: string;
      readonly terms: readonly Term[];
    };

type Operator = "+" | "−" | "·" | "/";

/** A number as it stands in a formula. */
export function constant(value: number): Expression {
  return { kind: "constant", value };
}

/** A value with its name. */
export function named(name: string, value: number): Expression {
  return { kind: "value", name, value };
}

function binary(operator: Operator): (left: Expression, right: Expression) => Expression {
  return (left, right) => ({ kind: "binary", operator, left, right });
}

export const plus = binary("+");
export const minus = binary("−");
export const times = binary("·");
export const over = binary("/");

/** A part with a name of its own. */
export function part(name: string, of: Expression): Expression {
  return { kind: "part", name, of };
}

/** The value with its sign changed. */
export function negative(of: Expression): Expression {
  return { kind: "negative", of };
}

/** The square root. */
export function root(of: Expression): Expression {
  return { kind: "root", of };
}

/** A logarithm. @param value as the server gives it */
export function logarithm(base: "2" | "e", of: Expression, value: number): Expression {
  return { kind: "logarithm", base, of, value };
}

/**
 * Maximum relative difference between the browser's exponential and the server's: some hundred times the precision of a
 * double.
 */
const RELATIVE_TOLERANCE = 1e-12;

/** e to the power of a formula. @param value as the server gives it */
export function exponential(of: Expression, value: number): Expression {
  return { kind: "exponential", of, value };
}

/** The least of several. */
export function least(...of: readonly Expression[]): Expression {
  return { kind: "least", of };
}

/** The greatest of several. */
export function greatest(...of: readonly Expression[]): Expression {
  return { kind: "greatest", of };
}

/** The sum of terms, in their order. @param about the index, as in "s in present" */
export function sumOf(about: string, terms: readonly Term[]): Expression {
  return { kind: "series", operator: "+", over: about, terms };
}

/** The product of terms, in their order. */
export function productOf(about: string, terms: readonly Term[]): Expression {
  return { kind: "series", operator: "·", over: about, terms };
}

const COMPUTE: { readonly [operator in Operator]: (left: number, right: number) => number } = {
  "+": (left, right) => left + right,
  "−": (left, right) => left - right,
  "·": (left, right) => left * right,
  "/": (left, right) => left / right,
};

/** The value of a formula. */
export function evaluate(expression: Expression): number {
  switch (expression.kind) {
    case "constant":
    case "value":
    case "logarithm":
      return expression.value;
    case "binary":
      return COMPUTE[expression.operator](evaluate(expression.left), evaluate(expression.right));
    case "part":
      return evaluate(expression.of);
    case "negative":
      return -evaluate(expression.of);
    case "root":
      return Math.sqrt(evaluate(expression.of));
    case "exponential": {
      const own = Math.exp(evaluate(expression.of));
      return Math.abs(own - expression.value) <= RELATIVE_TOLERANCE * expression.value ? expression.value : own;
    }
    case "least":
      return Math.min(...expression.of.map(evaluate));
    case "greatest":
      return Math.max(...expression.of.map(evaluate));
    case "series": {
      const compute = COMPUTE[expression.operator];
      return expression.terms.reduce(
        (whole, { value }) => compute(whole, evaluate(value)),
        expression.operator === "+" ? 0 : 1,
      );
    }
  }
}

/** The operands of a formula. For a series only the first term, because all have the same form. */
function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "binary":
      return [expression.left, expression.right];
    case "negative":
    case "part":
    case "root":
    case "logarithm":
    case "exponential":
      return [expression.of];
    case "least":
    case "greatest":
      return expression.of;
    case "series":
      return expression.terms.slice(0, 1).map(({ value }) => value);
    default:
      return [];
  }
}

/** A sum or a product over many. */
export type Series = Extract<Expression, { kind: "series" }>;

/** The series in a formula, from left to right; their terms are listed individually. */
export function seriesIn(expression: Expression): Series[] {
  return expression.kind === "series" ? [expression] : childrenOf(expression).flatMap(seriesIn);
}

/** A part of a formula. */
export type Part = Extract<Expression, { kind: "part" }>;

/**
 * The named parts of a formula, without duplicates; a part comes before the parts that it is made of.
 *
 * @param isInSeries whether the formula stands in a series, where a part has another value in each term
 */
export function partsIn(expression: Expression, isInSeries = false): (Part & { readonly isInSeries: boolean })[] {
  const within = isInSeries || expression.kind === "series";
  const below = childrenOf(expression).flatMap((child) => partsIn(child, within));
  const all = expression.kind === "part" ? [{ ...expression, isInSeries }, ...below] : below;
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
}
