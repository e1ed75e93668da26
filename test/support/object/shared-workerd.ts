/**
 * Runs before each file of the project `workers`, whose files share workerd: none finds an agent, a clock or a spy that another has left.
 */

import { afterAll, beforeAll, vi } from "vitest";
import { forgetAgent } from "./agents";

beforeAll(forgetAgent);

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
