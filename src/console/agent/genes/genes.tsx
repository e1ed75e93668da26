/** The genes of a processor: their values, the unsaved edits, and saving all edits or none. */

import { useSignal } from "@preact/signals";
import { changeGenes, getAllGenes, incrementRecallThreshold, type Schemas } from "../../../client";
import { Allowed } from "../../parts/allowed";
import { useAnswer } from "../../parts/answer";
import { Failure } from "../../parts/failure";
import { Section } from "../../parts/section";
import { goTo, place } from "../../place";
import { refusal } from "../../rights";
import type { KnownProcessor } from "../../server";
import { type GeneDeclaration, type GeneValue, geneDeclarations, hasEffect, valueIn } from "./gene-declarations";
import { GeneRow } from "./gene-row";

/** Unsaved edits by gene. */
type Edits = ReadonlyMap<string, string>;

export function Genes({ known: { id, processor, name } }: { readonly known: KnownProcessor }) {
  const declared = useAnswer(geneDeclarations, []);
  const genes = useAnswer((signal) => getAllGenes(processor, { signal }), [processor]);
  const edits = useSignal<Edits>(new Map());
  const error = useSignal<unknown>(undefined);
  const said = useSignal("");
  const isBusy = useSignal(false);
  const cannotChange = refusal({ of: "processor", processor: id }, "manage");

  async function act(action: () => Promise<string>): Promise<void> {
    isBusy.value = true;
    error.value = undefined;
    said.value = "";
    try {
      said.value = await action();
      await genes.again();
    } catch (reason) {
      error.value = reason;
    } finally {
      isBusy.value = false;
    }
  }

  const save = (event: Event) => {
    event.preventDefault();
    void act(async () => {
      const saved = edits.value;
      const changes = changesOf(saved, declared.value ?? []);
      await changeGenes(processor, changes);
      // Keep what was typed during the save.
      edits.value = new Map([...edits.value].filter(([gene, typed]) => saved.get(gene) !== typed));
      return `Changed ${Object.keys(changes).join(", ")}.`;
    });
  };
  const step = (by: number) =>
    void act(async () => `recall_threshold is ${await incrementRecallThreshold(processor, by)} now.`);
  const edit = (gene: GeneDeclaration, typed: string) => {
    const { [gene.name]: changed, ...others } = Object.fromEntries(edits.value);
    const isAsItWas = typed === String(currentValue(genes.value, gene));
    edits.value = new Map(Object.entries(isAsItWas ? others : { ...others, [gene.name]: typed }));
  };

  const shown = (declared.value ?? []).filter((gene) => isShown(gene, currentValue(genes.value, gene)));
  return (
    <Section title={`The genes of ${name}`}>
      <Failure
        error={declared.error ?? genes.error}
        onRetry={() => void Promise.all([declared.again(), genes.again()])}
      />
      <Allowed what="change genes" refusal={cannotChange} />
      <Filters />
      <form onSubmit={save}>
        {genes.value !== undefined && (
          <ul class="genes">
            {shown.map((gene) => (
              <GeneRow
                key={gene.name}
                gene={gene}
                value={currentValue(genes.value, gene)}
                edit={edits.value.get(gene.name)}
                onEdit={(typed) => edit(gene, typed)}
                isFixed={cannotChange !== ""}
                onStep={gene.name === "recall_threshold" ? step : undefined}
              />
            ))}
          </ul>
        )}
        {genes.value !== undefined && shown.length === 0 && <p class="nothing">All genes have their defaults.</p>}
        {cannotChange === "" && (
          <SaveBar
            changes={edits.value.size}
            isBusy={isBusy.value}
            said={said.value}
            onUndo={() => {
              edits.value = new Map();
              error.value = undefined;
            }}
          />
        )}
        <Failure error={error.value} />
      </form>
    </Section>
  );
}

/** Whether a gene passes the filters in the URL. */
function isShown(gene: GeneDeclaration, value: GeneValue): boolean {
  const { differing, all } = place.value.query;
  return (all !== undefined || hasEffect(gene)) && (differing === undefined || value !== gene.default);
}

function SaveBar({
  changes,
  isBusy,
  said,
  onUndo,
}: {
  /** Number of genes with an unsaved value. */
  readonly changes: number;
  readonly isBusy: boolean;
  /** The result of the last save. */
  readonly said: string;
  readonly onUndo: () => void;
}) {
  return (
    <div class="row genes-bar">
      <button type="submit" disabled={isBusy || changes === 0}>
        {changes === 0 ? "Nothing to save" : `Save ${changes === 1 ? "1 change" : `${changes} changes`}`}
      </button>
      <button type="button" disabled={changes === 0} onClick={onUndo}>
        Undo
      </button>
      <p class="said" role="status">
        {said}
      </p>
    </div>
  );
}

/** all-genes leaves out our own genes while they have their defaults. */
function currentValue(genes: Schemas.Genes | undefined, { name, default: standard }: GeneDeclaration): GeneValue {
  return (genes as { readonly [name: string]: GeneValue } | undefined)?.[name] ?? standard;
}

/** @throws Error that names the first invalid value */
function changesOf(edits: Edits, declared: readonly GeneDeclaration[]): Schemas.GeneChanges {
  const changes = declared.flatMap((gene) => {
    const typed = edits.get(gene.name);
    return typed === undefined ? [] : [[gene.name, valueIn(gene, typed)] as const];
  });
  return Object.fromEntries(changes) as Schemas.GeneChanges;
}

function Filters() {
  const { query } = place.value;
  const toggle = (name: "differing" | "all") => () =>
    goTo({ query: { ...query, [name]: query[name] === undefined ? "1" : undefined } });
  return (
    <p class="filters">
      <label class="check">
        <input type="checkbox" checked={query.differing !== undefined} onChange={toggle("differing")} />
        <span>Only those that differ from their defaults</span>
      </label>
      <label class="check">
        <input type="checkbox" checked={query.all !== undefined} onChange={toggle("all")} />
        <span>Those without an effect, too</span>
      </label>
    </p>
  );
}
