/** Checks the definition of an alert. */

import { isAlertSecret, SECRET_WORDS } from "../../../text/alert-secret";
import { nameRefusal } from "../../../text/chosen-names";
import { excerpt } from "../../../text/excerpt";
import { ALERT_FORMATS, type Alert, type AlertCondition, MAX_PER_DAY, MAX_SILENT_SECONDS } from "../../ports/alert";
import { Fault } from "../../ports/fault";
import { MAX_HORIZON } from "../../ports/forecaster";
import { assertWellFormed } from "../../text/well-formed";

/** Maximum length of the symbol in a forecast alert, in UTF-16 units. */
const MAX_SYMBOL_LENGTH = 4_096;

/** @throws Fault `invalid` naming the wrong value and the accepted ones, without quoting a secret */
export function checkAlert({ name, when, url, secret, format }: Alert): void {
  const refusal = nameRefusal(name);
  if (refusal !== undefined) throw new Fault("invalid", `an alert must have ${refusal}, got ${excerpt(name)}`);
  checkCondition(when);
  if (!ALERT_FORMATS.includes(format)) {
    throw new Fault("invalid", `format must be one of ${ALERT_FORMATS.join(", ")}, got ${excerpt(format)}`);
  }
  if (url === "" && secret === "") return;
  if (!isAlertSecret(secret)) throw new Fault("invalid", `an alert's secret must be ${SECRET_WORDS}`);
}

function checkCondition(when: AlertCondition): void {
  if (when.kind === "learned") return;
  if (when.kind === "surprise") {
    if (Number.isFinite(when.above) && when.above >= 0) return;
    throw new Fault("invalid", `surprise_above must be a number of bits, 0 or more, got ${excerpt(when.above)}`);
  }
  if (when.kind === "daily") {
    const { perDay } = when;
    if (perDay > 0 && perDay <= MAX_PER_DAY) return;
    throw new Fault("invalid", `per_day must be a number above 0 and at most ${MAX_PER_DAY}, got ${excerpt(perDay)}`);
  }
  if (when.kind === "silent") {
    const { after } = when;
    if (after === "expected" || (after > 0 && after <= MAX_SILENT_SECONDS)) return;
    throw new Fault(
      "invalid",
      `silent_for must be a number of seconds above 0 and at most ${MAX_SILENT_SECONDS}, or "expected", got ` +
        `${excerpt(after)}`,
    );
  }
  checkForecast(when);
}

function checkForecast({ symbol, above, horizon }: Extract<AlertCondition, { kind: "forecast" }>): void {
  if (symbol === "" || symbol.length > MAX_SYMBOL_LENGTH) {
    const got = symbol === "" ? "none" : `${symbol.length}`;
    throw new Fault(
      "invalid",
      `the symbol of a forecast alert must have 1 to ${MAX_SYMBOL_LENGTH} characters, got ${got}`,
    );
  }
  assertWellFormed(symbol, "the symbol of a forecast alert");
  if (!(above >= 0 && above <= 1)) {
    throw new Fault("invalid", `above must be a probability from 0 to 1, got ${excerpt(above)}`);
  }
  if (Number.isInteger(horizon) && horizon >= 1 && horizon <= MAX_HORIZON) return;
  throw new Fault("invalid", `horizon must be a whole number from 1 to ${MAX_HORIZON}, got ${excerpt(horizon)}`);
}
