import { equationsOf } from "../domain/equation.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import { refundPayment } from "../refunds/refund-payment.ts";

/** The states of a payment that does not count for its order. A payment that became paid meanwhile is not refunded. */
const CANNOT_COUNT: readonly PaymentState[] = ["review", "duplicate", "refunding"];

/**
 * Refunds what is left of a payment because the merchant configured it. Its key contains the number of refunds before it: a call after a failure,
 * or after a refund that left money because a dispute held it, makes another refund, and any other call repeats the last refund.
 *
 * @throws CheckoutError as refundPayment does
 */
export async function refundByRule(
  engine: Engine,
  payment: Payment,
  stillApplies: () => Promise<boolean>,
): Promise<Refund> {
  const firstKey = firstKeyOf(payment);
  const movements = await gatherMovements(engine.ledger, payment.id);
  const earlier = movements.refunds.filter(({ key }) => key.startsWith(firstKey));
  const [{ available }] = equationsOf(payment, movements);
  const last = earlier.at(-1);
  const isOver = last?.state === "failed" || (last?.state === "completed" && available.minor > 0);
  const existing = isOver ? undefined : last;
  const key = existing?.key ?? (last === undefined ? firstKey : `${firstKey}:${earlier.length + 1}`);
  const amount = existing?.amount ?? { ...available, minor: Math.max(0, available.minor) };
  const request = { paymentId: payment.id, key, amount, origin: "tillkit", allowedStates: CANNOT_COUNT } as const;
  return await refundPayment(engine, { ...request, stillApplies });
}

/** Whether an automatic refund of this payment has failed. The same rule would meet the same refusal again, so a person decides. */
export function hasRuleFailed(payment: Payment, refunds: readonly Refund[]): boolean {
  const firstKey = firstKeyOf(payment);
  return refunds.some(({ key, state }) => key.startsWith(firstKey) && state === "failed");
}

function firstKeyOf({ id }: Payment): string {
  return `rule:${id}`;
}
