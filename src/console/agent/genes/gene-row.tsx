/** One gene: its value, which can be edited, its default, its accepted values and its effect. */

import { useId } from "preact/hooks";
import { acceptedBy, choicesOf, type GeneDeclaration, type GeneValue, valueIn } from "./gene-declarations";

/** Step of the buttons next to recall_threshold. */
const STEP = 0.05;

export function GeneRow({
  gene,
  value,
  edit,
  isFixed,
  onEdit,
  onStep,
}: {
  readonly gene: GeneDeclaration;
  /** The processor's value. */
  readonly value: GeneValue;
  /** The unsaved text; `undefined` if there is none. */
  readonly edit: string | undefined;
  /** Whether the key may only read the gene. */
  readonly isFixed: boolean;
  readonly onEdit: (typed: string) => void;
  /** Changes the gene at once; `undefined` if no operation can do that. */
  readonly onStep: ((by: number) => void) | undefined;
}) {
  const id = useId();
  const { name, description, default: standard } = gene;
  const typed = edit ?? String(value);
  const wrong = edit === undefined ? "" : refusalOf(gene, edit);
  const differs = value !== standard;
  return (
    <li class={differs ? "differs" : ""}>
      <div>
        <label for={id}>
          <code>{name}</code>
        </label>
        <span id={`${id}-state`}>
          {differs && <small class="badge">not the default</small>}{" "}
          {edit !== undefined && <small class="badge">not saved</small>}
        </span>
      </div>
      <div class="row">
        <Control id={id} gene={gene} typed={typed} isFixed={isFixed} isWrong={wrong !== ""} onEdit={onEdit} />
        {onStep !== undefined && !isFixed && (
          <>
            <button
              type="button"
              aria-label={`Take ${STEP} off ${name}`}
              disabled={Number(value) < STEP}
              onClick={() => onStep(-STEP)}
            >
              − {STEP}
            </button>
            <button
              type="button"
              aria-label={`Add ${STEP} to ${name}`}
              disabled={Number(value) > 1 - STEP}
              onClick={() => onStep(STEP)}
            >
              + {STEP}
            </button>
          </>
        )}
        {typed !== String(standard) && !isFixed && (
          <button type="button" aria-label={`Set ${name} to its default`} onClick={() => onEdit(String(standard))}>
            Default
          </button>
        )}
      </div>
      <p class="meaning" id={`${id}-about`}>
        {inCode(description)}{" "}
        <span class="range">
          Default {String(standard)}; accepts {acceptedBy(gene)}.
        </span>
      </p>
      <p class="bad" id={`${id}-wrong`}>
        {wrong}
      </p>
    </li>
  );
}

function Control({
  id,
  gene,
  typed,
  isFixed,
  isWrong,
  onEdit,
}: {
  readonly id: string;
  readonly gene: GeneDeclaration;
  readonly typed: string;
  readonly isFixed: boolean;
  readonly isWrong: boolean;
  readonly onEdit: (typed: string) => void;
}) {
  const choices = choicesOf(gene);
  const described = `${id}-state ${id}-about ${id}-wrong`;
  if (choices !== undefined) {
    return (
      <select
        id={id}
        aria-describedby={described}
        disabled={isFixed}
        value={typed}
        onChange={({ currentTarget }) => onEdit(currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {String(choice)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      id={id}
      type="text"
      autocomplete="off"
      inputMode={gene.type === "string" ? "text" : "decimal"}
      aria-describedby={described}
      aria-invalid={isWrong}
      readOnly={isFixed}
      value={typed}
      onInput={({ currentTarget }) => onEdit(currentTarget.value)}
    />
  );
}

function refusalOf(gene: GeneDeclaration, typed: string): string {
  try {
    valueIn(gene, typed);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Renders a sentence of the document: text in backticks becomes code. */
function inCode(sentence: string) {
  return sentence.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
