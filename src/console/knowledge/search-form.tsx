/** Searches a list: what to search by, and the text. The place keeps both. */

import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { goTo, place } from "../place";

/** A way to search. */
export interface SearchKind {
  /** As the place names it. */
  readonly name: string;
  /** As people choose it. */
  readonly title: string;
  /** An example, where the field is empty. */
  readonly example: string;
}

/** The search that the place names: the kind is the first one unless it says otherwise; the text is empty for none. */
export function searchOf(kinds: readonly [SearchKind, ...SearchKind[]]): {
  readonly kind: SearchKind;
  readonly text: string;
} {
  const { by, search = "" } = place.value.query;
  return { kind: kinds.find(({ name }) => name === by) ?? kinds[0], text: search };
}

/** The beginning of a hash that somebody typed or pasted, without what stands before it. */
export function hashIn(text: string): string {
  return text
    .trim()
    .replace(/^(?:MODEL|VECTOR)\|/i, "")
    .toLowerCase();
}

/**
 * The search of models that hold a symbol, as the place has it. What nobody can type as a
 * symbol is sought by a pattern.
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
