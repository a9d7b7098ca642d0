// Makes the pictures of the README: they go to pictures/ with TILLKIT_PICTURES=keep, else to test-results/.
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openBrowser, whyNoBrowser } from "./browser.ts";
import { whyNoPhp } from "./php.ts";
import { SHOP, showShop, sideBySide } from "./wordpress-screens.ts";
import { openWorld } from "./world.ts";

const HOME = join(import.meta.dirname, "..");
const SCRATCH = join(HOME, "../../test-results/woocommerce");
const PICTURES = process.env.TILLKIT_PICTURES === "keep" ? join(HOME, "pictures") : SCRATCH;
const PATIENCE = { timeout: 15_000, interval: 50 };

const missing = whyNoPhp() ?? whyNoBrowser();
const title = `The plugin in a browser${missing === null ? "" : ` (skipped: ${missing})`}`;

describe.skipIf(missing !== null)(title, { timeout: 120_000 }, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    await Promise.all([SCRATCH, PICTURES].map((folder) => mkdir(folder, { recursive: true })));
  });
  afterAll(() => browser?.close());

  it("an owner checks the health, a shopper pays, and the order screen tells the story", async () => {
    const world = await openWorld({ fake: { decimals: 0 } });
    const { id, key } = world.fake.shop.placeOrder({
      total: "5000",
      itemName: "Basket",
      meta: { _tillkit_language: "en" },
    });
    const desk = await browser.newContext({ viewport: { width: 900, height: 900 }, locale: "en-GB" });
    const phone = await browser.newContext({
      viewport: { width: 390, height: 728 },
      deviceScaleFactor: 2,
      locale: "en-GB",
    });
    onTestFinished(() => desk.close());
    onTestFinished(() => phone.close());
    const order = { id, key, total: "5000" };
    for (const context of [desk, phone]) await showShop(context, world, order);

    const settings = await open(await desk.newPage(), "/wp-admin/settings");
    await settings.getByRole("button", { name: "Check now" }).click();
    await settings.locator("table.widefat").waitFor();
    expect(await settings.locator("table.widefat").textContent()).not.toContain("Look at it");
    expect(plain(await settings.locator("table.widefat").textContent())).toContain("it must ask for 5 000 F CFA");
    await settings.screenshot({ path: join(PICTURES, "settings.png"), fullPage: true });

    const shopper = await open(await phone.newPage(), "/checkout/");
    expect(await shopper.locator(".method img").count()).toBe(2);
    await picture(shopper, "1-checkout");
    await shopper.getByRole("link", { name: "Place order" }).click();
    await shopper.waitForURL(`${world.sandbox.checkoutBaseUrl}/**`);
    await shopper
      .getByText(/^Pay 5.000/)
      .first()
      .waitFor();
    await picture(shopper, "2-hosted-page");

    await open(shopper, `/checkout/order-received/${id}/`);
    await shopper.getByText("We are waiting for the confirmation").waitFor();
    await picture(shopper, "3-waiting");
    await world.pay(await world.payment(id));
    await shopper.getByText("Your payment has arrived. Thank you!").waitFor();
    await picture(shopper, "4-paid");
    const steps = ["1-checkout", "2-hosted-page", "3-waiting", "4-paid"].map((step) => join(SCRATCH, `${step}.png`));
    await sideBySide(phone, steps, join(PICTURES, "purchase.png"));

    await vi.waitFor(async () => expect((await world.payment(id)).state).toBe("recorded"), PATIENCE);
    const screen = await open(await desk.newPage(), "/wp-admin/order");
    const button = screen.getByRole("button", { name: "Check now" });
    await button.click();
    await vi.waitFor(async () => expect(await button.isEnabled()).toBe(true), PATIENCE);
    await screen.getByText("History").waitFor();
    const box = screen.locator(".postbox");
    expect(plain(await box.textContent())).toContain("5 000 F CFA · paid · test");
    await box.screenshot({ path: join(PICTURES, "order.png") });
  });
});

describe("the README", () => {
  it("shows pictures that are there", () => {
    const shown = [...readFileSync(join(HOME, "README.md"), "utf8").matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)];
    expect(shown.length).toBeGreaterThan(2);
    for (const [, path = ""] of shown) expect(existsSync(join(HOME, path)), path).toBe(true);
  });
});

async function open(page: Page, path: string): Promise<Page> {
  page.setDefaultTimeout(20_000);
  const mistakes: string[] = [];
  page.on("pageerror", ({ message }) => mistakes.push(message));
  await page.goto(SHOP + path);
  expect(mistakes).toEqual([]);
  return page;
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(SCRATCH, `${name}.png`) });
}

/** Amounts are written with spaces that do not break. */
function plain(text: string | null): string {
  return (text ?? "").replace(/[\u00a0\u202f]/g, " ");
}
