import { codeOf, reconcileStore } from "@tillkit/core";
import type { ScheduledTask } from "@tillkit/runtime";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { findLostRefunds } from "../order/find-lost-refunds.ts";
import { pendingOrders } from "../order/pending-orders.ts";
import { writePayLink } from "../order/write-pay-link.ts";
import type { Shop } from "../records/shops.ts";
import { checkApiVersion } from "../shops/api-version.ts";
import { readShopFacts } from "../shops/read-shop-facts.ts";
import { registerWebhooks } from "../shops/register-webhooks.ts";

/**
 * The scheduled tasks of the app server. `getContext` is called when a task runs, because the checkout server that runs the
 * tasks is itself a part of the context.
 */
export function scheduledTasks(getContext: () => AppContext): readonly ScheduledTask[] {
  return TASKS.map(({ run, ...task }) => ({
    ...task,
    async run() {
      await run(getContext());
    },
  }));
}

type AppTask = Omit<ScheduledTask, "run"> & { readonly run: (context: AppContext) => Promise<unknown> };

const TASKS: readonly AppTask[] = [
  {
    name: "shopify.customers",
    firstDelayMs: shopifyLimits.customerPruneEveryMs,
    intervalMs: shopifyLimits.customerPruneEveryMs,
    run: ({ customers, clock }) => customers.prune(clock.now()),
  },
  { name: "shopify.daily", firstDelayMs: shopifyLimits.firstDailyMs, intervalMs: shopifyLimits.dailyMs, run: runDaily },
  {
    name: "shopify.pay_links",
    firstDelayMs: shopifyLimits.payLinkEveryMs,
    intervalMs: shopifyLimits.payLinkEveryMs,
    run: (context) => forEachOrderShop(context, writePayLinks),
  },
  {
    name: "shopify.lost_refunds",
    firstDelayMs: shopifyLimits.firstDailyMs,
    intervalMs: shopifyLimits.refundSearchEveryMs,
    run: (context) => forEachOrderShop(context, (_, { domain }) => findLostRefunds(context, domain)),
  },
  {
    name: "shopify.reconcile",
    firstDelayMs: shopifyLimits.firstDailyMs,
    intervalMs: shopifyLimits.reconcileEveryMs,
    run: (context) => forEachOrderShop(context, reconcile),
  },
];

async function runDaily(context: AppContext): Promise<void> {
  const { ledger, notices, sessions, clock } = context;
  await ledger.forgetJobs(clock.now() - shopifyLimits.finishedTaskLifeMs);
  await sessions.prunePosts(clock.now() - shopifyLimits.postLifeMs);
  await notices.prune(clock.now() - shopifyLimits.ownerNoticeLifeMs);
  await checkApiVersion(context);
  await forEachOrderShop(context, async ({ shops }, { domain, deniedOperation }) => {
    // An operation that Shopify still denies is stored again when it is called next.
    if (deniedOperation !== null) await shops.update(domain, { deniedOperation: null });
    await readShopFacts(context, domain);
    await registerWebhooks(context, domain);
  });
}

/** Under this name the tasks probe a shop, as a payment does under its id. */
const TASKS_CALLER = "scheduled";

/** Calls `work` for each installed shop, in order mode only. A failure in one shop is logged and does not stop the others. */
async function forEachOrderShop(
  context: AppContext,
  work: (context: AppContext, shop: Shop) => Promise<void>,
): Promise<void> {
  if (context.config.app.mode !== "order") return;
  for await (const shop of context.shops.all()) {
    if (shop.uninstalledAt !== null) continue;
    // A shop that refuses our token may accept it again by itself.
    if (typeof (await context.engine.storeBlocks.ask(shop.domain, "read", TASKS_CALLER)) === "object") continue;
    await work(context, shop).catch((error: unknown) => {
      context.log.warn("shopify.scheduled_task_failed", { storeId: shop.domain, code: codeOf(error) });
    });
  }
}

/** Writes the pay links of orders whose webhook was lost. The service is not called. */
async function writePayLinks(context: AppContext, { domain }: Shop): Promise<void> {
  const since = context.clock.now() - shopifyLimits.payLinkLookBackMs;
  for await (const adminOrder of pendingOrders(context.graphql, domain, since))
    await writePayLink(context, domain, adminOrder);
}

async function reconcile({ engine, clock, log }: AppContext, { domain }: Shop): Promise<void> {
  const counts = await reconcileStore(engine, domain, clock.now() - shopifyLimits.reconcileLookBackMs);
  log.info("shopify.reconciled", { storeId: domain, ...counts });
}
