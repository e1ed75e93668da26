/** Starts the console in the page. */

import { render } from "preact";
import { Console } from "./console";
import { askAhead } from "./home/first-devices";
import { isKept } from "./key";
import { place } from "./place";
import { reopen } from "./server";

/** How long the page stays empty while a kept key is tried, in milliseconds. */
const EMPTY_MS = 100;

const root = document.getElementById("console");
if (root === null) throw new Error("the page has no place for the console");
// A kept key has opened the agent before: Home's first lines are asked for together with what it allows now.
const meanwhile = place.peek().view === "home" ? askAhead : undefined;
const opened = reopen(meanwhile).catch((error: unknown) => console.error(error));
// Most answers come sooner than one reads that the key is being tried, and to draw that would hold up what follows.
if (isKept()) await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, EMPTY_MS))]);
render(<Console />, root);
