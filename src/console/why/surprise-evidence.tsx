/**
 * How unexpected an event was, and why: one sentence, what was expected before it, and the contribution of each symbol.
 */

import { explainSurprise, getWorkingMemory, type Memory, type Schemas } from "../../client";
import { useAnswer } from "../parts/answer";
import { bitsText } from "../parts/bits";
import { Events, readable } from "../parts/chip";
import { chance, likelihood, rarity } from "../parts/figures";
import { OddSymbol } from "../parts/odd-symbols";
import { ProbabilityBar } from "../parts/probability-bar";
import { Section } from "../parts/section";
import { sensorColumns } from "../parts/sensors";
import { linkTo, place } from "../place";
import { counted, Digits, Evidence, Named, Symbols } from "./evidence";
import { eventOf, keeping, momentOf } from "./moment";
import { Derivation } from "./number-list";
import { bitsOf, factorOf, probabilityOf, unexpectedOf } from "./surprise-numbers";

/** The event, the events before it, and why it was unexpected. */
interface Answer {
  readonly event: readonly string[];
  readonly before: Schemas.Sequence;
  readonly terms: Schemas.SurpriseExplanation;
}

export function SurpriseEvidence({ memory }: { readonly memory: Memory }) {
  const { query } = place.value;
  const [event, before] = [eventOf(query), momentOf(query)];
  const asked = useAnswer((signal) => answerOf(memory, event, before, signal), []);
  return (
    <Evidence
      title="Why a surprise"
      asked={asked}
      nothing="Working memory has no event with another one before it, or nothing was learned, so nothing was expected."
    >
      {(answer) => (
        <>
          <Sentence answer={answer} />
          <WhichEvent answer={answer} isKept={event !== undefined} />
          <div class="sides">
            <div>
              <Section title="Which part is odd">
                <Chances terms={answer.terms} />
              </Section>
            </div>
            <div>
              <Section title="What was expected">
                <Before answer={answer} />
              </Section>
            </div>
          </div>
        </>
      )}
    </Evidence>
  );
}

/** Without an event in the URL, the newest one in memory is explained. */
async function answerOf(
  memory: Memory,
  event: readonly string[] | undefined,
  before: Schemas.Sequence | undefined,
  signal: AbortSignal,
): Promise<Answer | null> {
  const events = event === undefined ? await getWorkingMemory(memory, { signal }) : [...(before ?? []), [...event]];
  const newest = events.at(-1);
  const earlier = events.slice(0, -1);
  if (newest === undefined || earlier.length === 0) return null;
  const terms = await explainSurprise(memory, { event: newest, sequence: earlier }, { signal });
  return terms === null ? null : { event: newest, before: earlier, terms };
}

function Sentence({ answer: { event, terms } }: { readonly answer: Answer }) {
  const { factors, surprise } = terms;
  const [first] = surprise.expected;
  const oddest = [...factors].sort((one, other) => one.factor - other.factor).map(({ symbol }) => symbol);
  const [was, it] = oddest.length > 1 ? ["were", "them"] : ["was", "it"];
  return (
    <p class="sentence">
      <Symbols symbols={oddest} /> {was} {surprise.bits < 1 ? "hardly a surprise, of" : "a surprise of"}{" "}
      <b title={String(surprise.bits)}>{bitsText(surprise.bits)} bits</b>, because the forecast gave {it}{" "}
      <span title={String(surprise.probability)}>{likelihoodOf(surprise)}</span>
      {first !== undefined && !event.includes(first.symbol) && (
        <>
          {" "}
          and expected <Named symbol={first.symbol} />
        </>
      )}
      .
    </p>
  );
}

/** How probable an event was: in per cent, or one chance in n. */
function likelihoodOf({ bits, probability }: Schemas.SurpriseExplanation["surprise"]): string {
  if (bits >= MILLION_BITS) return "less than one chance in a million";
  return bits > SELDOM_BITS ? `a chance of ${rarity(bits)}` : chance(probability);
}

/** The bits from which a probability is written as 1 in n, and those from which it is "less than one in a million". */
const SELDOM_BITS = 7;
const MILLION_BITS = 20;

