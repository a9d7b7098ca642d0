import { codeOf, reconcileStore } from "@tillkit/core";
import type { ScheduledTask } from "@tillkit/runtime";
import { shopifyLimits } from "../limits.ts";
import { announceFound } from "../order/announce-order.ts";
import { pendingOrders } from "../order/order-adapter.ts";
import type { Shop } from "../shop/shops.ts";
import { registerWebhooks } from "../webhooks/register-webhooks.ts";
import { checkApiVersion } from "./api-versions.ts";
import type { Desk } from "./desk.ts";

/** What the app server does by itself, again and again. `desk` is asked for late: the checkout that runs this is part of it. */
export function shopifyChores(desk: () => Desk): readonly ScheduledTask[] {
  const chore = (
    name: string,
    firstDelayMs: number,
    intervalMs: number,
    run: (desk: Desk) => Promise<void>,
  ): ScheduledTask => ({
    name,
    firstDelayMs,
    intervalMs,
    run: () => run(desk()),
  });
  const { errandsEveryMs, firstDailyMs, dailyMs, announceEveryMs, sweepEveryMs } = shopifyLimits;
  return [
    chore("shopify.money", 0, errandsEveryMs, async ({ errands }) => void (await errands.money.runDue())),
    chore("shopify.hooks", 0, errandsEveryMs, async ({ errands }) => void (await errands.hooks.runDue())),
    chore("shopify.daily", firstDailyMs, dailyMs, daily),
    chore("shopify.announce", announceEveryMs, announceEveryMs, (now) => inOrderShops(now, announcePending)),
    chore("shopify.sweep", firstDailyMs, sweepEveryMs, (now) => inOrderShops(now, sweep)),
  ];
}

async function daily(desk: Desk): Promise<void> {
  const now = desk.clock.now();
  const before = now - shopifyLimits.rememberMs;
  await Promise.all([desk.errands.money.removeDone(before), desk.errands.hooks.removeDone(before)]);
  await desk.lines.forget(now - shopifyLimits.ownerLineMs);
  await checkApiVersion(desk);
  await inOrderShops(desk, (_desk, shop) => registerWebhooks(desk, shop.domain));
}

async function inOrderShops(desk: Desk, work: (desk: Desk, shop: Shop) => Promise<void>): Promise<void> {
  if (desk.config.app.mode !== "order") return;
  for await (const shop of desk.shops.all()) {
    if (shop.uninstalledAt !== null || shop.trouble !== null) continue;
    await work(desk, shop).catch((error: unknown) => {
      desk.log.warn("shopify.round_failed", { storeId: shop.domain, code: codeOf(error) });
    });
  }
}

/** Orders whose webhook was lost. Nothing is asked of the service. */
async function announcePending(desk: Desk, { domain }: Shop): Promise<void> {
  const since = desk.clock.now() - shopifyLimits.announceBackMs;
  for await (const found of pendingOrders(desk.graphql, domain, since)) await announceFound(desk, domain, found);
}

async function sweep({ engine, clock, log }: Desk, { domain }: Shop): Promise<void> {
  const swept = await reconcileStore(engine, domain, clock.now() - shopifyLimits.sweepBackMs);
  log.info("shopify.swept", { storeId: domain, ...swept });
}
