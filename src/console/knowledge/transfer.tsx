/** Exports, imports and backs up the knowledge of a processor, and forgets rarely learned models. */

import { useSignal } from "@preact/signals";
import {
  exportKnowledgeBase,
  listModels,
  listSymbols,
  listVectors,
  loadKnowledgeBase,
  type Processor,
} from "../../client";
import { Backup } from "../files/backup";
import { FileField } from "../files/file-field";
import { saveFile, stampOfNow } from "../files/save-file";
import { TaskState, useTask } from "../files/task";
import { Allowed } from "../parts/allowed";
import { ConfirmDialog } from "../parts/dialog";
import { Check, Choice } from "../parts/fields";
import { bytes } from "../parts/figures";
import { Section } from "../parts/section";
import { linkTo } from "../place";
import { refusal } from "../rights";
import { currentProcessor } from "../server";
import { countOf } from "./figures";
import { Forget } from "./forget";

export function Transfer({ processor }: { readonly processor: Processor }) {
  const cannotChange = refusal({ of: "processor" }, "manage");
  return (
    <>
      <Section title="Forget">
        <Allowed what="forget models" refusal={cannotChange}>
          <Forget processor={processor} />
        </Allowed>
      </Section>
      <Export processor={processor} />
      <Section title="Import">
        <Allowed what="import knowledge" refusal={cannotChange}>
          <Import processor={processor} />
        </Allowed>
      </Section>
      <Section title="Backup">
        <Allowed what="back up or restore" refusal={refusal({ of: "processor" }, "admin")}>
          <p class="facts">
            All of {nameOfProcessor()} as of one moment: knowledge, genes, encoders, alerts with their secrets, memory
            and sessions. The backup of the <a href={linkTo({ view: "agent", path: ["backup"] })}>whole agent</a> has
            all processors and the genome.
          </p>
          <Backup noema={processor.noema} only={currentProcessor.value} name={nameOfProcessor()} />
        </Allowed>
      </Section>
    </>
  );
}

function nameOfProcessor(): string {
  return currentProcessor.value?.name ?? "processor";
}

/** Expected number of records in an export. */
async function recordsOf(processor: Processor, signal: AbortSignal): Promise<number> {
  const pages = await Promise.all(
    [listModels, listSymbols, listVectors].map((list) => list(processor, { limit: 1 }, { signal })),
  );
  return pages.reduce((sum, { total }) => sum + total, 0);
}

function Export({ processor }: { readonly processor: Processor }) {
  const order = useSignal(true);
  const task = useTask();
  const begin = () =>
    task.begin({ label: "Exporting", done: 0, unit: "records" }, async (signal, report) => {
      const total = await recordsOf(processor, signal);
      const stream = await exportKnowledgeBase(processor, {
        order: order.value,
        signal,
        onProgress: ({ records }) => report({ label: "Exporting", done: records, total, unit: "records" }),
      });
      const file = await new Response(stream).blob();
      saveFile(`${nameOfProcessor()}-knowledge-${stampOfNow()}.json`, file);
      return `Exported ${bytes(file.size)}.`;
    });
  return (
    <Section title="Export">
      <p class="facts">All models, symbols and vectors as of one moment, as a file for an import here or elsewhere.</p>
      <Check
        label="With the order of learning: after an import, even ties between predictions are the same"
        value={order}
      />
      <div class="row">
        <button type="button" onClick={begin} disabled={task.step.value !== undefined}>
          Export
        </button>
      </div>
      <TaskState task={task} />
    </Section>
  );
}

/** A file, unpacked if it is gzipped. @throws Error if it is not a complete gzip file */
async function unpacked(file: File): Promise<Blob> {
  if (!file.name.endsWith(".gz")) return file;
  try {
    return await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
  } catch {
    // The browser's own message is just "Failed to fetch".
    throw new Error(`${file.name} is damaged, or not packed with gzip.`);
  }
}

function Import({ processor }: { readonly processor: Processor }) {
  const file = useSignal<File | undefined>(undefined);
  const mode = useSignal<"merge" | "replace">("merge");
  const isAsked = useSignal(false);
  const task = useTask();
  const begin = async () => {
    const chosen = file.value;
    if (chosen === undefined) return;
    const how = mode.value;
    task.begin({ label: "Reading the file", done: 0, unit: "bytes" }, async (signal, report) => {
      const source = await unpacked(chosen);
      await loadKnowledgeBase(processor, source, {
        mode: how,
        signal,
        onProgress: ({ bytes, totalBytes }) =>
          report(
            bytes === totalBytes
              ? { label: "The server loads it", done: bytes, unit: "bytes sent" }
              : { label: "Reading the file", done: bytes, total: totalBytes, unit: "bytes" },
          ),
      });
      const { total } = await listModels(processor, { limit: 1 }, { signal });
      return `${how === "merge" ? "Merged" : "Loaded"} ${chosen.name}. It knows ${countOf(total, "model")} now.`;
    });
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (mode.value === "merge") void begin();
    else isAsked.value = true;
  };
  return (
    <>
      <form class="fields" onSubmit={submit}>
        <p class="facts">All or nothing: if a record is wrong, the error names it and nothing changes.</p>
        <FileField label="Knowledge base, as an export makes it (.json or .json.gz)" file={file} task={task} />
        <Choice
          label="What the processor already knows"
          value={mode}
          choices={[
            ["merge", "stays: frequencies of known models add up, other models are added"],
            ["replace", "is replaced by the file"],
          ]}
        />
        <div class="row">
          <button type="submit" disabled={file.value === undefined || task.step.value !== undefined}>
            {mode.value === "merge" ? "Merge the file" : "Replace by the file…"}
          </button>
        </div>
      </form>
      <TaskState task={task} />
      {isAsked.value && (
        <ConfirmDialog
          title="Replace everything that the processor has learned?"
          action="Replace it"
          isDangerous
          onConfirm={begin}
          onClose={() => {
            isAsked.value = false;
          }}
        >
          <p>
            All models, symbols and vectors of {nameOfProcessor()} are replaced by those of {file.value?.name}. Export
            them before if you may want them back.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
