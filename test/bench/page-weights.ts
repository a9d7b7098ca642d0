import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Demo, openDemo } from "@tillkit/example-shop/demo";
import type { Browser, Page } from "playwright-core";
import { openDesktop, pageWeight } from "../browser/phone.ts";
import { goToPayment, payByCard, waitForPaidOrder } from "../browser/shopper.ts";

export const TARGET_KB = 30;

/** Buys something in the example shop and opens every kind of page. Returns the bytes that each took over the wire, with all that it loads. */
export async function weighPages(browser: Browser): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-weights-"));
  const demo = await openDemo(folder);
  const weights = new Map<string, number>();
  try {
    const page = await (await openDesktop(browser)).newPage();
    const weigh = async (name: string, url: string) => {
      await page.goto(url, { waitUntil: "load" });
      weights.set(name, await pageWeight(page));
    };
    await goToPayment(page, demo.shopUrl, /Coffee/);
    weights.set("hosted page: form", await pageWeight(page));
    await payByCard(page, "4000 0000 0000 0002");
    await page.getByRole("alert").waitFor();
    weights.set("hosted page: declined", await pageWeight(page));
    await payByCard(page);
    await waitForPaidOrder(page);
    weights.set("shop: paid order", await pageWeight(page));
    await weigh("shop: catalogue", demo.shopUrl);
    await page.getByRole("button", { name: /Coffee/ }).click();
    await weigh("shop: cart", `${demo.shopUrl}/cart`);
    await weigh("shop: checkout", `${demo.shopUrl}/checkout/XOF`);
    await weigh("shop: owner", `${demo.shopUrl}/owner`);
    await weigh("shopper: broken link", `${demo.shopUrl}/return/forged.token`);
    await weighOperators({ page, weights, weigh }, demo);
    for (const tab of CONSOLE_TABS) await weigh(`console: ${tab}`, `${demo.sandbox.consoleUrl}/${tab}`);
    return weights;
  } finally {
    await demo.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const CONSOLE_TABS = [
  "",
  "sessions",
  "sessions/new",
  "transactions",
  "refunds",
  "customers",
  "disputes",
  "events",
  "deliveries",
  "endpoints",
  "endpoints/new",
  "requests",
  "network",
  "clock",
  "faults",
  "settings",
  "search?q=Order",
];
const OPERATOR_PAGES = [
  "",
  "/payments",
  "/refunds",
  "/disputes",
  "/deliveries",
  "/dead",
  "/endpoints",
  "/export",
  "/settlement",
  "/acts",
  "/time-zone",
];

type Weighing = {
  readonly page: Page;
  readonly weights: Map<string, number>;
  readonly weigh: (name: string, url: string) => Promise<void>;
};

async function weighOperators(
  { page, weights, weigh }: Weighing,
  demo: Pick<Demo, "shopUrl" | "operatorToken">,
): Promise<void> {
  await weigh("operators: login", `${demo.shopUrl}/operators`);
  await page.locator("#token").fill(demo.operatorToken);
  await page.locator("main button").click();
  await page.locator("nav").waitFor();
  for (const path of OPERATOR_PAGES)
    await weigh(`operators: ${path || "overview"}`, `${demo.shopUrl}/operators${path}`);
  await page.goto(`${demo.shopUrl}/owner`);
  await page.locator("a[href^='/operators/payments/']").first().click();
  await page.locator("nav").waitFor();
  weights.set("operators: a payment", await pageWeight(page));
}

/** The lines of a table, heaviest page first. */
export function weightTable(weights: ReadonlyMap<string, number>): readonly string[] {
  const heaviestFirst = [...weights].sort(([, left], [, right]) => right - left);
  const lines = heaviestFirst.map(([name, bytes]) => `${(bytes / 1024).toFixed(1).padStart(6)} KB  ${name}`);
  const [, heaviest = 0] = heaviestFirst[0] ?? [];
  const verdict = heaviest <= TARGET_KB * 1024 ? "within" : "OVER";
  return ["", ...lines, `${verdict} the target of ${TARGET_KB} KB a page`];
}
