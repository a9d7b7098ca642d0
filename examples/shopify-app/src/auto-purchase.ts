import { setTimeout as wait } from "node:timers/promises";
import type { ShopifyDemo } from "./demo.ts";
import { followLink, heading, openPage, type Page, submitForm } from "./shopper.ts";

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 250;

/** Numbers of the sandbox: this card is always accepted. */
const CARD = {
  method: "card",
  name: "Awa Diop",
  email: "awa@example.test",
  card_number: "4242 4242 4242 4242",
  card_expiry: "12/34",
  card_cvc: "123",
} as const;

/**
 * One purchase through the real pages, as a shopper without JavaScript would make it.
 * @throws Error with one sentence when it does not end with a paid order
 */
export async function buyByItself(demo: ShopifyDemo, say: (line: string) => void): Promise<void> {
  const front = await openPage(`${demo.shop.origin}/`);
  say(`Opens the shop: ${heading(front)}`);
  const hosted = await goToPay(demo, front, say);
  say(`Sees the payment page: ${heading(hosted)}`);
  const back = await untilInShop(demo, await submitForm(hosted, CARD));
  say(`Pays, and is back in the shop: ${heading(back)}`);
  const what = demo.mode === "offsite" ? "resolved" : "order-paid";
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (demo.shop.record.effectsOf(what).length === 0) {
    if (Date.now() > giveUpAt) throw new Error("Shopify was not told within twenty seconds that the order is paid.");
    await wait(LOOK_EVERY_MS);
  }
  say("Shopify was told that the order is paid.");
}

/** Our own page waits until the money is known to have arrived; who reloads it is led on. */
async function untilInShop({ shop }: ShopifyDemo, first: Page): Promise<Page> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  let page = first;
  while (!page.url.startsWith(shop.origin)) {
    if (Date.now() > giveUpAt) throw new Error(`The shopper was not led back to the shop: "${heading(page)}".`);
    await wait(LOOK_EVERY_MS);
    page = await openPage(page.url);
  }
  return page;
}

async function goToPay({ mode }: ShopifyDemo, front: Page, say: (line: string) => void): Promise<Page> {
  const next = await submitForm(front);
  if (mode === "offsite") return next;
  say(`Has an order with a manual payment method: ${heading(next)}`);
  return await followLink(next);
}
