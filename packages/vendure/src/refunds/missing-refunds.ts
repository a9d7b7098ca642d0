import { codeOf, type Refund } from "@tillkit/core";
import { allPages, type ScheduledTask } from "@tillkit/runtime";
import { Refund as VendureRefund } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { recordRefund } from "./record-refund.ts";
import { unansweredMetadata } from "./refund-metadata.ts";

/**
 * The task that adds the refunds that Vendure requested and does not show: the server died during the request, the service's answer
 * was lost, or Vendure rolled the request back.
 */
export function createMissingRefundsTask(checkout: () => VendureCheckout): ScheduledTask {
  let searchedFrom: number | null = null;
  return {
    name: "missing_refunds",
    firstDelayMs: pluginLimits.missingRefundsEveryMs,
    intervalMs: pluginLimits.missingRefundsEveryMs,
    async run() {
      const now = Date.now();
      const oldestOpen = await recordMissingRefunds(
        checkout(),
        searchedFrom ?? now - pluginLimits.missingRefundsSinceMs,
      );
      searchedFrom = Math.min(oldestOpen, now - pluginLimits.missingRefundsOverlapMs);
    },
  };
}

/** @returns when the oldest refund was requested that must be looked at again: it has no result yet, or Vendure could not be written */
async function recordMissingRefunds(checkout: VendureCheckout, from: number): Promise<number> {
  let oldestOpen = Number.POSITIVE_INFINITY;
  for await (const page of allPages((request) => checkout.ledger.listRefunds({ ...request, from }))) {
    const requested = page.filter(({ origin, state }) => origin === "store" && state !== "failed");
    const shown = await findShown(checkout, requested);
    for (const refund of requested) {
      if (shown.has(refund.refundId) || (await recordMissingRefund(checkout, refund))) continue;
      oldestOpen = Math.min(oldestOpen, refund.requestedAt);
    }
  }
  return oldestOpen;
}

/** The service's ids of those completed refunds that Vendure shows. */
async function findShown(
  { services: { connection, contextOfAllOrders } }: VendureCheckout,
  refunds: readonly Refund[],
): Promise<ReadonlySet<string | null>> {
  const ids = refunds.filter(({ state }) => state === "completed").flatMap(({ refundId }) => refundId ?? []);
  if (ids.length === 0) return new Set();
  const rows = await connection
    .getRepository(await contextOfAllOrders(), VendureRefund)
    .createQueryBuilder("refund")
    .where("refund.transactionId IN (:...ids)", { ids })
    .getMany();
  return new Set(rows.map(({ transactionId }) => transactionId));
}

async function recordMissingRefund({ ledger, log, shopOf }: VendureCheckout, refund: Refund): Promise<boolean> {
  const { paymentId, refundId, key, amount, state } = refund;
  if (state !== "completed") return false;
  const payment = await ledger.find({ id: paymentId });
  const shop = payment && shopOf(payment.ref.storeId);
  if (!shop) return true;
  const { ref, attempt } = payment;
  const completed = { paymentId, refundId: refundId ?? "", key, ref, attempt, amount, status: state };
  try {
    await recordRefund(shop, completed, unansweredMetadata(refund));
    return true;
  } catch (error) {
    log.warn("refund.not_recorded", { paymentId, code: codeOf(error) });
    return false;
  }
}
