/** Groups of operations, and where their pages are. */

import { slug } from "../markdown";
import type { ReferenceOperation } from "./document";

/** The path of the list of all operations. */
export const REFERENCE_PATH = "/docs";

/** Operations that belong together. They have a page of their own. */
export interface Group {
  readonly name: string;
  /** As Markdown. */
  readonly description: string;
  readonly operations: readonly ReferenceOperation[];
}

/** The path of the page of a group. */
export function groupPath({ name }: Pick<Group, "name">): string {
  return `${REFERENCE_PATH}/reference/${slug(name)}`;
}
