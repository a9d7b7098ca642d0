import type { ProcessedDelivery } from "../domain/delivery.ts";
import type { TransactionDetails } from "../ports/ledger-view.ts";
import type { Change } from "../ports/payment-ledger.ts";

export type MemoryTransactionDetails = ReturnType<typeof createMemoryTransactionDetails>;

const UNKNOWN: TransactionDetails = {
  transactionCode: null,
  method: null,
  customerId: null,
  wireFee: null,
  wireNet: null,
  succeededAt: null,
  recordedAt: null,
};

/**
 * What events reported about the transactions of payments. It is kept apart from the payments, because only the engine changes a
 * payment.
 */
export function createMemoryTransactionDetails() {
  const details = new Map<string, TransactionDetails>();
  const of = (paymentId: string): TransactionDetails => details.get(paymentId) ?? UNKNOWN;

  return {
    of,
    idOfCode: (code: string): string | null =>
      [...details].find(([, { transactionCode }]) => transactionCode === code)?.[0] ?? null,
    /** Once an event has reported success, the events of other attempts are ignored. */
    addEvent({ paymentId, event }: ProcessedDelivery): void {
      const transaction = event?.transaction;
      if (!event || !transaction || paymentId === null) return;
      const known = of(paymentId);
      const isSuccess = event.name === "PAYMENT_SUCCEEDED";
      if (known.succeededAt !== null && !isSuccess) return;
      const updated = {
        ...known,
        transactionCode: transaction.code ?? known.transactionCode,
        method: transaction.method ?? known.method,
        customerId: transaction.customerId ?? known.customerId,
      };
      const success = {
        wireFee: transaction.wireFee ?? known.wireFee,
        wireNet: transaction.wireNet ?? known.wireNet,
        succeededAt: known.succeededAt ?? event.at,
      };
      details.set(paymentId, isSuccess ? { ...updated, ...success } : updated);
    },
    addTimeline({ timeline }: Change): void {
      for (const { paymentId, kind, at } of timeline) {
        if (kind !== "recorded" || paymentId === null) continue;
        const known = of(paymentId);
        if (known.recordedAt === null) details.set(paymentId, { ...known, recordedAt: at });
      }
    },
    /** The service's id of the customer is personal data; everything else stays. */
    redact(paymentId: string): void {
      const known = details.get(paymentId);
      if (known) details.set(paymentId, { ...known, customerId: null });
    },
    remove: (paymentId: string): boolean => details.delete(paymentId),
  };
}
