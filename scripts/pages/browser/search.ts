/** The search field at the top of a page, and below it what was found. */

import MiniSearch, { type SearchResult } from "minisearch";
import { type Entry, SEARCH_PATH } from "../search-entry";
import { element } from "./element";

const MOST_RESULTS = 12;

/** Of several that fit, what a reader looks for first. */
const WEIGHTS: { readonly [kind: string]: number } = { operation: 3, gene: 2, guide: 2, schema: 1.5 };

/** Words, and the parts of words that stand between dashes, underscores and before capitals. */
function words(text: string): string[] {
  const whole = text.split(/[\s/{}.,;:()]+/);
  return [...whole, ...whole.flatMap((word) => word.split(/[-_]|(?<=[a-z])(?=[A-Z])/))].filter((word) => word !== "");
}

async function indexed(): Promise<MiniSearch<Entry>> {
  const index = new MiniSearch<Entry>({
    fields: ["name", "text"],
    storeFields: ["name", "kind", "text"],
    tokenize: words,
    searchOptions: {
      boost: { name: 3 },
      boostDocument: (_id, _term, stored) => WEIGHTS[String(stored?.kind)] ?? 1,
      combineWith: "AND",
      fuzzy: (word) => (word.length > 4 ? 0.2 : 0),
      prefix: true,
    },
  });
  const response = await fetch(SEARCH_PATH);
  index.addAll((await response.json()) as Entry[]);
  return index;
}

/** Adds the search to the top of the page: `/` leads to it. */
export function addSearch(): void {
  const input = element("input", {
    type: "search",
    // Those without a keyboard have no key for it.
    placeholder: matchMedia("(pointer: fine)").matches ? "Search ( / )" : "Search",
    "aria-label": "Search",
    role: "combobox",
    "aria-controls": "found",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = element("ul", { id: "found", role: "listbox", "aria-label": "Found", hidden: true });
  const count = element("p", { role: "status", class: "hidden" });
  document.querySelector("#search")?.append(input, list, count);
  new Search(input, list, count).listen();
}

class Search {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #count: HTMLElement;
  /** Made on the first search. */
  #index: Promise<MiniSearch<Entry>> | undefined;
  /** The place of the marked result; -1 for none. */
  #marked = -1;

  constructor(input: HTMLInputElement, list: HTMLElement, count: HTMLElement) {
    this.#input = input;
    this.#list = list;
    this.#count = count;
  }

  listen(): void {
    this.#input.addEventListener("focus", () => {
      this.#index ??= indexed();
    });
    this.#input.addEventListener("input", () => void this.#search());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    this.#input.addEventListener("blur", () => this.#close());
    // So that a click on a result comes before the field loses the focus.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => this.#focusBySlash(event));
  }

  #focusBySlash(event: KeyboardEvent): void {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof Element && target.closest("input, textarea, select") !== null;
    if (key !== "/" || isTyping || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    this.#input.focus();
    this.#input.select();
  }

  async #search(): Promise<void> {
    const query = this.#input.value.trim();
    this.#index ??= indexed();
    const index = await this.#index;
    // More was typed meanwhile.
    if (query !== this.#input.value.trim()) return;
    if (query === "") this.#close();
    else this.#show(index.search(query).slice(0, MOST_RESULTS));
  }

  #show(found: readonly SearchResult[]): void {
    this.#list.replaceChildren(...found.map((result, at) => this.#option(result, at)));
    if (found.length === 0)
      this.#list.append(element("li", { role: "option", "aria-disabled": "true" }, "Nothing found"));
    this.#count.textContent = `${found.length === MOST_RESULTS ? `${found.length} or more` : found.length} found`;
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
    this.#mark(found.length === 0 ? -1 : 0);
  }

  #option({ id, name, kind, text }: SearchResult, at: number): HTMLElement {
    const option = element(
      "li",
      { role: "option", id: `found-${at}`, "data-to": String(id) },
      element("b", {}, String(name)),
      element("small", {}, String(kind)),
      ...(kind === "operation" || text === "" ? [] : [element("span", {}, String(text))]),
    );
    option.addEventListener("click", () => this.#open(option));
    return option;
  }

  #press(event: KeyboardEvent): void {
    if (event.key === "Escape") this.#close();
    const options = this.#options();
    if (options.length === 0) return;
    if (event.key === "Enter") this.#open(options[this.#marked]);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.#mark((this.#marked + step + options.length) % options.length);
  }

  #options(): HTMLElement[] {
    return this.#list.hidden ? [] : [...this.#list.querySelectorAll<HTMLElement>("[data-to]")];
  }

  #mark(at: number): void {
    this.#marked = at;
    for (const [place, option] of this.#options().entries()) {
      option.setAttribute("aria-selected", String(place === at));
      if (place === at) option.scrollIntoView({ block: "nearest" });
    }
    if (at === -1) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `found-${at}`);
  }

  /** Goes to a result. On the same page, what it leads to gets the focus, so that Tab goes on from there. */
  #open(option: HTMLElement | undefined): void {
    const to = option?.dataset.to;
    if (to === undefined) return;
    this.#input.blur();
    this.#close();
    location.assign(to);
    const target = document.getElementById(decodeURIComponent(new URL(to, location.href).hash.slice(1)));
    if (target === null) return;
    target.tabIndex = -1;
    target.focus();
  }

  #close(): void {
    this.#list.hidden = true;
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
    this.#marked = -1;
  }
}
