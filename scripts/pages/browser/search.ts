/** The search field at the top of a page, and below it what was found. */

import { type Search as Finder, searchIn } from "../search/engine";
import { type Entry, SEARCH_PATH, type SearchData } from "../search/entry";
import { element } from "./element";

const MAX_RESULTS = 12;

async function loaded(): Promise<Finder> {
  const response = await fetch(SEARCH_PATH);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return searchIn((await response.json()) as SearchData);
}

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** Adds the search to the top of the page. Ctrl-K leads to it as in the console, and `/`. */
export function addSearch(): void {
  const input = element("input", {
    type: "search",
    // Those without a keyboard have no key for it.
    placeholder: matchMedia("(pointer: fine)").matches ? `Search (${IS_MAC ? "⌘" : "Ctrl"} K)` : "Search",
    "aria-keyshortcuts": "Control+K Meta+K",
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
  #finder: Promise<Finder> | undefined;
  /** The place of the marked result; -1 for none. */
  #marked = -1;

  constructor(input: HTMLInputElement, list: HTMLElement, count: HTMLElement) {
    this.#input = input;
    this.#list = list;
    this.#count = count;
  }

  listen(): void {
    this.#input.addEventListener("focus", () => void this.#find(""));
    this.#input.addEventListener("input", () => void this.#search());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    this.#input.addEventListener("blur", () => this.#close());
    // So that a click on a result comes before the field loses the focus.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => this.#focusByKey(event));
  }

  #focusByKey(event: KeyboardEvent): void {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof Element && target.closest("input, textarea, select") !== null;
    const isSlash = key === "/" && !(isTyping || ctrlKey || metaKey || altKey);
    // Else the browser would lead to its own field for addresses.
    const isCtrlK = key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey;
    if (!isSlash && !isCtrlK) return;
    event.preventDefault();
    this.#input.focus();
    this.#input.select();
  }

  async #search(): Promise<void> {
    const query = this.#input.value.trim();
    const found = await this.#find(query);
    // More was typed meanwhile.
    if (query !== this.#input.value.trim()) return;
    if (query === "") this.#close();
    else if (found === undefined) this.#say("The search could not be loaded. Type again to try once more.");
    else if (found.length === 0) this.#say("Nothing found");
    else this.#show(found.slice(0, MAX_RESULTS));
  }

  /** @returns `undefined` when the search could not be loaded */
  async #find(query: string): Promise<Entry[] | undefined> {
    this.#finder ??= loaded();
    try {
      return (await this.#finder)(query);
    } catch {
      this.#finder = undefined;
      return undefined;
    }
  }

  #show(found: readonly Entry[]): void {
    this.#open(found.map((result, at) => this.#option(result, at)));
    this.#count.textContent = `${found.length === MAX_RESULTS ? `${found.length} or more` : found.length} found`;
    this.#mark(0);
  }

  /** Shows a sentence in place of results. */
  #say(sentence: string): void {
    this.#open([element("li", { role: "option", "aria-disabled": "true" }, sentence)]);
    this.#count.textContent = sentence;
    this.#mark(-1);
  }

  #open(options: readonly HTMLElement[]): void {
    this.#list.replaceChildren(...options);
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
  }

  #option({ id, name, kind, text }: Entry, at: number): HTMLElement {
    const option = element(
      "li",
      { role: "option", id: `found-${at}`, "data-to": id },
      element("b", {}, name),
      element("small", {}, kind),
      ...(kind === "operation" || text === "" ? [] : [element("span", {}, text)]),
    );
    option.addEventListener("click", () => this.#goTo(option));
    return option;
  }

  #press(event: KeyboardEvent): void {
    if (event.key === "Escape") this.#close();
    const options = this.#options();
    if (options.length === 0) return;
    if (event.key === "Enter") this.#goTo(options[this.#marked]);
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
  #goTo(option: HTMLElement | undefined): void {
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
