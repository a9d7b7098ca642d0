import {
  type Clock,
  type Order,
  type Receipt,
  type StoreAdapter,
  type StoreAnswer,
  StoreError,
  type WriteClass,
} from "@tillkit/core";
import type { KeptOrder, KeptWorld } from "./kept-world.ts";

/** `unknown`: the write is still under way and lands late. `never`: the same, and the process dies while it waits. */
export type ShopTrouble = "unavailable" | "reconnect" | "unknown" | "never";

/** How long a write that nobody waits for any more stays under way. */
const LATE_MS = 90_000;
const SETTLE_AFTER_MS = 120_000;

/** A shop on kept data: `hats` refuses a second write by itself, `caps` can only be read and then written. */
export function createKeptShop(
  world: KeptWorld,
  storeId: string,
  clock: Clock,
  troubles: ReadonlyMap<string, ShopTrouble> = new Map(),
): StoreAdapter {
  const writes: WriteClass =
    storeId === "caps" ? { kind: "read-then-write", settleAfterMs: SETTLE_AFTER_MS } : { kind: "conditional" };
  const orderOf = (orderId: string) => findOrder(world, storeId, orderId, clock);

  async function write<Answer>(orderId: string, work: (order: KeptOrder) => Answer): Promise<Answer> {
    const order = orderOf(orderId);
    if (order === undefined) throw new StoreError("unavailable", "The shop has no such order.");
    const trouble = troubles.get(order.title);
    if (trouble === "unavailable") throw new StoreError("unavailable", "The shop answered 503 and did nothing.");
    if (trouble === "reconnect") throw new StoreError("reconnect", "The owner must renew the connection.");
    return work(order);
  }

  return {
    platform: "kept",
    writes,
    findOrder: async ({ orderId }) => {
      const order = orderOf(orderId);
      return order === undefined ? null : asOrder(order);
    },
    async markPaid(receipt) {
      const trouble = troubles.get(orderOf(receipt.ref.orderId)?.title ?? "");
      if (trouble === "unknown" || trouble === "never") return await sendIntoTheDark(receipt, trouble);
      return await write(receipt.ref.orderId, (order) => pay(order, receipt, writes, clock.now()));
    },
    holdForReview: ({ orderId }, _attempt, finding) =>
      write(orderId, (order) => {
        if (!order.holds.includes(finding.code)) order.holds.push(finding.code);
      }),
    shopperUrl: async ({ orderId }) => `https://${storeId}.example/orders/${orderId}`,
    recordRefund: ({ ref, refundId, status }) =>
      write(ref.orderId, (order) => {
        const line = `${refundId} ${status}`;
        if (!order.refunds.includes(line)) order.refunds.push(line);
        return { outcome: "recorded", evidence: "read-back" } as const;
      }),
    addNote: ({ orderId }, key) =>
      write(orderId, (order) => {
        if (!order.notes.includes(key)) order.notes.push(key);
      }),
  };

  async function sendIntoTheDark(receipt: Receipt, trouble: "unknown" | "never"): Promise<StoreAnswer> {
    const order = orderOf(receipt.ref.orderId);
    if (order !== undefined) order.late = { paymentId: receipt.paymentId, at: clock.now() + LATE_MS };
    if (trouble === "never") await new Promise(() => {});
    throw new StoreError("unknown", "The shop did not answer: it may have done what it was asked.");
  }
}

/** The order as it is now: whatever was under way may have landed. */
export function findOrder(world: KeptWorld, storeId: string, orderId: string, clock: Clock): KeptOrder | undefined {
  const order = world.orders.find((one) => one.storeId === storeId && one.orderId === orderId);
  if (order?.late && order.late.at <= clock.now()) {
    order.effects.push(order.late);
    order.paidBy = order.late.paymentId;
    order.late = null;
  }
  return order;
}

function pay(order: KeptOrder, { paymentId }: Receipt, { kind }: WriteClass, at: number): StoreAnswer {
  if (order.paidBy === paymentId) return { outcome: "already", evidence: "read-back" };
  if (order.paidBy !== null) return { outcome: "other-payment", detail: order.paidBy };
  // A shop that looks again at the moment of the write drops what is late.
  if (kind === "conditional") order.late = null;
  order.paidBy = paymentId;
  order.effects.push({ paymentId, at });
  return { outcome: "recorded", evidence: "read-back" };
}

function asOrder(order: KeptOrder): Order {
  return {
    ref: { storeId: order.storeId, orderId: order.orderId },
    attempt: "",
    total: { minor: order.total, currency: "XOF" },
    title: order.title,
    environment: "test",
    language: "en",
    payable: true,
    paidBy: order.paidBy,
  };
}
