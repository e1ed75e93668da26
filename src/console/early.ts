/** Runs in the page before its modules are there: sends the first requests at once with a key that the tab has kept. */

import { KEY_PLACE, sendEarly } from "./sent-early";

const key = sessionStorage.getItem(KEY_PLACE);
if (key !== null) sendEarly(key, /^(#\/?(home.*)?)?$/.test(location.hash));
