import { DAY, dispute, newOrder, newPayment, pay, refund, replaceOrder, STYLES, type World } from "./shop-world.ts";

type Right = (world: World, shop: string) => void;

const anyStyle = (world: World) => world.pick(STYLES);

/** Strange things of real shops that are right. Nothing may be found in them. */
export const rightThings: Readonly<Record<string, Right>> = {
  "a paid order": (world, shop) => void pay(world, newOrder(world, shop), anyStyle(world)),
  "a partial refund on both sides": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), anyStyle(world));
    const back = { minor: Math.floor(order.total.minor / 3), currency: order.total.currency };
    refund(world, payment, back.minor);
    replaceOrder(world, order, { refunded: back });
  },
  "three partial refunds that are one row in the shop": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), anyStyle(world));
    for (const minor of [100, 200, 300]) refund(world, payment, minor);
    replaceOrder(world, order, { refunded: { minor: 600, currency: order.total.currency } });
  },
  "an order that was given back whole": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), anyStyle(world));
    refund(world, payment, order.total.minor);
    replaceOrder(world, order, { state: "refunded", refunded: world.random() < 0.5 ? order.total : null });
  },
  "a refund that is still pending at the service": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), anyStyle(world));
    refund(world, payment, 500, { status: "pending" });
    replaceOrder(world, order, { refunded: { minor: 500, currency: order.total.currency } });
  },
  "a cancelled order whose money went back": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), anyStyle(world));
    refund(world, payment, order.total.minor);
    replaceOrder(world, order, { state: "cancelled" });
  },
  "an abandoned order": (world, shop) => void newOrder(world, shop, { state: "unpaid", paidAt: null }),
  "a cancelled order that nobody paid": (world, shop) =>
    void newOrder(world, shop, { state: "cancelled", paidAt: null }),
  "an order paid in cash": (world, shop) => void newOrder(world, shop, { method: "cod" }),
  "an order paid by another gateway": (world, shop) =>
    void newOrder(world, shop, { method: "other_gateway", names: [world.nextId("pi_")] }),
  "a free order": (world, shop) => void newOrder(world, shop, { total: { minor: 0, currency: "XOF" } }),
  "a second payment that went back at the service": (world, shop) => {
    const { order } = pay(world, newOrder(world, shop), "both");
    const second = newPayment(world, (order.paidAt ?? 0) + 60_000, order.total, { names: [order.id] });
    refund(world, second, order.total.minor);
  },
  "a deposit and a rest": (world, shop) => {
    const order = newOrder(world, shop);
    const part = Math.floor(order.total.minor / 4);
    const { currency } = order.total;
    const first = pay(world, order, "both", { minor: part, currency });
    pay(world, first.order, "both", { minor: order.total.minor - part, currency });
  },
  "a deposit whose rest is not due yet": (world, shop) => {
    const order = newOrder(world, shop, { state: "partial" });
    pay(world, order, anyStyle(world), { minor: Math.floor(order.total.minor / 4), currency: order.total.currency });
  },
  "an order whose total was lowered, with the difference given back": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), anyStyle(world));
    refund(world, payment, 400);
    replaceOrder(world, order, { total: { minor: order.total.minor - 400, currency: order.total.currency } });
  },
  "an order of which a voucher paid a part": (world, shop) => {
    const order = newOrder(world, shop);
    const paid = { minor: order.total.minor - 300, currency: order.total.currency };
    pay(world, replaceOrder(world, order, { paid }), anyStyle(world), paid);
  },
  "an order that was split in two, both with the transaction": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), "both");
    const half = Math.floor(order.total.minor / 2);
    const { currency } = order.total;
    replaceOrder(world, order, { total: { minor: half, currency } });
    newOrder(world, shop, {
      total: { minor: order.total.minor - half, currency },
      names: [payment.id],
      createdAt: order.createdAt,
    });
  },
  "an order that was split in two, and the part names its order": (world, shop) => {
    const { order } = pay(world, newOrder(world, shop), anyStyle(world));
    const half = Math.floor(order.total.minor / 2);
    const { currency } = order.total;
    replaceOrder(world, order, { total: { minor: half, currency } });
    newOrder(world, shop, {
      total: { minor: order.total.minor - half, currency },
      relatedTo: order.id,
      createdAt: order.createdAt,
    });
  },
  "two orders that were merged into a third": (world, shop) => {
    const left = pay(world, newOrder(world, shop, { total: { minor: 4_000, currency: "XOF" } }), "both");
    const right = pay(world, newOrder(world, shop, { total: { minor: 2_500, currency: "XOF" } }), "both");
    replaceOrder(world, left.order, { state: "cancelled" });
    replaceOrder(world, right.order, { state: "cancelled" });
    newOrder(world, shop, {
      total: { minor: 6_500, currency: "XOF" },
      names: [left.payment.id, right.payment.id],
      createdAt: right.order.createdAt,
    });
  },
  "an order in the shop's currency that was paid in the shopper's": (world, shop) => {
    const order = newOrder(world, shop, {
      total: { minor: 10_000, currency: "EUR" },
      otherTotal: { minor: 65_596, currency: "XOF" },
    });
    const { payment, order: paid } = pay(world, order, anyStyle(world), { minor: 65_596, currency: "XOF" });
    if (world.random() < 0.5) return;
    refund(world, payment, 32_798);
    replaceOrder(world, paid, { refunded: { minor: 5_000, currency: "EUR" } });
  },
  "a total with decimals that the currency does not have": (world, shop) => {
    const order = newOrder(world, shop, { total: { minor: 4_505, currency: "XOF" }, isRounded: true });
    pay(world, order, anyStyle(world), { minor: world.pick([4_504, 4_505]), currency: "XOF" });
  },
  "a copy of an order that nobody paid, with the transaction copied": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), "both");
    newOrder(world, shop, {
      state: "unpaid",
      paidAt: null,
      total: order.total,
      names: [payment.id],
      createdAt: order.createdAt + DAY,
    });
  },
  "a payment right after midnight of the last day, for an order right before it": (world, shop) => {
    const createdAt = Date.UTC(2026, 2, 31, 23, 58);
    pay(world, newOrder(world, shop, { createdAt, paidAt: createdAt + 5 * 60_000 }), anyStyle(world));
  },
  "a payment in a zone where it is already tomorrow": (world, shop) => {
    const createdAt = Date.UTC(2026, 0, 31, 22, 0);
    pay(world, newOrder(world, shop, { createdAt, paidAt: createdAt + 1_000 }), anyStyle(world));
  },
  "an order from before a move, whose old id is now another order's": (world, shop) => {
    const other = newOrder(world, shop, { state: "unpaid", paidAt: null });
    const order = newOrder(world, shop);
    const payment = newPayment(world, order.paidAt ?? 0, order.total, { names: [other.id] });
    replaceOrder(world, order, { names: [payment.id] });
  },
  "an order whose dispute was won": (world, shop) => {
    const { payment } = pay(world, newOrder(world, shop), anyStyle(world));
    dispute(world, payment, { status: "won" });
  },
  "an order whose dispute was lost, and which is shown as given back": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), anyStyle(world));
    dispute(world, payment, { status: "lost" });
    replaceOrder(world, order, { state: "refunded" });
  },
  "an order with a dispute that the shop shows": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), anyStyle(world));
    dispute(world, payment);
    replaceOrder(world, order, { knowsDispute: true });
  },
  "a test order with test money": (world, shop) => {
    pay(world, newOrder(world, shop, { isTest: true }), anyStyle(world), undefined, { environment: "test" });
  },
  "money of the till on the same key": (world) => {
    newPayment(world, Date.UTC(2026, 1, 10), { minor: 7_700, currency: "XOF" }, { channel: "pos" });
  },
  "an order that is paid, with a payment that names nothing": (world, shop) => {
    // An amount that no other order has, so that one order resembles it.
    const total = { minor: 1_000_000 + world.orders.length, currency: "XOF" };
    const order = newOrder(world, shop, { total });
    newPayment(world, order.paidAt ?? 0, total);
  },
};

/** Orders as they come in most shops: nearly all are plain, and one in four is strange. */
export function addRightOrder(world: World, shop: string): void {
  const things = Object.values(rightThings);
  const [plain] = things;
  const thing = world.random() < 0.75 ? plain : world.pick(things);
  thing?.(world, shop);
}
