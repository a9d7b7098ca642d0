import type { Evidence, TransactionEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const identityStands: Invariant = {
  id: "M1",
  title:
    "A payment names no transaction but its own, whatever merely resembles it, and no refund of ours goes to a stranger's transaction.",
  findViolations: (evidence) => [...foreignNames(evidence), ...foreignProofs(evidence), ...foreignRefunds(evidence)],
};

export const strangersChangeNothing: Invariant = {
  id: "M3",
  title: "A stranger's money, refunds and disputes change nothing of our payments.",
  findViolations: ({ ledgerMoney, refunds: made, disputes: opened }) =>
    ledgerMoney.flatMap(({ paymentId, refunds, disputes }) => {
      const foreignRefunds = made.filter(
        (refund) => refund.paymentId !== paymentId && refunds.some(({ refundId }) => refundId === refund.id),
      );
      const foreignDisputes = opened.filter(
        (dispute) => dispute.paymentId !== paymentId && disputes.some(({ id }) => id === dispute.id),
      );
      return [...foreignRefunds, ...foreignDisputes].map(
        (foreign) => `payment ${paymentId} counts ${foreign.id}, which is money of ${ownerOf(foreign)}`,
      );
    }),
};

function ownerOf({ paymentId }: { readonly paymentId: string | null }): string {
  return paymentId === null || paymentId === "" ? "a stranger" : `payment ${paymentId}`;
}

function foreignNames({ transactions, moneyFacts }: Evidence): string[] {
  return moneyFacts.namedTransactions.flatMap(({ paymentId, transactionId }) => {
    const foreign = foreignTransaction(transactions, transactionId, paymentId);
    return foreign ? [`payment ${paymentId} named the transaction ${foreign.id} of ${ownerOf(foreign)}`] : [];
  });
}

function foreignProofs({ transactions, ledgerMoney }: Evidence): string[] {
  return ledgerMoney.flatMap(({ paymentId, transactions: stored }) =>
    stored
      .filter(({ evidence }) => evidence !== "resemblance")
      .flatMap(({ id, evidence }) => {
        const foreign = foreignTransaction(transactions, id, paymentId);
        return foreign ? [`payment ${paymentId} counts ${id} of ${ownerOf(foreign)} by ${evidence}`] : [];
      }),
  );
}

function foreignRefunds({ refunds }: Evidence): string[] {
  return refunds
    .filter(({ paymentId, key, status }) => paymentId === "" && key !== null && status !== "failed")
    .map(({ transactionId, wireAmount }) => `a refund of ${wireAmount} went to the stranger of ${transactionId}`);
}

function foreignTransaction(
  transactions: readonly TransactionEvidence[],
  name: string,
  paymentId: string,
): TransactionEvidence | undefined {
  return transactions.find(
    (transaction) => [transaction.id, transaction.code].includes(name) && transaction.paymentId !== paymentId,
  );
}
