/** Why a model is predicted: one sentence, memory and model side by side, and every number with its formula. */

import { explainPrediction, type Memory, type Schemas } from "../../client";
import { useAnswer } from "../parts/answer";
import { shortHash } from "../parts/chip";
import { Section } from "../parts/section";
import { linkTo, place } from "../place";
import { aligned } from "./alignment";
import { AlignmentTable } from "./alignment-table";
import { counted, Evidence, OfMemory, Symbols, times } from "./evidence";
import { momentOf } from "./moment";
import { NumberList } from "./number-list";
import { numbersOf } from "./prediction-numbers";

export function PredictionEvidence({ memory, model }: { readonly memory: Memory; readonly model: string }) {
  const sequence = momentOf(place.value.query);
  const asked = useAnswer(
    (signal) => explainPrediction(memory, { model, ...(sequence !== undefined && { sequence }) }, { signal }),
    [],
  );
  return (
    <Evidence
      title={
        <>
          Why model <code title={model}>{shortHash(model)}</code> predicts
        </>
      }
      asked={asked}
      nothing="This model does not match working memory, so it predicts nothing."
    >
      {(terms) => (
        <>
          <Sentence terms={terms} />
          <OfMemory isWhole memory={memory} events={terms.memory} onAgain={() => void asked.again()} />
          <div class="sides">
            <Section title="Side by side">
              <Picture terms={terms} />
            </Section>
            <div>
              {numbersOf(terms).map(({ title, numbers }) => (
                <Section key={title} title={title}>
                  <NumberList numbers={numbers} />
                </Section>
              ))}
              <p class="facts">
                <a href={linkTo({ view: "knowledge", path: ["models", terms.prediction.name] })}>The whole model</a>
              </p>
            </div>
          </div>
        </>
      )}
    </Evidence>
  );
}

function Sentence({ terms }: { readonly terms: Schemas.PredictionExplanation }) {
  const { prediction, blocks } = terms;
  const { future, frequency, past, present, matches } = prediction;
  const matched = blocks.reduce((sum, { length }) => sum + length, 0);
  const length = [past, present, future].flat(2).length;
  const [next] = future;
  return (
    <p class="sentence">
      {next === undefined ? (
        <>
          Nothing is expected of this model: the sequence ends with <Symbols symbols={present.at(-1) ?? []} />.
        </>
      ) : (
        <>
          <Symbols symbols={next} /> may follow: a sequence learned {times(frequency)} continues with it after{" "}
          <Symbols symbols={matches} />.
        </>
      )}{" "}
      <span class="more">
        {matched} of its {counted(length, "symbol")} {matched === 1 ? "is" : "are"} in working memory.
        {terms.matching_frequencies > frequency &&
          ` It stands for ${frequency} of the ${terms.matching_frequencies} learned sequences that match.`}
      </span>
    </p>
  );
}

function Picture({ terms }: { readonly terms: Schemas.PredictionExplanation }) {
  const { prediction, memory, blocks } = terms;
  const { past, present, future } = prediction;
  const presentTo = past.length + present.length;
  const model = [...past, ...present, ...future];
  const steps = aligned({ memory, model, blocks, presentFrom: past.length, presentTo });
  return (
    <AlignmentTable
      label="Working memory beside the model, oldest first"
      steps={steps}
      events={memory.length}
      presentFrom={past.length}
      presentTo={presentTo}
      hasParts
      says={future.length === 0 ? undefined : { at: presentTo }}
    />
  );
}
