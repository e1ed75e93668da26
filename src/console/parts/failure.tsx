/** Says beside its cause what failed, in the server's words. */

import { sentenceOf } from "../server";

export function Failure({
  error,
  onRetry,
}: {
  /** What was thrown, or a sentence; `undefined`: nothing failed. */
  readonly error: unknown;
  /** Tries it again. */
  readonly onRetry?: () => void;
}) {
  // The place of the alert is there before the alert: only then do all screen readers tell what comes into it.
  return (
    <div class="failure" role="alert">
      {error !== undefined && (
        <p>
          <span aria-hidden="true">✕ </span>
          {sentenceOf(error)}{" "}
          {onRetry !== undefined && (
            <button type="button" onClick={onRetry}>
              Try again
            </button>
          )}
        </p>
      )}
    </div>
  );
}
