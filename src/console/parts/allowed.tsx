/** Shows its children if the key allows them, else the reason why not. */

import type { ComponentChildren } from "preact";
import type { Refusal } from "../rights";

export function Allowed({
  what,
  refusal,
  children,
}: {
  /** What the children do, as in "change genes". */
  readonly what: string;
  /** Why the key does not allow it; empty if it does. */
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
