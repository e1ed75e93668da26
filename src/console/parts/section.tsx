/** A part of a view, under a heading that names it. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string;
  /** Buttons and links beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div class="heading">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
