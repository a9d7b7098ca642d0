import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Demo, openDemo } from "@tillkit/example-shop/demo";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../waiting/patience.ts";
import { hostedPageTests } from "./hosted-page-tests.ts";
import { walkByKeyboard } from "./keyboard.ts";
import {
  checkPage,
  expectStateWithoutColour,
  openBrowser,
  openDesktop,
  openPhone,
  savePicture,
  whyNoBrowser,
} from "./phone.ts";
import { shopOnDesktopTests } from "./shop-on-desktop.ts";
import { goToPayment, payByCard, payByPhone, waitForPaidOrder } from "./shopper.ts";

const skipReason = whyNoBrowser();
/** Longer than any test waits, so that a pending payment completes only when a test completes it. */
const PENDING_SECONDS = 600;

const title = `Purchases in a browser${skipReason === null ? "" : ` (skipped: ${skipReason})`}`;

describe.skipIf(skipReason !== null)(title, () => {
  let demo: Demo;
  let folder: string;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const browserErrors: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tillkit-browser-"));
    [demo, browser] = await Promise.all([openDemo(folder), openBrowser()]);
    await demo.sandbox.control.changeSettings({ pendingSeconds: PENDING_SECONDS });
  });

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    // A failed or blocked script is silent for the shopper but fails the test.
    expect(browserErrors.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function phone(options: Parameters<typeof openPhone>[1] = {}): Promise<Page> {
    return await newPage(await openPhone(browser, options));
  }

  async function desktop(options: Parameters<typeof openDesktop>[1] = {}): Promise<Page> {
    return await newPage(await openDesktop(browser, options));
  }

  async function newPage(context: BrowserContext): Promise<Page> {
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("pageerror", (error) => browserErrors.push(error.message));
    page.on("console", (line) => {
      if (line.type() === "error" && !line.text().startsWith("Failed to load resource"))
        browserErrors.push(line.text());
    });
    return page;
  }

  async function completePayments(): Promise<void> {
    await demo.sandbox.control.advanceClock((PENDING_SECONDS + 1) * 1_000);
  }

  async function goToShopPayment(page: Page, product: string | RegExp = /Café de Man|Coffee/): Promise<void> {
    await goToPayment(page, demo.shopUrl, product);
  }

  it("no page of the shop scrolls sideways on the narrowest phone", async () => {
    const page = await phone({ width: 320 });
    await page.goto(demo.shopUrl);
    await page.getByRole("button", { name: /Café de Man/ }).click();
    for (const path of ["/", "/cart", "/checkout/XOF", "/owner"]) {
      await page.goto(`${demo.shopUrl}${path}`);
      await savePicture(page, `narrow-${path.replaceAll("/", "-").slice(1) || "shop"}`);
    }
  });

  it("every page of a card payment is accessible and fits the screen", async () => {
    const page = await phone();
    await page.goto(demo.shopUrl);
    await checkPage(page, "01-shop");
    await walkByKeyboard(page, 6);
    await page.getByRole("button", { name: /Café de Man/ }).click();
    await checkPage(page, "02-cart");
    await page.getByRole("link", { name: "Commander" }).click();
    await checkPage(page, "03-checkout");
    await walkByKeyboard(page, 6);
    await page.getByLabel(/Nom de la personne/).fill("Awa Diop");
    await page.getByRole("button", { name: /^Payer/ }).click();
    await page.getByLabel("Nom complet").waitFor();
    await checkPage(page, "04-hosted-page");
    await walkByKeyboard(page, 6);
    await payByCard(page);
    await waitForPaidOrder(page);
    await checkPage(page, "05-order-paid");
    expect(await page.locator(".timeline").textContent()).toContain("La commande est marquée payée.");
  });

  it("the waiting page for mobile money updates itself", async () => {
    const page = await phone();
    await goToShopPayment(page);
    await payByPhone(page, "+225 07 00 00 00 01");
    await checkPage(page, "06-hosted-page-waiting");
    await page.getByRole("link", { name: "Retourner à la boutique" }).click();
    await page.getByRole("heading", { name: "Votre paiement est en cours de confirmation" }).waitFor();
    await checkPage(page, "07-waiting");
    await walkByKeyboard(page, 3);
    await completePayments();
    await waitForPaidOrder(page);
    await checkPage(page, "08-order-paid-by-mobile-money");
  });

  it("a purchase by mobile money is in English from the shop to the paid order for a phone in English", async () => {
    const page = await phone({ language: "en" });
    await page.goto(demo.shopUrl);
    await checkPage(page, "en-01-shop");
    await goToShopPayment(page);
    await checkPage(page, "en-04-hosted-page");
    await page.getByRole("radio", { name: "Wave" }).check();
    await expectStateWithoutColour(page, ".choices [for=method-wave]", ".choices [for=method-card]");
    await payByPhone(page, "+225 07 00 00 00 01");
    await page.getByRole("link", { name: "Return to the shop" }).click();
    await page.getByRole("heading", { name: "Your payment is being confirmed" }).waitFor();
    await checkPage(page, "en-07-waiting");
    await completePayments();
    await waitForPaidOrder(page);
    await checkPage(page, "en-08-order-paid-by-mobile-money");
  });

  it("the order page updates itself while mobile money is pending", async () => {
    const page = await phone();
    await goToShopPayment(page);
    await payByPhone(page, "+225 07 00 00 00 01");
    await page.getByRole("link", { name: "Retourner à la boutique" }).waitFor();
    await page.goto(`${await newestOrder()}?outcome=waiting`);
    await page.getByText("Nous attendons la confirmation de votre paiement").waitFor();
    await checkPage(page, "09-order-waiting");
    await completePayments();
    await waitForPaidOrder(page);
    expect(await page.title()).toContain("Commande payée");
  });

  it("a shopper can try again after a declined card", async () => {
    const page = await phone();
    await goToShopPayment(page);
    await payByCard(page, "4000 0000 0000 0002");
    await page.getByRole("heading", { name: "Le paiement n’a pas abouti" }).waitFor();
    await checkPage(page, "10-hosted-page-declined");
    await page.goto(await newestOrder());
    await page.getByText("Le paiement n’a pas abouti").first().waitFor();
    await checkPage(page, "11-order-declined");
    await page.getByRole("button", { name: "Réessayer le paiement" }).click();
    await page.getByLabel("Nom complet").waitFor();
    await payByCard(page);
    await waitForPaidOrder(page);
  });

  it("a shopper can cancel and then pay after all", async () => {
    const page = await phone();
    await goToShopPayment(page);
    await page.getByRole("link", { name: /^Annuler/ }).click();
    await page.getByText("Paiement interrompu").waitFor();
    await checkPage(page, "12-order-cancelled-payment");
    await page.getByRole("button", { name: "Reprendre le paiement" }).click();
    await page.getByLabel("Nom complet").waitFor();
    await payByCard(page);
    await waitForPaidOrder(page);
  });

  it("a shopper who comes back in another browser, without the shop's cookie, sees the order", async () => {
    const page = await phone();
    await goToShopPayment(page);
    const hosted = page.url();
    const elsewhere = await phone();
    await elsewhere.goto(hosted);
    await payByCard(elsewhere);
    await waitForPaidOrder(elsewhere);
    expect(await elsewhere.getByText("pour Awa Diop").count()).toBe(1);
    // The first browser shows the order too.
    await page.goto(elsewhere.url());
    await waitForPaidOrder(page);
  });

  it("the payment of an order that was changed meanwhile is held, and the shopper is not asked to pay again", async () => {
    const page = await phone();
    await goToShopPayment(page);
    const owner = await phone();
    await owner.goto(`${demo.shopUrl}/owner`);
    await owner
      .getByLabel(/^Nouveau total, à la place de \d/)
      .first()
      .fill("9000");
    await owner
      .getByRole("button", { name: /^Changer le total/ })
      .first()
      .click();
    await payByCard(page);
    await page.getByRole("heading", { name: "La boutique vérifie votre paiement" }).waitFor();
    await checkPage(page, "13-held");
    await page.goto(await newestOrder());
    await page.getByText("Nous vérifions votre paiement").waitFor();
    expect(await page.getByRole("button", { name: /paiement|Payer/ }).count()).toBe(0);
    await checkPage(page, "14-order-held");
    // The shop is updated right after the payment is held, and the owner's page does not refresh itself.
    await expect
      .poll(
        async () => {
          await owner.goto(`${demo.shopUrl}/owner`);
          return await owner.getByText(/4\s000\sF\sCFA à ce moment-là/).count();
        },
        { interval: 500 },
      )
      .toBeGreaterThan(0);
    await checkPage(owner, "15-owner");
  });

  it("the gift hamper is sold in dollars in English", async () => {
    const page = await phone();
    await page.goto(demo.shopUrl);
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("button", { name: /Gift hamper/ }).click();
    await page.getByRole("link", { name: "Order" }).click();
    await page.getByLabel(/Name of the person/).fill("Awa Diop");
    await page.getByRole("button", { name: "Pay $39.90" }).click();
    // The shop sends its language to the hosted page, which then ignores the browser's language.
    await page.getByLabel("Full name").waitFor();
    await checkPage(page, "16-hosted-page-dollars");
    await payByCard(page);
    await page.getByText("Order paid, thank you!").waitFor();
    await checkPage(page, "17-order-paid-dollars");
  });

  it("a purchase needs no JavaScript from the catalogue to the paid order", async () => {
    const page = await phone({ javaScript: false });
    await goToShopPayment(page);
    await savePicture(page, "18-no-script-hosted-page");
    await payByPhone(page, "+225 07 00 00 00 01");
    await savePicture(page, "19-no-script-hosted-page-waiting");
    await page.getByRole("link", { name: "Retourner à la boutique" }).click();
    await page.getByRole("heading", { name: "Votre paiement est en cours de confirmation" }).waitFor();
    await savePicture(page, "20-no-script-waiting");
    await completePayments();
    await waitForPaidOrder(page);
    await savePicture(page, "21-no-script-order-paid");
  });

  it("a missing page and a changed link tell the shopper what to do", async () => {
    const page = await phone();
    await page.goto(`${demo.shopUrl}/orders/AAAAAAAAAAAAAAAAAAAAAA`);
    await checkPage(page, "22-not-found");
    await page.goto(`${demo.shopUrl}/return/forged.token`);
    await checkPage(page, "23-forged-link");
    await page.goto(`${demo.shopUrl}/cart`);
    await checkPage(page, "24-empty-cart");
  });

  // The same browser and the same shop serve these tests.
  const fixture = { demo: () => demo, phone, desktop };
  shopOnDesktopTests(fixture);
  hostedPageTests(fixture);

  /** The URL of the newest order's page, as an e-mail would contain it. */
  async function newestOrder(): Promise<string> {
    const row = await demo.shop.database.db
      .selectFrom("orders")
      .select("key")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    return `${demo.shopUrl}/orders/${row.key}`;
  }
});
