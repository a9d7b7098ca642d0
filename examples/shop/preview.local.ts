import { createServer } from "node:http";

const createMemoryLedger = () =>
  ({
    siblings: async () => [],
    story: async () => [],
    nextDueAt: async () => null,
    claim: async () => [],
    find: async () => null,
    commit: async () => "stale",
  }) as any;

import { chromium } from "playwright-core";
import { createShop } from "./src/shop.ts";

const server = createServer();
await new Promise<void>((r) => server.listen(0, "127.0.0.1", () => r()));
const port = (server.address() as any).port;
const url = `http://127.0.0.1:${port}`;
const shop = await createShop({
  databaseUrl: "sqlite::memory:",
  publicUrl: url,
  hostedPages: "http://127.0.0.1:9",
  environment: "test",
  ledger: createMemoryLedger(),
  keys: ["k".repeat(40)],
  credential: {
    apiKey: "svc_sk_test_" + "a".repeat(32),
    baseUrl: "http://127.0.0.1:9",
    endpointId: "shop",
    webhookSecrets: ["whsec_" + "0".repeat(32)],
  },
  owner: true,
});
server.on("request", shop.listener);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const context = await browser.newContext({
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  locale: process.argv[2] ?? "fr-FR",
  isMobile: true,
  hasTouch: true,
});
const page = await context.newPage();
page.on("console", (m) => console.log("console", m.text()));
const shot = (n: string) => page.screenshot({ path: `/tmp/shots/${n}.png`, fullPage: true });
await page.goto(url);
await shot("front");
for (const name of ["Café", "Bissap", "bissap", "cadeau"]) {
  await page.goto(url);
  await page
    .locator("button", { hasText: "" })
    .filter({})
    .and(page.locator(`[aria-label*="${name}" i]`))
    .first()
    .click();
}
await shot("cart");
await page.goto(`${url}/checkout/XOF`);
await shot("checkout");
await page.evaluate(() => {
  document.querySelector("form")!.noValidate = true;
});
await page.locator("main button").click();
await shot("checkout-problem");
await page.fill("#collector", "Awa Diop");
await page.locator("main button").click();
await page.waitForLoadState();
console.log(page.url().replace(/orders\/.*\?/, "orders/…?"));
await shot("order-unavailable");
await page.goto(`${url}/owner`);
await shot("owner");
await page.goto(`${url}/nothing`);
await shot("notfound");
await browser.close();
await shop.close();
server.closeAllConnections();
server.close();
