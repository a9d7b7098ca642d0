import type { Environment, RefundReading, SessionReading } from "@tillkit/core";
import type { RefundList, TransactionReading } from "@tillkit/core/hosts";
import type { RefundQuirks } from "./hazards/hazards.ts";
import type { Naming } from "./hazards/money-hazards.ts";

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
  /** The completed transactions, oldest first. */
  readonly transactions: SimulatedTransaction[];
};

export type SessionTerms = {
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly account: string | null;
  readonly environment: Environment;
};

/** A completed transaction: of one of our sessions, or of another integration on the same key. */
export type SimulatedTransaction = {
  readonly id: string;
  /** `txn_…`: the short id. */
  readonly code: string;
  /** Null: a stranger's money. */
  readonly session: SimulatedSession | null;
  readonly amount: number;
  readonly currency: string;
  readonly account: string | null;
  readonly completedAt: number;
};

export type SimulatedRefund = {
  readonly id: string;
  readonly key: string | null;
  /** The body of its request; empty for a refund of the dashboard. */
  readonly request: string;
  readonly transaction: SimulatedTransaction;
  readonly amount: number;
  /** The `reason` of its request as the service kept it. */
  readonly reason: string | undefined;
  readonly createdAt: number;
  /** Where refunds are hidden or unreadable, those with the lowest numbers are hidden and those with the highest are unreadable. From 0 to 1. */
  readonly place: number;
  /** The answer to its request was lost, and repetitions are rejected. */
  isLost: boolean;
  status: RefundReading["status"];
  completedAt: number | null;
};

/** The id of the transaction that pays the session. */
function transactionOf({ id }: Pick<SimulatedSession, "id">): string {
  return `tx_${withoutPrefix(id)}`;
}

/** A completed transaction of the session. The first one pays it. */
export function transactionFor(session: SimulatedSession, now: number): SimulatedTransaction {
  const number = session.transactions.length + 1;
  const id = number === 1 ? transactionOf(session) : `${transactionOf(session)}-${number}`;
  const { amount, currency } = session.paidTerms;
  const { account } = session.requestedTerms;
  return { id, code: codeFor(id), session, amount, currency, account, completedAt: now };
}

export function codeFor(transactionId: string): string {
  return `txn_${transactionId.slice("tx_".length).replaceAll("-", "_")}`;
}

/** The text by which events and the rows of refunds name the transaction. */
export function nameOf({ id, code }: SimulatedTransaction, { elsewhere }: Naming): string {
  return elsewhere === "id" ? id : code;
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

export function refundReading(
  { id, status, amount, createdAt, reason, transaction }: SimulatedRefund,
  naming: Naming,
): RefundReading {
  return { id, status, wireAmount: amount, createdAt, reason, transactionId: nameOf(transaction, naming) };
}

/** The rows of a list of refunds. A list whose rows are counted is incomplete where one is skipped. */
export function refundRows(
  refunds: readonly SimulatedRefund[],
  { hiddenRefunds, unreadableRefunds, refundClockMs }: RefundQuirks,
  naming: Naming,
): RefundList {
  const shown = refunds.filter(({ place }) => place >= hiddenRefunds);
  const isSkipping = refunds.some(({ place, status }) => place < hiddenRefunds && status === "pending");
  const rows = shown.map((refund) => {
    const { wireAmount, ...row } = refundReading({ ...refund, createdAt: refund.createdAt + refundClockMs }, naming);
    return 1 - refund.place <= unreadableRefunds ? row : { ...row, wireAmount };
  });
  return { refunds: rows, unassigned: [], elsewhere: [], isComplete: !isSkipping };
}

export function transactionReading(transaction: SimulatedTransaction, naming: Naming): TransactionReading {
  const { id, code, session, amount, currency, completedAt } = transaction;
  // A transaction begins before the session expires, but may end later.
  const createdAt = Math.min(completedAt, session?.expiresAt ?? completedAt);
  return {
    id,
    // A service that uses the codes nowhere shows none.
    ...(naming.elsewhere === "code" || naming.transaction === "code" ? { code } : {}),
    ...(session === null ? {} : identifiersOf(session, naming)),
    wireAmount: amount,
    currency,
    refundedAmount: 0,
    status: "completed",
    createdAt,
  };
}

function identifiersOf({ id, paidTerms, metadata }: SimulatedSession, naming: Naming): TransactionReading {
  return {
    ...(naming.session ? { sessionId: id } : {}),
    ...(naming.reference ? { reference: paidTerms.reference, signedOrder: metadata.tillkit_order } : {}),
  };
}

export function declinedReading(session: SimulatedSession, naming: Naming): TransactionReading {
  const { amount, currency } = session.paidTerms;
  const { account } = session.requestedTerms;
  const id = declinedTransactionOf(session);
  const declined = { id, code: codeFor(id), session, amount, currency, account, completedAt: session.expiresAt };
  return { ...transactionReading(declined, naming), status: "failed" };
}
