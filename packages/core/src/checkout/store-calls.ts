import { CheckoutError, codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Order } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import { type StoreAdapter, StoreError, type StoreErrorCode } from "../ports/store-adapter.ts";
import { withDeadline } from "./deadline.ts";
import type { Engine } from "./engine.ts";

/** Every call to a store is bounded: what is not answered in time may have landed. */
export function askStore<Value>(engine: Engine, work: Promise<Value>): Promise<Value> {
  const seconds = limits.storeCallMs / 1_000;
  return withDeadline(
    engine.clock,
    limits.storeCallMs,
    work,
    () => new StoreError("unknown", `The store did not answer within ${seconds} seconds.`),
  );
}

export async function findOrder(engine: Engine, payment: Payment): Promise<Order | null> {
  const store = await engine.store(payment.ref.storeId);
  return await askStore(engine, store.findOrder(payment.ref, payment.attempt));
}

/** An error without one of our codes may have happened after the effect: `unknown`. */
export function storeErrorCode(error: unknown): StoreErrorCode {
  const code = codeOf(error);
  return code === "unavailable" || code === "reconnect" ? code : "unknown";
}

/**
 * When the next write to this order may start. On a read-then-write store a request whose answer was lost may still be
 * under way: an adapter may read before it writes, so the request may have left as late as `storeCallMs` after the call,
 * and lives for `settleAfterMs` from then on, whichever payment of the order it was for.
 */
export function writableAt(store: StoreAdapter, payments: readonly Payment[]): number {
  const { writes } = store;
  if (writes.kind === "conditional") return 0;
  return Math.max(
    0,
    ...payments.map(({ storeWriteAt }) =>
      storeWriteAt === null ? 0 : storeWriteAt + limits.storeCallMs + writes.settleAfterMs,
    ),
  );
}

export async function mustFind(engine: Engine, paymentId: string): Promise<Payment> {
  const payment = await engine.ledger.find({ id: paymentId });
  if (!payment) throw new CheckoutError("payment_not_found", "There is no such payment: start again from the shop.");
  return payment;
}
