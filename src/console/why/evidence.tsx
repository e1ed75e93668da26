/** What all evidence pages share: the way back, and the sentence at the top. */

import type { ComponentChildren } from "preact";
import { getWorkingMemory, type Memory } from "../../client";
import { type Answer, useAnswer } from "../parts/answer";
import { readable } from "../parts/chip";
import { Failure } from "../parts/failure";
import { linkTo, place } from "../place";
import { digest, keptLink, MAX_BEFORE, momentOf } from "./moment";

/** The frame of a piece of evidence. */
export function Evidence<Content>({
  title,
  asked,
  nothing,
  children,
}: {
  readonly title: ComponentChildren;
  readonly asked: Answer<Content | null>;
  /** The text shown without evidence. */
  readonly nothing: string;
  readonly children: (answer: Content) => ComponentChildren;
}) {
  const { value: answer, error, again } = asked;
  return (
    <article class="evidence">
      <p class="back">
        <a href={linkTo({ view: "now" })}>
          <span aria-hidden="true">← </span>Device
        </a>
      </p>
      <h2>{title}</h2>
      <Failure error={error} onRetry={() => void again()} />
      <div aria-busy={answer === undefined && error === undefined}>
        {answer === undefined && error === undefined && <p class="nothing">…</p>}
        {answer === null && <p class="sentence">{nothing}</p>}
        {answer !== undefined && answer !== null && children(answer)}
      </div>
    </article>
  );
}

/** Which memory the evidence is about, and whether working memory has changed since. */
export function OfMemory({
  memory,
  events,
  isWhole = false,
  onAgain,
}: {
  readonly memory: Memory;
  /** The events that the evidence is about. */
  readonly events: Sequence;
  /** Whether these are all of working memory, and not only the newest events, which are the relevant ones. */
  readonly isWhole?: boolean;
  readonly onAgain: () => void;
}) {
  const { query } = place.value;
  const { value: now } = useAnswer((signal) => getWorkingMemory(memory, { signal }), [memory.path, events]);
  const isKept = momentOf(query) !== undefined;
  const kept = isKept ? undefined : keptLink(events);
  return (
    <p class="facts">
      {isKept ? "This address holds a snapshot of the memory. " : "The memory when this page loaded. "}
      {now !== undefined &&
        hasChanged(isWhole ? now : now.slice(-MAX_BEFORE), isKept ? events : undefined, query.of) && (
          <Changed now={now} />
        )}
      {isKept ? (
        <a href={linkTo({ query: { ...query, after: undefined } })}>Show the current memory</a>
      ) : (
        <>
          <button type="button" class="plain" onClick={onAgain}>
            Refresh
          </button>{" "}
          {kept !== undefined && <a href={kept}>Keep a snapshot in the address</a>}
        </>
      )}
    </p>
  );
}

type Sequence = readonly (readonly string[])[];

/**
 * Whether working memory has changed since.
 *
 * @param now the relevant part of the current working memory
 * @param kept the memory in the URL; `undefined` if there is none
 * @param of the digest in the URL instead; `undefined` if the URL does not identify a memory
 */
function hasChanged(now: Sequence, kept: Sequence | undefined, of: string | undefined): boolean {
  return kept === undefined ? of !== undefined && digest(now) !== of : JSON.stringify(now) !== JSON.stringify(kept);
}

function Changed({ now }: { readonly now: Sequence }) {
  const newest = now.at(-1);
  return (
    <span class="changed">
      <b>Memory has changed since:</b>{" "}
      {newest === undefined ? (
        "working memory is empty now. "
      ) : (
        <>
          its newest event is <Symbols symbols={newest} /> now.{" "}
        </>
      )}
    </span>
  );
}

/** A symbol in a sentence, in words. */
export function Named({ symbol }: { readonly symbol: string }) {
  return (
    <b class="symbol" title={symbol}>
      {readable(symbol)}
    </b>
  );
}

/** Formulas and digits, collapsed at first. */
export function Digits({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <details class="digits">
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** Symbols in a sentence: a few by name, the others counted. */
export function Symbols({ symbols }: { readonly symbols: readonly string[] }) {
  const most = 4;
  const distinct = [...new Set(symbols)];
  const shown = distinct.slice(0, distinct.length > most ? most - 1 : most);
  const rest = distinct.length - shown.length;
  return (
    <>
      {shown.map((symbol, at) => (
        <span key={symbol}>
          {at > 0 && (at === shown.length - 1 && rest === 0 ? " and " : ", ")}
          <Named symbol={symbol} />
        </span>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}

/** How often, in words. */
export function times(count: number): string {
  return ["never", "once", "twice"][count] ?? `${count} times`;
}

/** A number of things, in words. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
