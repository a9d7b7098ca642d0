import { money, type Order, type StoreAdapter } from "@tillkit/core";

export const STORE = "boutique";

export function orderOf(number: number | string): Order {
  return {
    ref: { storeId: STORE, orderId: `bench-${number}` },
    attempt: "",
    total: money(25_000, "XOF"),
    title: `Order ${number}`,
    environment: "test",
    language: "fr",
    payable: true,
    paidBy: null,
  };
}

/** A store that any order exists in and that answers at once. `onPaid` gets the number of each order that becomes paid. */
export function createMemoryStore(onPaid: (number: string) => void): StoreAdapter {
  const paidBy = new Map<string, string>();
  const numberOf = (orderId: string) => orderId.slice("bench-".length);
  return {
    platform: "memory",
    writes: { kind: "conditional" },
    async findOrder({ orderId }) {
      const payment = paidBy.get(orderId) ?? null;
      return { ...orderOf(numberOf(orderId)), paidBy: payment, payable: payment === null };
    },
    async markPaid({ ref: { orderId }, paymentId }) {
      if (paidBy.get(orderId) === paymentId) return { outcome: "already", evidence: "read-back" };
      paidBy.set(orderId, paymentId);
      onPaid(numberOf(orderId));
      return { outcome: "recorded", evidence: "read-back" };
    },
    holdForReview: async () => {},
    shopperUrl: async ({ orderId }) => `https://shop.example/orders/${orderId}`,
  };
}
