/** Moves knowledge out of a processor and into it: exports, imports, backups; and forgets what was learned seldom. */

import { useSignal } from "@preact/signals";
import {
  backup,
  exportKnowledgeBase,
  listModels,
  listSymbols,
  listVectors,
  loadKnowledgeBase,
  type Processor,
  restore,
} from "../../client";
import { ConfirmDialog } from "../parts/dialog";
import { bytes } from "../parts/figures";
import { Section } from "../parts/section";
import { currentProcessor } from "../server";
import { countOf } from "./figures";
import { Forget } from "./forget";
import { saveFile, stampOfNow } from "./save-file";
import { type Task, TaskState, useTask } from "./task";

export function Transfer({ processor }: { readonly processor: Processor }) {
  return (
    <>
      <Forget processor={processor} />
      <Export processor={processor} />
      <Import processor={processor} />
      <Backup processor={processor} />
    </>
  );
}

function nameOfProcessor(): string {
  return currentProcessor.value?.name ?? "processor";
}

/** How many records an export has, as far as is known before it. */
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
      <label class="choice">
        <input
          type="checkbox"
          checked={order.value}
          onChange={({ currentTarget }) => {
            order.value = currentTarget.checked;
          }}
        />
        With the order of learning: after an import, even ties between predictions are the same
      </label>
      <div class="row">
        <button type="button" onClick={begin} disabled={task.step.value !== undefined}>
          Export
        </button>
      </div>
      <TaskState task={task} />
    </Section>
  );
}

/** A file, or what is in it where it is packed. */
async function unpacked(file: File): Promise<Blob> {
  if (!file.name.endsWith(".gz")) return file;
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

function Import({ processor }: { readonly processor: Processor }) {
  const file = useSignal<File | undefined>(undefined);
  const isMerge = useSignal(true);
  const isAsked = useSignal(false);
  const task = useTask();
  const begin = async () => {
    const chosen = file.value;
    if (chosen === undefined) return;
    const mode = isMerge.value ? "merge" : "replace";
    task.begin({ label: "Reading the file", done: 0, unit: "bytes" }, async (signal, report) => {
      const source = await unpacked(chosen);
      await loadKnowledgeBase(processor, source, {
        mode,
        signal,
        onProgress: ({ bytes, totalBytes }) =>
          report(
            bytes === totalBytes
              ? { label: "The server takes it in", done: bytes, unit: "bytes sent" }
              : { label: "Reading the file", done: bytes, total: totalBytes, unit: "bytes" },
          ),
      });
      const { total } = await listModels(processor, { limit: 1 }, { signal });
      return `${mode === "merge" ? "Merged" : "Loaded"} ${chosen.name}. It knows ${countOf(total, "model")} now.`;
    });
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (isMerge.value) void begin();
    else isAsked.value = true;
  };
  return (
    <Section title="Import">
      <form onSubmit={submit}>
        <p class="facts">All of the file or nothing. A wrong record is named, and then nothing has changed.</p>
        <FileField label="Knowledge base, as an export makes it (.json or .json.gz)" file={file} task={task} />
        <fieldset>
          <legend>What the processor knows already</legend>
          {[true, false].map((merge) => (
            <label key={String(merge)} class="choice">
              <input
                type="radio"
                name="mode"
                checked={isMerge.value === merge}
                onChange={() => {
                  isMerge.value = merge;
                }}
              />
              {merge ? "stays: known models add up, others are new" : "is replaced by the file"}
            </label>
          ))}
        </fieldset>
        <div class="row">
          <button type="submit" disabled={file.value === undefined || task.step.value !== undefined}>
            {isMerge.value ? "Merge the file" : "Replace by the file…"}
          </button>
        </div>
      </form>
      <TaskState task={task} />
      {isAsked.value && (
        <ConfirmDialog
          title="Replace all that the processor knows?"
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
    </Section>
  );
}

function FileField({
  label,
  file,
  task,
}: {
  readonly label: string;
  readonly file: { value: File | undefined };
  readonly task: Task;
}) {
  return (
    <label class="file">
      {label}
      <input
        type="file"
        disabled={task.step.value !== undefined}
        onChange={({ currentTarget }) => {
          file.value = currentTarget.files?.[0];
        }}
      />
    </label>
  );
}

function Backup({ processor }: { readonly processor: Processor }) {
  const file = useSignal<File | undefined>(undefined);
  const isAsked = useSignal(false);
  const saving = useTask();
  const restoring = useTask();
  const { id, name } = currentProcessor.value ?? { id: "", name: "" };
  const begin = () =>
    saving.begin({ label: "Backing up", done: 0, unit: "lines" }, async (signal, report) => {
      const stream = await backup(processor.noema, {
        processor: id,
        signal,
        onProgress: ({ records }) => report({ label: "Backing up", done: records, unit: "lines" }),
      });
      const content = await new Response(stream).blob();
      saveFile(`${name}-backup-${stampOfNow()}.jsonl`, content);
      return `Backed up ${bytes(content.size)}.`;
    });
  const beginRestore = async () => {
    const chosen = file.value;
    if (chosen === undefined) return;
    restoring.begin({ label: "Reading the backup", done: 0, unit: "bytes" }, async (signal, report) => {
      await restore(processor.noema, chosen, {
        processor: id,
        signal,
        onProgress: ({ bytes, totalBytes }) =>
          report(
            bytes === totalBytes
              ? { label: "The server restores it", done: bytes, unit: "bytes sent" }
              : { label: "Reading the backup", done: bytes, total: totalBytes, unit: "bytes" },
          ),
      });
      return `Restored ${chosen.name}.`;
    });
  };
  return (
    <Section title="Backup">
      <p class="facts">
        All of {name} as of one moment: knowledge, genes, encoders, alerts with their secrets, memory and sessions. It
        needs the role admin. <code>noema backup</code> saves the whole agent.
      </p>
      <div class="row">
        <button type="button" onClick={begin} disabled={saving.step.value !== undefined}>
          Back up
        </button>
      </div>
      <TaskState task={saving} />
      <FileField label="A backup of this processor, to restore" file={file} task={restoring} />
      <div class="row">
        <button
          type="button"
          disabled={file.value === undefined || restoring.step.value !== undefined}
          onClick={() => {
            isAsked.value = true;
          }}
        >
          Restore…
        </button>
      </div>
      <TaskState task={restoring} />
      {isAsked.value && (
        <ConfirmDialog
          title={`Restore ${name}?`}
          action="Restore it"
          isDangerous
          onConfirm={beginRestore}
          onClose={() => {
            isAsked.value = false;
          }}
        >
          <p>
            Everything of {name} is replaced by what {file.value?.name} holds, or nothing if the file is damaged.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
