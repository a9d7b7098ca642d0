import { confirmPayment } from "../confirm/confirm-payment.ts";
import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { Engine } from "../engine.ts";

/** Money may still arrive by these, or has arrived and the store does not show it yet. */
const UNSETTLED: readonly PaymentState[] = ["open", "superseded", "expired", "closed", "verified"];

export type ReconcileResult = {
  /** Orders that the store says are not settled. */
  readonly orders: number;
  /** Payments of them that were read anew. */
  readonly read: number;
  /** Of these, whose orders the store now shows as paid. */
  readonly paid: number;
  readonly unpaid: number;
  readonly failed: number;
};

/**
 * Asks a store which of its orders are not settled, and reads their payments anew, also those that nobody looks at any more.
 * For a daily sweep: a mistake of ours, of the service's or of the store's cannot hide longer than a day.
 *
 * @param since orders placed or changed after this, in milliseconds since 1970
 * @throws StoreError as the store's `listUnsettled` does; CheckoutError `store_not_known`
 */
export async function reconcileStore(engine: Engine, storeId: string, since: number): Promise<ReconcileResult> {
  const store = await engine.store(storeId);
  const result = { orders: 0, read: 0, paid: 0, unpaid: 0, failed: 0 };
  for await (const { ref } of store.listUnsettled?.(since) ?? []) {
    result.orders += 1;
    for (const payment of (await engine.ledger.siblings(ref)).filter(isUnsettled)) {
      if (result.read === limits.sweepReads) return result;
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
