/** Where one is in the console: the view, and what it is about. It stands in the fragment of the URL, which no server sees. */

import { signal } from "@preact/signals";

/** The views of a memory. */
export const MEMORY_VIEWS = ["now"] as const;

/** What the console shows. */
export interface Place {
  readonly view: (typeof MEMORY_VIEWS)[number];
  /** The processor's id; `undefined`: the first of the genome. */
  readonly processor: string | undefined;
  /** The session; `undefined`: the processor's own memory. */
  readonly session: string | undefined;
}

const START: Place = { view: "now", processor: undefined, session: undefined };

/** The fragment of a place: `#/<processor>/<view>` or `#/<processor>/sessions/<session>/<view>`, percent-encoded. */
export function fragmentOf({ view, processor, session }: Place): string {
  if (processor === undefined) return "#/";
  const memory = session === undefined ? [processor] : [processor, "sessions", session];
  return `#/${[...memory, view].map(encodeURIComponent).join("/")}`;
}

/** The place of a fragment. What is no place is the start. */
export function placeOf(fragment: string): Place {
  const parts = decoded(fragment.replace(/^#\/?/, "").split("/"));
  const view = MEMORY_VIEWS.find((name) => name === parts.at(-1));
  const [processor] = parts;
  if (view === undefined || processor === undefined || processor === "") return START;
  if (parts.length === 2) return { view, processor, session: undefined };
  if (parts.length === 4 && parts[1] === "sessions") return { view, processor, session: parts[2] };
  return START;
}

function decoded(parts: readonly string[]): string[] {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** Where one is. Follows the URL. */
export const place = signal<Place>(placeOf(location.hash));

addEventListener("hashchange", () => {
  place.value = placeOf(location.hash);
});

/** Goes to a place, so that "back" leads to where one was. */
export function goTo(next: Place): void {
  location.hash = fragmentOf(next);
}
