/** One model: its sequence, how often and when it was learned, its emotives and metadata, and what it would predict. */

import { useComputed, useSignal } from "@preact/signals";
import { deleteModel, getModel, getPredictionsForModel, listModels, type Processor, type Schemas } from "../../client";
import { Lanes } from "../now/lanes";
import { Allowed } from "../parts/allowed";
import { useAnswer } from "../parts/answer";
import { Chip, shortHash } from "../parts/chip";
import { CutCode, useCut } from "../parts/cut";
import { ConfirmDialog } from "../parts/dialog";
import { Failure } from "../parts/failure";
import { Section } from "../parts/section";
import { goTo, linkTo } from "../place";
import { refusal } from "../rights";
import { Moment, timesOf } from "./figures";
import type { LearnedNews } from "./learned-news";
import { ModelEditor } from "./model-editor";

/** Events drawn before "show all". */
const MANY_EVENTS = 100;

/** Emotives shown before "show all". */
const MANY_EMOTIVES = 50;

/** Characters of an event's metadata shown before "show all". */
const LONG_METADATA = 500;

const EMPTY = "{}";

type Open = "edit" | "delete" | undefined;

export function ModelView({
  processor,
  name,
  news,
}: {
  readonly processor: Processor;
  readonly name: string;
  readonly news: LearnedNews;
}) {
  const dialog = useSignal<Open>(undefined);
  const { value, error, again } = useAnswer(
    async (signal) => {
      const [model, listed] = await Promise.all([
        getModel(processor, name, { signal }),
        listModels(processor, { name, limit: 1 }, { signal }),
      ]);
      return { model: "sequence" in model ? (model as Schemas.Model) : undefined, listed: listed.models[0] };
    },
    [processor, name, news.changes.value],
  );
  const close = () => {
    dialog.value = undefined;
  };
  const { model, listed } = value ?? {};
  const cannotChange = refusal({ of: "processor" }, "manage");
  return (
    <>
      <p class="back">
        <a href={linkTo({ path: ["models"], query: {} })}>All models</a>
      </p>
      <Section
        title={`Model ${shortHash(name)}`}
        actions={
          model !== undefined &&
          cannotChange === "" && (
            <>
              <button
                type="button"
                onClick={() => {
                  dialog.value = "edit";
                }}
              >
                Edit
              </button>
              <button
                type="button"
                onClick={() => {
                  dialog.value = "delete";
                }}
              >
                Delete
              </button>
            </>
          )
        }
      >
        <Failure error={error} onRetry={() => void again()} />
        {value !== undefined && model === undefined && (
          <p class="nothing">There is no model {name}: it was deleted, forgotten, or has another name now.</p>
        )}
        <Allowed what="change this model" refusal={cannotChange} />
        {model !== undefined && <Facts model={model} listed={listed} />}
      </Section>
      {model !== undefined && (
        <>
          <SequenceOf model={model} />
          <EmotivesOf model={model} />
          <Section title="With this sequence in working memory">
            <Allowed what="see what would be predicted" refusal={refusal({ of: "processor" }, "read")}>
              <WouldPredict processor={processor} model={model} />
            </Allowed>
          </Section>
        </>
      )}
      {dialog.value === "edit" && model !== undefined && (
        <ModelEditor
          processor={processor}
          model={model}
          onClose={close}
          onSaved={(renamed) => (renamed === name ? void again() : goTo({ path: ["models", renamed], query: {} }))}
        />
      )}
      {dialog.value === "delete" && (
        <ConfirmDialog
          title={`Delete model ${shortHash(name)}?`}
          action="Delete the model"
          isDangerous
          onConfirm={async () => {
            await deleteModel(processor, name);
            goTo({ path: ["models"], query: {} });
          }}
          onClose={close}
        >
          <p>The processor forgets this sequence, and symbols that no other model holds. It cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Facts({ model, listed }: { readonly model: Schemas.Model; readonly listed: Schemas.ListedModel | undefined }) {
  return (
    <dl class="facts-list">
      <div>
        <dt>Hash</dt>
        <dd class="hash">{model.name}</dd>
      </div>
      <div>
        <dt>Learned</dt>
        <dd>{timesOf(model.frequency)}</dd>
      </div>
      <div>
        <dt>Learned last</dt>
        <dd>
          <Moment seconds={listed?.learned_at ?? null} />
        </dd>
      </div>
      <div>
        <dt>Events</dt>
        <dd>{model.sequence.length}</dd>
      </div>
      <div>
        <dt>Symbols</dt>
        <dd>{model.length}</dd>
      </div>
      <div>
        <dt>Order</dt>
        <dd>{listed?.order ?? "unknown"}</dd>
      </div>
    </dl>
  );
}

/** The events in a lane, each with its metadata. */
function SequenceOf({ model: { sequence, metadata } }: { readonly model: Schemas.Model }) {
  const { shown, more } = useCut(sequence, MANY_EVENTS, "events");
  return (
    <Section title="Sequence">
      <ol class="sequence" aria-label="Events, oldest first">
        {shown.map((event, at) => (
          <li key={at}>
            <span class="at" aria-hidden="true">
              {at + 1}
            </span>
            <div class="event">
              {event.map((symbol, place) => (
                <Chip key={place} symbol={symbol} />
              ))}
            </div>
            <Metadata value={metadata[at]} />
          </li>
        ))}
      </ol>
      {more}
    </Section>
  );
}

function Metadata({ value }: { readonly value: unknown }) {
  const text = JSON.stringify(value ?? {});
  return text === EMPTY ? null : <CutCode text={text} most={LONG_METADATA} className="metadata" />;
}

function EmotivesOf({ model: { emotives } }: { readonly model: Schemas.Model }) {
  const names = Object.keys(emotives);
  const { shown, more } = useCut(names, MANY_EMOTIVES, "emotives");
  if (names.length === 0) return null;
  return (
    <Section title="Emotives">
      <table class="emotives">
        <caption>Kept values, oldest first, and their mean</caption>
        <thead>
          <tr>
            <th scope="col">Emotive</th>
            <th scope="col">Values</th>
            <th scope="col" class="number">
              Mean
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((name) => {
            const values = emotives[name] ?? [];
            const mean = values.reduce((sum, value) => sum + value / values.length, 0);
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{values.join(", ")}</td>
                <td class="number" title={String(mean)}>
                  {Number(mean.toPrecision(4))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {more}
    </Section>
  );
}

/** What the processor would predict if this sequence were in working memory. */
function WouldPredict({ processor, model }: { readonly processor: Processor; readonly model: Schemas.Model }) {
  const { name, sequence } = model;
  const { value, error, again } = useAnswer(
    (signal) => getPredictionsForModel(processor, name, { signal }),
    [processor, name],
  );
  const memory = useComputed(() => sequence);
  return (
    <>
      <Failure error={error} onRetry={() => void again()} />
      {value !== undefined && <Lanes predictions={value} memory={memory} />}
    </>
  );
}
