import { endPendingRefunds, recordMissingRefunds } from "@tillkit/core/store-refunds";
import type { ScheduledTask } from "@tillkit/runtime";
import { Refund as VendureRefund } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { lockRow } from "../order/lock-row.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { recordRefund } from "./record-refund.ts";
import { listShownRefunds, REFUND_KEY, refundNames } from "./shown-refunds.ts";

/** The tasks that keep Vendure's refunds as the service made them: those that Vendure shows as pending, and those that it does not show. */
export function createRefundTasks(checkout: () => VendureCheckout): readonly ScheduledTask[] {
  let searchedFrom: number | null = null;
  return [
    {
      name: "pending_refunds",
      firstDelayMs: pluginLimits.pendingRefundsEveryMs,
      intervalMs: pluginLimits.pendingRefundsEveryMs,
      run: () => updatePendingRefunds(checkout()),
    },
    {
      name: "missing_refunds",
      firstDelayMs: pluginLimits.missingRefundsEveryMs,
      intervalMs: pluginLimits.missingRefundsEveryMs,
      async run() {
        const now = Date.now();
        const from = searchedFrom ?? now - pluginLimits.missingRefundsSinceMs;
        const oldestOpen = await recordMissing(checkout(), from);
        searchedFrom = Math.min(oldestOpen, now - pluginLimits.missingRefundsOverlapMs);
      },
    },
  ];
}

async function recordMissing(checkout: VendureCheckout, from: number): Promise<number> {
  const { ledger, log, shopOf } = checkout;
  const host = {
    ledger,
    log,
    listShown: (payments: Parameters<typeof listShownRefunds>[1]) => listShownRefunds(checkout, payments),
    async record(refund: Parameters<typeof recordRefund>[1]) {
      const shop = shopOf(refund.ref.storeId);
      return shop && (await recordRefund(shop, refund));
    },
  };
  return await recordMissingRefunds(host, from);
}

async function updatePendingRefunds(checkout: VendureCheckout): Promise<void> {
  const { services } = checkout;
  const { connection, orders, contextOfAllOrders } = services;
  await endPendingRefunds(checkout, ourPendingRefunds(services), async ({ row }, as, refundId) => {
    await connection.withTransaction(await contextOfAllOrders(), async (transaction) => {
      // Another server may have updated the refund meanwhile.
      const locked = await lockRow(connection, transaction, VendureRefund, row.id);
      if (locked?.state !== "Pending") return;
      const state = as === "made" ? "Settled" : "Failed";
      await orders.transitionRefundToState(transaction, row.id, state, refundId ?? row.transactionId);
    });
  });
}

type PendingRow = { readonly row: VendureRefund; readonly names: readonly string[]; readonly paymentId: string };

// Only refunds with our key: the refunds of other payment methods may stay pending for months.
async function* ourPendingRefunds({
  connection,
  contextOfAllOrders,
}: VendureCheckout["services"]): AsyncGenerator<PendingRow> {
  const rows = connection.getRepository(await contextOfAllOrders(), VendureRefund);
  let lastId: string | number | null = null;
  for (;;) {
    const pending = rows
      .createQueryBuilder("refund")
      .innerJoinAndSelect("refund.payment", "payment")
      .where("refund.state = :state", { state: "Pending" })
      .andWhere("refund.metadata LIKE :key", { key: `%"${REFUND_KEY}"%` });
    const page = lastId === null ? pending : pending.andWhere("refund.id > :lastId", { lastId });
    const found: VendureRefund[] = await page
      .orderBy("refund.id", "ASC")
      .take(pluginLimits.pendingRefundsPerPage)
      .getMany();
    for (const row of found) yield { row, names: refundNames(row), paymentId: paymentIdOf(row.payment) ?? "" };
    if (found.length < pluginLimits.pendingRefundsPerPage) return;
    lastId = found.at(-1)?.id ?? null;
  }
}
