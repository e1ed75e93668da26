/** fast-check with a seed, so that every run of a test sees the same inputs. NOEMA_PROPERTY_SEED sets another one. */

import fc from "fast-check";

const SEED = 1;

fc.configureGlobal({ seed: Number(globalThis.process?.env.NOEMA_PROPERTY_SEED ?? SEED) });

export { fc };
