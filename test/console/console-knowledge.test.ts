/**
 * The view of knowledge in a real browser, against a served Noema: lists, one model, changes, forgetting, and moving
 * knowledge. Takes 35 s: each test opens a page on knowledge of its own.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserMissing, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole, rowsOf, setHidden } from "../support/browser/console-page";
import { makeStateDir, Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const PROCESSOR = "/p46b6b076c";
const VIEW = "#/p46b6b076c/knowledge";

describe.runIf(missing === undefined)("the view of knowledge", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function visit(rest = "", key?: string): Promise<void> {
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, VIEW + rest, key === undefined ? {} : { key }));
  }

  /** Learns a sequence of events. @returns the hash */
  async function learn(...events: string[][]): Promise<string> {
    const sequence = events.map((strings) => ({ strings }));
    const learned = await server.okay(`POST ${PROCESSOR}/sequence-observe`, {
      data: { sequence, learn: true, clear: true },
    });
    return String(learned.learned_model).replace("MODEL|", "");
  }

  const add = (sequence: string[][], frequency = 1, more = {}) =>
    server
      .okay(`PUT ${PROCESSOR}/add-model`, { sequence, frequency, ...more })
      .then(({ message }) => String(message.name));

  /** The column of a table with this number. */
  const column = async (table: string, at: number) => (await rowsOf(page, table)).map((row) => row[at]?.trim());

  const models = async () => (await server.call(`GET ${PROCESSOR}/models`)).json.message;

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(), startBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.discard();
  });

  beforeEach(async () => {
    await server.okay(`POST ${PROCESSOR}/clear-all-memory`, {});
  });

  afterEach(() => {
    // A refusal of the server is written to the console of every browser.
    expect(complaints.filter((line) => !line.includes("the server responded with a status of"))).toEqual([]);
  });

  test("lists models in the order of the column that one chooses, and the address keeps it", async () => {
    await add([["tea"], ["train"]], 7);
    await add([["coffee", "milk"], ["bus"], ["work"]], 2);
    await add([["coffee"]], 4);
    await visit();
    await expect.poll(() => column("Models", 2)).toEqual(["4 times", "2 times", "7 times"]);
    await page.getByRole("button", { name: "Learned", exact: true }).click();
    await expect.poll(() => column("Models", 2)).toEqual(["7 times", "4 times", "2 times"]);
    await expect.poll(() => page.locator("th[aria-sort=descending]").innerText()).toContain("Learned");
    await page.getByRole("button", { name: "Learned", exact: true }).click();
    await expect.poll(() => column("Models", 2)).toEqual(["2 times", "4 times", "7 times"]);
    const address = page.url();
    await page.goBack();
    await expect.poll(() => column("Models", 2)).toEqual(["7 times", "4 times", "2 times"]);
    await visit(address.slice(address.indexOf("#") + VIEW.length));
    await expect.poll(() => column("Models", 2)).toEqual(["2 times", "4 times", "7 times"]);
    await expectSound(page);
  });

  test("pages through more models than fit, and nothing that is learned meanwhile moves them", async () => {
    const names: string[] = [];
    for (let at = 0; at < 120; at++) names.unshift(await add([[`s${at}`]]));
    await visit();
    const where = () => page.getByRole("navigation", { name: "Pages of models" }).getByRole("status").innerText();
    const shown = () =>
      page.locator("tbody a.hash").evaluateAll((links) => links.map((link) => link.getAttribute("title")));
    await expect.poll(where).toBe("1 – 50 of 120 models");
    expect(await shown()).toEqual(names.slice(0, 50));
    // Else the list may be asked for again before the user goes on: then it begins with what was learned.
    await setHidden(page, true);
    await add([["learned meanwhile"]]);
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await expect.poll(where).toBe("52 – 101 of 121 models");
    expect(await shown()).toEqual(names.slice(50, 100));
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await expect.poll(where).toBe("102 – 121 of 121 models");
    await expect.poll(() => page.getByRole("button", { name: "Next", exact: true }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Previous" }).click();
    await expect.poll(where).toBe("52 – 101 of 121 models");
    expect(await shown()).toEqual(names.slice(50, 100));
  });

  test("searches by symbols, by a pattern and by hash, and says what is wrong with a search", async () => {
    const both = await add([["green tea"], ["train"]]);
    await add([["green tea"], ["bus"]]);
    await visit();
    const search = page.getByRole("textbox", { name: "Search models" });
    await search.fill('train "green tea"');
    await page.keyboard.press("Enter");
    await expect.poll(() => column("Models", 0)).toEqual([both.slice(0, 8)]);
    await expect.poll(() => page.url()).toContain("search=");
    await page.getByLabel("Search by").selectOption("Holds a match of");
    await search.fill("tr(");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.getByRole("alert").innerText())
      .toContain('the pattern "tr(" must be a regular expression');
    await search.fill("tr.*");
    await page.keyboard.press("Enter");
    await expect.poll(() => column("Models", 0)).toEqual([both.slice(0, 8)]);
    await page.getByLabel("Search by").selectOption("Hash begins with");
    await search.fill(`MODEL|${both.slice(0, 6).toUpperCase()}`);
    await page.keyboard.press("Enter");
    await expect.poll(() => column("Models", 0)).toEqual([both.slice(0, 8)]);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => column("Models", 0).then(({ length }) => length)).toBe(2);
  });

  test("marks what is learned while one looks, in any session", async () => {
    await learn(["tea"], ["train"]);
    await visit();
    await expect.poll(() => column("Models", 2)).toEqual(["once"]);
    await expect.poll(() => page.getByText("Nothing learned since you opened this view.").count()).toBe(1);
    await learn(["tea"], ["train"]);
    const sequence = [{ strings: ["coffee"] }, { strings: ["bus"] }];
    await server.okay(`POST ${PROCESSOR}/sessions/robot/sequence-observe`, { data: { sequence, learn: true } });
    await expect
      .poll(async () => (await column("Models", 0)).map((cell) => cell?.slice(8).trim()))
      .toEqual(["new", "learned again"]);
    await expect.poll(() => page.getByText("2 models learned since you opened this view.").count()).toBe(1);
    await page.getByRole("link", { name: "Sort by time of learning" }).click();
    await expect.poll(() => page.locator("th[aria-sort=descending]").innerText()).toContain("Learned last");
  });

  test("shows one model, and what it would predict", async () => {
    await add([["coffee"], ["bus"], ["work"], ["lunch"]], 3);
    const name = await add([["coffee", "milk"], ["bus"]], 2, {
      emotives: { joy: [0.5, 1] },
      metadata: [{ room: "kitchen" }, {}],
    });
    await visit();
    await page.getByRole("link", { name: name.slice(0, 8) }).click();
    await expect
      .poll(() => page.getByRole("list", { name: "Events, oldest first" }).locator(".chip").allInnerTexts())
      .toEqual(["coffee", "milk", "bus"]);
    await expect.poll(() => page.url()).toContain(`/knowledge/models/${name}`);
    await expect
      .poll(() => page.locator(".facts-list").innerText())
      .toMatch(new RegExp(`${name}[\\s\\S]*2 times[\\s\\S]*Symbols\\s+3`));
    await expect.poll(() => page.getByText('{"room":"kitchen"}').count()).toBe(1);
    await expect.poll(() => rowsOf(page, "Kept values")).toEqual([["joy", "0.5, 1", "0.75"]]);
    const lanes = page.getByRole("list", { name: "Predictions" }).locator(".lane");
    await expect.poll(() => lanes.count()).toBe(2);
    await lanes.nth(1).locator("summary").click();
    await expect
      .poll(() => lanes.nth(1).locator(".future .chip").allTextContents())
      .toEqual(["→work, expected", "→lunch, expected"]);
    await expectSound(page);
    await visit("/models/0000000000000000000000000000000000000000");
    await expect.poll(() => page.getByText("There is no model 0000").count()).toBe(1);
  });

  test("edits a model by keyboard, says what is wrong and what would change", async () => {
    const name = await add([["tea"], ["train"]], 2);
    await visit(`/models/${name}`);
    await page.getByRole("button", { name: "Edit" }).focus();
    await page.keyboard.press("Enter");
    const often = page.getByLabel("How often it counts as learned");
    await often.fill("0");
    await expect.poll(() => page.getByText("It must be a whole number of 1 or more.").count()).toBe(1);
    await often.fill("5");
    await expect.poll(() => page.getByText("Saving changes: frequency from 2 to 5.").count()).toBe(1);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Edit");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Sequence" }).fill('[["tea"], ["bus"');
    await expect.poll(() => page.getByText("It is not JSON").count()).toBe(1);
    await page.getByRole("textbox", { name: "Sequence" }).fill('[["tea"], ["bus"]]');
    await page.getByLabel("Emotives").fill('{"joy": ["much"]}');
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByRole("dialog").getByRole("alert").innerText()).toContain("joy");
    expect((await models()).models[0].name).toBe(name);
    await page.getByLabel("Emotives").fill('{"joy": [0.25]}');
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    const [changed] = (await models()).models;
    expect(changed).toMatchObject({ sequence: [["tea"], ["bus"]], frequency: 2 });
    await expect.poll(() => page.url()).toContain(changed.name);
    expect((await server.okay(`GET ${PROCESSOR}/model/${changed.name}`)).message.emotives).toEqual({ joy: [0.25] });
  });

  test("opens a dialog again at once after Escape", async () => {
    const name = await add([["tea"], ["train"]]);
    await visit(`/models/${name}`);
    await page.getByRole("button", { name: "Edit" }).focus();
    const dialogs = () => page.getByRole("dialog").count();
    for (let times = 0; times < 10; times++) {
      await page.keyboard.press("Enter");
      await expect.poll(dialogs).toBe(1);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Enter");
      // What the browser tells late of the first dialog would close the second.
      await page.evaluate("new Promise((resolve) => setTimeout(resolve, 50))");
      expect(await dialogs()).toBe(1);
      await page.keyboard.press("Escape");
      await expect.poll(dialogs).toBe(0);
    }
  });

  test("deletes a model when it is asked twice, and a key without the right is told so", async () => {
    const name = await add([["tea"], ["train"]]);
    const { message } = await server.okay("POST /keys", { data: { name: "reader", roles: ["read"] } });
    await visit(`/models/${name}`, message.key);
    await expect
      .poll(() =>
        page.getByText("This key cannot change this model: that needs the role manage, and it has read.").count(),
      )
      .toBe(1);
    expect(await page.getByRole("button", { name: /Edit|Delete/ }).count()).toBe(0);
    await visit(`/models/${name}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect((await models()).total).toBe(1);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the model" }).click();
    await expect.poll(() => page.getByText("Nothing has been learned yet.").count()).toBe(1);
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("view");
    expect((await models()).total).toBe(0);
  });

  test("lists symbols, removes one from models after saying how many, and keeps the blacklist", async () => {
    await add([["noise", "tea"], ["train"]], 3);
    await add([["noise"], ["bus"]]);
    await visit("/symbols");
    await expect
      .poll(() => rowsOf(page, "Symbols in models").then((rows) => rows.map((row) => row.slice(0, 3))))
      .toEqual([
        ["noise", "4", "4"],
        ["train", "3", "3"],
        ["tea", "3", "3"],
        ["bus", "1", "1"],
      ]);
    await expectSound(page);
    await page.getByRole("button", { name: "Remove noise" }).click();
    await page.getByRole("button", { name: "Remove it from 2 models" }).click();
    await expect.poll(() => column("Symbols in models", 0).then((names) => names.includes("noise"))).toBe(false);
    const listed = page.getByRole("list", { name: "Blacklisted symbols" }).locator(".chip");
    await expect.poll(() => listed.allInnerTexts()).toEqual(["noise"]);
    await page.getByRole("textbox", { name: "Symbols to blacklist" }).fill('"no signal"');
    await page.keyboard.press("Enter");
    await expect.poll(() => listed.allInnerTexts()).toEqual(["noise", "no signal"]);
    await expectSound(page);
    await page.getByRole("button", { name: "Take off noise" }).click();
    await expect.poll(() => listed.allInnerTexts()).toEqual(["no signal"]);
    await page.getByRole("link", { name: "tea" }).click();
    await expect.poll(() => column("Models", 2)).toEqual(["3 times"]);
  });

  test("lists vectors, and shows the components of one", async () => {
    await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: ["camera"], vectors: [[3, 4]] } });
    await server.okay(`POST ${PROCESSOR}/observe`, { data: { vectors: [[-1.5, 0]] } });
    await server.okay(`POST ${PROCESSOR}/learn`, {});
    await visit("/vectors");
    await expect
      .poll(() => rowsOf(page, "Learned vectors").then((rows) => rows.map((row) => row.slice(1))))
      .toEqual([
        ["1", "1.5", "2"],
        ["1", "5", "1"],
      ]);
    await expectSound(page);
    await page.getByRole("link", { name: "VECTOR|33f9e6a0…" }).click();
    await page.getByText("All components").click();
    await expect.poll(() => page.locator(".vector-numbers").innerText()).toBe("3, 4");
    await page.getByRole("link", { name: "Models that hold it" }).click();
    await expect.poll(() => column("Models", 3)).toEqual(["3"]);
  });

  test("counts what would be forgotten, asks, and forgets", async () => {
    await add([["a"]], 1);
    await add([["b"]], 2);
    await add([["c"]], 3);
    await visit("/move");
    const below = page.getByLabel("Forget models learned fewer times than");
    await below.fill("two");
    await page.getByRole("button", { name: "Count" }).click();
    await expect.poll(() => page.getByRole("alert").first().innerText()).toContain('not "two"');
    await below.fill("3");
    await page.getByRole("button", { name: "Count" }).click();
    await expect.poll(() => page.getByText("2 models would be forgotten.").count()).toBe(1);
    expect((await models()).total).toBe(3);
    await page.getByRole("button", { name: "Forget 2 models…" }).click();
    await page.getByRole("button", { name: "Forget them" }).click();
    await expect.poll(() => page.getByText("Forgot 2 models.").count()).toBe(1);
    expect((await models()).models.map(({ sequence }: { sequence: string[][] }) => sequence)).toEqual([[["c"]]]);
    await expectSound(page);
  });

  test("says how far an export is, and stops it", async () => {
    await add([["tea"], ["train"]]);
    await visit("/move");
    // The answer never comes.
    await page.route("**/get_kb/raw*", () => undefined);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await expect.poll(() => page.getByRole("progressbar", { name: "Exporting" }).count()).toBe(1);
    await page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(() => page.getByText("Stopped.", { exact: true }).count()).toBe(1);
    await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
    await page.unroute("**/get_kb/raw*");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export", exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^P1-knowledge-\d{4}-\d\d-\d\d-\d{4}\.json$/);
  });

  test("exports, imports by merging and replacing, backs up and restores", async () => {
    const folder = makeStateDir();
    await add([["tea"], ["train"]], 2);
    await visit("/move");
    const saved = async (button: string, file: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: button, exact: true }).click(),
      ]);
      const path = join(folder, file);
      await download.saveAs(path);
      return path;
    };
    const knowledge = await saved("Export", "kb.json");
    expect(Object.keys(JSON.parse(readFileSync(knowledge, "utf8")).models_kb)).toHaveLength(1);
    const whole = await saved("Back up", "backup.jsonl");
    await add([["coffee"]]);

    await page.getByLabel("Knowledge base, as an export makes it").setInputFiles(knowledge);
    await page.getByRole("button", { name: "Merge the file" }).click();
    await expect.poll(() => page.getByText("Merged kb.json. It knows 2 models now.").count()).toBe(1);
    const frequencies = async () => (await models()).models.map(({ frequency }: { frequency: number }) => frequency);
    expect(await frequencies()).toEqual([1, 4]);

    const wrong = join(folder, "wrong.json");
    writeFileSync(wrong, '{"models_kb": {"abc": {"sequence": [["x"]]}}}');
    await page.getByLabel("Knowledge base, as an export makes it").setInputFiles(wrong);
    await page.getByRole("radio", { name: "is replaced by the file" }).check();
    await page.getByRole("button", { name: "Replace by the file…" }).click();
    await page.getByRole("button", { name: "Replace it" }).click();
    await expect
      .poll(() =>
        page
          .getByRole("alert")
          .allInnerTexts()
          .then((texts) => texts.join("")),
      )
      .toContain("abc");
    expect(await frequencies()).toEqual([1, 4]);

    await page.getByLabel("Knowledge base, as an export makes it").setInputFiles(knowledge);
    await page.getByRole("button", { name: "Replace by the file…" }).click();
    await page.getByRole("button", { name: "Replace it" }).click();
    await expect.poll(() => page.getByText("Loaded kb.json. It knows 1 model now.").count()).toBe(1);
    expect(await frequencies()).toEqual([2]);

    await add([["lunch"]]);
    await page.getByLabel("A backup of this processor").setInputFiles(whole);
    await page.getByRole("button", { name: "Restore…" }).click();
    await page.getByRole("button", { name: "Restore it" }).click();
    await expect.poll(() => page.getByText("Restored backup.jsonl.").count()).toBe(1);
    expect(await frequencies()).toEqual([2]);

    await page.getByRole("link", { name: "whole agent" }).click();
    const agent = await saved("Back up", "agent.jsonl");
    await add([["supper"]]);
    await page.getByLabel("A backup of the whole agent").setInputFiles(agent);
    await page.getByRole("button", { name: "Restore…" }).click();
    await expect.poll(() => page.getByRole("dialog").innerText()).toContain("its genome, and all processors");
    await page.getByRole("button", { name: "Restore it" }).click();
    await expect.poll(() => page.getByText("Restored agent.jsonl.").count()).toBe(1);
    expect(await frequencies()).toEqual([2]);
    await expectSound(page);
  });

  test("learns a table that was dropped, scores it, and undoes what was learned", async () => {
    const states = ["idle", "heat", "press", "cool"];
    const line = (at: number) => `${at < 40 ? "Presse" : "Fräse"};${states[at % 4]};${20 + 10 * (at % 4)},5`;
    const lines = Array.from({ length: 80 }, (_, at) => (at === 70 ? "Fräse;jam;99,5" : line(at)));
    const bytes = [...Buffer.from(`Maschine;state;temp\n${lines.join("\n")}\n`, "latin1")];
    const known = await learn(...Array.from({ length: 2 }, () => ["tea"]), ["train"]);
    await server.okay(`PUT ${PROCESSOR}/alerts/odd`, { data: { when: { surprise_above: 4 } } });
    const verdicts = async () => {
      const { message } = await server.okay(`GET ${PROCESSOR}/incidents`);
      return new Set(message.map(({ verdict, note }: Record<string, unknown>) => `${verdict} ${note}`));
    };
    await visit();
    await page.evaluate(`
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(${JSON.stringify(bytes)})], "maschinen.csv"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    `);
    await expect.poll(() => page.getByLabel("What state is").inputValue()).toBe("symbol");
    expect(await page.getByLabel("What Maschine is").inputValue()).toBe("group");
    expect(await page.getByLabel("What temp is").inputValue()).toBe("number");
    expect(await page.getByLabel("A comma is the decimal point").isChecked()).toBe(true);
    expect(await page.locator(".import tbody tr").first().innerText()).toContain("Presse");
    await page.getByLabel("Rows with the same Maschine").fill("8");
    await expectSound(page);
    await page.getByRole("button", { name: "Learn it" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText("Learned 10 sequences of maschinen.csv.").count()).toBe(1);
    expect((await server.okay(`GET ${PROCESSOR}/models`)).message.total).toBeGreaterThan(1);
    expect(await verdicts()).toEqual(new Set(["null "]));
    await page.getByRole("button", { name: "Score it" }).click();
    const odd = page.getByRole("list", { name: "The worst row of each incident" }).locator("li").first();
    await expect.poll(() => odd.innerText()).toMatch(/line 72[\s\S]*state=jam/);
    await expectSound(page);
    await page.getByRole("button", { name: "Undo the import of maschinen.csv" }).click();
    await expect.poll(() => page.getByText("What maschinen.csv had taught is forgotten.").count()).toBe(1);
    const { total, models: left } = (await server.okay(`GET ${PROCESSOR}/models`)).message;
    expect([total, left[0].name]).toEqual([1, known]);
    expect((await server.okay(`GET ${PROCESSOR}/encoders`)).message).toEqual({});
    expect(await verdicts()).toEqual(new Set(["ignored the import of maschinen.csv was undone"]));
    await server.okay(`DELETE ${PROCESSOR}/alerts/odd`);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "none.csv", mimeType: "text/csv", buffer: Buffer.from("") });
    await expect.poll(() => page.getByRole("alert").first().innerText()).toContain("none.csv is empty.");
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "quote.csv", mimeType: "text/csv", buffer: Buffer.from('a,b\n"open,2\n3,4') });
    await expect
      .poll(() => page.getByRole("alert").first().innerText())
      .toMatch(/quote\.csv has no row that can be read: the file ends in line 3 within a cell/);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "rows.json", mimeType: "text/csv", buffer: Buffer.from('[{"a": 1, "b": "x"}]\n') });
    await expect
      .poll(() => page.getByRole("alert").first().innerText())
      .toContain("rows.json is JSON, and no table: save the table as CSV.");
  });
});
