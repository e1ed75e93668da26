/** Searches a list: what to search by, and the text. The URL holds both. */

import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { goTo, place } from "../place";

/** A way to search. */
export interface SearchKind {
  /** Its name in the URL. */
  readonly name: string;
  /** Its label. */
  readonly title: string;
  /** The placeholder. */
  readonly example: string;
}

/** The search in the URL: the first kind by default; an empty text for no search. */
export function searchOf(kinds: readonly [SearchKind, ...SearchKind[]]): {
  readonly kind: SearchKind;
  readonly text: string;
} {
  const { by, search = "" } = place.value.query;
  return { kind: kinds.find(({ name }) => name === by) ?? kinds[0], text: search };
}

/** The hash, or its beginning, in a typed or pasted text, without a prefix such as `MODEL|`. */
export function hashIn(text: string): string {
  return text
    .trim()
    .replace(/^(?:MODEL|VECTOR)\|/i, "")
    .toLowerCase();
}

/**
 * The search for models that hold a symbol. A symbol that cannot be typed is searched for by a pattern.
 */
export function searchForSymbol(symbol: string): { readonly by: string; readonly search: string } {
  if (symbol === "" || symbol.includes('"')) {
    return { by: "pattern", search: symbol.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") || "(?:)" };
  }
  return { by: "symbols", search: /\s/.test(symbol) ? `"${symbol}"` : symbol };
}

export function SearchForm({
  label,
  kinds,
}: {
  /** What is searched, as in "Search models". */
  readonly label: string;
  readonly kinds: readonly [SearchKind, ...SearchKind[]];
}) {
  const id = useId();
  const { kind, text } = searchOf(kinds);
  const chosen = useSignal(kind.name);
  const typed = useSignal(text);
  useEffect(() => {
    chosen.value = kind.name;
    typed.value = text;
  }, [kind.name, text]);
  const example = kinds.find(({ name }) => name === chosen.value)?.example ?? "";
  const search = (by: string, wanted: string) =>
    goTo({
      query: {
        ...place.value.query,
        by: wanted === "" ? undefined : by,
        search: wanted === "" ? undefined : wanted,
        cursor: undefined,
      },
    });
  const submit = (event: Event) => {
    event.preventDefault();
    search(chosen.value, typed.value);
  };
  return (
    <search aria-label={label}>
      <form class="row search" onSubmit={submit}>
        {kinds.length > 1 && (
          <select
            aria-label="Search by"
            value={chosen.value}
            onChange={({ currentTarget }) => {
              chosen.value = currentTarget.value;
            }}
          >
            {kinds.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        )}
        <input
          id={id}
          type="text"
          aria-label={label}
          autocomplete="off"
          spellcheck={false}
          placeholder={example}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <button type="submit">Search</button>
        {text !== "" && (
          <button type="button" onClick={() => search(kind.name, "")}>
            Show all
          </button>
        )}
      </form>
    </search>
  );
}
