import { isCertain, type PaidTransaction } from "../domain/movement.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { pairKey } from "./pair-key.ts";

export type MemoryTransactions = ReturnType<typeof createMemoryTransactions>;

export function createMemoryTransactions() {
  const transactions = new Map<string, PaidTransaction>();
  const keyOf = ({ paymentId, id }: PaidTransaction) => pairKey(paymentId, id);
  return {
    put: (transaction: PaidTransaction): void => void transactions.set(keyOf(transaction), frozenCopy(transaction)),
    remove: (transaction: PaidTransaction): boolean => transactions.delete(keyOf(transaction)),
    /** In the order of insertion. */
    of: (paymentId: string): readonly PaidTransaction[] =>
      [...transactions.values()].filter((transaction) => transaction.paymentId === paymentId),
    /** In the order of insertion. */
    all: (): readonly PaidTransaction[] => [...transactions.values()],
    /** The ids of the payments that the transaction with this id or code certainly paid. */
    paymentsOf(idOrCode: string): ReadonlySet<string> {
      const named = [...transactions.values()].filter(({ id, code }) => id === idOrCode || code === idOrCode);
      return new Set(named.filter(isCertain).map(({ paymentId }) => paymentId));
    },
  };
}
