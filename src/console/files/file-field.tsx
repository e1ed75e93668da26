/** A file input. */

import { Field } from "../parts/fields";
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
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          type="file"
          disabled={task.step.value !== undefined}
          onChange={({ currentTarget }) => {
            file.value = currentTarget.files?.[0];
          }}
        />
      )}
    </Field>
  );
}
