import {
  decimalText,
  type Environment,
  explainFinding,
  findingKey,
  type Order,
  type OrderRef,
  type Receipt,
  type StoreAdapter,
  type StoreAnswer,
  sameMoney,
} from "@tillkit/core";
import type { Decision, Shop, ShopOrder } from "./shop.ts";

export type AdapterOptions = {
  readonly storeId: string;
  /** The address of the shop's own pages, such as `https://shop.example`. */
  readonly shopUrl: string;
  readonly environment: Environment;
};

type Refund = Parameters<NonNullable<StoreAdapter["recordRefund"]>>[0];
const readBack = { evidence: "read-back" } as const;

/** Translates between Tillkit and this shop. Tillkit decides when money has arrived; the shop decides whether its order takes it. */
export function createAdapter(shop: Shop, { storeId, shopUrl, environment }: AdapterOptions): StoreAdapter {
  // One server may serve many shops: an order number of another shop finds nothing here.
  const readOrder = async (ref: OrderRef) => (ref.storeId === storeId ? await shop.order(ref.orderId) : null);
  async function changeOrder<Answer>(
    ref: OrderRef,
    decide: (order: ShopOrder) => Decision<Answer>,
  ): Promise<Answer | null> {
    return ref.storeId === storeId ? await shop.change(ref.orderId, decide) : null;
  }

  // #region adapter
  return {
    platform: "json-file-shop",
    // `shop.change` compares and writes in one step, so a second payment is refused by the shop itself. For a platform that cannot do
    // this, write `{ kind: "read-then-write", settleAfterMs }`: the longest time after which the platform may still carry out a request.
    writes: { kind: "conditional" },
    async findOrder(ref) {
      const order = await readOrder(ref);
      return order && toOrder(order, ref, environment);
    },
    async markPaid(receipt) {
      return (await changeOrder(receipt.ref, (order) => pay(order, receipt))) ?? { outcome: "gone" };
    },
    async holdForReview(ref, _attempt, finding) {
      const key = `hold:${findingKey(finding)}`;
      await changeOrder(ref, (order) => withNote(order, key, explainFinding(finding, order.language)));
    },
    async shopperUrl({ orderId }, _attempt, outcome) {
      return `${shopUrl}/orders/${encodeURIComponent(orderId)}?payment=${outcome}`;
    },
    async markPending(ref, _attempt, until) {
      await changeOrder(ref, (order) => {
        const isUnpaid = order.paidBy === null;
        return isUnpaid ? { order: { ...order, pendingUntil: until }, answer: null } : { answer: null };
      });
    },
    async recordRefund(refund) {
      return (await changeOrder(refund.ref, (order) => recordRefund(order, refund))) ?? { outcome: "gone" };
    },
    async addNote(ref, key, text) {
      await changeOrder(ref, (order) => withNote(order, `note:${key}`, text));
    },
    // Once a day these orders are verified again, in case every signal of a payment was lost.
    async *listUnsettled(since) {
      for (const { id, state, paidBy } of await shop.ordersSince(since)) {
        if (state === "open" && paidBy === null) yield { ref: { storeId, orderId: id }, attempt: "" };
      }
    },
  };
  // #endregion adapter
}

// #region order
function toOrder(
  { id, title, total, language, state, paidBy }: ShopOrder,
  ref: OrderRef,
  environment: Environment,
): Order {
  return {
    ref,
    number: id,
    // This shop has no ids for attempts to pay.
    attempt: "",
    total,
    title,
    language,
    environment,
    payable: state === "open" && paidBy === null,
    paidBy: paidBy === "cash" ? "outside" : paidBy,
  };
}
// #endregion order

// #region pay
/** Runs inside `shop.change`, so the order is as it is now and nobody else writes it meanwhile. */
function pay(order: ShopOrder, { paymentId, total }: Receipt): Decision<StoreAnswer> {
  if (order.paidBy === paymentId) return { answer: { outcome: "already", ...readBack } };
  if (order.paidBy !== null) return { answer: { outcome: "other-payment", paidBy: order.paidBy } };
  if (order.state !== "open") return { answer: { outcome: "not-payable", why: { kind: "cancelled" } } };
  // The owner may have edited the order after the payment was verified.
  if (!sameMoney(order.total, total)) return { answer: { outcome: "not-payable", why: { kind: "total_changed" } } };
  // The shop ships what is paid, so a second shipment would show a second write.
  const paid = { ...order, paidBy: paymentId, pendingUntil: null, shipments: order.shipments + 1 };
  return { order: paid, answer: { outcome: "recorded", ...readBack } };
}
// #endregion pay

// #region refund
/** Records a refund of the payment in `paidBy`. The refund of a duplicate payment leaves the order as it is. */
function recordRefund(order: ShopOrder, { paymentId, refundId, key, amount, status }: Refund): Decision<StoreAnswer> {
  const id = refundId || key;
  if (status === "failed" || order.paidBy !== paymentId) {
    const what = status === "failed" ? "A refund failed" : "Another payment of this order was refunded";
    const noted = withNote(order, `refund:${id}:${status}`, `${what}: ${decimalText(amount)} ${amount.currency}.`);
    return { ...noted, answer: { outcome: "recorded", ...readBack } };
  }
  if (order.refunds.some((refund) => refund.id === id)) return { answer: { outcome: "already", ...readBack } };
  const refunded = { ...order, refunds: [...order.refunds, { id, amount }] };
  return { order: refunded, answer: { outcome: "recorded", ...readBack } };
}
// #endregion refund

function withNote(order: ShopOrder, key: string, text: string): Decision<null> {
  if (order.notes.some((note) => note.key === key)) return { answer: null };
  return { order: { ...order, notes: [...order.notes, { key, text }] }, answer: null };
}
