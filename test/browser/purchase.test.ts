import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Demo, openDemo } from "@tillkit/example-shop/demo";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { lookAt, lookCloselyAt, openBrowser, openPhone, whyNoBrowser } from "./phone.ts";

const missing = whyNoBrowser();
const PENDING_SECONDS = 3;

describe.skipIf(missing !== null)(`A purchase on a phone, in French${missing ? ` (skipped: ${missing})` : ""}`, () => {
  let demo: Demo;
  let folder: string;
  let browser: Browser;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tillkit-browser-"));
    [demo, browser] = await Promise.all([openDemo(folder), openBrowser()]);
    await demo.sandbox.control.settings.patch({ pendingSeconds: PENDING_SECONDS });
  });

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function phone(options: { javaScript?: boolean } = {}): Promise<Page> {
    const context = await openPhone(browser, options);
    contexts.push(context);
    return await context.newPage();
  }

  /** From the shelf to the hosted page. */
  async function goToPayment(page: Page, product = "Café de Man"): Promise<void> {
    await page.goto(demo.shopUrl);
    await page.getByRole("button", { name: new RegExp(product) }).click();
    await page.getByRole("link", { name: "Commander" }).click();
    await page.getByLabel(/Nom de la personne/).fill("Awa Diop");
    await page.getByRole("button", { name: /^Payer/ }).click();
    await page.getByLabel("Nom complet").waitFor();
  }

  it("looks at everything on the way of a card payment", async () => {
    const page = await phone();
    await page.goto(demo.shopUrl);
    await lookCloselyAt(page, "01-shop");
    await page.getByRole("button", { name: /Café de Man/ }).click();
    await lookCloselyAt(page, "02-cart");
    await page.getByRole("link", { name: "Commander" }).click();
    await lookCloselyAt(page, "03-checkout");
    await page.getByLabel(/Nom de la personne/).fill("Awa Diop");
    await page.getByRole("button", { name: /^Payer/ }).click();
    await page.getByLabel("Nom complet").waitFor();
    await lookCloselyAt(page, "04-hosted-page");
    await payByCard(page);
    await orderPaid(page);
    await lookCloselyAt(page, "05-order-paid");
    expect(await page.locator(".story").innerText()).toContain("La commande est marquée payée.");
  });

  it("waits for mobile money on our page, which resolves by itself", async () => {
    const page = await phone();
    await goToPayment(page, "Fleurs de bissap");
    await payByPhone(page, "+225 07 00 00 00 01");
    await lookCloselyAt(page, "06-hosted-waiting");
    await page.getByRole("link", { name: /Revenir à la boutique/ }).click();
    await page.getByRole("heading", { name: "Votre paiement est en cours de confirmation" }).waitFor();
    await lookCloselyAt(page, "07-waiting");
    await orderPaid(page);
    await lookCloselyAt(page, "08-order-paid-by-mobile-money");
  });
});

async function payByCard(page: Page, number = "4242 4242 4242 4242"): Promise<void> {
  await page.getByLabel("Nom complet").fill("Awa Diop");
  await page.getByLabel("E-mail").fill("awa@example.test");
  await page.getByLabel("Carte bancaire").check();
  await page.getByLabel("Numéro de carte").fill(number);
  await page.getByLabel("Date d’expiration").fill("12/34");
  await page.getByLabel("Code de sécurité").fill("123");
  await page.getByRole("button", { name: /^Payer/ }).click();
}

async function payByPhone(page: Page, number: string): Promise<void> {
  await page.getByLabel("Nom complet").fill("Awa Diop");
  await page.getByLabel("E-mail").fill("awa@example.test");
  await page.getByLabel("Wave").check();
  await page.getByLabel(/Numéro de téléphone du compte/).fill(number);
  await page.getByRole("button", { name: /^Payer/ }).click();
}

async function orderPaid(page: Page): Promise<void> {
  await page.getByText("Commande payée, merci").waitFor({ timeout: 15_000 });
}
