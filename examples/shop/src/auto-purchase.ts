import { setTimeout as sleep } from "node:timers/promises";
import { type SeenPage, textOf } from "./visitor/seen-page.ts";
import { createVisitor } from "./visitor/visitor.ts";

const POLL_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/**
 * Makes one purchase through the real pages like a shopper without JavaScript. `print` gets each step with the time since the
 * start.
 *
 * @throws Error with one sentence if a page is not as expected
 */
export async function runPurchase(shopUrl: string, print: (line: string) => void): Promise<void> {
  const startedAt = performance.now();
  const step = (text: string) =>
    print(`  ${((performance.now() - startedAt) / 1_000).toFixed(2).padStart(6)} s  ${text}`);
  const visitor = createVisitor("en", (url) => step(`→ ${describeUrl(url, shopUrl)}`));

  print("\n  One automatic purchase, over plain HTTP\n");
  const front = requireOk(await visitor.open(shopUrl));
  step(`Opens the shop: ${headingOf(front)}`);
  const cart = requireOk(await visitor.submit(front, { product: "cafe" }));
  step(`Puts coffee into the cart: ${headingOf(cart)}`);
  const checkout = requireOk(await visitor.open(`${shopUrl}/checkout/XOF`));
  step("Writes a name and presses Pay");
  const hosted = requireOk(await visitor.submit(checkout, { pickupName: "Awa Diop" }));
  if (hosted.url.startsWith(shopUrl)) throw new Error("The shop did not lead to the payment page.");
  step(`Sees the payment page: ${headingOf(hosted)}`);

  const back = requireOk(await visitor.submit(hosted, CARD));
  if (!back.url.startsWith(shopUrl))
    throw new Error(`The payment page did not lead back: it says "${headingOf(back)}".`);
  const paid = await waitUntilPaid(back, (url) => visitor.open(url));
  step(`The order page says: ${statusTitle(paid)}`);

  print("\n  The payment's timeline on the order page\n");
  for (const line of timelineOf(paid)) print(`  ${line}`);
  print("");
}

/** The sandbox always accepts this card number. */
const CARD = {
  method: "card",
  name: "Awa Diop",
  email: "awa@example.test",
  card_number: "4242 4242 4242 4242",
  card_expiry: "12/34",
  card_cvc: "123",
} as const;

async function waitUntilPaid(first: SeenPage, open: (url: string) => Promise<SeenPage>): Promise<SeenPage> {
  const giveUpAt = performance.now() + LONGEST_WAIT_MS;
  let page = first;
  while (!page.html.includes('data-status="paid"')) {
    if (performance.now() > giveUpAt)
      throw new Error(`The order is not paid after 30 seconds; its page says "${headingOf(page)}".`);
    await sleep(POLL_MS);
    page = requireOk(await open(page.url));
  }
  return page;
}

function requireOk(page: SeenPage): SeenPage {
  if (page.status === 200) return page;
  throw new Error(`${new URL(page.url).pathname} answered ${page.status}: "${headingOf(page)}".`);
}

function headingOf(page: SeenPage): string {
  return textOf(/<h1\b.*?<\/h1>/s.exec(page.html)?.[0] ?? "") || "no heading";
}

function statusTitle(page: SeenPage): string {
  return textOf(/<p class="state-title">.*?<\/p>/s.exec(page.html)?.[0] ?? "");
}

function timelineOf(page: SeenPage): readonly string[] {
  const timeline = /<ol class="timeline">(.*?)<\/ol>/s.exec(page.html)?.[1] ?? "";
  const lines = [...timeline.matchAll(/<p class="timeline-when">(.*?)<\/p><p>(.*?)<\/p>/gs)];
  if (lines.length === 0) throw new Error("The order page shows no timeline of its payment.");
  return lines.map(([, when = "", text = ""]) => `${textOf(when)} · ${textOf(text)}`);
}

/** The description omits keys, because a terminal may be shared. */
function describeUrl(url: string, shopUrl: string): string {
  const [first = ""] = new URL(url).pathname.split("/").filter((part) => part !== "");
  return url.startsWith(shopUrl) ? `the shop, /${first}` : "the payment service's hosted page";
}
