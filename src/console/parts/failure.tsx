/** Shows an error next to its cause, in the server's words. */

import { sentenceOf } from "../server";

export function Failure({
  error,
  onRetry,
}: {
  /** The error, or a sentence; `undefined` if nothing failed. */
  readonly error: unknown;
  /** Tries it again. */
  readonly onRetry?: () => void;
}) {
  // The live region must exist before its text, or some screen readers do not announce it.
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
