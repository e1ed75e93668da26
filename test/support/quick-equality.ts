/**
 * Runs before the files of projects that compare very many large answers: what Node finds equal to the last member needs no more looking at.
 * `toEqual` asks less than that, and takes some ten times as long.
 */

import { isDeepStrictEqual } from "node:util";
import { chai } from "vitest";

/** The files that a process runs share their assertions. */
const IS_QUICK = Symbol.for("noema.quick-equality");

const shared = chai.Assertion as { [IS_QUICK]?: boolean };

if (shared[IS_QUICK] !== true) {
  shared[IS_QUICK] = true;
  chai.use(({ Assertion }, { flag, overwriteMethod }) => {
    overwriteMethod(
      Assertion.prototype,
      "toEqual",
      (plain: (...given: unknown[]) => unknown) =>
        function toEqual(this: object, ...given: unknown[]): unknown {
          if (flag(this, "negate") !== true && isDeepStrictEqual(flag(this, "object"), given[0])) return this;
          return plain.apply(this, given);
        },
    );
  });
}
