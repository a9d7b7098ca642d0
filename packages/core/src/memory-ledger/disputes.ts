import type { Dispute } from "../domain/dispute.ts";
import { frozenCopy } from "./frozen-copy.ts";

export type MemoryDisputes = ReturnType<typeof createMemoryDisputes>;

export function createMemoryDisputes() {
  const disputes = new Map<string, Dispute>();
  return {
    /** Whether every id belongs to the payment of its first dispute. */
    accepts: (changes: readonly Dispute[]): boolean =>
      changes.every(({ id, paymentId }) => {
        const first = disputes.get(id) ?? changes.find((dispute) => dispute.id === id);
        return first?.paymentId === paymentId;
      }),
    put(dispute: Dispute): void {
      const known = disputes.get(dispute.id);
      if (known && known.updatedAt > dispute.updatedAt) return;
      disputes.set(dispute.id, frozenCopy(dispute));
    },
    remove: (dispute: Dispute): boolean => disputes.delete(dispute.id),
    /** In the order of insertion. */
    all: (): readonly Dispute[] => [...disputes.values()],
    of: (paymentId: string): readonly Dispute[] =>
      [...disputes.values()].filter((dispute) => dispute.paymentId === paymentId),
  };
}