/** Maximum number of sensors with their own column. */
const MAX_COLUMNS = 4;

function WhichEvent({ answer: { event, before }, isKept }: { readonly answer: Answer; readonly isKept: boolean }) {
  const kept = keeping(before);
  return (
    <p class="facts">
      {isKept ? "Of the event at this address, by what is known now. " : "Of the newest event in working memory. "}
      {isKept ? (
        <a href={linkTo({ query: {} })}>Ask of the newest event</a>
      ) : (
        kept.after !== undefined && (
          <a href={linkTo({ query: { ...kept, event: JSON.stringify(event) } })}>Keep this event in the address</a>
        )
      )}
    </p>
  );
}

function Before({ answer: { before, terms } }: { readonly answer: Answer }) {
  const { context, models, surprise } = terms;
  return (
    <>
      <p class="facts">After the last {counted(context.length, "event")}, oldest first:</p>
      <Events events={context} label="Events before" columns={sensorColumns(context, MAX_COLUMNS)} />
      <p class="facts">
        {counted(models, "sequence")} {models === 1 ? "shares" : "share"} something with{" "}
        {context.length === 1 ? "it" : "them"}. Most probable then:
      </p>
      {surprise.expected.length === 0 && <p class="nothing">Nothing was expected.</p>}
      <ol class="bars" aria-label="What was expected, most probable first">
        {surprise.expected.map(({ symbol, probability }) => (
          <li key={symbol}>
            <a class="what" title={symbol} href={linkTo({ path: ["forecast", symbol], query: keeping(before) })}>
              {readable(symbol)}
            </a>
            <ProbabilityBar probability={probability} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Chances({ terms }: { readonly terms: Schemas.SurpriseExplanation }) {
  const { factors, symbols, surprise, unexpected_probability: unexpected, models } = terms;
  const given = new Map(symbols.map((each) => [each.symbol, each.given]));
  const isAnyRemote = symbols.some((each) => each.given === 0 && each.probability < unexpected);
  return (
    <>
      <ul class="rules" aria-label="Symbols of the event">
        {factors.map((each, at) => (
          <li key={each.symbol}>
            <p class="rule">
              <OddSymbol symbol={each.symbol} bits={-Math.log2(each.factor)} />
            </p>
            <p class="says">
              {given.get(each.symbol) === 0 ? "No model that is like what came before says it." : givenText(each)}{" "}
              {at > 0 && each.factor > each.prior && <>Given those above: {likelihood(each.factor)}.</>}
            </p>
            {each.levels.length > 0 && (
              <Digits title={`How ${chance(each.factor)} comes about`}>
                <Derivation name="factor" formula={factorOf(each)} value={each.factor} />
              </Digits>
            )}
          </li>
        ))}
      </ul>
      <Digits title={`How ${bitsText(surprise.bits)} bits come about`}>
        {factors.length > 1 && (
          <p>
            Symbols that came together before count together: at each level of likeness, p is how often the next event
            held all symbols above, and c how often it held this one, too.
          </p>
        )}
        <p>The probability of the event is the product of these.</p>
        <Derivation name="probability" formula={probabilityOf(terms)} value={surprise.probability} />
        <p>Each halving of the probability is one bit more.</p>
        <Derivation name="bits" formula={bitsOf(terms)} value={surprise.bits} />
        {surprise.unexpected.length > 0 && (
          <>
            <p>
              None of {counted(models, "model")} says a symbol that is given nothing. It counts as half an occurrence,
              of all that sequences and symbols have, with what the rules leave to anything that occurs: little where
              all that was alike went on alike.
            </p>
            <Derivation name="P of the unexpected" formula={unexpectedOf(terms)} value={unexpected} />
            {isAnyRemote && <p>A number far beyond all that were learned begins with less.</p>}
          </>
        )}
      </Digits>
    </>
  );
}

/** The probability with which a symbol was expected. */
function givenText({ prior }: Schemas.SurpriseExplanation["factors"][number]) {
  return <span title={String(prior)}>Expected with {chance(prior)}.</span>;
}
