import { join } from "node:path";
import process from "node:process";
import { money } from "@tillkit/core";
import { createAdapter } from "./adapter.ts";
import { checkoutPath, openCheckout, storeId } from "./checkout.ts";
import { choosePort } from "./choose-port.ts";
import { createPages, type Site } from "./pages.ts";
import { openSandboxSettings, settingsFromEnvironment } from "./service.ts";
import { openShop, type Shop, type ShopOrder } from "./shop.ts";

/** The shop with its checkout, and what a person at the terminal wants to know. */
export type OpenSite = Site & {
  /** The server has to listen on this port of 127.0.0.1. */
  readonly port: number;
  /** Addresses for the terminal, one a line. */
  readonly lines: readonly string[];
  close(): Promise<void>;
};

/**
 * Opens the shop and its checkout: with SERVICE_SECRET_KEY on the real service, without it on a sandbox on this machine.
 * @throws Error that says what to do
 */
export async function openSite(): Promise<OpenSite> {
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
  const isOpen = ({ paidBy, state }: ShopOrder) => paidBy === null && state === "open";
  if (sandbox && !(await shop.ordersSince(0)).some(isOpen)) await placeExamples(shop);

  const operators = `${shopUrl}${checkoutPath}/operators`;
  const lines = [`Shop       ${shopUrl}`];
  if (sandbox)
    lines.push(
      `Operators  ${operators}   token: ${settings.operatorToken}`,
      `Sandbox    ${sandbox.consoleUrl}   what the payment service sees`,
      "Pay with the card 4242 4242 4242 4242. Press Ctrl-C to stop.",
    );
  return {
    checkout,
    pages: createPages(shop, adapter, checkout),
    port,
    lines,
    async close() {
      await close();
      await sandbox?.close();
    },
  };
}

/** Orders to try, enough to break something on purpose. The first is in the language of this machine. */
async function placeExamples(shop: Shop): Promise<void> {
  const examples = [
    { title: "A book", total: money(1_999, "USD"), language: "en" as const },
    { title: "Two baskets", total: money(5_000, "XOF"), language: "fr" as const },
  ];
  const isFrench = Intl.DateTimeFormat().resolvedOptions().locale.startsWith("fr");
  if (isFrench) examples.reverse();
  for (let round = 0; round < 3; round += 1) for (const order of examples) await shop.place(order);
}
