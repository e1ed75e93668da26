/** The console in a page of a real browser, opened with the local key; and what every page must be on every screen. */

import axe from "axe-core";
import type { Browser, Page, Response } from "playwright-core";
import { expect } from "vitest";
import type { Server } from "../server/server";
import { keepTabsAway, openTab } from "./browser";

const KEY = "ABCD-1234";

/** The place of the processor that every server begins with. */
const FIRST_MEMORY = "#/p46b6b076c/now";

/**
 * What the browser itself writes of a link that could not open, which no page can prevent: the user went to another view while it opened, or
 * the processor was just being restored. The page tries again or no longer wants it.
 */
const LINK_NOT_OPEN =
  /^WebSocket connection to '[^']+' failed: (WebSocket is closed before the connection is established|Error during WebSocket handshake: Unexpected response code: 503)/;

/** A page's clock can only be stopped at a time to come: longer than a busy machine takes to pass the time on. */
const AHEAD_MS = 30_000;

/** The console, opened. */
export interface ConsolePage {
  readonly page: Page;
  /** What the page has written to its console, errors too. A view that works writes nothing. Without what `LINK_NOT_OPEN` describes. */
  readonly complaints: readonly string[];
}

/**
 * Opens the console in a page of its own. The caller closes the page.
 *
 * @param fragment the place, as in `#/p46b6b076c/knowledge`; empty for the memory of the first processor
 * @param key the key to type; `""`: none, so the page keeps asking for it
 * @param keep whether to tick the box, so that the key outlives a reload
 */
