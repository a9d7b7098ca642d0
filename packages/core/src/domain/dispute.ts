import type { Money } from "./money.ts";

/**
 * A cardholder disputes a payment at the bank. The service's API has no route that reads a dispute: this is what the service
 * reported in its signed events, and nothing more. It never changes an order, the state of a payment or its money.
 */
export type Dispute = {
  /** The service's own id, unique over all payments. */
  readonly id: string;
  readonly paymentId: string;
  readonly transactionId: string | null;
  /** What is disputed; null when no event named an exact amount of a currency we know. */
  readonly amount: Money | null;
  /** The service's code, such as `product_not_received`; `""` when it named none. Free of personal data. */
  readonly reason: string;
  readonly status: DisputeStatus;
  readonly outcome: DisputeOutcome | null;
  /** Until when the shop may send evidence; null when the service did not say. Milliseconds since 1970, as all times here. */
  readonly evidenceDueBy: number | null;
  readonly openedAt: number;
  /** When the service last changed it: events come in any order. */
  readonly updatedAt: number;
};

/** `pending`: undecided, the shop can still answer. `resolved` and `closed`: decided. */
export type DisputeStatus = "pending" | "resolved" | "closed";

/** Who won: `won` is the shop. */
export type DisputeOutcome = "won" | "lost";

export function isOpenDispute({ status }: Pick<Dispute, "status">): boolean {
  return status === "pending";
}

/**
 * Whether `next` takes the place of `known`. Of two reports of one moment the more final one wins, so that the order in
 * which events arrive makes no difference.
 */
export function isNewerDispute(next: Dispute, known: Dispute): boolean {
  if (next.updatedAt !== known.updatedAt) return next.updatedAt > known.updatedAt;
  return finalityOf(next) > finalityOf(known);
}

/** Whether both say the same, whenever they said it. */
export function sameDispute(left: Dispute, right: Dispute): boolean {
  return comparableText(left) === comparableText(right);
}

const FINALITY = { pending: 0, resolved: 2, closed: 4 } as const satisfies Record<DisputeStatus, number>;

function finalityOf({ status, outcome }: Dispute): number {
  return FINALITY[status] + (outcome === null ? 0 : 1);
}

function comparableText({ amount, reason, status, outcome, evidenceDueBy, transactionId }: Dispute): string {
  return JSON.stringify([amount?.minor, amount?.currency, reason, status, outcome, evidenceDueBy, transactionId]);
}
