// Takes the pictures of the README. With TILLKIT_PICTURES=keep they are written to pictures/, else to test-results/.
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { PATIENCE_MS } from "../../../test/waiting/patience.ts";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { browserSkipReason, openBrowser } from "./browser.ts";
import { phpSkipReason } from "./php.ts";
import { openServerFixture } from "./server-fixture.ts";
import { SHOP, showShop, sideBySide } from "./wordpress-screens.ts";

const HOME = join(import.meta.dirname, "..");
const RESULTS_FOLDER = join(HOME, "../../test-results/woocommerce");
const PICTURES = process.env.TILLKIT_PICTURES === "keep" ? join(HOME, "pictures") : RESULTS_FOLDER;

const skipReason = phpSkipReason() ?? browserSkipReason();
const title = `plugin in a browser${skipReason === null ? "" : ` (skipped: ${skipReason})`}`;

describe.skipIf(skipReason !== null)(title, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    await Promise.all([RESULTS_FOLDER, PICTURES].map((folder) => mkdir(folder, { recursive: true })));
  });
  afterAll(() => browser?.close());

  it("the health panel, the purchase and the order box work in a browser", async () => {
    const fixture = await openServerFixture({ fake: { decimals: 0 } });
    const { id, key } = fixture.fake.shop.placeOrder({
      total: "5000",
      itemName: "Basket",
      meta: { _tillkit_language: "en" },
    });
    const desktop = await browser.newContext({ viewport: { width: 900, height: 900 }, locale: "en-GB" });
    const phone = await browser.newContext({
      viewport: { width: 390, height: 728 },
      deviceScaleFactor: 2,
      locale: "en-GB",
    });
    onTestFinished(() => desktop.close());
    onTestFinished(() => phone.close());
    const order = { id, key, total: "5000" };
    for (const context of [desktop, phone]) await showShop(context, fixture, order);

    const settings = await open(await desktop.newPage(), "/wp-admin/settings");
    await settings.getByRole("button", { name: "Check now" }).click();
    await settings.locator("table.widefat").waitFor();
    expect(await settings.locator("table.widefat").textContent()).not.toContain("Needs attention");
    expect(plain(await settings.locator("table.widefat").textContent())).toContain("it must ask for 5 000 F CFA");
    await settings.screenshot({ path: join(PICTURES, "settings.png"), fullPage: true });

    const shopper = await open(await phone.newPage(), "/checkout/");
    expect(await shopper.locator(".method img").count()).toBe(2);
    await savePicture(shopper, "1-checkout");
    await shopper.getByRole("link", { name: "Place order" }).click();
    await shopper.waitForURL(`${fixture.sandbox.checkoutBaseUrl}/**`);
    await shopper
      .getByText(/^Pay 5.000/)
      .first()
      .waitFor();
    await savePicture(shopper, "2-hosted-page");

    await open(shopper, `/checkout/order-received/${id}/`);
    await shopper.getByText("We are waiting for the confirmation").waitFor();
    await savePicture(shopper, "3-waiting");
    await fixture.pay(await fixture.payment(id));
    await shopper.getByText("Your payment has arrived. Thank you!").waitFor();
    await savePicture(shopper, "4-paid");
    const steps = ["1-checkout", "2-hosted-page", "3-waiting", "4-paid"].map((step) =>
      join(RESULTS_FOLDER, `${step}.png`),
    );
    await sideBySide(phone, steps, join(PICTURES, "purchase.png"));

    await waitFor(async () => expect((await fixture.payment(id)).state).toBe("recorded"));
    const screen = await open(await desktop.newPage(), "/wp-admin/order");
    const button = screen.getByRole("button", { name: "Check now" });
    await button.click();
    await waitFor(async () => expect(await button.isEnabled()).toBe(true));
    await screen.getByText("Timeline").waitFor();
    const box = screen.locator(".postbox");
    expect(plain(await box.textContent())).toContain("5 000 F CFA · paid · test");
    await box.screenshot({ path: join(PICTURES, "order.png") });
  });

  it("a shopper who leaves the hosted page reads that nothing was charged, and the owner accepts a payment that does not match", async () => {
    const fixture = await openServerFixture({ fake: { decimals: 0 } });
    const { shop } = fixture.fake;
    const { id, key } = shop.placeOrder({ total: "5000", meta: { _tillkit_language: "en" } });
    const contexts = await Promise.all([
      browser.newContext({ viewport: { width: 900, height: 900 }, locale: "en-GB" }),
      browser.newContext({ viewport: { width: 390, height: 728 }, deviceScaleFactor: 2, locale: "en-GB" }),
    ]);
    for (const context of contexts) {
      onTestFinished(() => context.close());
      await showShop(context, fixture, { id, key, total: "5000" });
    }
    const [desktop, phone] = contexts;
    const shopper = await open(await phone.newPage(), "/checkout/");
    await shopper.getByRole("link", { name: "Place order" }).click();
    await shopper.waitForURL(`${fixture.sandbox.checkoutBaseUrl}/**`);
    await open(shopper, `/checkout/order-pay/${id}/`);
    await shopper.getByText("Nothing has been charged so far.").waitFor();
    await savePicture(shopper, "5-cancelled");

    shop.edit(id, { total: "6000" });
    await fixture.pay(await fixture.payment(id));
    await shopper.getByText("Do not pay again.").waitFor();
    expect(await shopper.getByRole("button", { name: "Pay for order" }).isVisible()).toBe(false);
    await waitFor(() => expect(shop.order(id)?.meta._tillkit_decision).toBe("held"));

    // A visit of the checkout gives the order of this browser's shop its payment method.
    const screen = await open(await desktop.newPage(), "/checkout/");
    await open(screen, "/wp-admin/order");
    await screen.getByText("Accept…").click();
    await screen.locator(".postbox").screenshot({ path: join(PICTURES, "decision.png") });
    await screen.getByRole("button", { name: /^Accept 5.000/ }).click();
    await screen.getByText(/was paid and the order shows it/).waitFor();
    expect(shop.order(id)?.status).toBe("processing");
    expect(shop.effects).toHaveLength(1);
  });
});

describe("README pictures", () => {
  it("every picture of the README exists", () => {
    const pictures = [...readFileSync(join(HOME, "README.md"), "utf8").matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)];
    expect(pictures.length).toBeGreaterThan(2);
    for (const [, path = ""] of pictures) expect(existsSync(join(HOME, path)), path).toBe(true);
  });
});

async function open(page: Page, path: string): Promise<Page> {
  page.setDefaultTimeout(PATIENCE_MS);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(SHOP + path);
  expect(errors).toEqual([]);
  return page;
}

async function savePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(RESULTS_FOLDER, `${name}.png`) });
}

/** Replaces the non-breaking spaces of amounts. */
function plain(text: string | null): string {
  return (text ?? "").replace(/[\u00a0\u202f]/g, " ");
}
