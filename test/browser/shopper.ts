import type { Page } from "playwright-core";

// What a shopper does on the hosted page and in the shop, in French or English.

/** Fills in the hosted page's form for a card and presses Pay. */
export async function payByCard(page: Page, number = "4242 4242 4242 4242"): Promise<void> {
  await fillDetails(page);
  await page.getByRole("radio", { name: /^(Carte|Card)/ }).check();
  await page.getByLabel(/^(Numéro de carte|Card number)$/).fill(number);
  await page.getByLabel(/^(Date d’expiration|Expiry date)$/).fill("12/34");
  await page.getByLabel(/^(Code de sécurité|Security code)$/).fill("123");
  await pressPay(page);
}

/** Fills in the hosted page's form for mobile money and presses Pay. */
export async function payByPhone(page: Page, number: string): Promise<void> {
  await fillDetails(page);
  await page.getByRole("radio", { name: "Wave" }).check();
  await page.getByLabel(/^(Numéro de téléphone du compte|Phone number of the account)/).fill(number);
  await pressPay(page);
}

async function fillDetails(page: Page): Promise<void> {
  await page.getByLabel(/^(Nom complet|Full name)$/).fill("Awa Diop");
  await page.getByLabel("E-mail").fill("awa@example.test");
}

export async function pressPay(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^(Payer|Pay) / }).click();
}

/** Walks from the shop's catalogue to the hosted page. */
export async function goToPayment(page: Page, shopUrl: string, product: string | RegExp): Promise<void> {
  await page.goto(shopUrl);
  await page.getByRole("button", { name: product }).click();
  await page.getByRole("link", { name: /^(Commander|Order)$/ }).click();
  await page.getByLabel(/^(Nom de la personne|Name of the person)/).fill("Awa Diop");
  await pressPay(page);
  await page.getByLabel(/^(Nom complet|Full name)$/).waitFor();
}

/** Waits until the shop's order page says that the order is paid. */
export async function waitForPaidOrder(page: Page): Promise<void> {
  await page.getByText(/^(Commande payée, merci|Order paid, thank you)/).waitFor();
}
