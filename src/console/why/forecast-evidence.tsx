/**
 * Why a symbol is expected: one sentence, the effect of each rule, the correction, and the models behind it next to
 * memory.
 */

import { explainForecast, getModel, MAX_HORIZON, type Memory, type Processor, type Schemas } from "../../client";
import { Allowed } from "../parts/allowed";
import { useAnswer } from "../parts/answer";
import { readable, shortHash } from "../parts/chip";
import { chance } from "../parts/figures";
import { Section } from "../parts/section";
import { linkTo, place } from "../place";
import { type Refusal, refusal } from "../rights";
import { currentProcessor } from "../server";
import { laid } from "./alignment";
import { AlignmentTable } from "./alignment-table";
import { counted, Digits, Evidence, Named, OfMemory, Symbols, times } from "./evidence";
import { evidenceOf, factorOf, isLimited, mixOf, probabilityOf, provedOf, shareOf } from "./forecast-numbers";
import { short } from "./formula";
import { keeping, momentOf } from "./moment";
import { Derivation } from "./number-list";

/** The forecast and the symbol to explain. */
interface Question {
  readonly symbol: string;
  readonly horizon: number;
  readonly within: boolean;
}

/** The explanation, and the models that it names. */
interface Answer {
  readonly terms: Schemas.ForecastExplanation;
  readonly models: readonly Schemas.Model[];
}

export function ForecastEvidence({ memory, symbol }: { readonly memory: Memory; readonly symbol: string }) {
  const { query } = place.value;
  const sequence = momentOf(query);
  const horizon = Math.min(MAX_HORIZON, Math.max(1, Math.trunc(Number(query.horizon ?? 1)) || 1));
  const question: Question = { symbol, horizon, within: query.within !== undefined };
  const asked = useAnswer((signal) => {
    const memoryAsked = sequence === undefined ? {} : { sequence };
    return answerOf(memory, currentProcessor.value?.processor, { ...question, ...memoryAsked }, signal);
  }, []);
  return (
    <Evidence
      title={
        <>
          Why <Named symbol={symbol} /> is {asked.value?.terms.probability === 0 && "not "}expected
          {question.within || horizon > 1 ? ` ${whenOf(question)}` : ""}
        </>
      }
      asked={asked}
      nothing="No model shares anything with working memory, so nothing is expected."
    >
      {(answer) => (
        <>
          <Sentence terms={answer.terms} question={question} />
          <OfMemory memory={memory} events={answer.terms.context} onAgain={() => void asked.again()} />
          <div class="sides">
            <div>
              <Section title="What each rule says">
                <Rules terms={answer.terms} events={question.within ? question.horizon : 1} />
              </Section>
              {answer.terms.correction !== null && (
                <Section
                  title={answer.terms.correction.within === null ? "What has proved true" : "What all events give"}
                >
                  <Correction terms={answer.terms} correction={answer.terms.correction} />
                </Section>
              )}
              {answer.terms.likeliest_step !== null && (
                <Section title="What fewer events give">
                  <Nearer terms={answer.terms} step={answer.terms.likeliest_step} horizon={question.horizon} />
                </Section>
              )}
              {isLimited(answer.terms) && (
                <Section title="What each event gives">
                  <Limited terms={answer.terms} />
                </Section>
              )}
            </div>
            <Section title={`Sequences that say ${readable(symbol)}`}>
              <Allowed what="look at learned sequences" refusal={cannotLook()}>
                <Models answer={answer} question={question} />
              </Allowed>
            </Section>
          </div>
        </>
      )}
    </Evidence>
  );
}

/**
 * Why the models behind a forecast cannot be shown: a key for some sessions may query forecasts there, but not the
 * learned models.
 */
function cannotLook(): Refusal {
  return refusal({ of: "processor" }, "read", "manage");
}

async function answerOf(
  memory: Memory,
  processor: Processor | undefined,
  question: Question & { readonly sequence?: Schemas.Sequence },
  signal: AbortSignal,
): Promise<Answer | null> {
  const terms = await explainForecast(memory, question, { signal });
  if (terms === null || processor === undefined) return null;
  if (cannotLook() !== "") return { terms, models: [] };
  const found = await Promise.all(terms.strongest.map((name) => getModel(processor, name, { signal })));
  // A model that was forgotten meanwhile is left out.
  return { terms, models: found.flatMap((model) => (isModel(model) ? [model] : [])) };
}

