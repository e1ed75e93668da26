/** The roles that a key can have, from the OpenAPI document. Written by `npm run generate`. */

import type { Role } from "./operations";

/** Each role with what it allows, in a sentence. None includes another, but `admin` has all of them. */
export const ROLES: readonly { readonly role: Role; readonly meaning: string }[] = [
  { role: "read", meaning: "Ask for predictions and forecasts, and read what was learned, genes and metrics." },
  { role: "observe", meaning: "Observe, clear working memory and open streams; and read working memory." },
  { role: "learn", meaning: "Learn working memory. To learn what it observes in the same call, a key needs observe, too." },
  { role: "manage", meaning: "Change genes, encoders, alerts, models, symbols and sessions, and read them; load and clear knowledge." },
  { role: "admin", meaning: "Everything. Genomes, keys, backups and restores need it. It cannot be limited to processors or sessions." },
];
