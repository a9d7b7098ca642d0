import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "@tillkit/core";
import { createPluginRoutes, type PluginRoutes } from "@tillkit/php-bridge";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { PLUGIN_PLACE } from "../../../src/protocol/names.ts";
import { activate, LINK_SECRET, openShop, type Shop, STORE_ID, saveSettings, settingsFor } from "./shop.ts";

const { skipReason } = inject("wordpress");
const skipNote = skipReason === null ? "" : ` (skipped: ${skipReason})`;
const PLUGINS = ["fatal-hook", "copied-meta", "second-currency"];

describe.skipIf(skipReason !== null)(`a shop with plugins that change its orders${skipNote}`, () => {
  let shop: Shop;
  let routes: PluginRoutes;

  beforeAll(async () => {
    shop = await openShop({ version: "6.5", database: "mariadb" });
    await saveSettings(shop.owner, settingsFor("https://pay.example.com"));
    const connection = { storeId: STORE_ID, linkSecret: LINK_SECRET, clock: systemClock };
    routes = createPluginRoutes({ url: shop.site.url, place: PLUGIN_PLACE, ...connection });
    const from = fileURLToPath(new URL("plugins", import.meta.url));
    await cp(from, join(shop.site.folder, "wp-content", "plugins"), { recursive: true });
    for (const plugin of PLUGINS) await activate(shop.owner, `${plugin}.php`);
  });
  afterAll(() => shop?.site.close());

  async function markPaid(order: number, fields: object = {}): Promise<unknown> {
    const body = { order: String(order), key: "wc_order_AbC123xyZ", amount: "5000.00", currency: "XOF", fence: 1 };
    const reply = await routes.call("mark-paid", {
      ...{ ...body, payment: `payment-${order}`, transaction: `tx_${order}`, provider: "WAVE" },
      ...fields,
    });
    return "body" in reply && "outcome" in reply.body ? reply.body.outcome : reply;
  }

  async function stored(order: number): Promise<unknown> {
    return await shop.site.php(`return Shop_State::read()['orders'][${order}];`);
  }

  it("an order is paid with stock and e-mails although a plugin fails in the hook of each paid order", async () => {
    await shop.site.php("fake_place_order( array( 'id' => 1 ) );");
    expect(await markPaid(1)).toBe("recorded");
    expect(await stored(1)).toMatchObject({
      status: "processing",
      title: "Wave (test)",
      stock_reduced: 1,
      mails: ["new_order", "customer_processing_order"],
    });
  });

  it("a renewal with the copied payment of its parent is paid by its own payment, and the parent keeps its own", async () => {
    await shop.site.php("return subscriptions_renew( 1, 2 )->get_id();");
    expect(await markPaid(2)).toBe("recorded");
    expect(await stored(2)).toMatchObject({ status: "processing", meta: { _tillkit_payment_id: "payment-2" } });
    expect(await stored(1)).toMatchObject({ transaction: "tx_1", meta: { _tillkit_payment_id: "payment-1" } });
    expect(await markPaid(2, { payment: "payment-1" })).toBe("other-payment");
  });

  it("an order of 12.34 euros in a shop that counts francs is linked with its cents, and paid by exactly that amount", async () => {
    await shop.site.php("return currency_switcher_order( 3, '12.34' )->get_id();");
    const link = await shop.site.php<string>("return ( new Tillkit_Gateway() )->process_payment( 3 )['redirect'];");
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({ amount: "12.34", currency: "EUR" });
    expect(await markPaid(3, { amount: "12.000000", currency: "EUR" })).toBe("not-payable");
    expect(await markPaid(3, { amount: "12.340000", currency: "EUR" })).toBe("recorded");
  });
});