function isModel(answer: Schemas.Model | Record<string, never>): answer is Schemas.Model {
  return "sequence" in answer;
}

function whenOf({ horizon, within }: Question): string {
  if (horizon === 1) return "next";
  return within ? `within the next ${horizon} events` : `${horizon} events ahead`;
}

/** The probability from which on a symbol is said to come. */
const LIKELY_FROM = 0.5;

function Sentence({ terms, question }: { readonly terms: Schemas.ForecastExplanation; readonly question: Question }) {
  const { symbol, probability, support, models } = terms;
  return (
    <p class="sentence">
      {probability === 0 ? (
        <>
          <Named symbol={symbol} /> is not expected: {models === 1 ? "the" : "none of the"}{" "}
          {counted(models, "sequence")} that {models === 1 ? "shares" : "share"} something with working memory{" "}
          {models === 1 ? "does not lead" : "leads"} to it.
        </>
      ) : (
        <>
          <Named symbol={symbol} /> {probability < LIKELY_FROM ? "may come" : "comes"} {whenOf(question)} with{" "}
          <b title={String(probability)}>{chance(probability)}</b>
          {probability < LIKELY_FROM ? ":" : ", because"} {partOf(support, models)} to it.
        </>
      )}
    </p>
  );
}

/** The fraction of the contributing sequences that lead to the symbol. */
function partOf(support: number, models: number): string {
  if (support === 0) return "it occurs elsewhere, though no sequence that shares something with working memory leads";
  if (models === 1) return "the one sequence that shares something with working memory leads";
  const those = support === models ? `all ${models}` : `${support} of the ${models}`;
  return `${those} sequences that share something with working memory ${support === 1 ? "leads" : "lead"}`;
}

/** How often the symbol followed, in words. */
function followedText({ count, of }: NonNullable<Schemas.ForecastExplanation["followed"]>): string {
  const where = "Where the longest stretch of the newest events was learned";
  return `${where}, it came next ${count === 0 ? "never" : `${count} times`} of ${of}.`;
}

/** How a probability is computed, collapsed at first. */
function Derived(number: Parameters<typeof Derivation>[0]) {
  return (
    <Digits title={`How ${chance(number.value)} comes about`}>
      <Derivation {...number} />
    </Digits>
  );
}

/** A bar is full if a rule makes the symbol e times as probable or more, or 1/e times or less. */
const WHOLE_BAR = Math.E;

/** @param events number of events that the list covers */
function Rules({ terms, events }: { readonly terms: Schemas.ForecastExplanation; readonly events: number }) {
  const { rules, share, situation, mixed, followed } = terms;
  const formula = shareOf(terms);
  const evidence = formula === undefined || share === null ? undefined : evidenceOf(terms, share);
  return (
    <>
      {situation === null ? (
        <p class="facts">Events hold several symbols here, so one rule alone says how probable each of them is.</p>
      ) : (
        <p class="facts">
          In situations like this one, {situation.says}. How much each rule weighs was learned in such situations.
        </p>
      )}
      <ul class="rules" aria-label="Rules">
        {rules.map((rule, at) => (
          <Rule key={rule.name} rule={rule} isPooled={situation !== null} factor={evidence?.factors[at]} />
        ))}
      </ul>
      {evidence !== undefined && (
        <p class="facts">
          A bar to the right speaks for the symbol, one to the left against it. A typical outcome has{" "}
          {chance(evidence.typical)} here; times what the rules make of it, that is <b>{chance(share ?? 0)}</b>.
        </p>
      )}
      {formula !== undefined && <Derived name="share" formula={formula} value={share ?? 0} />}
      {followed !== null && (
        <>
          <p>
            {followedText(followed)} Together with the rules, which count as much as {short(followed.prior)}{" "}
            occurrences, that makes <b>{chance(mixed)}</b>.
          </p>
          <Derived name="mixed" formula={mixOf(terms, events)} value={mixed} />
        </>
      )}
      {events > 1 && situation !== null && mixed > 0 && (
        <>
          <p>
            It comes in at least one of {events} such events with {chance(mixed)}.
          </p>
          <Derived name="mixed" formula={mixOf(terms, events)} value={mixed} />
        </>
      )}
    </>
  );
}

