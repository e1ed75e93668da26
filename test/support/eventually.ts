/** Waiting for something that comes without anything to await. */

import { vi } from "vitest";

/** Waits until a check no longer throws, on a busy machine too: one minute at most, where `vi.waitFor` waits 1 s. */
export const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 5 });
