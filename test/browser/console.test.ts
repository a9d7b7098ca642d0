import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../waiting/patience.ts";
import {
  checkPage,
  expectStateWithoutColour,
  openBrowser,
  openDesktop,
  openPhone,
  savePicture,
  whyNoBrowser,
} from "./phone.ts";

const skipReason = whyNoBrowser();
const title = `The sandbox's console${skipReason === null ? "" : ` (skipped: ${skipReason})`}`;
const screens = { phone: openPhone, desktop: openDesktop };
const twoScreens = ["phone", "desktop"] as const;

describe.skipIf(skipReason !== null)(title, () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let shop: Server;
  let shopStatus = 200;
  const contexts: BrowserContext[] = [];
  const browserErrors: string[] = [];

  beforeAll(async () => {
    shop = createServer((request, response) => {
      request.resume();
      response.writeHead(shopStatus).end();
    });
    await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
    [browser, sandbox] = await Promise.all([openBrowser(), createSandbox({ settings: { delivery: { attempts: 1 } } })]);
  });

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    shopStatus = 200;
    expect(browserErrors.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
    shop?.close();
  });

  async function open(screen: keyof typeof screens, path = "", javaScript = true): Promise<Page> {
    const context = await screens[screen](browser, { language: "en", javaScript });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("pageerror", (error) => browserErrors.push(error.message));
    await page.goto(sandbox.consoleUrl + path);
    return page;
  }

  async function createEndpoint(page: Page): Promise<string> {
    await page.goto(`${sandbox.consoleUrl}/endpoints`);
    await page.getByRole("link", { name: "New endpoint" }).click();
    await page.getByLabel("URL").fill(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/hooks`);
    await press(page, "Create");
    return (await page.locator("#secret").textContent()) ?? "";
  }

  it.each(twoScreens)(
    "an endpoint is created and tested, gets a failed delivery again and a new secret, and is deleted (%s)",
    async (screen) => {
      const page = await open(screen, "/endpoints/new");
      await checkPage(page, `console-new-endpoint-${screen}`);
      const secret = await createEndpoint(page);
      expect(secret).toMatch(/^whsec_/);
      await page.reload();
      expect(await page.getByText("whsec_").count()).toBe(0);
      await press(page, "Send a test event");
      await waitForStatus(page, "The endpoint answered the test event with 2xx.");
      shopStatus = 500;
      await press(page, "Send a test event");
      await page.getByRole("alert").getByText("The webhook endpoint answered 500").waitFor();
      shopStatus = 200;
      await checkPage(page, `console-endpoint-failed-${screen}`);
      await press(page, "Resend 1 failed delivery");
      await waitForStatus(page, "Every failed delivery was sent again, and the endpoint answered each with 2xx.");
      await press(page, "Rotate the secret");
      expect(await page.locator("#secret").textContent()).not.toBe(secret);
      await checkPage(page, `console-endpoint-${screen}`);
      await press(page, "Deactivate");
      await waitForStatus(page, "The endpoint receives no events until you activate it.");
      await press(page, "Delete");
      await waitForStatus(page, "The endpoint was deleted.");
    },
  );

  it.each(twoScreens)(
    "a session is opened, fails, is paid and refunded by buttons, and found by its order (%s)",
    async (screen) => {
      const page = await open(screen);
      await page.getByRole("link", { name: "New session" }).click();
      await checkPage(page, `console-new-session-${screen}`);
      const order = `Order on a ${screen}`;
      await page.getByLabel(/^Order,/).fill(order);
      await press(page, "Create");
      await waitForStatus(page, "The session is open.");
      await checkPage(page, `console-session-open-${screen}`);
      await press(page, "Fail");
      await page.locator(".badge", { hasText: "failed" }).waitFor();
      await press(page, "Pay");
      await press(page, "Refund");
      await waitForStatus(page, "The refund was requested.");
      await page.keyboard.press("/");
      await page.keyboard.type(order.toLowerCase());
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: `Search: ${order.toLowerCase()}` }).waitFor();
      await checkPage(page, `console-search-${screen}`);
      await page
        .getByRole("link", { name: new RegExp(order) })
        .first()
        .click();
      await page.getByRole("heading", { name: `${order} completed` }).waitFor();
      await checkPage(page, `console-session-paid-${screen}`);
    },
  );

  it.each(twoScreens)("the menu switches to French, and every page stays French (%s)", async (screen) => {
    const page = await open(screen, "/sessions/new");
    await press(page, "Create");
    if (screen === "phone") await press(page, "Sessions");
    await page.getByRole("link", { name: "Français" }).click();
    await page.getByRole("button", { name: "Faire échouer" }).click();
    await waitForStatus(page, "L’essai de paiement a eu l’issue que vous avez choisie.");
    await checkPage(page, `console-fr-session-${screen}`);
    for (const path of ["", "/transactions", "/faults", "/settings", "/clock"]) {
      await page.goto(sandbox.consoleUrl + path);
      await checkPage(page, `console-fr${path.replace("/", "-")}-${screen}`);
    }
  });

  it("the chosen page and filter differ from the others in forced colours", async () => {
    const page = await open("desktop", "/sessions");
    for (const list of ["#menu", ".filter"])
      await expectStateWithoutColour(page, `${list} a[aria-current]`, `${list} a:not([aria-current])`);
  });

  it("every button works without JavaScript", async () => {
    const page = await open("phone", "", false);
    expect(await createEndpoint(page)).toMatch(/^whsec_/);
    await page.goto(`${sandbox.consoleUrl}/sessions/new`);
    await press(page, "Create");
    await press(page, "Leave pending");
    await page
      .getByRole("link", { name: /pending$/ })
      .first()
      .click();
    await press(page, "Complete");
    await press(page, "Refund");
    await waitForStatus(page, "The refund was requested.");
    await page.goto(`${sandbox.consoleUrl}/sessions/new`);
    await press(page, "Create");
    await press(page, "Expire now");
    await waitForStatus(page, "The session has expired.");
    await page.getByLabel("Search").fill("order 1042");
    await page.getByLabel("Search").press("Enter");
    await page.getByRole("heading", { name: "Search: order 1042" }).waitFor();
    await savePicture(page, "console-no-script-search");
  });

  it.each(twoScreens)(
    "the page of a request shows the curl command and buttons that copy its texts (%s)",
    async (screen) => {
      const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
      await client.checkoutSessions.create({ amount: 5000, currency_code: "XOF", title: "By a program" });
      const page = await open(screen, "/requests");
      await checkPage(page, `console-requests-${screen}`);
      await page
        .getByRole("link", { name: /POST \/v1\/checkout-sessions/ })
        .first()
        .click();
      await page.getByRole("heading", { name: "Send it again" }).waitFor();
      expect(await page.locator("#curl").textContent()).toContain('-H "X-API-Key: $API_KEY"');
      expect(await page.getByRole("button", { name: "Copy" }).count()).toBeGreaterThan(1);
      await checkPage(page, `console-request-${screen}`);
    },
  );

  it("a page shows new sessions by itself, unless auto-refresh is off or a form is being filled in", async () => {
    const context = await openDesktop(browser);
    contexts.push(context);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${sandbox.consoleUrl}/sessions`);
    const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
    const openSession = (name: string) =>
      client.checkoutSessions.create({ amount: 5000, currency_code: "XOF", title: name });
    await openSession("Seen at once");
    await page.clock.runFor(3_000);
    await page.getByText("Seen at once").waitFor();
    await page.getByRole("button", { name: "Auto-refresh on" }).click();
    await page.getByRole("button", { name: "Auto-refresh off" }).waitFor();
    await openSession("Not seen");
    await page.clock.runFor(10_000);
    expect(await page.getByText("Not seen").count()).toBe(0);
    await page.goto(`${sandbox.consoleUrl}/sessions/new`);
    await page.getByLabel("Description").fill("Being written");
    await page.clock.runFor(10_000);
    await page.getByRole("button", { name: "Auto-refresh waits" }).waitFor();
    expect(await page.getByLabel("Description").inputValue()).toBe("Being written");
  });
});

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

async function waitForStatus(page: Page, text: string): Promise<void> {
  await page.getByRole("status").getByText(text).waitFor();
}
