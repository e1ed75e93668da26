/** A dialog whose form sends something to the server, and its fields. It stays open when the server refuses, and says why. */

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Dialog } from "../parts/dialog";
import { Failure } from "../parts/failure";

export function PutDialog({
  title,
  action,
  onPut,
  onClose,
  children,
}: {
  readonly title: string;
  /** What stands on the button. */
  readonly action: string;
  /** Sends it. The dialog closes when it resolves. */
  readonly onPut: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    error.value = undefined;
    try {
      await onPut();
      onClose();
    } catch (reason) {
      error.value = reason;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="put" onSubmit={(event) => void submit(event)}>
        {children}
        <Failure error={error.value} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" disabled={isBusy.value}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

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
  /** It is shown and cannot be changed. */
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
  /** Each value with how it is called. */
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

/** The number that somebody typed. @throws Error that names the field */
export function numberIn(label: string, typed: string): number {
  const value = typed.trim() === "" ? Number.NaN : Number(typed);
  if (Number.isFinite(value)) return value;
  throw new Error(`${label} must be a number, such as 0.5, got "${typed}"`);
}

/** The numbers that somebody typed, separated by commas or blanks. @throws Error that names the field */
export function numbersIn(label: string, typed: string): number[] {
  return typed
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((one) => numberIn(label, one));
}
