/** The page at `/console`: an empty place, which the script of src/console fills. */

import { ICON } from "./mark";

/** Where the style of the console is. */
export const CONSOLE_STYLE_PATH = "/console/style.css";

/** The script that fills the page. */
const FIRST_SCRIPT = "console.js";

/** Where a script of the console is. @param name its file name */
export function consoleScriptPath(name: string): string {
  return `/console/${name}`;
}

/**
 * The page as HTML. It holds no data: the script asks for it with the reader's key.
 *
 * @param early the script that sends the first requests; before the style, because scripts after one wait for it
 * @param preloaded the names of the scripts that the first one and the first view import, and of that view
 */
export function consolePage(early: string, preloaded: readonly string[]): string {
  const preloads = preloaded.map((name) => `<link rel="modulepreload" href="${consoleScriptPath(name)}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Which device needs a look, why, and what it will do next.">
${ICON}
<title>Console · Noema</title>
<script>${early}</script>
<link rel="stylesheet" href="${CONSOLE_STYLE_PATH}">
<script type="module" src="${consoleScriptPath(FIRST_SCRIPT)}"></script>
${preloads.join("\n")}
</head>
<body>
<div id="console"></div>
<noscript><p>The console needs a script. Everything it shows is in the <a href="/docs">reference</a>, too.</p></noscript>
</body>
</html>
`;
}
