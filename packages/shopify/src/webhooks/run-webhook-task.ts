import type { HostJobResult } from "@tillkit/core/hosts";
import type { AppContext } from "../app-context.ts";
import type { WebhookTopic } from "../config/webhook-topics.ts";
import { shopifyLimits } from "../limits.ts";
import { payShopRefund } from "../order/pay-shop-refund.ts";
import { isFullyPaid } from "../order/to-order.ts";
import { writePayLinkOf } from "../order/write-pay-link.ts";
import type { WebhookTask } from "../records/tasks.ts";
import { retryDeadJobsOf } from "../shops/dead-jobs.ts";
import { isInstalled } from "../shops/is-installed.ts";
import { credentialId, ENVIRONMENTS } from "../shops/service-keys.ts";
import { storedDataText } from "../texts/notice-texts.ts";

type Handler = (context: AppContext, shop: string, task: WebhookTask) => Promise<HostJobResult>;

/** Runs the task of one webhook. A webhook may be delivered twice, late, and in any order. */
export const runWebhookTask: Handler = (context, shop, task) => HANDLERS[task.topic](context, shop, task);

const writePayLinks: Handler = async (context, shop, { orderIds }) => {
  if (await isUninstalled(context, shop)) return "done";
  for (const orderId of orderIds) await writePayLinkOf(context, shop, orderId);
  return "done";
};

const applyOrderUpdates: Handler = async (context, shop, { orderIds }) => {
  if (await isUninstalled(context, shop)) return "done";
  for (const orderId of orderIds) {
    const adminOrder = await writePayLinkOf(context, shop, orderId);
    // Jobs are retried only for an order that is paid now, because the app's own tags and metafields update orders too.
    const isPaid = adminOrder !== null && isFullyPaid(adminOrder);
    if (isPaid) await retryDeadJobsOf(context, { storeId: shop, orderId });
  }
  return "done";
};

const HANDLERS: Readonly<Record<WebhookTopic, Handler>> = {
  "app/uninstalled": async ({ shops, tokens, engine, log }, shop, { triggeredAt }) => {
    const row = await shops.find(shop);
    // The shop installed the app again after this uninstall.
    if (!row || triggeredAt < row.installedAt) return "done";
    await shops.update(shop, { uninstalledAt: triggeredAt, ready: false });
    // The token is already invalid. Payments stay in the ledger, because money may still arrive or be refunded.
    await tokens.remove(shop, triggeredAt);
    await engine.storeBlocks.forget(shop);
    log.info("shopify.uninstalled", { storeId: shop });
    return "done";
  },
  "customers/data_request": async ({ shops, notices }, shop, { orderIds, triggeredAt }) => {
    const text = storedDataText(await shops.languageOf(shop));
    const notice = { kind: "request", text, orders: orderIds } as const;
    await notices.add({ storeId: shop, orderId: orderIds.join(", ") }, String(triggeredAt), notice);
    return "done";
  },
  "customers/redact": async ({ ledger, clock }, shop, { orderIds }) => {
    const { unfinished } = await ledger.eraseOrders(orderIds.map((orderId) => ({ storeId: shop, orderId })));
    return unfinished === 0 ? "done" : { retryAt: clock.now() + shopifyLimits.eraseRetryMs };
  },
  "shop/redact": async (context, shop) => {
    const { ledger, clock, credentials, log } = context;
    // The shop has installed the app again since it left.
    if (await isInstalled(context, shop)) return "done";
    const { unfinished } = await ledger.eraseStore(shop);
    if (unfinished > 0) return { retryAt: clock.now() + shopifyLimits.eraseRetryMs };
    for (const environment of ENVIRONMENTS) await credentials.remove(credentialId(shop, environment));
    log.info("shopify.shop_erased", { storeId: shop });
    return "done";
  },
  "orders/create": writePayLinks,
  "orders/updated": applyOrderUpdates,
  "orders/cancelled": writePayLinks,
  "refunds/create": async (context, shop, { orderIds, refundId }) => {
    const row = await context.shops.find(shop);
    if (refundId === null || row === null) return "done";
    if (row.uninstalledAt === null) return await payShopRefund(context, shop, refundId);
    // The refund was decided before the uninstall, so it waits for the next installation.
    context.log.warn("shopify.refund_waits", { storeId: shop, orderId: orderIds[0] ?? null });
    return { retryAt: context.clock.now() + shopifyLimits.uninstalledRetryMs };
  },
};

/** Whether the task is about the app or about personal data, so that it runs also while Shopify refuses our token. */
export function isAboutApp({ topic }: WebhookTask): boolean {
  return topic === "app/uninstalled" || topic.startsWith("customers/") || topic.startsWith("shop/");
}

/** Nothing can be read from a shop that uninstalled the app. */
async function isUninstalled({ shops }: AppContext, shop: string): Promise<boolean> {
  return (await shops.find(shop))?.uninstalledAt !== null;
}
