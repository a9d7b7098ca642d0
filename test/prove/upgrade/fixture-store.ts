import {
  type Clock,
  type Order,
  type Receipt,
  type StoreAdapter,
  type StoreAnswer,
  StoreError,
  type WriteClass,
} from "@tillkit/core";
import type { FixtureOrder, UpgradeFixture } from "./fixture-service.ts";

const SETTLE_AFTER_MS = 120_000;

/** The stores of the fixture. `hats` rejects a second write; `caps` can only be read and then written. */
export function createFixtureStore(fixture: UpgradeFixture, storeId: string, clock: Clock): StoreAdapter {
  const writes: WriteClass =
    storeId === "caps" ? { kind: "read-then-write", settleAfterMs: SETTLE_AFTER_MS } : { kind: "conditional" };
  const orderOf = (orderId: string) => findOrder(fixture, storeId, orderId, clock);

  async function write<Answer>(orderId: string, work: (order: FixtureOrder) => Answer): Promise<Answer> {
    const order = orderOf(orderId);
    if (order === undefined) throw new StoreError("unavailable", "The shop has no such order.");
    return work(order);
  }

  return {
    platform: "fixture",
    writes,
    findOrder: async ({ orderId }) => {
      const order = orderOf(orderId);
      return order === undefined ? null : asOrder(order);
    },
    markPaid: (receipt) => write(receipt.ref.orderId, (order) => applyPaid(order, receipt, writes, clock.now())),
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
}

/** The order as it is now, after a pending write that has taken effect. */
function findOrder(fixture: UpgradeFixture, storeId: string, orderId: string, clock: Clock): FixtureOrder | undefined {
  const order = fixture.orders.find((known) => known.storeId === storeId && known.orderId === orderId);
  if (order !== undefined) applyPendingWrite(order, clock);
  return order;
}

/** Marks the order paid if a pending write has taken effect by now. */
function applyPendingWrite(order: FixtureOrder, clock: Clock): void {
  if (order.pendingWrite === null || order.pendingWrite.at > clock.now()) return;
  order.effects.push(order.pendingWrite);
  order.paidBy = order.pendingWrite.paymentId;
  order.pendingWrite = null;
}

function applyPaid(order: FixtureOrder, { paymentId }: Receipt, { kind }: WriteClass, at: number): StoreAnswer {
  if (order.paidBy === paymentId) return { outcome: "already", evidence: "read-back" };
  if (order.paidBy !== null) return { outcome: "other-payment", paidBy: order.paidBy };
  // A store with conditional writes rejects a pending write once the order is paid.
  if (kind === "conditional") order.pendingWrite = null;
  order.paidBy = paymentId;
  order.effects.push({ paymentId, at });
  return { outcome: "recorded", evidence: "read-back" };
}

function asOrder(order: FixtureOrder): Order {
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
