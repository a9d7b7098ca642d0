import { refusalOf } from "../back-office/refusals.ts";
import { codeOf } from "../domain/checkout-error.ts";
import { equationsOf } from "../domain/equation.ts";
import type { Payment } from "../domain/payment.ts";
import { isRetryable, type Refusal } from "../domain/refusal.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements } from "../payments/gather-movements.ts";

/** Why the engine did not refund for a store, as a fact; null for an error that is none of the engine's answers. */
export async function whyRefused({ ledger, log }: Engine, payment: Payment, error: unknown): Promise<Refusal | null> {
  const sums = equationsOf(payment, await gatherMovements(ledger, payment.id));
  const why = refusalOf(error, null, { payment, sums });
  // A store that has booked the refund asks again every few seconds while an earlier refund has no result.
  const isUsual = why !== null && (isRetryable(why) || why.kind === "refund_repeated");
  const level = isUsual ? "info" : "warn";
  log[level]("refund.refused", { paymentId: payment.id, code: codeOf(error) });
  const [equation] = sums;
  const isAllBack = why?.kind === "no_money" && equation.received.minor > 0 && equation.available.minor <= 0;
  return isAllBack ? { kind: "nothing_left", equation } : why;
}
