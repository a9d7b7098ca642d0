import { setTimeout as wait } from "node:timers/promises";
import type { ShopifyDemo } from "./demo.ts";
import { followLink, heading, openPage, type Page, submitForm } from "./shopper.ts";

const TIMEOUT_MS = 20_000;
const POLL_MS = 250;

/** A card number of the sandbox that is always accepted. */
const CARD = {
  method: "card",
  name: "Awa Diop",
  email: "awa@example.test",
  card_number: "4242 4242 4242 4242",
  card_expiry: "12/34",
  card_cvc: "123",
} as const;

/**
 * Makes one purchase through the real pages, like a shopper without JavaScript.
 * @throws Error with one sentence when the order is not paid
 */
export async function makePurchase(demo: ShopifyDemo, print: (line: string) => void): Promise<void> {
  const front = await openPage(`${demo.shop.origin}/`);
  print(`Opens the shop: ${heading(front)}`);
  const hosted = await goToPay(demo, front, print);
  print(`Sees the payment page: ${heading(hosted)}`);
  const lastPage = await waitUntilInShop(demo, await submitForm(hosted, CARD));
  print(`Pays, and is back in the shop: ${heading(lastPage)}`);
  const effectKind = demo.mode === "offsite" ? "resolved" : "order-paid";
  const timeoutAt = Date.now() + TIMEOUT_MS;
  while (demo.shop.record.effectsOf(effectKind).length === 0) {
    if (Date.now() > timeoutAt) throw new Error("The order was not paid in Shopify within twenty seconds.");
    await wait(POLL_MS);
  }
  print("The order is paid in Shopify.");
}

/** Reloads the app's return page until it redirects to the shop. */
async function waitUntilInShop({ shop }: ShopifyDemo, first: Page): Promise<Page> {
  const timeoutAt = Date.now() + TIMEOUT_MS;
  let page = first;
  while (!page.url.startsWith(shop.origin)) {
    if (Date.now() > timeoutAt) throw new Error(`The shopper was not redirected to the shop: "${heading(page)}".`);
    await wait(POLL_MS);
    page = await openPage(page.url);
  }
  return page;
}

async function goToPay({ mode }: ShopifyDemo, front: Page, print: (line: string) => void): Promise<Page> {
  const next = await submitForm(front);
  if (mode === "offsite") return next;
  print(`Has an order with a manual payment method: ${heading(next)}`);
  return await followLink(next);
}
