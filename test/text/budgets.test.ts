import { describe, expect, test } from "vitest";
import { BUDGETS, budgetsOf, budgetsRefusal, DEFAULT_BUDGETS } from "../../src/text/budgets";

test("without variables, budgets have their defaults", () => {
  expect(budgetsOf({ NOEMA_DELIVERIES: null, NOEMA_MEMORY_SYMBOLS: "" })).toEqual(DEFAULT_BUDGETS);
  expect(budgetsRefusal({ NOEMA_DELIVERIES: null, NOEMA_MEMORY_SYMBOLS: "" })).toBeUndefined();
});

describe.each(Object.entries(BUDGETS))("%s", (name, { variable, most }) => {
  test("is what its variable says", () => {
    const env = { [variable]: "17" };
    expect(budgetsOf(env)).toEqual({ ...DEFAULT_BUDGETS, [name]: 17 });
    expect(budgetsRefusal(env)).toBeUndefined();
  });

  test.each(["0", "-1", "1.5", "many", " 7", `${most + 1}`])("cannot be %j", (text) => {
    expect(budgetsRefusal({ [variable]: text })).toBe(
      `the variable ${variable} must be a whole number from 1 to ${most}, got ${JSON.stringify(text)}`,
    );
    expect(budgetsOf({ [variable]: text })).toEqual(DEFAULT_BUDGETS);
  });
});
