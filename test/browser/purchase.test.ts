import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Demo, openDemo } from "@tillkit/example-shop/demo";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkPage, openBrowser, openPhone, savePicture, walkByKeyboard, whyNoBrowser } from "./phone.ts";

const missing = whyNoBrowser();
/** Longer than any test waits, so that a pending payment completes only when a test completes it. */
const PENDING_SECONDS = 600;

const title = `A purchase on a phone, in French${missing === null ? "" : ` (skipped: ${missing})`}`;

describe.skipIf(missing !== null)(title, { timeout: 60_000 }, () => {
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

  async function phone(options: { javaScript?: boolean; width?: number } = {}): Promise<Page> {
    const context = await openPhone(browser, options);
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
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

  /** Walks from the catalogue to the hosted page. */
  async function goToPayment(page: Page, product = "Café de Man"): Promise<void> {
    await page.goto(demo.shopUrl);
    await page.getByRole("button", { name: new RegExp(product) }).click();
    await page.getByRole("link", { name: "Commander" }).click();
    await page.getByLabel(/Nom de la personne/).fill("Awa Diop");
    await page.getByRole("button", { name: /^Payer/ }).click();
    await page.getByLabel("Nom complet").waitFor();
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
    await orderPaid(page);
    await checkPage(page, "05-order-paid");
    expect(await page.locator(".timeline").textContent()).toContain("La commande est marquée payée.");
  });

  it("the waiting page for mobile money updates itself", async () => {
    const page = await phone();
    await goToPayment(page, "Fleurs de bissap");
    await payByPhone(page, "+225 07 00 00 00 01");
    await checkPage(page, "06-hosted-page-waiting");
    await page.getByRole("link", { name: "Revenir à la boutique" }).click();
    await page.getByRole("heading", { name: "Votre paiement est en cours de confirmation" }).waitFor();
    await checkPage(page, "07-waiting");
    await walkByKeyboard(page, 3);
    await completePayments();
    await orderPaid(page);
    await checkPage(page, "08-order-paid-by-mobile-money");
  });

  it("the order page updates itself while mobile money is pending", async () => {
    const page = await phone();
    await goToPayment(page);
    await payByPhone(page, "+225 07 00 00 00 01");
    await page.getByRole("link", { name: "Revenir à la boutique" }).waitFor();
    await page.goto(`${await newestOrder()}?outcome=waiting`);
    await page.getByText("Nous attendons la confirmation de votre paiement").waitFor();
    await checkPage(page, "09-order-waiting");
    await completePayments();
    await orderPaid(page);
    expect(await page.title()).toContain("Commande payée");
  });

  it("a shopper can try again after a declined card", async () => {
    const page = await phone();
    await goToPayment(page);
    await payByCard(page, "4000 0000 0000 0002");
    await page.getByRole("heading", { name: "Le paiement n’a pas abouti" }).waitFor();
    await checkPage(page, "10-hosted-page-declined");
    await page.goto(await newestOrder());
    await page.getByText("Le paiement n’a pas abouti").first().waitFor();
    await checkPage(page, "11-order-declined");
    await page.getByRole("button", { name: "Réessayer le paiement" }).click();
    await page.getByLabel("Nom complet").waitFor();
    await payByCard(page);
    await orderPaid(page);
  });

  it("a shopper can cancel and then pay after all", async () => {
    const page = await phone();
    await goToPayment(page);
    await page.getByRole("link", { name: /^Annuler/ }).click();
    await page.getByText("Paiement interrompu").waitFor();
    await checkPage(page, "12-order-cancelled-payment");
    await page.getByRole("button", { name: "Reprendre le paiement" }).click();
    await page.getByLabel("Nom complet").waitFor();
    await payByCard(page);
    await orderPaid(page);
  });

  it("a shopper who comes back in another browser, without the shop's cookie, sees the order", async () => {
    const page = await phone();
    await goToPayment(page);
    const hosted = page.url();
    const elsewhere = await phone();
    await elsewhere.goto(hosted);
    await payByCard(elsewhere);
    await orderPaid(elsewhere);
    expect(await elsewhere.getByText("au nom de Awa Diop").count()).toBe(1);
    // The first browser shows the order too.
    await page.goto(elsewhere.url());
    await orderPaid(page);
  });

  it("the payment of an order that was changed meanwhile is held, and the shopper is not asked to pay again", async () => {
    const page = await phone();
    await goToPayment(page);
    const owner = await phone();
    await owner.goto(`${demo.shopUrl}/owner`);
    await owner.getByLabel("Nouveau total (XOF)").first().fill("9000");
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
          return await owner.getByText("total_changed").count();
        },
        { timeout: 15_000, interval: 500 },
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
    // The shop tells the hosted page its language, whatever the browser's is.
    await page.getByLabel("Full name").waitFor();
    await checkPage(page, "16-hosted-page-dollars");
    await payByCard(page);
    await page.getByText("Order paid, thank you!").waitFor();
    await checkPage(page, "17-order-paid-dollars");
  });

  it("a purchase needs no JavaScript from the catalogue to the paid order", async () => {
    const page = await phone({ javaScript: false });
    await goToPayment(page);
    await savePicture(page, "18-no-script-hosted-page");
    await payByPhone(page, "+225 07 00 00 00 01");
    await savePicture(page, "19-no-script-hosted-page-waiting");
    await page.getByRole("link", { name: "Revenir à la boutique" }).click();
    await page.getByRole("heading", { name: "Votre paiement est en cours de confirmation" }).waitFor();
    await savePicture(page, "20-no-script-waiting");
    await completePayments();
    await orderPaid(page);
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

  it("the sandbox console shows what happened at the service", async () => {
    const page = await phone();
    await page.goto(demo.sandbox.consoleUrl);
    await checkPage(page, "25-console");
  });

  /** The order page's address, as an e-mail would contain it. */
  async function newestOrder(): Promise<string> {
    const row = await demo.shop.database.db
      .selectFrom("orders")
      .select("key")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    return `${demo.shopUrl}/orders/${row.key}`;
  }
});

async function payByCard(page: Page, number = "4242 4242 4242 4242"): Promise<void> {
  await page.getByLabel(/^(Nom complet|Full name)$/).fill("Awa Diop");
  await page.getByLabel("E-mail").fill("awa@example.test");
  await page.getByRole("radio", { name: /^(Carte|Card)/ }).check();
  await page.getByLabel(/^(Numéro de carte|Card number)$/).fill(number);
  await page.getByLabel(/^(Date d’expiration|Expiry date)$/).fill("12/34");
  await page.getByLabel(/^(Code de sécurité|Security code)$/).fill("123");
  await page.getByRole("button", { name: /^(Payer|Pay) / }).click();
}

async function payByPhone(page: Page, number: string): Promise<void> {
  await page.getByLabel("Nom complet").fill("Awa Diop");
  await page.getByLabel("E-mail").fill("awa@example.test");
  await page.getByRole("radio", { name: "Wave" }).check();
  await page.getByLabel(/Numéro de téléphone du compte/).fill(number);
  await page.getByRole("button", { name: /^Payer/ }).click();
}

async function orderPaid(page: Page): Promise<void> {
  await page.getByText("Commande payée, merci").waitFor();
}
