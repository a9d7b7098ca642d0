import { paymentOfRefund, unsentKeys } from "@tillkit/core/store-refunds";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { findRefundedOrders, readOrderRefunds } from "../operations/refund-operations.ts";
import { addTask } from "../tasks/add-task.ts";
import { gidNumber, orderGid } from "./order-number.ts";
import { orderPages } from "./order-pages.ts";
import { shopRefundKey } from "./shop-refund.ts";

export type SearchContext = Pick<AppContext, "ledger" | "graphql" | "clock" | "log" | "refundSearches">;

/**
 * Finds the refunds of a shop whose webhook was lost, and queues each of them once. Only orders that changed since the last complete
 * search are read, with an overlap, because Shopify's search shows a change with a delay. A search that fails goes on at the order
 * that it had reached.
 */
export async function findLostRefunds(context: SearchContext, shop: string): Promise<void> {
  const { graphql, clock, log, refundSearches } = context;
  const { refundLookBackMs, refundLongestLookBackMs, refundSearchOverlapMs } = shopifyLimits;
  const startedAt = clock.now();
  const nextSince = startedAt - refundSearchOverlapMs;
  const stored = (await refundSearches.since(shop)) ?? startedAt - refundLookBackMs;
  const since = new Date(Math.max(stored, startedAt - refundLongestLookBackMs)).toISOString();
  const query = `updated_at:>='${since}' AND (financial_status:refunded OR financial_status:partially_refunded)`;
  let queued = 0;
  for await (const { nodes, pageInfo } of orderPages(graphql, shop, { operation: findRefundedOrders, query })) {
    for (const { id } of nodes) queued += await queueRefunds(context, shop, gidNumber(id));
    const reached = pageInfo.hasNextPage ? Date.parse(nodes.at(-1)?.updatedAt ?? since) : nextSince;
    await refundSearches.save(shop, Math.min(reached, nextSince));
  }
  if (queued > 0) log.info("shopify.refunds_found", { storeId: shop, refunds: queued });
}

/** Queues the refunds of an order that the ledger does not know, and returns how many were queued now. */
async function queueRefunds(context: SearchContext, shop: string, orderId: string): Promise<number> {
  const { ledger, graphql, clock } = context;
  const payments = await ledger.paymentsOfOrder({ storeId: shop, orderId });
  if (payments.length === 0) return 0;
  const shown = await graphql.call(shop, readOrderRefunds, { id: orderGid(orderId) });
  const refundIds = shown.map(({ id }) => gidNumber(id));
  const unsent = await unsentKeys(ledger, payments, refundIds.map(shopRefundKey));
  let queued = 0;
  for (const refundId of refundIds.filter((id) => unsent.includes(shopRefundKey(id)))) {
    const task = { topic: "refunds/create", triggeredAt: clock.now(), orderIds: [orderId], refundId } as const;
    // The key names the refund and no webhook, so that every search after the first adds nothing.
    const uniqueKey = `refunds/create found-${refundId}`;
    if ((await ledger.jobByKey(shop, uniqueKey)) !== null) continue;
    const paymentId = (await paymentOfRefund(ledger, payments, shopRefundKey(refundId)))?.id ?? null;
    await addTask(context, { kind: "shopify.webhook", shop, uniqueKey, task, paymentId });
    queued += 1;
  }
  return queued;
}
