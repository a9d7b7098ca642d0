import type { Evidence, LedgerMoney } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

export const ledgerRemembers: Invariant = {
  id: "M4",
  title:
    "Every payment that a signal names after the ledger was restored is whole again, and every refund keeps its origin.",
  findViolations: (evidence) => [
    ...missingPayments(evidence),
    ...missingMovements(evidence),
    ...new Set(missingReports(evidence)),
    ...changedOrigins(evidence),
  ],
};

/** The payments that a restored ledger may lack, because nothing has named them since. */
export function isForgotten({ memory }: Pick<Evidence, "memory">, paymentId: string): boolean {
  return memory.restoredAt !== null && !memory.remembered.includes(paymentId);
}

function missingPayments({ memory, payments, sessions }: Evidence): string[] {
  return memory.remembered
    .filter(
      (id) => sessions.some(({ paymentId }) => paymentId === id) && !payments.some((payment) => payment.id === id),
    )
    .map((id) => `payment ${id} is missing after the restore, although a signal named it`);
}

// A payment that is added again is read whole: also the refunds that nobody reports any more.
function missingMovements({ memory, timeline, refunds, ledgerMoney }: Evidence): string[] {
  const { restoredAt, namesPayments, hiddenUntil } = memory;
  if (restoredAt === null) return [];
  return timeline
    .filter(({ kind, at }) => kind === "recovered" && at >= restoredAt)
    .flatMap(({ paymentId, at }) => {
      const stored = ledgerMoney.find((money) => money.paymentId === paymentId);
      return (
        refunds
          .filter((refund) => refund.paymentId === paymentId && refund.status === "completed" && stored !== undefined)
          .filter(({ transactionId }) => namesPayments || stored?.transactions.some(({ id }) => id === transactionId))
          // What the list hid from the recovery and no event reports is found before the next refund, by the transaction's own sum.
          .filter(() => at >= hiddenUntil)
          // A later refund of the dashboard is known by its event alone, which may be lost.
          .filter(({ completedAt }) => (completedAt ?? at) <= at)
          .filter(({ id }) => !stored?.refunds.some(({ refundId }) => refundId === id))
          .map(({ id }) => `payment ${paymentId} was recovered without its refund ${id}`)
      );
    });
}

function missingReports({ memory, ledgerMoney, disputes, refunds }: Evidence): string[] {
  return memory.reported.flatMap(({ kind, id, paymentId }) => {
    const stored = ledgerMoney.find((money) => money.paymentId === paymentId);
    if (!stored) return [`the ${kind} ${id} of payment ${paymentId} was reported, but the payment is missing`];
    if (kind === "dispute") return missingDispute(stored, id, disputes);
    const isCompleted = refunds.some((refund) => refund.id === id && refund.status === "completed");
    return !isCompleted || stored.refunds.some(({ refundId }) => refundId === id)
      ? []
      : [`the refund ${id} of payment ${paymentId} was reported and is not in the ledger`];
  });
}

function missingDispute({ paymentId, disputes }: LedgerMoney, id: string, known: Evidence["disputes"]): string[] {
  const isOurs = known.some((dispute) => dispute.id === id && dispute.paymentId === paymentId);
  return !isOurs || disputes.some((dispute) => dispute.id === id)
    ? []
    : [`the dispute ${id} of payment ${paymentId} was reported and is not in the ledger`];
}

// A refund that was read back counts as the one that was asked for, or the store writes it a second time.
function changedOrigins({ ledgerMoney, refunds, decisions, memory }: Evidence): string[] {
  if (!memory.keepsMarks) return [];
  return ledgerMoney.flatMap(({ paymentId, refunds: stored }) =>
    stored.flatMap(({ refundId, origin }) => {
      const key = refunds.find(({ id }) => id === refundId)?.key ?? null;
      const decision = decisions.find(({ keys }) => key !== null && keys.includes(key));
      return decision?.origin === undefined || decision.origin === origin
        ? []
        : [
            `the refund ${refundId} of payment ${paymentId} was asked for by ${decision.origin} and counts as ${origin}`,
          ];
    }),
  );
}
