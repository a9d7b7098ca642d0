import type { Dispute } from "./dispute.ts";
import type { Money } from "./money.ts";
import type { Refund } from "./refund.ts";

/**
 * Why a movement of money is tied to a payment. `identity`: the movement names the payment's session, carries our reference or our
 * mark, or the session itself names it. `person`: somebody who saw the candidates decided. `resemblance`: amount, currency, account
 * and time fit; it is shown as a candidate, moves no money and never replaces the other two.
 */
export type MovementEvidence = "identity" | "person" | "resemblance";

/** A completed transaction at the service that paid, or may have paid, the session of a payment. */
export type PaidTransaction = {
  /** The service's id. Unique within a payment; candidates of several payments may share it. */
  readonly id: string;
  /** `txn_…`: the service's short id of the same transaction; null where it is not known. */
  readonly code: string | null;
  readonly paymentId: string;
  /** The transaction's gross, zero for a declined transaction; until `isRead`, the amount that the session reported. */
  readonly amount: Money;
  /** Whether GET /transactions/{id} has shown this transaction as completed. */
  readonly isRead: boolean;
  readonly evidence: MovementEvidence;
  /** When the money arrived as far as we know, in milliseconds since 1970. */
  readonly at: number;
};

/** The service's statuses of a transaction that brought money. Any other, also one that is new to us, counts as no money. */
export const PAID_STATUSES: ReadonlySet<string> = new Set(["completed", "refunded"]);

/** Every arrival and departure of money that concerns one payment. */
export type Movements = {
  readonly transactions: readonly PaidTransaction[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
};

export const NO_MOVEMENTS: Movements = { transactions: [], refunds: [], disputes: [] };

/** Whether this transaction certainly paid the payment. */
export function isCertain({ evidence }: Pick<PaidTransaction, "evidence">): boolean {
  return evidence !== "resemblance";
}

/** Whether this transaction certainly brought money. A declined transaction has received nothing. */
export function hasCertainlyPaid(transaction: Pick<PaidTransaction, "evidence" | "amount">): boolean {
  return isCertain(transaction) && transaction.amount.minor > 0;
}

/** Whether a text names this transaction: by its id, or by its code. The service compares both without regard to case. */
export function namesTransaction(named: string, { id, code }: { readonly id: string; readonly code?: string | null }) {
  const text = named.toLowerCase();
  return text !== "" && (text === id.toLowerCase() || text === code?.toLowerCase());
}

/** What was just learned of a transaction. `showsGross`: false where its gross could not be read, so that `amount` is the session's. */
export type LearnedTransaction = PaidTransaction & { readonly showsGross?: boolean };

const STRENGTH = { resemblance: 0, person: 1, identity: 2 } as const satisfies Record<MovementEvidence, number>;

/**
 * What is stored of a transaction after `next` was learned. Stronger evidence replaces weaker evidence and never the other way round;
 * a gross that was read replaces an amount that was not. A transaction that was completed stays completed.
 */
export function mergeTransaction(
  known: PaidTransaction | undefined,
  { showsGross = true, ...next }: LearnedTransaction,
): PaidTransaction {
  if (known === undefined) return next;
  const isKnownPaid = known.isRead && known.amount.minor > 0;
  const saysLess = next.amount.minor === 0 || !showsGross;
  const { amount, isRead } = next.isRead && !(isKnownPaid && saysLess) ? next : known;
  const evidence = STRENGTH[next.evidence] > STRENGTH[known.evidence] ? next.evidence : known.evidence;
  return { ...known, code: next.code ?? known.code, amount, isRead, evidence };
}

export function sameTransaction(left: PaidTransaction, right: PaidTransaction): boolean {
  return (
    left.code === right.code &&
    left.amount.minor === right.amount.minor &&
    left.amount.currency === right.amount.currency &&
    left.isRead === right.isRead &&
    left.evidence === right.evidence
  );
}
