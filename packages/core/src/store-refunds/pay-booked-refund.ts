import { isHeld } from "../back-office/offers.ts";
import { limits } from "../domain/limits.ts";
import { type Money, sameMoney } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import { type Refund, tellableFrom } from "../domain/refund.ts";
import type { Refusal } from "../domain/refusal.ts";
import type { Engine } from "../engine.ts";
import { shownPayment } from "../payments/shown-payment.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";
import type { StoreRefunds } from "../ports/store-refunds.ts";
import { syncRefunds } from "../refunds/sync-refunds.ts";
import { requestStoreRefund, type StoreRefundHost } from "./request-refund.ts";
import { isNamed } from "./shown-refund.ts";

/** A refund that a store has booked already, under a key that never changes. */
export type BookedRefund = {
  readonly key: string;
  /** The refund of ours whose record this one is, by our key or the service's id. Empty: a person made it in the store. */
  readonly names: readonly string[];
  /** Whether an older refund of the store has the same names. A refund of ours has one record, and a person may copy what names it. */
  readonly isNamedBefore: boolean;
  /** Of our payment method alone; null: nothing, or not one currency. */
  readonly amount: Money | null;
  /** Milliseconds since 1970; 0: the store does not say, so it may be of any age. */
  readonly bookedAt: number;
};

/**
 * `undecided`: the money is held or a duplicate, and a person decides about it first. `made_at_service`: somebody refunded the same amount at the
 * service after the store had booked it. `names_another`: it names a refund of ours that it is no record of.
 */
export type UnpaidWhy = { readonly kind: "undecided" | "made_at_service" | "names_another" } | Refusal;

/** `unpaid` is the owner's task: the store shows a refund, and no money goes. */
export type BookedAnswer =
  | { readonly kind: "nothing_to_pay" | "paid" | "waits_for_another" }
  | { readonly kind: "waits"; readonly payment: Payment; readonly refund: Refund; readonly isLongInDoubt: boolean }
  | { readonly kind: "unpaid"; readonly payment: Payment; readonly why: UnpaidWhy };

/**
 * Pays a refund that a store has booked, once, however often and from wherever it is told of it.
 *
 * @param payments all payments of the order
 * @throws every error that another try may solve
 */
export async function payBookedRefund(
  host: StoreRefundHost,
  payments: readonly Payment[],
  booked: BookedRefund,
): Promise<BookedAnswer> {
  const { engine } = host;
  const { key, amount } = booked;
  const payment = await paymentOfRefund(engine.ledger, payments, key);
  const undecided = payments.find(isHeld);
  const owed = payment ?? undecided;
  if (!owed || amount?.currency !== owed.amountDue.currency) return { kind: "nothing_to_pay" };
  const named = await refundThatIsNamed(engine, payments, booked);
  if (named !== null) return answerForNamed(owed, named, { ...booked, amount });
  if (!payment) return { kind: "unpaid", payment: owed, why: { kind: "undecided" } };
  const late = await compareLate(engine, payments, payment, { ...booked, amount });
  if (late === "made_at_service") return { kind: "unpaid", payment, why: { kind: late } };
  if (late !== "unpaid") return answerForNamed(payment, late, { ...booked, amount });
  return await pay(host, payment, key, amount);
}

/** The payment that already has a refund with this key, whatever its state, else the payment that the order shows. */
export async function paymentOfRefund(
  ledger: Pick<PaymentLedger, "refunds">,
  payments: readonly Payment[],
  key: string,
): Promise<Payment | null> {
  for (const payment of payments) {
    if ((await ledger.refunds(payment.id)).some((refund) => refund.key === key)) return payment;
  }
  return shownPayment(payments);
}

/** Those of the keys under which an order shows refunds that nobody has sent. `payments`: all payments of the order. */
export async function unsentKeys(
  ledger: Pick<PaymentLedger, "refunds">,
  payments: readonly Payment[],
  keys: readonly string[],
): Promise<readonly string[]> {
  const known = (await Promise.all(payments.map(({ id }) => ledger.refunds(id)))).flat();
  return keys.filter((key) => !known.some((refund) => isNamed({ names: [key] }, refund)));
}

async function refundThatIsNamed(
  { ledger }: Engine,
  payments: readonly Payment[],
  booked: BookedRefund,
): Promise<Refund | null> {
  if (booked.names.length === 0) return null;
  const refunds = (await Promise.all(payments.map(({ id }) => ledger.refunds(id)))).flat();
  return refunds.find((refund) => refund.origin !== "store" && isNamed(booked, refund)) ?? null;
}

// We recorded it in the store because the service had made it: paying it would refund twice. Whether a refund that only looks like that record
// must be paid, a person knows.
function answerForNamed(
  payment: Payment,
  named: Refund,
  { amount, isNamedBefore }: BookedRefund & { readonly amount: Money },
): BookedAnswer {
  // Zero: the service reported no exact amount.
  const isRecord = !isNamedBefore && (named.amount.minor === 0 || sameMoney(named.amount, amount));
  return isRecord ? { kind: "nothing_to_pay" } : { kind: "unpaid", payment, why: { kind: "names_another" } };
}

// A refund that stayed unpaid for long may have been made at the service meanwhile. After the database was restored from a backup, we
// ourselves may have paid it.
async function compareLate(
  engine: Engine,
  payments: readonly Payment[],
  payment: Payment,
  booked: BookedRefund & { readonly amount: Money },
): Promise<"unpaid" | "made_at_service" | Refund> {
  const { key, bookedAt, amount } = booked;
  if (engine.clock.now() - bookedAt < limits.promptRefundMs) return "unpaid";
  if ((await engine.ledger.refunds(payment.id)).some((refund) => isNamed({ names: [key] }, refund))) return "unpaid";
  const refunds = await syncRefunds(engine, payment.id);
  const named = await refundThatIsNamed(engine, payments, booked);
  if (named !== null) return named;
  const isMade = refunds.some(({ origin, state, amount: other, requestedAt }) => {
    // A refund whose time the service does not tell has the time of its payment.
    const isNewEnough = requestedAt >= bookedAt - limits.serviceClockSkewMs || requestedAt === payment.createdAt;
    // Zero: the service reported no exact amount, so this refund may be the one.
    return origin !== "store" && state !== "failed" && isNewEnough && (other.minor === 0 || sameMoney(other, amount));
  });
  return isMade ? "made_at_service" : "unpaid";
}

/** A store that has booked a refund repeats its key until the refund is paid. It may show nothing, so the ledger's refunds count. */
const BOOKED: StoreRefunds = { keys: "stable", pending: "shown", list: async () => null };

async function pay(host: StoreRefundHost, payment: Payment, key: string, amount: Money): Promise<BookedAnswer> {
  const { engine } = host;
  const now = engine.clock.now();
  const answer = await requestStoreRefund(host, BOOKED, payment, { key, amount, askedAt: now });
  if (answer.kind === "made") return { kind: "paid" };
  if (answer.kind === "refused") {
    const { why, retryable, error } = answer;
    // An earlier refund of the payment has no answer yet. This one is another decision.
    if (why.kind === "refund_in_doubt") return { kind: "waits_for_another" };
    if (retryable) throw error;
    return { kind: "unpaid", payment, why };
  }
  const { refund, kind } = answer;
  await syncRefunds(engine, payment.id);
  const isLong = engine.clock.now() >= tellableFrom(refund);
  return { kind: "waits", payment, refund, isLongInDoubt: kind === "unknown" && isLong };
}
