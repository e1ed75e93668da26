/** Keys in the view Operate, in a real browser: made, shown once and revoked by keyboard alone; refused where a key may not. */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserMissing, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole } from "../support/browser/console-page";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const PROCESSOR = "/p46b6b076c";

describe.runIf(missing === undefined)("keys in the view Operate", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function visit(fragment: string, key?: string): Promise<void> {
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, fragment, key === undefined ? {} : { key }));
  }

  /** The name or text of what has the focus. */
  const focused = () =>
    page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(), startBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.discard();
  });

  test("by keyboard alone: makes a key, shows it once, and revokes it when asked twice", async () => {
    await visit("#/operate/keys");
    await page.getByRole("button", { name: "Make a key" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("name");
    await page.keyboard.type("sensor-7");
    // Past read to observe, and on to the sessions.
    for (const press of ["Tab", "Tab", "Space", "Tab", "Tab", "Tab", "Tab", "Tab"]) await page.keyboard.press(press);
    await page.keyboard.type("sensor-7\nspare-*");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    const shown = page.getByLabel("The key of sensor-7");
    await expect.poll(() => shown.count()).toBeGreaterThan(0);
    const field = page.getByRole("textbox", { name: "The key of sensor-7" });
    await expect.poll(focused).toBe("The key of sensor-7");
    await expectSound(page);
    expect(await focused()).toBe("The key of sensor-7");
    const key = await field.inputValue();
    expect(key).toMatch(/^noema_[0-9a-f]{16}_[0-9a-f]{40}$/);
    await expect.poll(() => page.url()).toMatch(/#\/operate\/keys$/);
    const observe = () =>
      server.send({
        method: "POST",
        path: `${PROCESSOR}/sessions/sensor-7/observe`,
        body: { data: { strings: ["a"] } },
        key,
      });
    expect((await observe()).status).toBe(200);
    expect((await server.send({ method: "GET", path: "/metrics", key })).status).toBe(403);
    // Past "Copy" to "I have kept it".
    for (const press of ["Tab", "Tab", "Enter"]) await page.keyboard.press(press);
    await expect.poll(() => field.count()).toBe(0);
    const secret = key.slice(-40);
    expect(await page.content()).not.toContain(secret);
    expect(await page.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state])")).toBe(
      "[{},{},null]",
    );
    const row = page.getByRole("row", { name: /sensor-7/ });
    await expect.poll(() => row.innerText()).toMatch(/observe\s+sessions sensor-7, spare-\*/);
    const revoke = page.getByRole("button", { name: "Revoke sensor-7" });
    await revoke.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Revoke sensor-7?" });
    await expect.poll(() => dialog.count()).toBe(1);
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(focused).toBe("Revoke sensor-7");
    expect((await observe()).status).toBe(200);
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog.count()).toBe(1);
    for (const press of ["Tab", "Enter"]) await page.keyboard.press(press);
    await expect.poll(() => row.count()).toBe(0);
    await expect.poll(focused).toBe("Revoked sensor-7. After 30 seconds at most, it is refused everywhere.");
    expect((await observe()).status).toBe(500);
    expect(complaints).toEqual([]);
  });

  test("says beside the form what the server refuses, and makes no key", async () => {
    await visit("#/operate/keys/new");
    await page.getByLabel("Name", { exact: true }).fill("nobody");
    await page.getByRole("button", { name: "Make the key" }).click();
    await expect.poll(() => page.getByRole("alert").innerText()).toMatch(/data\.roles/);
    await page.getByLabel("admin").check();
    await expect.poll(() => page.getByLabel("Sessions").isDisabled()).toBe(true);
    expect((await server.send({ method: "GET", path: "/keys" })).json.message).toEqual([]);
  });

  test("offers a key without the role admin no keys, and says why", async () => {
    const made = await server.send({
      method: "POST",
      path: "/keys",
      body: { data: { name: "reader", roles: ["read"] } },
    });
    const { key, id } = made.json.message as { key: string; id: string };
    await visit("#/operate/keys", key);
    await expect
      .poll(() => page.locator(".refused").innerText())
      .toMatch(/cannot see, make or revoke keys: that needs the role admin, and it has read\./);
    expect(await page.getByRole("button", { name: "Make a key" }).count()).toBe(0);
    expect(await page.getByRole("heading", { name: "What a role allows" }).count()).toBe(1);
    expect(complaints).toEqual([]);
    await server.send({ method: "DELETE", path: `/keys/${id}` });
  });

  test.each([
    ["/keys", "row"],
    ["/keys/new", "textbox"],
  ] as const)("axe finds nothing wrong in operate%s", async (part, role) => {
    const limited = { roles: ["read", "observe"], processors: [PROCESSOR.slice(1)], sessions: ["spare-*"] };
    const { id } = (await server.okay("POST /keys", { data: { name: "spare", ...limited } })).message;
    await visit(`#/operate${part}`);
    await expect.poll(() => page.getByRole(role).count()).toBeGreaterThan(1);
    await expectSound(page);
    await server.send({ method: "DELETE", path: `/keys/${id}` });
  });

  test("a processor's name of any length leaves the form as wide as the screen", async () => {
    const { genome } = await server.okay("GET /connect");
    const [first] = genome.elements.nodes;
    const long = { data: { ...first.data, id: "p2", name: `<b>${"N".repeat(100)}` } };
    const elements = { ...genome.elements, nodes: [first, long] };
    await server.okay("POST /genome/hotswap", { ...genome, elements });
    await visit("#/operate/keys/new");
    await expect.poll(() => page.getByLabel(/^<b>N+/).count()).toBe(1);
    await expectSound(page);
  });
});
