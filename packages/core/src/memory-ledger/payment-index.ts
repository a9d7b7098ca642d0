import type { Payment } from "../domain/payment.ts";

/**
 * Ids of payments under a key that is computed from them; null keeps a payment out. An id stays where it once was, and
 * what is found is compared again: so a payment keeps its place among those of the same moment when it changes.
 */
export function createIndex(payments: ReadonlyMap<string, Payment>, keyOf: (payment: Payment) => string | null) {
  const ids = new Map<string, Set<string>>();

  return {
    /** Oldest first. */
    at(key: string): readonly Payment[] {
      const found: Payment[] = [];
      for (const id of ids.get(key) ?? []) {
        const payment = payments.get(id);
        if (payment !== undefined && keyOf(payment) === key) found.push(payment);
      }
      return found.sort((left, right) => left.createdAt - right.createdAt);
    },
    add(payment: Payment): void {
      const key = keyOf(payment);
      if (key === null) return;
      const known = ids.get(key);
      if (known === undefined) ids.set(key, new Set([payment.id]));
      else known.add(payment.id);
    },
  };
}
