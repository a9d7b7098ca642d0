import type { Money } from "./money.ts";

/**
 * A cardholder's dispute of a payment. The service's API has no route that reads a dispute, so this record holds only what
 * signed events reported (`packages/client/API.md#events`). A dispute never changes an order or a payment's state; while it is open
 * or lost, its money counts as gone (`equation.ts`).
 */
export type Dispute = {
  /** The service's id, unique over all payments. */
  readonly id: string;
  readonly paymentId: string;
  readonly transactionId: string | null;
  /** The disputed amount; null while no event has reported an exact amount in a supported currency. */
  readonly amount: Money | null;
  /** The service's reason code, such as `product_not_received`; `""` when the service reported none. No personal data. */
  readonly reason: string;
  readonly status: DisputeStatus;
  readonly outcome: DisputeOutcome | null;
  /** The deadline for the merchant's evidence; null when the service reported none. Milliseconds since 1970, as all times here. */
  readonly evidenceDueBy: number | null;
  readonly openedAt: number;
  /** When the service last changed the dispute. It decides which event is newer, because events arrive in any order. */
  readonly updatedAt: number;
};

/** What a sentence about a dispute says. */
export type DisputeFacts = Pick<Dispute, "amount" | "reason" | "status" | "outcome" | "evidenceDueBy">;

export function disputeFacts({ amount, reason, status, outcome, evidenceDueBy }: Dispute): DisputeFacts {
  return { amount, reason, status, outcome, evidenceDueBy };
}

/** `pending`: undecided, and the merchant can still send evidence. `resolved` and `closed`: decided. */
export type DisputeStatus = "pending" | "resolved" | "closed";

/** `won`: the merchant won the dispute. */
export type DisputeOutcome = "won" | "lost";

export function isOpenDispute({ status }: Pick<Dispute, "status">): boolean {
  return status === "pending";
}

/** Whether the time for the merchant's evidence has passed. @param now in milliseconds since 1970 */
export function isPastDeadline({ evidenceDueBy }: Pick<Dispute, "evidenceDueBy">, now: number): boolean {
  return evidenceDueBy !== null && evidenceDueBy < now;
}

/** Whether the dispute has taken its money back. A dispute that ended without an outcome counts as lost until an event or a person says won. */
export function isLostDispute({ status, outcome }: Pick<Dispute, "status" | "outcome">): boolean {
  return !isOpenDispute({ status }) && outcome !== "won";
}

/**
 * Whether `next` replaces `known`. If both have the same time, the more final report wins, so the result does not depend on the
 * order in which events arrive.
 */
export function isNewerDispute(next: Dispute, known: Dispute): boolean {
  if (next.updatedAt !== known.updatedAt) return next.updatedAt > known.updatedAt;
  return finalityOf(next) > finalityOf(known);
}

/** Whether both reports have the same content; their times are not compared. */
export function sameDispute(left: Dispute, right: Dispute): boolean {
  return comparableText(left) === comparableText(right);
}

/** The steps leave room between them: a known outcome adds 1. */
const FINALITY = { pending: 0, resolved: 2, closed: 4 } as const satisfies Record<DisputeStatus, number>;

function finalityOf({ status, outcome }: Dispute): number {
  return FINALITY[status] + (outcome === null ? 0 : 1);
}

function comparableText({ amount, reason, status, outcome, evidenceDueBy, transactionId }: Dispute): string {
  return JSON.stringify([amount?.minor, amount?.currency, reason, status, outcome, evidenceDueBy, transactionId]);
}
