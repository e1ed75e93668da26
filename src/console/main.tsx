/** Starts the console in the page. */

import { render } from "preact";
import { Console } from "./console";
import { askAhead } from "./home/first-devices";
import { place } from "./place";
import { reopen } from "./server";

const root = document.getElementById("console");
if (root === null) throw new Error("the page has no place for the console");
render(<Console />, root);
// A kept key has opened the agent before: Home's first lines are asked for together with what it allows now.
const meanwhile = place.peek().view === "home" ? askAhead : undefined;
reopen(meanwhile).catch((error: unknown) => console.error(error));
