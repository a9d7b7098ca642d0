import type { Payment } from "../domain/payment.ts";

/**
 * An index of payments by a computed key; a payment with the key null is not indexed. An id is never removed from a key, so that
 * a changed payment keeps its position among payments of the same time. `at` skips payments whose key has changed.
 */
export function createPaymentIndex(payments: ReadonlyMap<string, Payment>, keyOf: (payment: Payment) => string | null) {
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