/**
 * @param isPooled whether rules take part together
 * @param factor by how many times it makes the symbol more probable than a typical outcome
 */
function Rule({
  rule: { name, says, takes_part: takesPart, given, weight },
  isPooled,
  factor,
}: {
  readonly rule: Schemas.ForecastExplanation["rules"][number];
  readonly isPooled: boolean;
  readonly factor: number | undefined;
}) {
  return (
    <li class={takesPart ? "" : "silent"}>
      <p class="rule">
        <b>{name}</b> <span class="says">{says}</span>
      </p>
      <p class="amounts">
        {factor !== undefined && <Bar factor={factor} />}
        {takesPart ? (
          <span title={`${given} · ${weight}`}>
            gives it <b>{chance(given)}</b>
            {isPooled && (
              <>
                , weighs <b>{short(weight)}</b>
              </>
            )}
            {factor !== undefined && (
              <>
                : makes it <b>{timesText(factor)}</b> as likely
              </>
            )}
          </span>
        ) : (
          <span>
            {isPooled ? "has nothing to go by here, so it says what order and alike say" : "takes no part here"}
          </span>
        )}
      </p>
    </li>
  );
}

/** A factor, rounded for display. */
function timesText(factor: number): string {
  return `${factor >= 10 ? Math.round(factor) : factor.toPrecision(2)} times`;
}

/** A bar to the right for evidence in favour of the symbol, and to the left for evidence against it. */
function Bar({ factor }: { readonly factor: number }) {
  const part = 50 * Math.min(1, Math.abs(Math.log(factor)) / Math.log(WHOLE_BAR));
  const left = factor >= 1 ? 50 : 50 - part;
  return (
    <span class="bar" aria-hidden="true">
      <span class={factor >= 1 ? "for" : "against"} style={{ marginLeft: `${left}%`, width: `${part}%` }} />
    </span>
  );
}

function Correction({
  terms,
  correction,
}: {
  readonly terms: Schemas.ForecastExplanation;
  readonly correction: Schemas.ForecastCorrection;
}) {
  const { first, mixed, factor, proved, exclusive, within } = correction;
  const isFirst = first === terms.symbol;
  const multiplied = factorOf(correction);
  return (
    <>
      <p>
        {within === null ? "Of all symbols, " : "Within all events up to this one, "}
        {isFirst ? "it is the most probable" : <FirstLink first={first} />}, with {chance(within ?? mixed)}
        {within === null && " by the rules"}. <Proved correction={correction} />
      </p>
      {factor !== null && multiplied !== undefined && <Derived name="f" formula={multiplied} value={factor} />}
      <Derived name="q" formula={provedOf(correction)} value={proved} />
      {!isFirst && terms.probability > 0 && (
        <p>
          {exclusive
            ? "One symbol excludes the others here, so the others share the rest."
            : "Several symbols can come within these events, so the others keep what the rules give them."}
          {within === null && " None becomes more probable than the first."}
        </p>
      )}
      {terms.likeliest_step === null && !isLimited(terms) && !isFirst && terms.probability > 0 && (
        <Derived name="probability" formula={probabilityOf(terms)} value={terms.probability} />
      )}
    </>
  );
}

/** How the first symbol gets its probability. */
function Proved({ correction }: { readonly correction: Schemas.ForecastCorrection }) {
  const { factor, within } = correction;
  if (within !== null) return <FromWithin correction={correction} />;
  return factor === null ? <FromRange correction={correction} /> : <FromOdds correction={correction} factor={factor} />;
}

/** What a step beyond the next event takes over from the list within its horizon. */
function FromWithin({ correction }: { readonly correction: Schemas.ForecastCorrection }) {
  const { mixed, proved, sum_before: sumBefore } = correction;
  return (
    <>
      The nearer events give it {chance(sumBefore ?? 0)} when added up, and by the rules this one gives it{" "}
      {chance(mixed)}, which is too little. So it gets what is missing: <b>{chance(proved)}</b>.
    </>
  );
}

/** The calibration table's entry for a list within a horizon. */
function FromRange({ correction }: { readonly correction: Schemas.ForecastCorrection }) {
  const { from, to, forecasts, right, prior, proved } = correction;
  const range = `between ${chance(from ?? 0)} and ${chance(to ?? 1)}`;
  if ((forecasts ?? 0) === 0) return <>No earlier forecast had its first symbol {range}, so that stays.</>;
  return (
    <>
      Of earlier forecasts, {short(forecasts ?? 0)} had their first symbol {range}, and in {short(right ?? 0)} of them
      it came. With {prior} more, as if they had been right as often as they said, that makes <b>{chance(proved)}</b>.
    </>
  );
}

