/**
 * The view of the agent in a real browser, against a served Noema: its genome as a graph and as text, genes, encoders
 * and alerts. Takes 35 s: each test opens a page on two processors that begin anew.
 */

import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TestWebhook } from "../support/alerts/webhook";
import { browserMissing, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole, rowsOf } from "../support/browser/console-page";
import { genomeText, manipulative, primitive } from "../support/object/genomes";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

/** Where no program listens. */
const NOBODY = "127.0.0.1:1";

const FIRST = primitive("p46b6b076c", { name: "Door", manipulatives: ["m1"] });
const SECOND = primitive("p2", { name: "Scene" });
const LINK = manipulative("m1", "p46b6b076c", ["p2"], ["future"]);
const GENOME = genomeText(FIRST, SECOND, LINK);

describe.runIf(missing === undefined)("the view of the agent", () => {
  let server: Server;
  let webhook: TestWebhook;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function visit(fragment: string, key?: string): Promise<void> {
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, fragment, key === undefined ? {} : { key }));
  }

  const observe = (symbol: string) => server.okay("POST /Door/observe", { data: { strings: [symbol] } });

  /** The text in the box of the one edge that leads to a processor. */
  const onEdge = () => page.locator(".genome .edge text").allTextContents();

  beforeAll(async () => {
    webhook = await TestWebhook.start();
    [server, browser] = await Promise.all([
      Server.start(undefined, { NOEMA_ALERT_HOSTS: webhook.host, NOEMA_ENDPOINT_HOSTS: NOBODY }),
      startBrowser(),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.discard();
    await webhook?.stop();
  });

  beforeEach(async () => {
    // Both begin anew, with their genes.
    await server.okay("POST /genome/hotswap?purge=true", JSON.parse(genomeText(primitive("p9"))));
    await server.okay("POST /genome/hotswap", JSON.parse(GENOME));
    const sequence = ["hello", "world"].map((symbol) => ({ strings: [symbol] }));
    await server.okay("POST /Door/sequence-observe", { data: { sequence, learn: true } });
  });

  afterEach(() => {
    // The browser writes a line for each refusal of the server.
    expect(complaints.filter((line) => !/responded with a status of 4\d\d/.test(line))).toEqual([]);
  });

  describe("the graph", () => {
    test("tells processors from manipulatives, counts events as they come, and says the same in tables", async () => {
      await server.okay("POST /Door/genes/change", { data: { max_models: 4 } });
      await visit("#/agent");
      await expect.poll(onEdge).toEqual([expect.stringMatching(/^\d+$/)]);
      await expect.poll(() => page.locator(".genome rect.outline").count()).toBe(2);
      await expect.poll(() => page.locator(".genome polygon").count()).toBe(1);
      const [before = Number.NaN] = (await onEdge()).map(Number);
      for (let at = 0; at < 3; at++) await observe("hello");
      await expect.poll(onEdge).toEqual([String(before + 3)]);
      await expect
        .poll(async () =>
          (await rowsOf(page, "Events that each sender has counted in memory")).map((row) => row.slice(0, 7)),
        )
        .toEqual([["Door", "m1", "future", "Scene", String(before + 3), "0", "0"]]);
      const [{ links }] = (await server.okay("GET /links")).message;
      expect(links).toEqual([{ delivered: before + 3, given_up: 0, manipulative: "m1", processor: "p2" }]);
      await expect
        .poll(async () => (await rowsOf(page, "How full each processor is")).map((row) => row.slice(0, 2)))
        .toEqual([
          ["Door p46b6b076c", "1 of 4 25%"],
          ["Scene p2", "0"],
        ]);
      const share = page.locator(".genome .processor").first().locator(".share").first();
      await expect.poll(() => share.getAttribute("width")).toBe("16");
    });

    test("a target that cannot be reached is seen on its edge, in words and in dashes", async () => {
      const far = primitive("far", { name: "Far", endpoint: `http://${NOBODY}` });
      await server.okay(
        "POST /genome/hotswap",
        JSON.parse(genomeText(FIRST, far, manipulative("m1", "p46b6b076c", ["far"]))),
      );
      for (let at = 0; at < 3; at++) await observe("hello");
      await visit("#/agent");
      await expect.poll(onEdge).toEqual(["0 + 3"]);
      await expect.poll(() => page.locator(".genome .edge.stuck").count()).toBe(1);
      await expect
        .poll(async () => (await rowsOf(page, "Events that each sender has counted in memory"))[0]?.slice(3, 7))
        .toEqual(["Far", "0", "0", "3"]);
      await expect
        .poll(async () => (await rowsOf(page, "How full each processor is"))[1]?.[0])
        .toContain("does not answer");
    });

    test("of very many nodes is told in tables alone, page by page", async () => {
      const nodes = Array.from({ length: 151 }, (_, at) => primitive(`q${at}`, { name: `Q${at}` }));
      await server.okay("POST /genome/hotswap", JSON.parse(genomeText(...nodes)));
      await visit("#/agent");
      await expect.poll(() => page.getByText("151 nodes are too many to draw").count()).toBe(1);
      await expect.poll(() => rowsOf(page, "How full each processor is")).toHaveLength(100);
      await page.getByRole("button", { name: "Next", exact: true }).click();
      await expect.poll(async () => (await rowsOf(page, "How full each processor is"))[50]?.[0]).toMatch(/^Q150 q150/);
      await expect.poll(() => new URL(page.url()).hash).toBe("#/agent?processors=2");
    });

    test("leads to the settings of each processor", async () => {
      await visit("#/agent");
      await page.getByRole("link", { name: "genes of Scene" }).click();
      await expect.poll(() => page.getByRole("heading", { name: "The genes of Scene" }).count()).toBe(1);
      expect(new URL(page.url()).hash).toBe("#/agent/genes/p2");
      await page
        .getByRole("navigation", { name: "Parts of the agent" })
        .getByRole("link", { name: "Encoders" })
        .click();
      await expect.poll(() => page.getByRole("heading", { name: "The encoders of Scene" }).count()).toBe(1);
    });
  });

  describe("the genome as text", () => {
    const text = () => page.getByLabel("Genome as JSON");
    const plan = () => page.locator(".plan");
    const check = () => page.getByRole("button", { name: "Check" });

    test("is refused where it is wrong, by the page and by the server, and nothing is sent or changed", async () => {
      await visit("#/agent/genome");
      const { genome } = await server.okay("GET /connect");
      await expect.poll(async () => JSON.parse((await text().inputValue()) || "null")).toEqual(genome);
      await text().fill('{"agent": "test", }');
      await expect.poll(() => page.getByText(/^This is not JSON: /).count()).toBe(1);
      await expect.poll(() => check().isDisabled()).toBe(true);
      const wrong = primitive("p46b6b076c", { name: "Door", manipulatives: ["m9"] });
      await text().fill(genomeText(wrong));
      await check().click();
      await expect.poll(() => page.getByRole("alert").last().innerText()).toContain('"m9"');
      await expect.poll(() => page.getByRole("button", { name: "Swap" }).isDisabled()).toBe(true);
      expect((await server.okay("GET /connect")).genome).toEqual(JSON.parse(GENOME));
    });

    test("is compared, asked about and swapped; the graph follows, and who stays keeps what it knows", async () => {
      await visit("#/agent/genome");
      const renamed = { ...FIRST, name: "Front door", manipulatives: [], recall_threshold: 0.7 };
      await text().fill(genomeText(renamed, primitive("p3", { name: "Plan" })));
      await check().click();
      await expect.poll(() => plan().count()).toBe(1);
      expect(await page.getByText("The server accepts this genome.").innerText()).toContain(
        "Of the processors 1 stays, 1 comes, 1 leaves.",
      );
      const words = await plan().innerText();
      expect(words).toContain(
        "Door (p46b6b076c) is called Front door from then on. It keeps its models, memory and genes.",
      );
      expect(words).toContain("Plan (p3) begins empty");
      expect(words).toContain("Scene (p2) can no longer be reached. Its data stays");
      expect(words).toContain("− manipulative m1");
      expect(words).toMatch(/recall_threshold nothing → 0\.7\. A processor that stays keeps its settings/);
      expect((await server.okay("GET /connect")).genome).toEqual(JSON.parse(GENOME));
      // Another key is another genome: what was checked is no longer what would be swapped.
      await text().press("Space");
      await expect.poll(() => page.getByRole("button", { name: "Swap" }).isDisabled()).toBe(true);
      await check().click();
      await page.getByRole("button", { name: "Swap" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Swap" }).click();
      await expect.poll(() => page.getByText("✓ The genome was swapped.").count()).toBe(1);
      await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe("status");
      await page.getByRole("link", { name: "See the graph" }).click();
      await expect.poll(() => page.locator(".genome .title").allTextContents()).toEqual(["Front door", "Plan"]);
      await expect.poll(async () => (await rowsOf(page, "How full each processor is"))[0]?.[1]).toBe("1");
    });

    test("deletes data only when that was wished, checked and asked", async () => {
      await visit("#/agent/genome");
      await text().fill(genomeText({ ...FIRST, manipulatives: [] }));
      await page.getByLabel("Delete the data").check();
      await check().click();
      await expect.poll(() => plan().innerText()).toContain("Scene (p2) loses all data for good.");
      await page.getByRole("button", { name: "Swap" }).click();
      await page.keyboard.press("Escape");
      expect((await server.okay("GET /connect")).genome).toEqual(JSON.parse(GENOME));
      await page.getByRole("button", { name: "Swap" }).click();
      await page.getByRole("button", { name: "Swap and delete" }).click();
      await expect.poll(() => page.getByText("✓ The genome was swapped.").count()).toBe(1);
    });
  });

  describe("genes", () => {
    const saving = () => page.getByRole("button", { name: /^Save/ });
    const names = () => page.locator(".genes code").allTextContents();

    test("have the sentences, defaults and ranges of the document, and change all or none", async () => {
      await visit("#/agent/genes/p46b6b076c");
      const threshold = page.locator(".genes li", { hasText: "recall_threshold" });
      await expect.poll(() => threshold.count()).toBe(1);
      const declared = JSON.parse((await server.call("GET /openapi.json")).text).components.schemas.GeneChanges
        .properties;
      expect(await threshold.locator(".meaning").innerText()).toBe(
        `${declared.recall_threshold.description} Default 0.1; accepts a number from 0 to 1.`,
      );
      await threshold.getByRole("textbox").fill("2");
      await expect
        .poll(() => threshold.locator(".bad").innerText())
        .toBe('recall_threshold must be a number from 0 to 1, got "2"');
      await page.getByLabel("max_predictions").fill("7");
      await saving().click();
      await expect.poll(() => page.getByRole("alert").last().innerText()).toContain("recall_threshold must be");
      expect((await server.okay("GET /Door/gene/max_predictions")).message).toBe("100");
      await threshold.getByRole("textbox").fill("0.25");
      await page.getByLabel("wm_mode").selectOption("rolling");
      await saving().click();
      await expect.poll(() => page.getByText("Changed max_predictions, recall_threshold, wm_mode.").count()).toBe(1);
      const { genes } = (await server.okay("GET /Door/all-genes")).message;
      expect([genes.max_predictions, genes.recall_threshold, genes.wm_mode]).toEqual([7, 0.25, "rolling"]);
      await page.getByRole("button", { name: "Add 0.05 to recall_threshold" }).click();
      await expect.poll(() => page.getByText("recall_threshold is 0.300000 now.").count()).toBe(1);
      await expect.poll(() => threshold.getByRole("textbox").inputValue()).toBe("0.3");
    });

    test("that differ from their defaults can be seen alone, by an address, and set back", async () => {
      await server.okay("POST /Door/genes/change", { data: { max_models: 9, persistence: 3 } });
      await visit("#/agent/genes/p46b6b076c?differing=1");
      await expect.poll(names).toContain("max_models");
      expect(await page.locator(".genes li:not(.differs)").count()).toBe(0);
      expect(await page.getByLabel("persistence", { exact: true }).inputValue()).toBe("3");
      await page.getByRole("button", { name: "Set persistence to its default" }).click();
      await saving().click();
      await expect.poll(() => page.getByText("Changed persistence.").count()).toBe(1);
      await expect.poll(names).not.toContain("persistence");
      await page.getByLabel("Only those that differ").uncheck();
      await expect.poll(names).toContain("persistence");
      expect(await names()).not.toContain("quiescence");
      await page.getByLabel("Those without an effect").check();
      await expect.poll(names).toContain("quiescence");
    });

    test("can be saved on a phone, where the list of views covers the end of the screen", async () => {
      await visit("#/agent/genes/p46b6b076c");
      await page.setViewportSize({ width: 360, height: 640 });
      await page.getByLabel("max_predictions").fill("8");
      const seen = async () => {
        const { x = 0, y = 0, width = 0, height = 0 } = (await saving().boundingBox()) ?? {};
        return page.evaluate(`document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.textContent`);
      };
      await expect.poll(seen).toBe(await saving().innerText());
    });
  });

  test("encoders are put, refused in words, replaced and deleted, by keyboard alone", async () => {
    await visit("#/agent/encoders/p46b6b076c");
    const rows = () => rowsOf(page, "Each turns the numbers");
    const add = page.getByRole("button", { name: "Add an encoder" });
    await add.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(1);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => add.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByLabel("Name of the numbers").focus();
    await page.keyboard.type("temp");
    await page.getByLabel("Size", { exact: true }).fill("-1");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("dialog").getByRole("alert").innerText()).toContain("size must be");
    await page.getByLabel("Size", { exact: true }).fill("0.5");
    await page.keyboard.press("Enter");
    await expect.poll(rows).toHaveLength(1);
    expect((await rows())[0]?.slice(0, 4)).toEqual([
      "temp",
      "of 0.5, from 0 in both directions",
      "0",
      "of every number",
    ]);
    await page.getByRole("button", { name: "Edit temp" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).hash).toBe("#/agent/encoders/p46b6b076c?edit=temp");
    await page.getByLabel("Between edges").focus();
    await page.keyboard.press("Space");
    await page.getByLabel("Edges in ascending order").fill("0, 5 8");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await rows())[0]?.[1]).toBe("between 0 · 5 · 8");
    expect((await server.okay("GET /Door/encoders/temp")).message).toMatchObject({ kind: "edges", edges: [0, 5, 8] });
    await page.getByRole("button", { name: "Edit temp" }).click();
    await page.getByLabel("What a clock or a calendar shows").check();
    await page.getByLabel("Time zone").fill("Mars/X");
    await page.getByRole("button", { name: "Replace" }).click();
    await expect.poll(() => page.getByRole("dialog").getByRole("alert").innerText()).toContain("zone must be");
    await page.getByLabel("Weekday").check();
    await page.getByLabel("Time zone").fill("Asia/Tokyo");
    await page.getByRole("button", { name: "Replace" }).click();
    await expect.poll(async () => (await rows())[0]?.[1]).toBe("the weekday, in steps of 1, in Asia/Tokyo");
    await page.getByRole("button", { name: "Delete temp" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(rows).toHaveLength(0);
  });

  test("alerts are set with a secret that is shown once, tested, seen to arrive, refused in words and deleted, by keyboard alone", async () => {
    await visit("#/agent/alerts/p46b6b076c");
    const rows = () => rowsOf(page, "Alerts of this processor");
    const press = async (button: string) => {
      await page.getByRole("button", { name: button, exact: true }).focus();
      await page.keyboard.press("Enter");
    };
    const type = async (field: string, text: string) => {
      await page.getByLabel(field).focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
    };
    await press("Add an alert");
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.type("news");
    await page.getByLabel("Each model that is learned").focus();
    await page.keyboard.press("Space");
    await type("Address to deliver to", "https://elsewhere.example.org/");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("dialog").getByRole("alert").innerText()).toContain("NOEMA_ALERT_HOSTS");
    await type("Address to deliver to", webhook.url("okay"));
    await page.keyboard.press("Enter");
    const secret = await page.getByLabel("The secret", { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await press("I have kept it");
    await expect.poll(() => page.getByLabel("The secret", { exact: true }).count()).toBe(0);
    expect(await page.content()).not.toContain(secret);
    await expect
      .poll(async () => (await rows())[0]?.slice(0, 5))
      .toEqual(["news", "each model that is learned", webhook.url("okay"), "none yet", "0"]);
    await press("Test news");
    await expect.poll(async () => (await rows())[0]?.[3]).toMatch(/^✓ delivered .* \(HTTP 204\)$/);
    await press("Delete news");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(rows).toHaveLength(0);
  });

  test("a key that may only read is told what it lacks, beside what it tried", async () => {
    const { message } = await server.okay("POST /keys", { data: { name: "reads", roles: ["read"] } });
    await visit("#/agent", message.key);
    await expect.poll(onEdge).toHaveLength(1);
    await page.goto(`${server.address}/console#/agent/alerts`);
    await expect
      .poll(() => page.locator(".refused").allInnerTexts())
      .toEqual([expect.stringMatching(/cannot see or change alerts: that needs the role manage, and it has read\./)]);
    await page.goto(`${server.address}/console#/agent/genome`);
    await expect
      .poll(() => page.locator(".refused").allInnerTexts())
      .toEqual([expect.stringContaining("cannot check or swap a genome: that needs the role admin")]);
    expect(await page.locator("textarea").getAttribute("readonly")).not.toBe(null);
    expect(await page.getByRole("button", { name: /Check|Swap/ }).count()).toBe(0);
    await page.goto(`${server.address}/console#/agent/genes`);
    await expect.poll(() => page.locator(".genes li").count()).toBeGreaterThan(5);
    expect(await page.locator(".genes :is(input:not([readonly]), select:enabled, button)").count()).toBe(0);
    await page.goto(`${server.address}/console#/agent/encoders`);
    await expect.poll(() => page.getByText("cannot change encoders").count()).toBe(1);
    const buttons = page.locator("main").getByRole("button");
    expect(await buttons.allInnerTexts()).toEqual([expect.stringContaining("Search")]);
  });

  test("axe finds nothing wrong with any part, and nothing is wider than the screen", async () => {
    await server.okay("PUT /Door/encoders/temp", { data: { kind: "step", size: 0.5 } });
    await server.okay("PUT /Door/encoders/hour", { data: { kind: "clock", of: "hour", zone: "Asia/Tokyo" } });
    await server.okay("PUT /Door/alerts/odd", { data: { when: { surprise_above: 8 } } });
    const news = { when: { learned: true }, url: webhook.url("okay"), format: "text" };
    await server.okay("PUT /Door/alerts/news", { data: news });
    await server.okay("POST /Door/alerts/news/test", {});
    await server.okay("POST /Door/genes/change", { data: { max_models: 1 } });
    await observe("hello");
    await visit("#/agent");
    for (const [part, shown] of [
      ["", ".genome .edge"],
      ["/genome", "textarea"],
      ["/genes?all=1", ".genes .differs"],
      ["/encoders/Door", ".table.data tbody tr"],
      ["/encoders?edit=temp", "dialog"],
      ["/alerts/Door", ".table.data tbody tr"],
      ["/alerts?edit=", "dialog"],
      ["/backup", "input[type=file]"],
    ] as const) {
      await page.goto(`${server.address}/console#/agent${part}`);
      await expect.poll(() => page.locator(shown).count(), { message: part }).toBeGreaterThan(0);
      if (part === "/genome") {
        await page.getByRole("button", { name: "Check" }).click();
        await expect.poll(() => page.locator(".plan").count()).toBe(1);
      }
      await expectSound(page);
    }
  });
});
