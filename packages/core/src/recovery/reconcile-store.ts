import { confirmPayment } from "../confirm/confirm-payment.ts";
import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { Engine } from "../engine.ts";

/** Payments in these states may still be paid, or are paid and missing from the store. */
const UNSETTLED: readonly PaymentState[] = ["open", "superseded", "expired", "closed", "verified"];

export type ReconcileResult = {
  /** How many orders the store lists as unsettled. */
  readonly orders: number;
  /** How many payments of these orders were confirmed again. */
  readonly read: number;
  /** How many of the confirmed payments the store now shows. */
  readonly paid: number;
  readonly unpaid: number;
  readonly failed: number;
};

/**
 * Confirms the payments of all orders that a store lists as unsettled, including payments without scheduled reads. Run it daily,
 * so that a fault of any system is corrected within a day.
 *
 * @param since orders placed or changed after this, in milliseconds since 1970
 * @throws StoreError as the store's `listUnsettled` does; CheckoutError `store_not_known`
 */
export async function reconcileStore(engine: Engine, storeId: string, since: number): Promise<ReconcileResult> {
  const store = await engine.store(storeId);
  const result = { orders: 0, read: 0, paid: 0, unpaid: 0, failed: 0 };
  for await (const { ref } of store.listUnsettled?.(since) ?? []) {
    result.orders += 1;
    for (const payment of (await engine.ledger.paymentsOfOrder(ref)).filter(isUnsettled)) {
      if (result.read === limits.maxReconcileReads) return result;
      result.read += 1;
      result[await confirmAgain(engine, payment)] += 1;
    }
  }
  return result;
}

function isUnsettled({ state, session }: Payment): boolean {
  return session !== null && UNSETTLED.includes(state);
}

async function confirmAgain(engine: Engine, { id }: Payment): Promise<"paid" | "unpaid" | "failed"> {
  try {
    const { status } = await confirmPayment(engine, id, { actor: "timer" });
    return status === "paid" ? "paid" : "unpaid";
  } catch (error) {
    engine.log.warn("reconcile.failed", { paymentId: id, code: codeOf(error) });
    return "failed";
  }
}
