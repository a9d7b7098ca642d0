import { equationsOf } from "../domain/equation.ts";
import type { Money } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import { isPaying } from "../domain/payment-states.ts";
import { isInDoubt } from "../domain/refund.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";
import { refusedAs, requestStoreRefund, type StoreRefundAnswer, type StoreRefundHost } from "./request-refund.ts";
import { isTryOf, nextTryOf } from "./shown-refund.ts";

/**
 * Refunds what is left of a payment whose order the store has canceled. After a failed refund the next call sends a new one under a new key; every
 * other call repeats the last one. Disputed money stays where it is: the bank decides about it. Null: the payment pays no order, or nothing is
 * left of it.
 *
 * @param key of the cancellation
 */
export async function requestRest(
  host: StoreRefundHost,
  payment: Payment,
  key: string,
): Promise<StoreRefundAnswer | null> {
  const movements = await gatherMovements(host.engine.ledger, payment.id);
  const tries = movements.refunds.filter((refund) => refund.key === key || isTryOf(refund.key, key));
  if (!isPaying(payment) && tries.length === 0) return null;
  if (movements.refunds.some((refund) => !tries.includes(refund) && isInDoubt(refund)))
    return refusedAs({ kind: "refund_unknown" });
  const last = tries.find(({ state }) => state !== "failed");
  // A further transaction of the session is the shopper's: its money pays no order and goes back by itself.
  const amount = last?.amount ?? equationsOf(payment, movements)[0].available;
  if (amount.minor <= 0) return null;
  const next = { key: last?.key ?? (tries.length === 0 ? key : nextTryOf(key, tries)), amount };
  return await requestStoreRefund(host, CANCELED, payment, { ...next, askedAt: host.engine.clock.now() });
}

const CANCELED = { keys: "stable", pending: "shown", shownByStore: true, list: async () => null } as const;

/**
 * What may go back of a payment whose order is canceled, where the store still counts this amount. A store knows of no dispute: of a disputed
 * payment, what no dispute holds.
 */
export async function refundableRest(ledger: PaymentLedger, payment: Payment, counted: Money): Promise<Money> {
  const [{ disputed, available }] = equationsOf(payment, await gatherMovements(ledger, payment.id));
  return disputed.minor > 0 && available.minor < counted.minor ? available : counted;
}
