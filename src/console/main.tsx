/** Starts the console in the page. */

import { render } from "preact";
import { Console } from "./console";
import { reopen } from "./server";

const root = document.getElementById("console");
if (root === null) throw new Error("the page has no place for the console");
render(<Console />, root);
reopen().catch((error: unknown) => console.error(error));
