/** Why a symbol is expected: one sentence, what each rule gives it, the correction, and the models behind it beside memory. */

import { explainForecast, getModel, type Memory, type Processor, type Schemas } from "../../client";
import { Allowed } from "../parts/allowed";
import { useAnswer } from "../parts/answer";
import { shortHash } from "../parts/chip";
import { Section } from "../parts/section";
import { linkTo, place } from "../place";
import { type Refusal, refusal } from "../rights";
import { currentProcessor } from "../server";
import { laid } from "./alignment";
import { AlignmentTable } from "./alignment-table";
import { counted, Evidence, OfMemory, percent, Symbols, times } from "./evidence";
import { mixOf, probabilityOf, provedOf } from "./forecast-numbers";
import { keeping, momentOf } from "./moment";
import { Derivation } from "./number-list";

/** What is asked of a forecast. */
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
  const horizon = Math.min(10, Math.max(1, Math.trunc(Number(query.horizon ?? 1)) || 1));
  const question: Question = { symbol, horizon, within: query.within !== undefined };
  const asked = useAnswer((signal) => {
    const memoryAsked = sequence === undefined ? {} : { sequence };
    return answerOf(memory, currentProcessor.value?.processor, { ...question, ...memoryAsked }, signal);
  }, []);
  return (
    <Evidence
      title={
        <>
          Why <b class="symbol">{symbol}</b> is expected{question.within || horizon > 1 ? ` ${whenOf(question)}` : ""}
        </>
      }
      asked={asked}
      nothing="No model shares anything with what is in mind, so nothing is expected."
    >
      {(answer) => (
        <>
          <Sentence terms={answer.terms} question={question} />
          <OfMemory memory={memory} events={answer.terms.context} onAgain={() => void asked.again()} />
          <div class="sides">
            <div>
              <Section title="What each rule says">
                <Rules terms={answer.terms} />
              </Section>
              {answer.terms.correction !== null && (
                <Section title="What has proved true">
                  <Correction terms={answer.terms} correction={answer.terms.correction} />
                </Section>
              )}
              {answer.terms.likeliest_step !== null && (
                <Section title="What fewer events give">
                  <Nearer terms={answer.terms} step={answer.terms.likeliest_step} />
                </Section>
              )}
            </div>
            <Section title={`Sequences that say ${symbol}`}>
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

/** Why the models behind a forecast cannot be shown: a key of some sessions asks for forecasts there, but not for what was learned. */
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
  // A model that was forgotten in between is left out.
  return { terms, models: found.flatMap((model) => (isModel(model) ? [model] : [])) };
}

function isModel(answer: Schemas.Model | Record<string, never>): answer is Schemas.Model {
  return "sequence" in answer;
}

function whenOf({ horizon, within }: Question): string {
  if (horizon === 1) return "next";
  return within ? `within the next ${horizon} events` : `${horizon} events ahead`;
}

function Sentence({ terms, question }: { readonly terms: Schemas.ForecastExplanation; readonly question: Question }) {
  const { symbol, probability, support, models } = terms;
  return (
    <p class="sentence">
      {probability === 0 ? (
        <>
          <b class="symbol">{symbol}</b> is not expected: {models === 1 ? "the" : "none of the"}{" "}
          {counted(models, "sequence")} that {models === 1 ? "shares" : "share"} something with what is in mind{" "}
          {models === 1 ? "does not lead" : "leads"} to it.
        </>
      ) : (
        <>
          <b class="symbol">{symbol}</b> comes {whenOf(question)} with{" "}
          <b title={String(probability)}>{percent(probability)}</b>, because {partOf(support, models)} to it.
        </>
      )}
    </p>
  );
}

/** How many of the sequences that speak lead to it. */
function partOf(support: number, models: number): string {
  if (models === 1) return "the one sequence that shares something with what is in mind leads";
  const those = support === models ? `all ${models}` : `${support} of the ${models}`;
  return `${those} sequences that share something with what is in mind ${support === 1 ? "leads" : "lead"}`;
}

function Rules({ terms }: { readonly terms: Schemas.ForecastExplanation }) {
  return (
    <>
      <ul class="rules" aria-label="Rules">
        {terms.rules.map(({ name, says, takes_part: takesPart, weight, probability }) => (
          <li key={name} class={takesPart ? "" : "silent"}>
            <p class="rule">
              <b>{name}</b> <span class="says">{says}</span>
            </p>
            {takesPart ? (
              <p class="amounts">
                <span class="bar" aria-hidden="true">
                  <span class="weight" style={{ width: `${100 * weight}%` }}>
                    <span style={{ width: `${100 * probability}%` }} />
                  </span>
                </span>
                <span title={`${weight} · ${probability}`}>
                  gives it <b>{percent(probability)}</b>, weighs <b>{percent(weight)}</b>: adds{" "}
                  <b>{percent(weight * probability)}</b>
                </span>
              </p>
            ) : (
              <p class="amounts">
                <span>has nothing to go by here</span>
              </p>
            )}
          </li>
        ))}
      </ul>
      <p class="facts">The length of a bar is the rule's weight, its filled part what the rule adds.</p>
      <Derivation name="mix" formula={mixOf(terms)} value={terms.mixed} />
    </>
  );
}

function Correction({
  terms,
  correction,
}: {
  readonly terms: Schemas.ForecastExplanation;
  readonly correction: Schemas.ForecastCorrection;
}) {
  const { first, mixed, from, to, forecasts, right, prior, proved, exclusive } = correction;
  const isFirst = first === terms.symbol;
  const range = `between ${percent(from)} and ${percent(to)}`;
  return (
    <>
      <p>
        {isFirst ? "It is the most probable symbol" : <FirstLink first={first} />}, with {percent(mixed)} by the mix.{" "}
        {forecasts === 0 ? (
          <>No earlier forecast had its first symbol {range}, so that stays.</>
        ) : (
          <>
            Of earlier forecasts, {forecasts} had their first symbol {range}, and it came in {right} of them. With{" "}
            {prior} more, as if they had been right as often as they said, that makes <b>{percent(proved)}</b>.
          </>
        )}
      </p>
      <Derivation name="q" formula={provedOf(correction)} value={proved} />
      {!isFirst && terms.probability > 0 && (
        <p>
          {exclusive
            ? "One symbol excludes the others here, so the others share what is left by that."
            : "Several symbols can come together here, so the others keep what the mix gives them."}{" "}
          None becomes more probable than the first.
        </p>
      )}
      {terms.likeliest_step === null && !isFirst && terms.probability > 0 && (
        <Derivation name="probability" formula={probabilityOf(terms)} value={terms.probability} />
      )}
    </>
  );
}

type LikelyStep = NonNullable<Schemas.ForecastExplanation["likeliest_step"]>;

/** What raises the probability within several events. */
function Nearer({ terms, step }: { readonly terms: Schemas.ForecastExplanation; readonly step: LikelyStep }) {
  return (
    <>
      <p>
        {givesOf(step)}{" "}
        {step.symbol === terms.symbol ? (
          <>
            it <b>{percent(step.probability)}</b>, which is more. Within all of them it is no less probable.
          </>
        ) : (
          <>
            <b class="symbol">{step.symbol}</b> <b>{percent(step.probability)}</b>. Within all of them that is no less
            probable, and <b class="symbol">{terms.symbol}</b> stays the first.
          </>
        )}
      </p>
      <Derivation name="probability" formula={probabilityOf(terms)} value={terms.probability} />
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
      The most probable symbol is{" "}
      <a href={linkTo({ path: ["forecast", first] })}>
        <b class="symbol">{first}</b>
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
        {models.map(({ name, frequency, sequence }) => {
          const picture = laid(context, sequence, symbol, question.within ? 1 : question.horizon, question.horizon);
          return (
            <li key={name}>
              <p class="facts">
                <a href={linkTo({ path: ["prediction", name], query: keeping(context) })}>
                  model <code title={name}>{shortHash(name)}</code>
                </a>
                , learned {times(frequency)}
              </p>
              {picture === undefined ? (
                <p class="nothing">It says the symbol, but not behind what is in mind.</p>
              ) : (
                <AlignmentTable
                  label={`What is in mind beside model ${shortHash(name)}, oldest first`}
                  steps={picture.steps}
                  events={context.length}
                  presentFrom={0}
                  presentTo={picture.presentTo}
                  says={{ at: picture.says, symbol }}
                />
              )}
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
