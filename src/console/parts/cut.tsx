/**
 * Long lists and texts: their beginning, and a button for all of it. It stays, with other words, so that the
 * keyboard keeps its place.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** What is shown of a list, and what stands behind it. */
interface Cut<Item> {
  readonly shown: readonly Item[];
  /** The button; `null` where nothing is ever cut. */
  readonly more: ComponentChildren;
}

/**
 * Cuts a list until somebody wants all of it.
 *
 * @param most so many items are shown
 * @param what what they are, in the plural
 * @param isKept whether an item is shown in any case
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
 * Code of which only the beginning is shown until somebody wants all of it. @param most so many characters
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