export async function openConsole(
  browser: Browser,
  server: Server,
  fragment = "",
  { key = KEY, keep = false } = {},
): Promise<ConsolePage> {
  const page = await openTab(browser, { viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (!LINK_NOT_OPEN.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${server.address}/console${fragment || FIRST_MEMORY}`);
  if (key !== "") {
    await page.getByLabel("Key", { exact: true }).fill(key);
    if (keep) await page.getByLabel("Keep it").check();
    await page.getByRole("button", { name: "Open" }).click();
    await expect.poll(() => page.getByRole("navigation", { name: "Views" }).count()).toBe(1);
  }
  return { page, complaints };
}

/** The rows of a table as it is at one moment, without its head: the text of each cell. Empty while there is no such table. */
export function rowsOf(page: Page, table: string): Promise<string[][]> {
  return page
    .getByRole("table", { name: table })
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.innerText)));
}

/** The symbols in working memory, as the page of a device shows them; without the bits beside those that surprise. */
export async function symbolsInMind(page: Page): Promise<string[]> {
  const chips = await page.getByRole("region", { name: "Working memory" }).locator(".chip").allInnerTexts();
  return chips.map((text) => text.replace(/ [\d.]+ bits$/, ""));
}

/** Says to the page that it is hidden, or seen again: a hidden one asks no server from time to time. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
}

/** Waits until the page has read an answer to its end; 5 s at most, because the browser does not always say that it has. */
export async function untilRead(answered: Promise<Response>): Promise<void> {
  const answer = await answered;
  await Promise.race([answer.finished(), new Promise((resolve) => setTimeout(resolve, 5_000))]);
}

/** Stops the clock of the page: from then on time passes there only as `page.clock.runFor` says. */
export async function stopClock(page: Page): Promise<void> {
  keepTabsAway(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + AHEAD_MS);
}

/** A screen, and which of axe's rules are checked on it. */
export interface Screen {
  readonly name: string;
  readonly colorScheme: "dark" | "light";
  readonly viewport: { readonly width: number; readonly height: number };
  /** Only the rules of colours depend on the scheme: the others need no more than two screens that are unlike each other. */
  readonly rules: "all" | "of colours";
}

const LARGE = { width: 1280, height: 900 };
/** The narrowest on which nothing may have to be scrolled sideways. */
const NARROWEST = { width: 320, height: 568 };

export const LARGE_LIGHT: Screen = { name: "a large one, light", colorScheme: "light", viewport: LARGE, rules: "all" };
const NARROWEST_DARK: Screen = {
  name: "the narrowest, dark",
  colorScheme: "dark",
  viewport: NARROWEST,
  rules: "all",
};

/** One that is large and light, and one that is small and dark. */
export const UNLIKE: readonly Screen[] = [LARGE_LIGHT, NARROWEST_DARK];

/** Each width that pages are laid out for, in both colour schemes. */
export const SCREENS: readonly Screen[] = [
  ...UNLIKE,
  { name: "a large one, dark", colorScheme: "dark", viewport: LARGE, rules: "of colours" },
  { name: "a phone's, light", colorScheme: "light", viewport: { width: 360, height: 640 }, rules: "of colours" },
];

/** The rules of axe about colours. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** All other rules, as an option of axe. */
const WITHOUT_COLOURS = Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }]));

/** By screen, what axe has found nothing wrong with: the texts of `TEXTS`. */
const judged = new Map<string, Set<string>>();

/**
 * What the rules of colours depend on, of every text that is seen: its own colours and size, what lies behind it, and its place, as the kinds
 * of its element and of the two around it. Texts that are alike in all of this are judged once on each screen: to judge the colours of a page
 * takes as long as all other rules together, and most of its texts are those of the page before.
 */
const TEXTS = `(() => {
  const styles = new Map();
  const styleOf = (one) => styles.get(one) ?? styles.set(one, getComputedStyle(one)).get(one);
  const kindOf = (one) => (one ? one.tagName + "." + (one.getAttribute("class") ?? "") : "");
  const behind = new Map();
  const behindOf = (one) => {
    if (one === null) return "";
    if (behind.has(one)) return behind.get(one);
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } = styleOf(one);
    const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position].join(" ");
    const all = own + ";" + behindOf(one.parentElement);
    behind.set(one, all);
    return all;
  };
  const seen = new Set(document.querySelectorAll("input, select, textarea, button"));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) if (texts.currentNode.data.trim() !== "") seen.add(texts.currentNode.parentElement);
  const keys = new Set();
  for (const one of seen) {
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textDecorationLine, textShadow } = styleOf(one);
    const around = one.parentElement;
    const kinds = [one, around, around?.parentElement].map(kindOf);
    const off = one.closest(":disabled, [aria-disabled=true]") !== null;
    const beside = around === null ? "" : styleOf(around).color;
    keys.add([color, fontSize, fontWeight, textDecorationLine, textShadow, beside, off, ...kinds, behindOf(one)].join("|"));
  }
  return [...keys];
})()`;

/** On each of the screens: axe finds nothing wrong with the page that is open, and neither it nor a table scrolls sideways. */
export async function expectSound(page: Page, screens: readonly Screen[] = SCREENS): Promise<void> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe.source);
  for (const { name, colorScheme, viewport, rules } of screens) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const texts = (await page.evaluate(TEXTS)) as string[];
    const known = judged.get(name) ?? new Set();
    const isNew = texts.some((text) => !known.has(text));
    expect(await violations(page, rules, isNew), name).toEqual([]);
    judged.set(name, new Set([...known, ...texts]));
    await expect
      .poll(() => page.evaluate("document.documentElement.scrollWidth <= innerWidth"), { message: name })
      .toBe(true);
    const cut =
      "[...document.querySelectorAll('.table.data')].filter((one) => one.scrollWidth > one.clientWidth).length";
    expect(await page.evaluate(cut), `tables that are cut off on ${name}`).toBe(0);
  }
}

/** What axe finds wrong on the page that is open: rules, each with where. @param areColoursNew whether colours are to be judged */
async function violations(page: Page, rules: Screen["rules"], areColoursNew: boolean): Promise<unknown[]> {
  if (rules === "of colours" && !areColoursNew) return [];
  const ofAll = areColoursNew ? {} : { rules: WITHOUT_COLOURS };
  const chosen = rules === "of colours" ? { runOnly: OF_COLOURS } : ofAll;
  // Without the elements that pass, axe takes half the time; it still names the rules that do.
  const options = { resultTypes: ["violations"], ...chosen };
  const result = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as axe.AxeResults;
  expect(result.passes.map(({ id }) => id)).toContain(areColoursNew ? "color-contrast" : "document-title");
  return result.violations.map(({ id, nodes }) => [id, nodes.slice(0, 5).map(({ html }) => html)]);
}
