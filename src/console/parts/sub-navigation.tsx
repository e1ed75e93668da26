/** Links to the parts of one view, each with a URL of its own. */

import { type Change, linkTo } from "../place";

export function SubNavigation({
  label,
  items,
}: {
  /** The label for screen readers. */
  readonly label: string;
  readonly items: readonly { readonly text: string; readonly to: Change; readonly isCurrent: boolean }[];
}) {
  return (
    <nav class="sub" aria-label={label}>
      {items.map(({ text, to, isCurrent }) => (
        <a key={text} href={linkTo(to)} aria-current={isCurrent ? "page" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
