/** The console's search: finds devices, models, symbols and pages of the documentation. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Dialog } from "../parts/dialog";
import { type Agent, currentProcessor } from "../server";
import { Finders, type Hit } from "./finders";

/** Delay after the last keystroke, so that a word causes one query. */
const DEBOUNCE_MS = 150;

const KINDS: { readonly [kind in Hit["kind"]]: string } = {
  device: "Device",
  model: "Model",
  symbol: "Symbol",
  docs: "Docs",
};

export function FindDialog({
  agent,
  early,
  onClose,
}: {
  readonly agent: Agent;
  /** What was typed while the dialog was loaded. */
  readonly early: { readonly current: string };
  readonly onClose: () => void;
}) {
  const text = useSignal(early.current);
  const isDone = useSignal(true);
  const hits = useSignal<readonly Hit[]>([]);
  const marked = useSignal(0);
  const finders = useMemo(() => new Finders(agent), [agent]);
  useEffect(() => ask(finders, text.value.trim(), { hits, isDone, marked }), [finders, text.value]);
  const choose = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    onClose();
    location.assign(hit.to);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = hits.value.length;
    if (event.key === "Enter") {
      event.preventDefault();
      choose(hits.value[marked.value]);
    } else if (step !== undefined && count > 0) {
      event.preventDefault();
      marked.value = (marked.value + step + count) % count;
    }
  };
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        type="text"
        // biome-ignore lint/a11y/noRedundantRoles: a field without a list of the browser's own is none by itself.
        role="combobox"
        list={undefined}
        autocomplete="off"
        spellcheck={false}
        aria-label="Search devices, models, symbols and documents"
        aria-controls="hits"
        aria-expanded={hits.value.length > 0}
        aria-activedescendant={hits.value.length > 0 ? `hit-${marked.value}` : undefined}
        aria-autocomplete="list"
        placeholder="A device, a model, a symbol or a topic"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onKeyDown={press}
      />
      <div id="hits" class="hits" role="listbox" aria-label="Found">
        {hits.value.map((hit, at) => (
          <HitLine key={`${hit.kind} ${hit.to}`} hit={hit} at={at} isMarked={at === marked.value} onChoose={choose} />
        ))}
      </div>
      <p class="facts" role="status">
        {said(text.value.trim(), hits.value.length, isDone.value)}
      </p>
    </Dialog>
  );
}

function said(text: string, count: number, isDone: boolean): string {
  if (text === "") return "Arrows move, Enter opens, Escape closes.";
  if (count > 0) return `${count} found`;
  return isDone ? `Nothing is called ${JSON.stringify(text)}.` : "Searching …";
}

/** The state that a search updates. */
interface Found {
  readonly hits: { value: readonly Hit[] };
  readonly isDone: { value: boolean };
  readonly marked: { value: number };
}

/** Searches after a pause in typing. Shows the results of each kind as they arrive, in the order of the kinds. */
function ask(finders: Finders, text: string, { hits, isDone, marked }: Found): (() => void) | undefined {
  marked.value = 0;
  isDone.value = text === "";
  if (text === "") {
    hits.value = [];
    return undefined;
  }
  const over = new AbortController();
  const timer = setTimeout(() => {
    const kinds = finders.find(text, currentProcessor.value, over.signal);
    const found: (readonly Hit[])[] = kinds.map(() => []);
    const all = kinds.map(async (kind, at) => {
      found[at] = await kind;
      if (!over.signal.aborted) hits.value = found.flat();
    });
    void Promise.all(all).then(() => {
      if (!over.signal.aborted) isDone.value = true;
    });
  }, DEBOUNCE_MS);
  return () => {
    clearTimeout(timer);
    over.abort(new DOMException("another text", "AbortError"));
  };
}

function HitLine({
  hit,
  at,
  isMarked,
  onChoose,
}: {
  readonly hit: Hit;
  readonly at: number;
  readonly isMarked: boolean;
  readonly onChoose: (hit: Hit) => void;
}) {
  const line = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isMarked) line.current?.scrollIntoView({ block: "nearest" });
  }, [isMarked]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses in the field above.
    <div ref={line} id={`hit-${at}`} role="option" tabIndex={-1} aria-selected={isMarked} onClick={() => onChoose(hit)}>
      <b>{hit.name}</b> <small>{hit.text}</small> <small class="kind-of-hit">{KINDS[hit.kind]}</small>
    </div>
  );
}
