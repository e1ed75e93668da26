/** Form fields: a label above, a hint or what is wrong below. And parsing of typed numbers. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** Identifiers that tie a control to its label, and to what is said about it. */
export interface FieldIds {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: boolean;
}

export function Field({
  label,
  hint,
  wrong,
  children,
}: {
  readonly label: string;
  /** What to type, below the control. */
  readonly hint?: string | undefined;
  /** What is wrong with the typed text: empty if nothing is. Absent for a field that is not checked while typing. */
  readonly wrong?: string | undefined;
  /** Renders the control. */
  readonly children: (ids: FieldIds) => ComponentChildren;
}) {
  const id = useId();
  const says = [hint !== undefined && `${id}-hint`, wrong !== undefined && `${id}-wrong`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(says !== "" && { "aria-describedby": says }),
        ...(wrong !== undefined && { "aria-invalid": wrong !== "" }),
      })}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
      {wrong !== undefined && (
        <p class="wrong" id={`${id}-wrong`} role="status">
          {wrong}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  value,
  isNumber = false,
  isRequired = false,
  isFixed = false,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: Signal<string>;
  readonly isNumber?: boolean;
  readonly isRequired?: boolean;
  /** Read-only. */
  readonly isFixed?: boolean;
}) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
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
      )}
    </Field>
  );
}

/** One of several values, each a radio button. */
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
          <span>{text}</span>
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
      <span>{label}</span>
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
