/**
 * The current place in the console: the view, and what it shows. Held in the fragment of the URL, which no server sees.
 */

import { signal } from "@preact/signals";

/** The views of one processor. Their fragment names the processor, and the session, if any. */
const PROCESSOR_VIEWS = ["now", "knowledge", "why"] as const;

/** The views of the whole agent. */
const AGENT_VIEWS = ["home", "incidents", "agent", "operate"] as const;

export type View = (typeof PROCESSOR_VIEWS)[number] | (typeof AGENT_VIEWS)[number];

/** What the console shows. */
export interface Place {
  readonly view: View;
  /**
   * The processor's id or name; `undefined` for the first of the genome. In a view of the agent, the one last viewed.
   */
  readonly processor: string | undefined;
  /** The session; `undefined` for the processor's own memory. */
  readonly session: string | undefined;
  /** The path after the view, as in `knowledge/models/<name>`; each view defines its own. Decoded; no part is empty. */
  readonly path: readonly string[];
  /** The parameters after `?`, decoded. `undefined` parameters are left out. */
  readonly query: { readonly [name: string]: string | undefined };
}

const START: Place = { view: "home", processor: undefined, session: undefined, path: [], query: {} };

/**
 * The percent-encoded fragment of a place: `#/<processor>[/sessions/<session>]/<view>[/<path>][?<query>]`, or
 * `#/<view>[/<path>][?<query>]` for a view of the agent.
 */
function fragmentOf({ view, processor, session, path, query }: Place): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, value);
  const parameters = asked.size === 0 ? "" : `?${asked}`;
  if (isAgentView(view)) return `#/${encoded([view, ...path])}${parameters}`;
  if (processor === undefined) return "#/home";
  const memory = session === undefined ? [processor] : [processor, "sessions", session];
  return `#/${encoded([...memory, view, ...path])}${parameters}`;
}

/**
 * The place of a fragment; the start page for an invalid fragment.
 *
 * @param before the previous place: a view of the agent keeps its processor and session for the way back
 */
export function placeOf(fragment: string, before: Place = START): Place {
  const [names = "", parameters = ""] = split(fragment.replace(/^#\/?/, ""));
  const parts = decoded(names.split("/"));
  const query = Object.fromEntries(new URLSearchParams(parameters));
  const [first, second] = parts;
  if (first === undefined) return START;
  if (isAgentView(first) && !isProcessorView(second) && second !== "sessions") {
    const { processor, session } = before;
    const path = parts.slice(1);
    // The page of an incident is about its processor, too.
    if (first === "incidents" && path[0] !== undefined && path[0] !== processor) {
      return { view: first, processor: path[0], session: undefined, path, query };
    }
    return { view: first, processor, session, path, query };
  }
  const session = second === "sessions" ? parts[2] : undefined;
  const [view, ...path] = parts.slice(second === "sessions" ? 3 : 1);
  if (!isProcessorView(view)) return START;
  return { view, processor: first, session, path, query };
}

function isProcessorView(name: string | undefined): name is (typeof PROCESSOR_VIEWS)[number] {
  return PROCESSOR_VIEWS.some((view) => view === name);
}

/** Whether a view is about the whole agent. */
export function isAgentView(name: string): name is (typeof AGENT_VIEWS)[number] {
  return AGENT_VIEWS.some((view) => view === name);
}

function encoded(parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join("/");
}

function split(fragment: string): [string, string] {
  const at = fragment.indexOf("?");
  return at < 0 ? [fragment, ""] : [fragment.slice(0, at), fragment.slice(at + 1)];
}

function decoded(parts: readonly string[]): string[] {
  try {
    return parts.filter((part) => part !== "").map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** The current place. Follows the URL. */
export const place = signal<Place>(placeOf(location.hash));

/** The place follows the URL. */
function follow(): void {
  place.value = placeOf(location.hash, place.value);
}

addEventListener("hashchange", follow);

/**
 * Changes to the current place. Another view or processor starts without path and query unless they are given.
 */
export type Change = Partial<Place>;

/** The place that a change leads to. */
export function changed(change: Change): Place {
  const now = place.value;
  const next = { ...now, ...change };
  const isElsewhere = next.view !== now.view || next.processor !== now.processor;
  return isElsewhere ? { ...next, path: change.path ?? [], query: change.query ?? {} } : next;
}

/** The fragment that a change leads to, for links. */
export function linkTo(change: Change): string {
  return fragmentOf(changed(change));
}

/**
 * Navigates to another place and adds it to the history. Updates the signal at once, because the browser's event comes
 * later, perhaps after the next navigation.
 */
export function goTo(change: Change): void {
  location.hash = fragmentOf(changed(change));
  follow();
}

/**
 * Navigates without a new history entry: for changes at every keystroke, such as a search.
 */
export function moveTo(change: Change): void {
  const next = changed(change);
  history.replaceState(null, "", fragmentOf(next));
  place.value = next;
}
