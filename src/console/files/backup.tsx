/** Backs up a processor or the whole agent to a file, and restores it from one. */

import { useSignal } from "@preact/signals";
import { backup, type Noema, restore } from "../../client";
import { ConfirmDialog } from "../parts/dialog";
import { bytes } from "../parts/figures";
import type { KnownProcessor } from "../server";
import { FileField } from "./file-field";
import { saveFile, stampOfNow } from "./save-file";
import { TaskState, useTask } from "./task";

export function Backup({
  noema,
  name,
  only,
  onRestored,
}: {
  readonly noema: Noema;
  /** What is backed up, for the texts and the file name. */
  readonly name: string;
  /** The only processor; `undefined` for the whole agent. */
  readonly only?: KnownProcessor | undefined;
  /** Called after a restore. */
  readonly onRestored?: () => Promise<void>;
}) {
  const file = useSignal<File | undefined>(undefined);
  const isAsked = useSignal(false);
  const saving = useTask();
  const restoring = useTask();
  const which = only === undefined ? {} : { processor: only.id };
  const begin = () =>
    saving.begin({ label: "Backing up", done: 0, unit: "lines" }, async (signal, report) => {
      const stream = await backup(noema, {
        ...which,
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
      await restore(noema, chosen, {
        ...which,
        signal,
        onProgress: ({ bytes, totalBytes }) =>
          report(
            bytes === totalBytes
              ? { label: "The server restores it", done: bytes, unit: "bytes sent" }
              : { label: "Reading the backup", done: bytes, total: totalBytes, unit: "bytes" },
          ),
      });
      await onRestored?.();
      return `Restored ${chosen.name}.`;
    });
  };
  return (
    <>
      <div class="row">
        <button type="button" onClick={begin} disabled={saving.step.value !== undefined}>
          Back up
        </button>
      </div>
      <TaskState task={saving} />
      <div class="fields">
        <FileField
          label={`A backup of ${only === undefined ? "the whole agent" : "this processor"}, to restore`}
          file={file}
          task={restoring}
        />
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
            Everything of {name} is replaced by what {file.value?.name} holds
            {only === undefined && ": its genome, and all processors with what they know"}. If the file is damaged,
            nothing changes.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
