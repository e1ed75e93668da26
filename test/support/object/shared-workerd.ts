/** Runs before each file of the project `workers`, whose files share workerd: none finds an agent that another has left. */

import { beforeAll } from "vitest";
import { forgetAgent } from "./agents";

beforeAll(forgetAgent);
