import { CheckoutError, changedMeanwhile } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Money } from "../domain/money.ts";
import { hasCertainlyPaid, namesTransaction, type PaidTransaction } from "../domain/movement.ts";
import { type Payment, startOf } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { appliesStill } from "../payments/applies-still.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import { jobOf, unmatchedDeliveryJobs } from "../payments/payment-jobs.ts";
import { getPayment, updatePayment } from "../payments/stored-payment.ts";
import type { TransactionReading } from "../ports/service.ts";
import { toTransaction } from "./identify-transaction.ts";
import { findByTransaction, mergeTransactions } from "./record-transactions.ts";

/** A completed transaction that may have paid a payment which the service's answers leave without one. */
export type TransactionCandidate = {
  readonly id: string;
  /** `txn_…`; null where the service shows none. */
  readonly code: string | null;
  readonly amount: Money;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** How the shopper paid, in the service's word. */
  readonly provider: string | null;
};

/**
 * The completed transactions that fit a payment in amount, currency, account and time, and name no session and no reference: a person
 * may say that one of them paid it (GET /transactions). Empty once the payment's transaction is known.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable`
 */
export async function transactionCandidates(
  engine: Engine,
  paymentId: string,
): Promise<readonly TransactionCandidate[]> {
  const payment = await getPayment(engine, paymentId);
  const known = await engine.ledger.transactions(paymentId);
  if (known.some(hasCertainlyPaid)) return [];
  const service = await engine.tenants.service(payment.credentialId);
  const from = startOf(payment) - limits.clockSkewMs;
  const until = (payment.session?.expiresAt ?? payment.createdAt) + limits.sessionLifeMs;
  const query = { from, until, account: payment.account, deadlineMs: limits.serviceCallMs };
  const candidates: TransactionCandidate[] = [];
  let scanned = 0;
  for await (const row of service.listTransactions(query)) {
    const candidate = await toCandidate(engine, payment, row);
    if (candidate) candidates.push(candidate);
    scanned += 1;
    if (scanned >= limits.maxTransactionsScanned || candidates.length >= limits.maxTransactionCandidates) break;
  }
  return candidates;
}

// A transaction that paid another payment of ours is no candidate.
async function toCandidate(
  engine: Engine,
  payment: Payment,
  row: TransactionReading,
): Promise<TransactionCandidate | null> {
  const transaction = toTransaction(payment, row, row.id ?? "", false);
  if (transaction?.evidence !== "resemblance") return null;
  if (await findByTransaction(engine.ledger, transaction)) return null;
  const { id, code, amount, at } = transaction;
  return { id, code, amount, at, provider: row.provider ?? null };
}

/**
 * Records a person's decision that this transaction paid the payment, where the service names nothing. It is decided once: afterwards
 * the transaction counts like one that the service named. Its refunds are read by a job.
 *
 * @param input.by a role or a login, never an e-mail
 * @param input.stillApplies asked right before the commit; false: what the person saw has changed
 * @throws CheckoutError `transaction_not_possible`, `payment_not_found`; retryable: `service_unavailable`, `ledger_busy`
 */
export async function nameTransaction(
  engine: Engine,
  input: Naming & { readonly paymentId: string; readonly transactionId: string },
): Promise<Payment> {
  const payment = await getPayment(engine, input.paymentId);
  const service = await engine.tenants.service(payment.credentialId);
  const { account } = payment;
  const reading = await service.readTransaction({ id: input.transactionId, account, deadlineMs: limits.serviceCallMs });
  const transaction = reading && toTransaction(payment, reading, input.transactionId, false);
  if (!transaction || transaction.amount.minor === 0) {
    throw notPossible("The service shows no completed transaction of this amount that may belong to this payment");
  }
  return await underLeaseOf(engine, transaction.id, () => recordNaming(engine, payment, transaction, input));
}

type Naming = { readonly by: string; readonly stillApplies?: () => Promise<boolean> };

// Two persons may name one transaction for two payments in the same moment. The lease lets one of them go first.
async function underLeaseOf(engine: Engine, transactionId: string, work: () => Promise<Payment>): Promise<Payment> {
  const ref = { storeId: "", orderId: `transaction ${transactionId}` };
  const { ledger, clock, worker } = engine;
  const fence = await ledger.lockOrder(ref, worker, clock.now(), limits.orderLeaseMs);
  if (fence === null) {
    throw new CheckoutError("ledger_busy", "Somebody is deciding about this transaction: try again.", {
      retryable: true,
    });
  }
  try {
    return await work();
  } finally {
    await ledger.unlockOrder(ref, fence);
  }
}

async function recordNaming(
  engine: Engine,
  payment: Payment,
  transaction: PaidTransaction,
  { by, stillApplies }: Naming,
): Promise<Payment> {
  const owner = await findByTransaction(engine.ledger, transaction);
  if (owner && owner.id !== payment.id) throw notPossible("This transaction has paid another payment");
  const { status, payment: updated } = await updatePayment(engine, payment.id, async (current) => {
    const { transactions } = await gatherMovements(engine.ledger, current.id);
    const isDecided = transactions.some(hasCertainlyPaid);
    if (isDecided) return null;
    if (!(await appliesStill(engine, stillApplies))) throw changedMeanwhile();
    const named = { ...transaction, evidence: transaction.evidence === "identity" ? "identity" : "person" } as const;
    const merged = mergeTransactions(transactions, [named]);
    const at = engine.clock.now();
    const entry = { paymentId: current.id, at, actor: "operator", kind: "transaction_named" } as const;
    return {
      change: { transactionId: transaction.id },
      transactions: merged.filter((known) => namesTransaction(transaction.id, known)),
      jobs: [
        jobOf(current, { kind: "refund", key: null }, at),
        ...(await unmatchedDeliveryJobs(engine, transactions, merged)),
      ],
      timeline: [{ ...entry, by, transactionId: transaction.id }],
    };
  });
  if (status === "conflict" || status === "taken") {
    throw changedMeanwhile();
  }
  if (status === "unchanged" && !namesTransaction(updated.transactionId ?? "", transaction)) {
    throw notPossible("Another transaction is known to have paid this payment");
  }
  return updated;
}

function notPossible(reason: string): CheckoutError {
  return new CheckoutError(
    "transaction_not_possible",
    `${reason}: choose one of the transactions that the page lists.`,
  );
}
