import type { Refund } from "../domain/refund.ts";
import type { MarkHistory } from "../ports/payment-ledger.ts";
import { frozenCopy } from "./frozen-copy.ts";

export type MemoryRefunds = ReturnType<typeof createMemoryRefunds>;

export function createMemoryRefunds() {
  const refunds = new Map<string, Refund>();
  return {
    /** Whether every key belongs to the payment of its first refund. */
    accepts: (changes: readonly Refund[]): boolean =>
      changes.every(({ key, paymentId }) => {
        const first = refunds.get(key) ?? changes.find((refund) => refund.key === key);
        return first?.paymentId === paymentId;
      }),
    put: (refund: Refund): void => void refunds.set(refund.key, frozenCopy(refund)),
    remove: (refund: Refund): boolean => refunds.delete(refund.key),
    /** In the order of insertion. */
    all: (): readonly Refund[] => [...refunds.values()],
    markHistory(isOfCredential: (paymentId: string) => boolean): MarkHistory {
      const ofCredential = [...refunds.values()].filter(({ paymentId }) => isOfCredential(paymentId));
      const read = ofCredential.map(({ markReadAt }) => markReadAt ?? 0);
      const refused = ofCredential.filter(({ unmarkedKey }) => unmarkedKey !== null);
      const newest = (times: readonly number[]) => Math.max(0, ...times) || null;
      return { readAt: newest(read), refusedAt: newest(refused.map(({ requestedAt }) => requestedAt)) };
    },
    of: (paymentId: string): readonly Refund[] =>
      [...refunds.values()].filter((refund) => refund.paymentId === paymentId),
  };
}
