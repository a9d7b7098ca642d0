import { join } from "node:path";
import process from "node:process";
import { money } from "@tillkit/core";
import { createAdapter } from "./adapter.ts";
import { checkoutPath, openCheckout, storeId } from "./checkout.ts";
import { createHost } from "./hosts/express.ts";
import { createPages } from "./pages.ts";
import { openSandboxSettings, settingsFromEnvironment } from "./service.ts";
import { openShop } from "./shop.ts";

// With SERVICE_SECRET_KEY the shop uses the real service; without it, a sandbox on this machine.
const folder = process.env.DATA_FOLDER ?? ".data";
const port = Number(process.env.PORT ?? 3000);
const shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${port}`;

// In production a missing key is an error: the shop must never start with the sandbox there, whose payments are not real.
const usesRealService = Boolean(process.env.SERVICE_SECRET_KEY) || process.env.NODE_ENV === "production";
// The sandbox always has the same port, so that links from earlier runs still work.
const sandbox = usesRealService ? null : await openSandboxSettings(shopUrl, { folder, port: port + 1 });
const settings = sandbox?.settings ?? settingsFromEnvironment(shopUrl);
const shop = openShop(join(folder, "orders.json"));
const adapter = createAdapter(shop, { storeId, shopUrl, environment: settings.environment });
const { checkout, close } = await openCheckout(adapter, settings);
const server = await createHost({ checkout, pages: createPages(shop, adapter, checkout) });

if (sandbox && (await shop.ordersSince(0)).length === 0) {
  await shop.place({ title: "Two baskets", total: money(5_000, "XOF"), language: "fr" });
  await shop.place({ title: "A book", total: money(1_999, "USD"), language: "en" });
}

server.listen(port, "127.0.0.1", () => {
  console.log(`Shop       ${shopUrl}`);
  if (!sandbox) return;
  console.log(`Operators  ${shopUrl}${checkoutPath}/operators   token: ${settings.operatorToken}`);
  console.log(`Sandbox    ${sandbox.consoleUrl}   what the payment service sees`);
  console.log("Pay with the card 4242 4242 4242 4242. Press Ctrl-C to stop.");
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.close();
    server.closeAllConnections();
    await close();
    await sandbox?.close();
    process.exit();
  });
}
