import { DAY, dispute, newOrder, newPayment, pay, refund, replaceOrder, STYLES, type World } from "./shop-world.ts";

type Fault = (world: World, shop: string) => void;

const style = (world: World) => world.pick(STYLES);

/** One row a fault: what it is called, and how it comes to a shop. Each plants what must be found. */
export const faults: Readonly<Record<string, Fault>> = {
  "the webhook was lost": (world, shop) => {
    const order = newOrder(world, shop, { state: "unpaid", paidAt: null });
    pay(world, order, world.pick(["in_metadata", "number_in_metadata", "key_in_metadata"]));
    world.planted.push({ kind: "paid_not_shown", order: order.id, minor: order.total.minor });
  },
  "the order was set to paid by a forged return": (world, shop) => {
    const order = newOrder(world, shop);
    world.planted.push({ kind: "shown_without_money", order: order.id, minor: order.total.minor });
  },
  "the order names a transaction that does not exist": (world, shop) => {
    const order = newOrder(world, shop, { names: [world.nextId("txn_zzzzzz")] });
    world.planted.push({ kind: "shown_without_money", order: order.id, minor: order.total.minor });
  },
  "two tabs paid twice": (world, shop) => {
    const { order } = pay(world, newOrder(world, shop), style(world));
    newPayment(world, (order.paidAt ?? 0) + 60_000, order.total, { names: [order.id] });
    world.planted.push({ kind: "two_payments", order: order.id, minor: order.total.minor });
  },
  "a copied order was set to paid with the copied transaction": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), "both");
    const copy = newOrder(world, shop, { total: order.total, names: [payment.id], createdAt: order.createdAt + DAY });
    world.planted.push({ kind: "payment_on_two_orders", order: copy.id, minor: order.total.minor });
  },
  "the cart grew after the payment page was opened": (world, shop) => {
    const order = newOrder(world, shop);
    pay(world, order, style(world), { minor: order.total.minor - 700, currency: order.total.currency });
    world.planted.push({ kind: "amount_differs", order: order.id, minor: 700 });
  },
  "the payment was in another currency": (world, shop) => {
    const order = newOrder(world, shop, { total: { minor: 5_000, currency: "EUR" } });
    pay(world, order, style(world), { minor: 5_000, currency: "XOF" });
    world.planted.push({ kind: "amount_differs", order: order.id, minor: 5_000 });
  },
  "the refund was made in the dashboard only": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), style(world));
    refund(world, payment, 450);
    world.planted.push({ kind: "refund_on_one_side", order: order.id, minor: 450 });
  },
  "the refund was made in the shop only": (world, shop) => {
    const { order } = pay(world, newOrder(world, shop), style(world));
    replaceOrder(world, order, { refunded: { minor: 450, currency: order.total.currency } });
    world.planted.push({ kind: "refund_on_one_side", order: order.id, minor: 450 });
  },
  "the order was set to refunded and nothing was sent": (world, shop) => {
    const { order } = pay(world, newOrder(world, shop), style(world));
    replaceOrder(world, order, { state: "refunded" });
    world.planted.push({ kind: "refund_on_one_side", order: order.id, minor: order.total.minor });
  },
  "the order was cancelled and the money stayed": (world, shop) => {
    const { order } = pay(world, newOrder(world, shop), style(world));
    replaceOrder(world, order, { state: "cancelled" });
    world.planted.push({ kind: "cancelled_and_kept", order: order.id, minor: order.total.minor });
  },
  "a dispute was opened and nobody in the shop knows": (world, shop) => {
    const { order, payment } = pay(world, newOrder(world, shop), style(world));
    dispute(world, payment, { status: world.pick(["open", "lost"]) });
    world.planted.push({ kind: "dispute_unknown", order: order.id, minor: order.total.minor });
  },
  "the shop was live with a test key": (world, shop) => {
    const { order } = pay(world, newOrder(world, shop), style(world), undefined, { environment: "test" });
    world.planted.push({ kind: "test_money", order: order.id, minor: order.total.minor });
  },
  "the order was deleted after it was paid": (world) => {
    const at = Date.UTC(2026, 1, 3) + Math.floor(world.random() * DAY);
    const minor = 2_000_000 + world.payments.length;
    const payment = newPayment(world, at, { minor, currency: "XOF" }, { names: ["99999999"] });
    world.planted.push({ kind: "money_of_nobody", payment: payment.id, minor });
  },
  "the net is not what fee and gross make": (world, shop) => {
    const { payment } = pay(world, newOrder(world, shop), style(world), undefined, {});
    const index = world.payments.indexOf(payment);
    world.payments[index] = { ...payment, net: (payment.net ?? 0) - 25 };
    world.planted.push({ kind: "balance_differs", payment: payment.id, minor: 25 });
  },
};
