/**
 * Shortens long lists and texts, with a button that shows all. The button stays, with another label, so that the
 * keyboard keeps its place.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** The shown part of a list, and the button. */
interface Cut<Item> {
  readonly shown: readonly Item[];
  /** The button; `null` if the list is short. */
  readonly more: ComponentChildren;
}

/**
 * Shortens a list until the user asks for all of it.
 *
 * @param most maximum number of items shown
 * @param what their name, in the plural
 * @param isKept whether an item is always shown
 */
export function useCut<Item>(
  items: readonly Item[],
  most: number,
  what: string,
  isKept: (item: Item) => boolean = () => false,
): Cut<Item> {
  const isWhole = useSignal(false);
  if (items.length <= most) return { shown: items, more: null };
  const shown = isWhole.value ? items : items.filter((item, at) => at < most || isKept(item));
  return { shown, more: <ShowAll of={`${items.length.toLocaleString("en")} ${what}`} isWhole={isWhole} /> };
}

/**
 * Code, shortened until the user asks for all of it.
 *
 * @param most maximum number of characters
 * @param className of the code
 */
export function CutCode({
  text,
  most,
  className,
}: {
  readonly text: string;
  readonly most: number;
  readonly className: string;
}) {
  const isWhole = useSignal(false);
  const isLong = text.length > most;
  return (
    <>
      <code class={className}>{isLong && !isWhole.value ? `${text.slice(0, most)}…` : text}</code>
      {isLong && <ShowAll of={`${text.length.toLocaleString("en")} characters`} isWhole={isWhole} />}
    </>
  );
}

function ShowAll({ of, isWhole }: { readonly of: string; readonly isWhole: { value: boolean } }) {
  return (
    <button
      type="button"
      onClick={() => {
        isWhole.value = !isWhole.value;
      }}
    >
      {isWhole.value ? "Show less" : `Show all ${of}`}
    </button>
  );
}
