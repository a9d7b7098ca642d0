import type { Dispute } from "@tillkit/core";
import type { Evidence, RefundCommit, TransactionEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const refundableMoney: Invariant = {
  id: "M2",
  title:
    "A refund takes no more than its transaction received and still has, by all refunds and disputes that the ledger knew, and no order is marked paid by money that a dispute took back.",
  findViolations: (evidence) => [...committedTooMuch(evidence), ...sentTooMuch(evidence), ...paidByLostMoney(evidence)],
};

function committedTooMuch(evidence: Evidence): string[] {
  return evidence.moneyFacts.refundCommits.flatMap((commit) => {
    const received = receivedBy(evidence, commit);
    if (received === null) return [];
    const { refunds, amount, paymentId, key } = commit;
    const who = key.startsWith("rule:") ? "a rule" : "a person";
    const isOfTransaction = belongsTo(received.transaction);
    const gone = refunds.filter(({ state, transactionId }) => state !== "failed" && isOfTransaction(transactionId));
    const refunded = gone.reduce((sum, refund) => sum + refund.amount.minor, 0);
    const disputed = disputedMinor(commit, received);
    const available = received.minor - refunded - disputed;
    return amount.minor <= available + confirmedMinor(evidence, commit, disputed)
      ? []
      : [
          `${who} refunded ${amount.minor} of payment ${paymentId} when ${available} was left: ${received.minor} received, ${refunded} refunded, ${disputed} disputed`,
        ];
  });
}

// A refund that is forgotten, as after a restore, must not be made again from money that is gone.
function sentTooMuch({ transactions, refunds, moneyFacts, memory, ...evidence }: Evidence): string[] {
  if (memory.restoredAt !== null && !memory.keepsMarks) return [];
  return transactions.flatMap((transaction) => {
    const own = refunds.filter(
      ({ key, status, transactionId }) => key !== null && status !== "failed" && transactionId === transaction.id,
    );
    const commits = moneyFacts.refundCommits.filter(({ key }) => own.some((refund) => refund.key === key));
    const lost = commits.map((commit) => {
      const received = receivedBy({ transactions, ...evidence }, commit);
      return received === null ? 0 : disputedMinor(commit, received) / received.perWire;
    });
    const sent = own.reduce((sum, { wireAmount }) => sum + wireAmount, 0);
    const confirmed = moneyFacts.confirmations.some(({ key }) => own.some((refund) => refund.key === key));
    // The first refund may be older than the dispute, so the least that was known counts.
    const known = own.length === commits.length ? Math.min(...lost) : 0;
    return sent + known > transaction.wireAmount && own.length > 0 && !confirmed
      ? [`${sent} of ${transaction.wireAmount} went back from ${transaction.id}, of which disputes had taken ${known}`]
      : [];
  });
}

function paidByLostMoney(evidence: Evidence): string[] {
  const { orders, moneyFacts, stateChanges, payments, memory } = evidence;
  if (memory.restoredAt !== null) return [];
  return orders.flatMap(({ ref, effects }) =>
    effects.flatMap(({ paymentId }) => {
      const judgedAt = stateChanges.find((change) => change.paymentId === paymentId && change.to === "verified")?.at;
      const isWaived = payments.some(({ id, waiver }) => id === paymentId && waiver !== null);
      if (judgedAt === undefined || isWaived) return [];
      const lost = lostBefore(moneyFacts, paymentId, judgedAt);
      return lost.length > 0 && tookEverything(evidence, paymentId, lost)
        ? [`${ref.orderId} was marked paid by payment ${paymentId}, whose lost dispute was known before`]
        : [];
    }),
  );
}

/** The disputes of the payment of which the last that was known was its loss. */
function lostBefore(
  { disputeReports }: Evidence["moneyFacts"],
  paymentId: string,
  judgedAt: number,
): readonly string[] {
  const known = new Map<string, boolean>();
  for (const report of disputeReports) {
    if (report.paymentId === paymentId && report.at < judgedAt) known.set(report.disputeId, report.isLost);
  }
  return [...known].filter(([, isLost]) => isLost).map(([disputeId]) => disputeId);
}

// A session that was paid twice keeps the money of the transaction that no lost dispute names.
function tookEverything(
  { transactions, ledgerMoney }: Evidence,
  paymentId: string,
  disputeIds: readonly string[],
): boolean {
  const disputes = ledgerMoney.find((money) => money.paymentId === paymentId)?.disputes ?? [];
  const lost = disputes.filter(({ id }) => disputeIds.includes(id));
  return transactions
    .filter((transaction) => transaction.paymentId === paymentId)
    .map(belongsTo)
    .every((isOfTransaction) => lost.some(({ transactionId }) => isOfTransaction(transactionId ?? "")));
}

/** What a person gave up: the disputed sum, unless they saw less. */
function confirmedMinor({ moneyFacts }: Evidence, { key }: RefundCommit, disputed: number): number {
  const confirmation = moneyFacts.confirmations.find((one) => one.key === key);
  return (confirmation?.disputed.minor ?? 0) >= disputed ? disputed : 0;
}

type Received = {
  readonly transaction: TransactionEvidence;
  /** The gross in minor units, and the number of minor units in a unit of the service's API. */
  readonly minor: number;
  readonly perWire: number;
};

/** Null: no completed transaction has this id, so the service refuses the refund. */
function receivedBy(
  { transactions, payments }: Pick<Evidence, "transactions" | "payments">,
  { transactionId, paymentId }: RefundCommit,
): Received | null {
  const transaction = transactions.find(({ id, code }) => [id, code].includes(transactionId));
  const payment = payments.find(({ id }) => id === paymentId);
  if (!transaction || !payment) return null;
  const perWire = payment.amountDue.minor / payment.wireAmount;
  return { transaction, minor: transaction.wireAmount * perWire, perWire };
}

function disputedMinor({ disputes, amount: { currency } }: RefundCommit, received: Received): number {
  const isOfTransaction = belongsTo(received.transaction);
  return disputes
    .filter(({ transactionId }) => isOfTransaction(transactionId ?? ""))
    .filter(takesMoney)
    .map(({ amount }) => (amount === null || amount.currency !== currency ? received.minor : amount.minor))
    .reduce((sum, minor) => sum + minor, 0);
}

function takesMoney({ status, outcome }: Dispute): boolean {
  return status === "pending" || outcome !== "won";
}

/** A movement that names no transaction counts for each. */
function belongsTo({ id, code }: TransactionEvidence): (name: string) => boolean {
  return (name) => ["", id, code].includes(name);
}
