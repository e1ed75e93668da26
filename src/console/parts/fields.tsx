/** Form fields for dialogs, and parsing of typed numbers. */

import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";

export function TextField({
  label,
  value,
  isNumber = false,
  isRequired = false,
  isFixed = false,
}: {
  readonly label: string;
  readonly value: Signal<string>;
  readonly isNumber?: boolean;
  readonly isRequired?: boolean;
  /** Read-only. */
  readonly isFixed?: boolean;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        inputMode={isNumber ? "decimal" : "text"}
        required={isRequired}
        readOnly={isFixed}
        value={value.value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
      />
    </div>
  );
}

export function Choice<Value extends string>({
  label,
  value,
  choices,
}: {
  readonly label: string;
  readonly value: Signal<Value>;
  /** Each value with its label. */
  readonly choices: readonly (readonly [Value, string])[];
}) {
  const name = useId();
  return (
    <fieldset>
      <legend>{label}</legend>
      {choices.map(([choice, text]) => (
        <label key={choice} class="check">
          <input
            type="radio"
            name={name}
            checked={value.value === choice}
            onChange={() => {
              value.value = choice;
            }}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

export function Check({ label, value }: { readonly label: string; readonly value: Signal<boolean> }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value.value}
        onChange={({ currentTarget }) => {
          value.value = currentTarget.checked;
        }}
      />
      {label}
    </label>
  );
}

/** The typed number. @throws Error that names the field */
export function numberIn(label: string, typed: string): number {
  const value = typed.trim() === "" ? Number.NaN : Number(typed);
  if (Number.isFinite(value)) return value;
  throw new Error(`${label} must be a number, such as 0.5, got "${typed}"`);
}

/** The typed numbers, separated by commas or blanks. @throws Error that names the field */
export function numbersIn(label: string, typed: string): number[] {
  return typed
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((one) => numberIn(label, one));
}
