/** The script of the pages below /docs. Without it, every page can be read; with it, one can search and try. */

import { showAddress } from "./address";
import { followMoved } from "./moved";
import { addSearch } from "./search";
import { addTabs } from "./tabs";
import { addTrials } from "./trial";

followMoved();
showAddress();
addTabs();
addTrials();
addSearch();
