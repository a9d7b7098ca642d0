import { codeOf } from "@tillkit/core";
import type { ScheduledTask } from "@tillkit/runtime";
import { Refund as VendureRefund } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { lockRow } from "../order/lock-row.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { REFUND_KEY } from "./send-refund.ts";

/** The task that settles or fails Vendure's pending refunds when the ledger knows how the refunds ended. */
export function createPendingRefundsTask(checkout: () => VendureCheckout): ScheduledTask {
  return {
    name: "pending_refunds",
    firstDelayMs: pluginLimits.pendingRefundsEveryMs,
    intervalMs: pluginLimits.pendingRefundsEveryMs,
    run: () => updatePendingRefunds(checkout()),
  };
}

async function updatePendingRefunds(checkout: VendureCheckout): Promise<void> {
  const { services, ledger, log } = checkout;
  const context = await services.contextOfAllOrders();
  const pending = await services.connection.getRepository(context, VendureRefund).find({
    where: { state: "Pending" },
    relations: ["payment"],
    take: pluginLimits.pendingRefunds,
  });
  for (const row of pending) {
    const key = row.metadata?.[REFUND_KEY];
    const paymentId = paymentIdOf(row.payment);
    const refunds = paymentId === null ? [] : await ledger.refunds(paymentId);
    const refund = refunds.find((candidate) => candidate.key === key);
    if (refund?.state !== "completed" && refund?.state !== "failed") continue;
    const state = refund.state === "completed" ? "Settled" : "Failed";
    await endVendureRefund(checkout, row.id, state, refund.refundId ?? row.transactionId).catch((error: unknown) =>
      log.warn("refund.not_updated", { paymentId: paymentId ?? "", code: codeOf(error) }),
    );
  }
}

async function endVendureRefund(
  { services: { connection, orders, contextOfAllOrders } }: VendureCheckout,
  id: string | number,
  state: "Settled" | "Failed",
  transactionId: string,
): Promise<void> {
  await connection.withTransaction(await contextOfAllOrders(), async (transaction) => {
    // Another server may have updated the refund meanwhile.
    const row = await lockRow(connection, transaction, VendureRefund, id);
    if (row?.state === "Pending") await orders.transitionRefundToState(transaction, id, state, transactionId);
  });
}
