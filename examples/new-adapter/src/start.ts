import { join } from "node:path";
import process from "node:process";
import { money } from "@tillkit/core";
import { createAdapter } from "./adapter.ts";
import { checkoutPath, openCheckout, storeId } from "./checkout.ts";
import { choosePort } from "./choose-port.ts";
import { createHost } from "./hosts/express.ts";
import { createPages } from "./pages.ts";
import { openSandboxSettings, settingsFromEnvironment } from "./service.ts";
import { openShop, type Shop } from "./shop.ts";

try {
  await start();
} catch (error) {
  // One sentence says what to do; a stack would hide it.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

// With SERVICE_SECRET_KEY the shop uses the real service; without it, a sandbox on this machine.
async function start(): Promise<void> {
  const folder = process.env.DATA_FOLDER ?? ".data";
  // In production a missing key is an error: the shop must never start with the sandbox there, whose payments are not real.
  const usesRealService = Boolean(process.env.SERVICE_SECRET_KEY) || process.env.NODE_ENV === "production";
  const port = await choosePort(process.env.PORT, usesRealService ? 1 : 2);
  const shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${port}`;
  // The sandbox always has the port after the shop's, so that links from earlier runs still work.
  const sandbox = usesRealService ? null : await openSandboxSettings(shopUrl, { folder, port: port + 1 });
  const settings = sandbox?.settings ?? settingsFromEnvironment(shopUrl);
  const shop = openShop(join(folder, "orders.json"));
  const adapter = createAdapter(shop, { storeId, shopUrl, environment: settings.environment });
  const { checkout, close } = await openCheckout(adapter, settings);
  const server = await createHost({ checkout, pages: createPages(shop, adapter, checkout) });
  if (sandbox && (await shop.ordersSince(0)).length === 0) await placeExamples(shop);

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
}

/** Two orders to try. The first is in the language of this machine. */
async function placeExamples(shop: Shop): Promise<void> {
  const examples = [
    { title: "A book", total: money(1_999, "USD"), language: "en" as const },
    { title: "Two baskets", total: money(5_000, "XOF"), language: "fr" as const },
  ];
  const isFrench = Intl.DateTimeFormat().resolvedOptions().locale.startsWith("fr");
  for (const order of isFrench ? examples.reverse() : examples) await shop.place(order);
}
