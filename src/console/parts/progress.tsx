/** A progress bar with a button to cancel. */

import { useId } from "preact/hooks";
import { whole } from "./figures";

export function Progress({
  label,
  done,
  total,
  unit,
  onStop,
}: {
  /** The label, as in "Loading knowledge". */
  readonly label: string;
  readonly done: number;
  /** The count at the end; `undefined` if unknown. */
  readonly total?: number | undefined;
  /** What is counted, as in "models". */
  readonly unit: string;
  readonly onStop?: () => void;
}) {
  const id = useId();
  return (
    <div class="progress">
      <label for={id}>{label}</label>
      <progress id={id} max={total ?? 1} value={total === undefined ? undefined : Math.min(done, total)} />
      <span class="facts">
        {whole(done)}
        {total !== undefined && ` of ${whole(total)}`} {unit}
      </span>
      {onStop !== undefined && (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      )}
    </div>
  );
}
