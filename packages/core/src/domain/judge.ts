import type { Finding, FindingCode } from "./finding.ts";
import { sameFinding } from "./finding.ts";
import { nextCheck } from "./limits.ts";
import { type Money, sameMoney } from "./money.ts";
import type { Order } from "./order.ts";
import { paidMoney } from "./paid-money.ts";
import type { Payment } from "./payment.ts";
import type { Refund } from "./refund.ts";
import type { SessionReading } from "./session-reading.ts";
import type { Verdict } from "./verdict.ts";

export type Evidence = {
  readonly payment: Payment;
  readonly reading: SessionReading;
  /** The order as the store tells it now; null: there is no such order; `unreadable`: its total is no amount the service takes. */
  readonly order: Order | "unreadable" | null;
  /** The other payments of the same order. */
  readonly siblings: readonly Payment[];
  readonly refunds: readonly Refund[];
  readonly now: number;
};

/**
 * Decides what is true of one payment. Pure and total: the only place where "paid" is decided.
 *
 * Paid means all of: the session read is the one stored for this payment, it is `completed`, amount and currency equal what
 * was sent and what the order asks now, the reference is ours, the environment, where said, is the credential's. What an
 * answer does not say is "not verifiable", never "fine".
 */
export function judge(evidence: Evidence): Verdict {
  const { payment, reading, order, siblings, now } = evidence;
  const ended = judgeEnded(evidence);
  if (ended) return ended;

  const again = nextCheck(payment, now) ?? now;
  if (payment.session === null) return { say: "lapsed", again };
  const unreadable = reading.id === undefined || reading.status === undefined;
  if (!unreadable && reading.status !== "completed") {
    // A status we do not know is not "paid": the service's lists of states are known to grow.
    return { say: reading.status === "expired" ? "lapsed" : "wait", again };
  }

  const finding = firstFinding(payment, serviceFindings(payment, reading));
  if (finding) return { say: "mismatch", finding };
  const paidBy = paidByAnother(payment, order, siblings);
  if (paidBy) return { say: "duplicate", paidBy };
  const changed = firstFinding(payment, orderFindings(payment, order));
  if (changed) return { say: "mismatch", finding: changed };

  return {
    say: "paid",
    receipt: {
      paymentId: payment.id,
      ref: payment.ref,
      attempt: payment.attempt,
      sessionId: payment.session.id,
      transactionId: reading.transactionId ?? payment.transactionId,
      paid: readMoney(payment, reading),
      total: order === null || order === "unreadable" ? payment.owed : order.total,
      environment: payment.environment,
    },
  };
}

/** Whether a reading alone says that this payment was paid as it was asked for; the order has its own say. */
export function saysPaid(payment: Payment, reading: SessionReading): boolean {
  return reading.status === "completed" && firstFinding(payment, serviceFindings(payment, reading)) === null;
}

/** What is found of an order that its shop tells as not payable; other words are the shop's own. */
export const NOT_PAYABLE = "cancelled, sold out or closed";

// What no reading can change any more.
function judgeEnded({ payment, order, siblings, refunds }: Evidence): Verdict | null {
  const returned = refunds
    .filter((refund) => refund.state === "completed")
    .reduce((sum, refund) => sum + refund.amount.minor, 0);
  if (returned >= paidMoney(payment).minor) return { say: "refunded" };
  if (payment.state === "refunding" || payment.state === "refunded") return { say: "refunded" };
  if (payment.state === "recorded") return { say: "settled" };
  // The payment that was first may have fallen since: then this one is judged anew, unless its money is on its way back.
  if (payment.state === "duplicate") {
    const paidBy = paidByAnother(payment, order, siblings);
    if (paidBy) return { say: "duplicate", paidBy };
    if (refunds.some(({ state }) => state !== "failed")) return { say: "duplicate", paidBy: "another payment" };
  }
  // A store that says "paid" is believed only once the service said so before it.
  const written = payment.state === "verified" || (payment.state === "review" && payment.storeTries > 0);
  return written && shownPayment(order) === payment.id ? { say: "settled" } : null;
}

function paidByAnother(payment: Payment, order: Evidence["order"], siblings: readonly Payment[]): string | null {
  const winner = siblings.find((other) => other.state === "verified" || other.state === "recorded");
  if (winner) return winner.id;
  const shown = shownPayment(order);
  return shown === payment.id ? null : shown;
}

function shownPayment(order: Evidence["order"]): string | null {
  return order === null || order === "unreadable" ? null : order.paidBy;
}

function firstFinding(payment: Payment, findings: readonly (Finding | null)[]): Finding | null {
  const waived = payment.waiver?.finding ?? null;
  return findings.find((finding) => finding !== null && !sameFinding(finding, waived)) ?? null;
}

function serviceFindings(payment: Payment, reading: SessionReading): (Finding | null)[] {
  return [
    missing("session id", reading.id),
    missing("status", reading.status),
    different("other_session", payment.session?.id, reading.id),
    missing("reference", reading.reference),
    different("other_reference", payment.reference, reading.reference),
    different("other_environment", payment.environment, reading.environment),
    different("other_account", payment.account ?? "the key's own account", reading.account),
    missing("amount", reading.wireAmount),
    missing("currency", reading.currency),
    different("currency_differs", payment.owed.currency, reading.currency),
    reading.wireAmount === payment.wireAmount
      ? null
      : { code: "amount_differs", expected: amount(payment.owed), found: amount(readMoney(payment, reading)) },
  ];
}

function orderFindings(payment: Payment, order: Evidence["order"]): (Finding | null)[] {
  const { owed } = payment;
  if (order === null) return [{ code: "order_gone", expected: payment.ref.orderId, found: "no such order" }];
  if (order === "unreadable") {
    return [{ code: "total_changed", expected: amount(owed), found: "a total that the service cannot take" }];
  }
  return [
    different("other_environment", payment.environment, order.environment),
    sameMoney(order.total, owed) ? null : { code: "total_changed", expected: amount(owed), found: amount(order.total) },
    // An order that shows this very payment is naturally no longer payable.
    order.payable || order.paidBy === payment.id
      ? null
      : { code: "order_not_payable", expected: "an order that can be paid", found: NOT_PAYABLE },
  ];
}

function missing(what: string, value: string | number | undefined): Finding | null {
  return value === undefined ? { code: "not_verifiable", expected: what, found: "not in the service's answer" } : null;
}

function different(
  code: FindingCode,
  expected: string | number | undefined,
  found: string | number | undefined,
): Finding | null {
  if (expected === undefined || found === undefined || expected === found) return null;
  // A reference is a signature: owners are told that it differs, not what it is.
  if (code === "other_reference")
    return { code, expected: "the reference of this payment", found: "another reference" };
  return { code, expected: String(expected), found: String(found) };
}

function amount({ minor, currency }: Money): string {
  return `${minor} ${currency}`;
}

// The factor between the service's unit and ours is the one this payment was sent with.
function readMoney(payment: Payment, reading: SessionReading): Money {
  const sent = payment.wireAmount;
  const minor = ((reading.wireAmount ?? sent) * payment.owed.minor) / sent;
  return { minor, currency: payment.owed.currency };
}
