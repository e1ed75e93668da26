/** A file input. */

import type { Task } from "./task";

export function FileField({
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
