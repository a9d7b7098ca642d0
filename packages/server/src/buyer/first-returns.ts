import { type Clock, limits } from "@tillkit/core";

/** Remembers which payments a shopper came back to lately, in this process. */
export type FirstReturns = {
  /** true: nobody came back to this payment in the last ten minutes, so this visit is worth a read of its own. */
  isFirst(paymentId: string): boolean;
};

export function createFirstReturns(clock: Clock): FirstReturns {
  const firstAt = new Map<string, number>();

  return {
    isFirst(paymentId) {
      const now = clock.now();
      const known = firstAt.get(paymentId);
      if (known !== undefined && now - known < limits.watchMs) return false;
      // Deleted before it is set, so that the map stays ordered by age and the oldest entry is forgotten first.
      firstAt.delete(paymentId);
      firstAt.set(paymentId, now);
      const [oldest] = firstAt.keys();
      if (firstAt.size > limits.watchedPayments && oldest !== undefined) firstAt.delete(oldest);
      return true;
    },
  };
}