/** The result of earlier forecasts of the next event. */
function FromOdds({
  correction,
  factor,
}: {
  readonly correction: Schemas.ForecastCorrection;
  readonly factor: number;
}) {
  const { terms, proved } = correction;
  if (terms.every(({ weight }) => weight === 0)) return <>No earlier forecast was graded, so that stays.</>;
  return (
    <>
      By earlier forecasts, of first symbols about as probable and with as many events left behind, its odds are{" "}
      {timesText(factor)} those of the rules. That makes <b>{chance(proved)}</b>.
    </>
  );
}

type LikelyStep = NonNullable<Schemas.ForecastExplanation["likeliest_step"]>;

/** What raises the probability within several events. @param horizon their number */
function Nearer({
  terms,
  step,
  horizon,
}: {
  readonly terms: Schemas.ForecastExplanation;
  readonly step: LikelyStep;
  readonly horizon: number;
}) {
  // The event at the horizon may give another symbol less in the end, because the first gets what is missing there.
  const isByRules = step.symbol !== terms.symbol && !step.within && step.horizon === horizon;
  return (
    <>
      <p>
        {isByRules ? `By the rules, the event ${horizon} ahead gives` : givesOf(step)}{" "}
        {step.symbol === terms.symbol ? (
          <>
            it <b>{chance(step.probability)}</b>, which is more. Within all of them it is no less probable.
          </>
        ) : (
          <>
            <Named symbol={step.symbol} /> <b>{chance(step.probability)}</b>. Within all of them that is no less
            probable, and <Named symbol={terms.symbol} /> stays the first.
          </>
        )}
      </p>
      <Derived name="probability" formula={probabilityOf(terms)} value={terms.probability} />
    </>
  );
}

/** What limits the probability within several events. */
function Limited({ terms }: { readonly terms: Schemas.ForecastExplanation }) {
  return (
    <>
      <p>
        Its probabilities in each of these events add up to <b>{chance(terms.sum_of_steps ?? 0)}</b>, which is less.
        Within all of them it is no more probable.
      </p>
      <Derived name="probability" formula={probabilityOf(terms)} value={terms.probability} />
    </>
  );
}

function givesOf({ horizon, within }: LikelyStep): string {
  if (within) return `The next ${horizon} events alone give`;
  return horizon === 1 ? "The next event alone gives" : `The event ${horizon} ahead alone gives`;
}

function FirstLink({ first }: { readonly first: string }) {
  return (
    <>
      the most probable is{" "}
      <a href={linkTo({ path: ["forecast", first] })}>
        <Named symbol={first} />
      </a>
    </>
  );
}

function Models({ answer: { terms, models }, question }: { readonly answer: Answer; readonly question: Question }) {
  const { context, symbol, support } = terms;
  if (models.length === 0) return <p class="nothing">None of them says it.</p>;
  return (
    <>
      <ol class="models" aria-label="Models, strongest first">
        {models.map(({ name, frequency, sequence }, at) => {
          const picture = laid(context, sequence, symbol, question.within ? 1 : question.horizon, question.horizon);
          const table = picture !== undefined && (
            <AlignmentTable
              label={`Working memory beside model ${shortHash(name)}, oldest first`}
              steps={picture.steps}
              events={context.length}
              presentFrom={0}
              presentTo={picture.presentTo}
              says={{ at: picture.says, symbol }}
            />
          );
          return (
            <li key={name}>
              <p class="facts">
                <a href={linkTo({ path: ["prediction", name], query: keeping(context) })}>
                  model <code title={name}>{shortHash(name)}</code>
                </a>
                , learned {times(frequency)}
              </p>
              {picture === undefined && <p class="nothing">It has the symbol, but not after working memory.</p>}
              {at === 0 ? table : table && <Digits title="Side by side with working memory">{table}</Digits>}
            </li>
          );
        })}
      </ol>
      {support > models.length && (
        <p class="facts">
          These are the {models.length} that are most alike; {support - models.length} more say{" "}
          <Symbols symbols={[symbol]} />.
        </p>
      )}
    </>
  );
}
