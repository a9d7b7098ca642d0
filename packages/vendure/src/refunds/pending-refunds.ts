import { codeOf } from "@tillkit/core";
import type { ScheduledTask } from "@tillkit/runtime";
import { Refund as VendureRefund } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { lockRow } from "../order/lock-row.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { REFUND_KEY } from "./send-refund.ts";

/** Settles or fails the pending refunds of Vendure as soon as the service has said how they ended. */
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
    const ended = refunds.find((refund) => refund.key === key);
    if (ended?.state !== "completed" && ended?.state !== "failed") continue;
    const state = ended.state === "completed" ? "Settled" : "Failed";
    await end(checkout, row.id, state, ended.refundId ?? row.transactionId).catch((error: unknown) =>
      log.warn("refund.not_updated", { paymentId: paymentId ?? "", code: codeOf(error) }),
    );
  }
}

async function end(
  { services: { connection, orders, contextOfAllOrders } }: VendureCheckout,
  id: string | number,
  state: "Settled" | "Failed",
  transactionId: string,
): Promise<void> {
  await connection.withTransaction(await contextOfAllOrders(), async (transaction) => {
    // Another server may have updated it meanwhile.
    const row = await lockRow(connection, transaction, VendureRefund, id);
    if (row?.state === "Pending") await orders.transitionRefundToState(transaction, id, state, transactionId);
  });
}
