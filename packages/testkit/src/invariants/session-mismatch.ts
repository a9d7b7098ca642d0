import { type Finding, limits, type Money, type Payment, sameFinding, sameMoney } from "@tillkit/core";
import type { OrderEvidence, SessionEvidence } from "./evidence.ts";

/** The paid amount in minor units. The service reports its own unit; the payment's amount due and wire amount give the ratio. */
function paidMoney(session: SessionEvidence, payment: Payment): Money {
  return { minor: (session.wireAmount * payment.amountDue.minor) / payment.wireAmount, currency: session.currency };
}

/**
 * Returns the first difference between the session, the payment and the order's total, or null. The text follows "was paid" in a
 * sentence. `total` is null if the owner set a total with more decimals than the currency has.
 */
export function sessionMismatch(session: SessionEvidence, payment: Payment, total: Money | null): string | null {
  if (session.reference !== payment.reference) return "under another reference";
  if (session.account !== payment.account) return "to another account";
  if (session.environment !== payment.environment) return "in another environment";
  const paid = paidMoney(session, payment);
  const { amountDue } = payment;
  if (paid.currency !== amountDue.currency) return `in ${paid.currency} instead of ${amountDue.currency}`;
  if (paid.minor !== amountDue.minor && !isWaived(payment, difference("amount_differs", amountDue, paid))) {
    return `with ${text(paid)} instead of ${text(amountDue)}`;
  }
  if (total !== null && sameMoney(total, amountDue)) return null;
  if (total === null) return `for ${text(amountDue)}, when the order cost no exact amount`;
  if (isWaived(payment, difference("total_changed", amountDue, total))) return null;
  return `for ${text(amountDue)}, when the order cost ${text(total)}`;
}

/** The order's final total. */
export function lastTotal({ totals }: OrderEvidence): Money | null {
  return totals.at(-1)?.total ?? null;
}

/**
 * The totals that the order may have had when a write was sent that took effect at `at`. A read-then-write store cannot reject a
 * write that is in flight while the owner edits the order.
 */
export function totalsSeenBy({ writes, totals }: OrderEvidence, at: number, isAxiomBroken = false): readonly Money[] {
  // A store that finishes after the longest time that it declared may write what was right long ago.
  const longestMs = isAxiomBroken ? Number.POSITIVE_INFINITY : settleMs(writes);
  const since = at - longestMs;
  return totals
    .filter(({ from }, index) => from <= at && (totals[index + 1]?.from ?? Number.POSITIVE_INFINITY) >= since)
    .map(({ total }) => total);
}

function settleMs(writes: OrderEvidence["writes"]): number {
  return writes.kind === "conditional" ? 0 : limits.storeCallMs + writes.settleAfterMs + limits.clockSkewMs;
}

function isWaived({ waiver }: Payment, finding: Finding): boolean {
  return waiver !== null && sameFinding(waiver.finding, finding);
}

function difference(code: "amount_differs" | "total_changed", expected: Money, found: Money): Finding {
  return { code, expected, found };
}

function text({ minor, currency }: Money): string {
  return `${minor} ${currency}`;
}
