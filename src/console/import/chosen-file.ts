/** The file to import: chosen in the view, or dropped anywhere on the console. */

import { signal } from "@preact/signals";

/** The file; `undefined` for none. */
export const chosenFile = signal<File | undefined>(undefined);
