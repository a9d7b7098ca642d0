import type { Dispute } from "../domain/dispute.ts";
import { frozenCopy } from "./frozen-copy.ts";

export type MemoryDisputes = ReturnType<typeof createMemoryDisputes>;

export function createMemoryDisputes() {
  const disputes = new Map<string, Dispute>();
  return {
    /** The id of a dispute belongs to one payment for ever. */
    accepts: (wanted: readonly Dispute[]): boolean =>
      wanted.every(({ id, paymentId }) => {
        const first = disputes.get(id) ?? wanted.find((dispute) => dispute.id === id);
        return first?.paymentId === paymentId;
      }),
    put(dispute: Dispute): void {
      const known = disputes.get(dispute.id);
      if (known && known.updatedAt > dispute.updatedAt) return;
      disputes.set(dispute.id, frozenCopy(dispute));
    },
    forget: (dispute: Dispute): boolean => disputes.delete(dispute.id),
    /** In the order in which they were added. */
    all: (): readonly Dispute[] => [...disputes.values()],
    of: (paymentId: string): readonly Dispute[] =>
      [...disputes.values()].filter((dispute) => dispute.paymentId === paymentId),
  };
}
