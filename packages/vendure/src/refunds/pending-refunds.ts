import { codeOf } from "@tillkit/core";
import type { ScheduledTask } from "@tillkit/runtime";
import { Refund as VendureRefund } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { lockRow } from "../order/lock-row.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { REFUND_KEY, refundKeyOf } from "./refund-metadata.ts";

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
  for await (const row of ourPendingRefunds(checkout)) {
    const paymentId = paymentIdOf(row.payment);
    const refunds = paymentId === null ? [] : await checkout.ledger.refunds(paymentId);
    const refund = refunds.find(({ key }) => key === refundKeyOf(row));
    if (refund?.state !== "completed" && refund?.state !== "failed") continue;
    const state = refund.state === "completed" ? "Settled" : "Failed";
    await endVendureRefund(checkout, row.id, state, refund.refundId ?? row.transactionId).catch((error: unknown) =>
      checkout.log.warn("refund.not_updated", { paymentId: paymentId ?? "", code: codeOf(error) }),
    );
  }
}

// Only refunds with our key: the refunds of other payment methods may stay pending for months.
async function* ourPendingRefunds({
  services: { connection, contextOfAllOrders },
}: VendureCheckout): AsyncGenerator<VendureRefund> {
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
    yield* found;
    if (found.length < pluginLimits.pendingRefundsPerPage) return;
    lastId = found.at(-1)?.id ?? null;
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
