/**
 * Shows the examples in one language at a time, the same for all operations. Without a script, all
 * languages stand below each other.
 */

import { button, element } from "./element";

/** Where the chosen language is kept, for as long as the tab is open. */
const CHOICE = "noema.language";

/** Puts tabs above the snippets of every operation. */
export function addTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>(".snippets")];
  for (const group of groups) addTabsTo(group, choose);
  choose(sessionStorage.getItem(CHOICE) ?? "sh");

  function choose(language: string): void {
    sessionStorage.setItem(CHOICE, language);
    for (const group of groups) show(group, language);
  }
}

function addTabsTo(group: HTMLElement, choose: (language: string) => void): void {
  const operation = group.closest("section")?.id ?? "";
  const panels = [...group.querySelectorAll<HTMLElement>("[data-language]")];
  const list = element("div", { role: "tablist", "aria-label": "Language" });
  for (const panel of panels) {
    const { language = "" } = panel.dataset;
    const heading = panel.querySelector("h4");
    const id = `${operation}-${language}`;
    const tab = button(heading?.textContent ?? language, { role: "tab", id: `${id}-tab`, "aria-controls": id }, () =>
      choose(language),
    );
    tab.dataset.tab = language;
    heading?.remove();
    panel.id = id;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    list.append(tab);
  }
  list.addEventListener("keydown", (event) => step(event, list));
  group.prepend(element("div", { class: "bar" }, list, copyButton(group)));
}

/** Arrow keys go from tab to tab, Home and End to the first and the last. */
function step(event: KeyboardEvent, list: HTMLElement): void {
  const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined || at === -1) return;
  event.preventDefault();
  const next = tabs.at(to % tabs.length);
  next?.click();
  next?.focus();
}

/** Shows the panel of a language; of a group that does not have it, the first one. */
function show(group: HTMLElement, language: string): void {
  const panels = [...group.querySelectorAll<HTMLElement>("[data-language]")];
  const shown = panels.find((panel) => panel.dataset.language === language) ?? panels[0];
  for (const panel of panels) panel.hidden = panel !== shown;
  for (const tab of group.querySelectorAll<HTMLElement>("[role=tab]")) {
    const isShown = tab.dataset.tab === shown?.dataset.language;
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
  }
}

function copyButton(group: HTMLElement): HTMLElement {
  const copy = button("Copy", { class: "copy" }, () => {
    const code = group.querySelector("[data-language]:not([hidden]) code")?.textContent ?? "";
    void navigator.clipboard.writeText(code).then(
      () => say("Copied"),
      () => say("Not allowed"),
    );
  });
  const say = (text: string) => {
    copy.textContent = text;
    setTimeout(() => {
      copy.textContent = "Copy";
    }, 2000);
  };
  // Pages that were not loaded securely have no clipboard.
  copy.hidden = navigator.clipboard === undefined;
  return copy;
}
