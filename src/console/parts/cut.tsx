/** Long lists and texts: their beginning, and a button for all of it. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** What is shown of a list, and what stands behind it. */
interface Cut<Item> {
  readonly shown: readonly Item[];
  /** The button; `null` where all is shown. */
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
  if (isWhole.value || items.length <= most) return { shown: items, more: null };
  const shown = items.filter((item, at) => at < most || isKept(item));
  return { shown, more: <ShowAll text={`Show all ${items.length.toLocaleString("en")} ${what}`} isWhole={isWhole} /> };
}

/** A text of which only the beginning is shown until somebody wants all of it. @param most so many characters */
export function CutText({ text, most }: { readonly text: string; readonly most: number }) {
  const isWhole = useSignal(false);
  if (isWhole.value || text.length <= most) return <>{text}</>;
  const all = `Show all ${text.length.toLocaleString("en")} characters`;
  return (
    <>
      {text.slice(0, most)}… <ShowAll text={all} isWhole={isWhole} />
    </>
  );
}

function ShowAll({ text, isWhole }: { readonly text: string; readonly isWhole: { value: boolean } }) {
  return (
    <button
      type="button"
      onClick={() => {
        isWhole.value = true;
      }}
    >
      {text}
    </button>
  );
}
