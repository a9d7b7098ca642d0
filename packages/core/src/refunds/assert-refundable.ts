import { CheckoutError } from "../domain/checkout-error.ts";
import { type Equation, isRefundableIn, mostRefundable, overDisputeOf } from "../domain/equation.ts";
import { limits } from "../domain/limits.ts";
import { formatMoney, type Money, money, sameMoney } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import { ARRIVED_STATES } from "../domain/payment-states.ts";
import type { Engine } from "../engine.ts";
import { writeSettlesAt } from "../stores/call-store.ts";
import type { RefundRequest } from "./refund-payment.ts";

// The page on which a person decides, at the end of a sentence.
export function decisionLink({ decisionUrl }: Engine, payment: Payment): string {
  const url = decisionUrl(payment);
  return url === null ? "." : `: ${url}`;
}

/** The address of the original if the host of this ledger runs elsewhere; null if it is the original, or names no address of its own. */
export async function originalOfHost({
  installations,
  publicUrl,
}: Pick<Engine, "installations" | "publicUrl">): Promise<string | null> {
  return publicUrl === null ? null : await installations.originalOf("", publicUrl);
}

/** A copy of the shop's database has all its keys, and its refunds would be real. @throws CheckoutError `installation_unknown` (retryable) */
export async function assertOriginal(engine: Engine): Promise<void> {
  const original = await originalOfHost(engine);
  if (original === null) return;
  const message = `This looks like a copy of ${original}: nothing is refunded or decided until a person has said whether the shop moved.`;
  const retryAt = engine.clock.now() + limits.blockedCheckMs;
  throw new CheckoutError("installation_unknown", message, { retryable: true, retryAt });
}

/** @throws CheckoutError `refund_not_possible`, `amount_invalid` */
export function assertState(payment: Payment, { amount, transactionId, allowedStates }: RefundRequest): void {
  money(amount.minor, amount.currency);
  // A further transaction of the session is the shopper's, also after the one that paid the session was refunded.
  const isRefundable =
    ARRIVED_STATES.has(payment.state) && (transactionId !== undefined || payment.state !== "refunded");
  if (allowedStates && !allowedStates.includes(payment.state) && isRefundable) {
    throw new CheckoutError("refund_not_possible", "This payment counts for its order now: refund it in the shop.");
  }
  if (!isRefundable) throw noMoneyError();
}

function noMoneyError(): CheckoutError {
  const message = "This payment cannot be refunded: no money arrived in this currency.";
  return new CheckoutError("refund_not_possible", message);
}

/** While the order may still be marked paid by our own write, nobody knows whether it shows this payment. @throws CheckoutError `write_in_flight` */
export async function assertWriteSettled(engine: Engine, payment: Payment): Promise<void> {
  if (payment.state !== "verified" || payment.storeWriteAt === null) return;
  const settlesAt = writeSettlesAt(await engine.store(payment.ref.storeId), payment);
  if (settlesAt === null || engine.clock.now() >= settlesAt) return;
  const message = "The shop is still being told of this payment: refund it in a few minutes.";
  throw new CheckoutError("write_in_flight", message, { retryable: true });
}

/** @throws CheckoutError `refund_too_large`, `refund_over_dispute`, `refund_not_possible`, `amount_invalid` */
export function assertAmount(
  engine: Engine,
  payment: Payment,
  equation: Equation,
  { amount, overDispute }: RefundRequest,
): Money {
  const exact = money(amount.minor, amount.currency);
  if (!isRefundableIn(exact.currency, payment, equation)) throw noMoneyError();
  const { available } = equation;
  if (exact.minor > 0 && exact.minor <= available.minor) return exact;
  const over = overDisputeOf(equation);
  if (over !== null && exact.minor > 0 && exact.minor <= over.atMost.minor) {
    if (overDispute !== undefined && sameMoney(overDispute, over.disputed)) return exact;
    const message = `${sumsText(equation)} A person may confirm a refund of more`;
    throw new CheckoutError("refund_over_dispute", `${message}${decisionLink(engine, payment)}`);
  }
  throw new CheckoutError(
    "refund_too_large",
    `At most ${formatMoney(mostRefundable(equation), "en")} can be refunded.`,
  );
}

function sumsText({ received, returned, leaving, disputed, available }: Equation): string {
  const [arrived, back, onItsWay, taken, left] = [received, returned, leaving, disputed, available].map((sum) =>
    formatMoney(sum, "en"),
  );
  return `${arrived} arrived, ${back} went back, ${onItsWay} is on its way back and ${taken} is disputed, so ${left} is left.`;
}
