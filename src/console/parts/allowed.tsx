/** Shows what the key allows; in the place of what it does not allow stands why. */

import type { ComponentChildren } from "preact";
import type { Refusal } from "../rights";

export function Allowed({
  what,
  refusal,
  children,
}: {
  /** What it is about, as in "change genes". */
  readonly what: string;
  /** Why the key does not allow it; empty where it does. */
  readonly refusal: Refusal;
  readonly children?: ComponentChildren;
}) {
  if (refusal === "") return children;
  return (
    <p class="refused">
      <span aria-hidden="true">⊘ </span>This key cannot {what}: {refusal}.
    </p>
  );
}
