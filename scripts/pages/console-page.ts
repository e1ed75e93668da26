/** The page at `/console`: an empty place, which the script of src/console fills. */

import { ICON } from "./mark";

/** Where the style and the script of the console are. */
export const CONSOLE_STYLE_PATH = "/console/style.css";
export const CONSOLE_SCRIPT_PATH = "/console/console.js";

/** The page as HTML. It holds no data: the script asks for it with the reader's key. */
export function consolePage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="What a processor has in mind, and what it expects next.">
${ICON}
<title>Console · Noema</title>
<link rel="stylesheet" href="${CONSOLE_STYLE_PATH}">
<script src="${CONSOLE_SCRIPT_PATH}" defer></script>
</head>
<body>
<div id="console"></div>
<noscript><p>The console needs a script. Everything it shows is in the <a href="/docs">reference</a>, too.</p></noscript>
</body>
</html>
`;
}
