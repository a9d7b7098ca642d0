import type { Environment, RefundList, RefundReading, SessionReading, TransactionReading } from "@tillkit/core";
import type { RefundQuirks } from "./hazards/hazards.ts";

/** A session at the service. Amounts are in the unit of the service's API, times in milliseconds since 1970. */
export type SimulatedSession = {
  readonly id: string;
  /** The session's Idempotency-Key, which is the payment's id. */
  readonly key: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly metadata: Readonly<Record<string, string>>;
  completedAt: number | null;
  readonly requestedTerms: SessionTerms;
  /** The terms that were paid. A wrong payment differs from the requested terms. */
  paidTerms: SessionTerms;
};

export type SessionTerms = {
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly account: string | null;
  readonly environment: Environment;
};

export type SimulatedRefund = {
  readonly id: string;
  readonly key: string | null;
  readonly session: SimulatedSession;
  readonly amount: number;
  readonly createdAt: number;
  /** Where refunds are hidden or unreadable, those with the lowest numbers are hidden and those with the highest are unreadable. From 0 to 1. */
  readonly place: number;
  /** The answer to its request was lost, and repetitions are rejected. */
  isLost: boolean;
  status: RefundReading["status"];
  completedAt: number | null;
};

/** The id of the transaction that pays the session. */
export function transactionOf({ id }: SimulatedSession): string {
  return `tx_${withoutPrefix(id)}`;
}

function withoutPrefix(sessionId: string): string {
  return sessionId.slice("cs_".length);
}

export function statusOf({ expiresAt }: SimulatedSession, isPaid: boolean, now: number): string {
  if (isPaid) return "completed";
  return now >= expiresAt ? "expired" : "open";
}

export function sessionReading({ amount, account, ...terms }: SessionTerms): SessionReading {
  return { ...terms, wireAmount: amount, ...(account === null ? {} : { account }) };
}

/** A reading that lacks the session's currency and environment. */
export function withoutDetails({ id, status, wireAmount, reference, account }: SessionReading): SessionReading {
  return { id, status, wireAmount, reference, account };
}

export function declinedTransactionOf({ id }: SimulatedSession): string {
  return `tx_declined_${withoutPrefix(id)}`;
}

export function refundReading({ id, status, amount, createdAt }: SimulatedRefund): RefundReading {
  return { id, status, wireAmount: amount, createdAt };
}

/** The rows of a list of refunds. A list whose rows are counted is incomplete where one is skipped. */
export function refundRows(
  refunds: readonly SimulatedRefund[],
  { hiddenRefunds, unreadableRefunds, refundClockMs }: RefundQuirks,
): RefundList {
  const shown = refunds.filter(({ place }) => place >= hiddenRefunds);
  const isSkipping = refunds.some(({ place, status }) => place < hiddenRefunds && status === "pending");
  const rows = shown.map((refund) => {
    const { wireAmount, ...row } = refundReading({ ...refund, createdAt: refund.createdAt + refundClockMs });
    return 1 - refund.place <= unreadableRefunds ? row : { ...row, wireAmount };
  });
  return { refunds: rows, unassigned: [], isComplete: !isSkipping };
}

export function transactionReading(session: SimulatedSession): TransactionReading {
  const { amount, currency, reference } = session.paidTerms;
  return {
    id: transactionOf(session),
    sessionId: session.id,
    reference,
    signedOrder: session.metadata.tillkit_order,
    wireAmount: amount,
    currency,
    refundedAmount: 0,
    status: "completed",
    // A transaction begins before the session expires, but may end later.
    createdAt: Math.min(session.completedAt ?? session.expiresAt, session.expiresAt),
  };
}

export function declinedReading(session: SimulatedSession): TransactionReading {
  return { ...transactionReading(session), id: declinedTransactionOf(session), status: "failed" };
}
