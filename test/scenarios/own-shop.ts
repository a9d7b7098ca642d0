import {
  type Clock,
  type Money,
  type Order,
  type OrderRef,
  type Receipt,
  type StoreAdapter,
  type StoreAnswer,
  sameMoney,
} from "@tillkit/core";

/**
 * A shop in one process with its own database. Its adapter consists of a few queries, and a unique row prevents double payment.
 * A transaction is atomic and takes some time.
 */
export type OwnShop = {
  readonly adapter: StoreAdapter;
  placeOrder(orderId: string, total: Money): Order;
  /** The pieces that are left in stock. */
  readonly pieces: number;
};

const STORE_ID = "own-shop";
const QUERY_MS = 5;

type Tables = { readonly orders: Map<string, Order>; readonly payments: Map<string, string>; pieces: number };

export function createOwnShop(clock: Clock): OwnShop {
  const tables: Tables = { orders: new Map(), payments: new Map(), pieces: 10 };
  async function transaction<Answer>(work: () => Answer): Promise<Answer> {
    await clock.sleep(QUERY_MS);
    return work();
  }

  return {
    adapter: {
      platform: "own-shop",
      writes: { kind: "conditional" },
      findOrder: (ref) => transaction(() => findOrder(tables, ref)),
      markPaid: (receipt) => transaction(() => takePayment(tables, receipt)),
      holdForReview: async () => {},
      shopperUrl: async () => "https://own-shop.example/order",
    },
    placeOrder(orderId, total) {
      const ref = { storeId: STORE_ID, orderId };
      const rest = { attempt: "", title: "Two baskets", environment: "test", language: "fr" } as const;
      const order: Order = { ref, total, payable: true, paidBy: null, ...rest };
      tables.orders.set(orderId, order);
      return order;
    },
    get pieces() {
      return tables.pieces;
    },
  };
}

function findOrder({ orders, payments }: Tables, { storeId, orderId }: OrderRef): Order | null {
  const order = storeId === STORE_ID ? orders.get(orderId) : undefined;
  const paidBy = payments.get(orderId) ?? null;
  return order ? { ...order, paidBy, payable: paidBy === null } : null;
}

function takePayment(tables: Tables, { ref, paymentId, total }: Receipt): StoreAnswer {
  const order = findOrder(tables, ref);
  if (!order) return { outcome: "gone" };
  if (order.paidBy === paymentId) return { outcome: "already", evidence: "read-back" };
  if (order.paidBy !== null) return { outcome: "other-payment", paidBy: order.paidBy };
  if (!sameMoney(order.total, total)) return { outcome: "not-payable", why: { kind: "total_changed" } };
  tables.payments.set(ref.orderId, paymentId);
  tables.pieces -= 1;
  return { outcome: "recorded", evidence: "read-back" };
}
